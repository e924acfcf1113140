package google_test

import (
	"testing"

	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/meet"
)

// kept opens a calendar with that access role of its owner's.
func kept(role string) calendartest.Keeper {
	return func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
		t.Helper()
		s := googletest.New(t)
		s.User(owner.Email, owner.Timezone)
		s.Share(owner.Email, owner.Email, role)
		s.Seed(owner.Email, events...)
		keys := s.Keys()
		keys.Connect(owner.ID, owner.Email)
		return calendartest.Kept{
			Amender: open(s, keys),
			Dump:    func(*testing.T) string { return s.Dump(owner.Email) },
			Foreign: func(_ *testing.T, uid string) []string { return s.Foreign(owner.Email, uid) },
			Retitle: func(_ *testing.T, uid, title string) {
				s.Edit(owner.Email, uid, func(e map[string]any) { e["summary"] = title })
			},
			Remove: func(_ *testing.T, uid string) {
				s.Edit(owner.Email, uid, func(e map[string]any) { e["status"] = "cancelled" })
			},
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	calendartest.TestAmender(t, kept("owner"), kept("reader"))
}
