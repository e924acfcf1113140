package google_test

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
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

// yoga is a series with exceptions and guests through a change of the clocks.
func yoga() calendartest.Event {
	zone := calendartest.Owner().Zone()
	day := func(d, hour int) time.Time { return time.Date(2026, time.March, d, hour, 0, 0, 0, zone) }
	return calendartest.Event{
		UID: "w", Title: "Yoga", Start: day(3, 9), End: day(3, 10), Rule: "FREQ=WEEKLY;COUNT=6",
		Guests:    []meet.Attendee{{Name: "Al", Email: "al@example.com", Answer: meet.Accepted}},
		Moved:     []calendartest.Move{{From: day(31, 9), Start: day(32, 15), End: day(32, 16)}},
		Cancelled: []time.Time{day(17, 9)},
	}
}

// amendments are changes of its occurrence on the 24th, and one of nothing that stands.
func amendments(t *testing.T, o meet.Occurrence) map[string]agenda.Amendment {
	t.Helper()
	title, later := "Pilates", between(t, "24 11:00", "24 12:30")
	fields := agenda.Fields{
		Title: &title, Span: &later, Invite: []meet.Attendee{{Name: "Bo", Email: "bo@example.com"}},
	}
	all := map[string]agenda.Amendment{"create": {Key: "k", Kind: agenda.Create, Event: meet.Occurrence{
		Title: "Lunch", Span: between(t, "3 12:00", "3 13:00"), Attendees: fields.Invite,
	}}}
	for _, scope := range []meet.Scope{meet.ThisOne, meet.Following, meet.AllOfThem} {
		all["update "+string(scope)] = agenda.Amendment{
			Key: "k", Kind: agenda.Update, Event: o, Scope: scope, Set: fields,
		}
		all["delete "+string(scope)] = agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: o, Scope: scope}
	}
	return all
}

// dying is the connection of a process that ends at a request, before the server has it or after it has carried it out.
type dying struct {
	left  atomic.Int64
	after bool
	end   context.CancelFunc
}

func (d *dying) RoundTrip(req *http.Request) (*http.Response, error) {
	left := d.left.Add(-1)
	if left > 0 {
		return http.DefaultTransport.RoundTrip(req)
	}
	if left == 0 && d.after {
		if answer, err := http.DefaultTransport.RoundTrip(req); err == nil {
			_ = answer.Body.Close()
		}
	}
	d.end()
	return nil, errors.New("the connection broke")
}

// A process may die at any request of any change. The next one makes the change whole, and no guest hears of it twice.
func TestACrashAnywhereIsNoSecondDeed(t *testing.T) {
	t.Parallel()
	type world struct {
		server *googletest.Server
		keys   *googletest.Keyring
	}
	seeded := func(t *testing.T) (world, meet.Occurrence) {
		t.Helper()
		s, keys, _ := connected(t)
		s.Seed(ola, yoga())
		events, err := open(s, keys).Events(t.Context(), calendartest.Owner(), between(t, "24 00:00", "25 00:00"))
		if err != nil || len(events) != 1 {
			t.Fatalf("events: %+v, %v", events, err)
		}
		return world{s, keys}, events[0]
	}
	crash := func(t *testing.T, a agenda.Amendment, w world, n int, after bool) bool {
		t.Helper()
		ctx, end := context.WithCancel(t.Context())
		defer end()
		wire := &dying{after: after, end: end}
		wire.left.Store(int64(n))
		dead := google.New(google.Config{Accounts: w.keys, Endpoint: w.server.URL, Base: wire})
		_, err := dead.Apply(ctx, calendartest.Owner(), a)
		if err == nil {
			return false
		}
		if _, err := open(w.server, w.keys).Apply(t.Context(), calendartest.Owner(), a); err != nil {
			t.Errorf("after a crash at request %d (carried out: %t): %v", n, after, err)
		}
		return true
	}
	_, o := seeded(t) // the servers' events have the same ids
	try := func(t *testing.T, before func(t *testing.T, w world) agenda.Amendment) {
		t.Helper()
		whole, same := seeded(t)
		if diff := cmp.Diff(o, same); diff != "" {
			t.Fatalf("two servers differ:\n%s", diff)
		}
		a := before(t, whole)
		if _, err := open(whole.server, whole.keys).Apply(t.Context(), calendartest.Owner(), a); err != nil {
			t.Fatal(err)
		}
		want := withoutVersions(whole.server.Dump(ola))
		for _, after := range []bool{false, true} {
			for n := 1; ; n++ {
				w, _ := seeded(t)
				if !crash(t, before(t, w), w, n, after) {
					break
				}
				if diff := cmp.Diff(want, withoutVersions(w.server.Dump(ola))); diff != "" {
					t.Errorf("after a crash at request %d (carried out: %t) (-want +got):\n%s", n, after, diff)
				}
			}
		}
	}
	for name, a := range amendments(t, o) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			try(t, func(*testing.T, world) agenda.Amendment { return a })
		})
		if a.Kind == agenda.Create {
			continue
		}
		t.Run(name+", undone", func(t *testing.T) {
			t.Parallel()
			try(t, func(t *testing.T, w world) agenda.Amendment {
				t.Helper()
				return undone(t, open(w.server, w.keys), a)
			})
		})
	}
}

// undone makes the change, and is what takes it back.
func undone(t *testing.T, c *google.Calendar, a agenda.Amendment) agenda.Amendment {
	t.Helper()
	done, err := c.Apply(t.Context(), calendartest.Owner(), a)
	if err != nil {
		t.Fatal(err)
	}
	undo := agenda.Amendment{Key: "undo", Kind: agenda.Restore, Event: done.Event, Scope: a.Scope, Former: done.Former}
	if a.Kind == agenda.Delete {
		undo.Event = a.Event
	}
	return undo
}

func withoutVersions(dump string) string {
	return regexp.MustCompile(`"etag": "[^,]*,`).ReplaceAllString(dump, "")
}
