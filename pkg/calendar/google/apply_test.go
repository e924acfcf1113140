package google_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
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

func TestACrashAnywhereIsNoSecondDeed(t *testing.T) {
	t.Parallel()
	calendartest.TestCrashes(t, func(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Served {
		t.Helper()
		s, keys, _ := connected(t)
		s.Seed(owner.Email, events...)
		return calendartest.Served{
			Over: func(_ *testing.T, base http.RoundTripper) calendar.Amender {
				return google.New(google.Config{Accounts: keys, Endpoint: s.URL, Base: base})
			},
			Dump: func(*testing.T) string { return withoutVersions(s.Dump(owner.Email)) },
		}
	})
}

func withoutVersions(dump string) string {
	return regexp.MustCompile(`"etag": "[^,]*,`).ReplaceAllString(dump, "")
}

// A guest may not move another's event, unless its organizer lets guests; the guest may still answer, and take it away.
func TestAGuestChangesNothingForOthers(t *testing.T) {
	t.Parallel()
	for _, lets := range []bool{false, true} {
		s, keys, _ := connected(t)
		s.Seed(ola, calendartest.Event{
			UID: "i", Title: "Review", Start: at(t, "3 10:00"), End: at(t, "3 11:00"),
			Organizer: &meet.Attendee{Name: "Bo", Email: "bo@example.com"},
			Guests:    []meet.Attendee{{Name: "Ola", Email: ola}, {Name: "Cy", Email: "cy@example.com"}},
		})
		s.Edit(ola, "i", func(e map[string]any) { e["guestsCanModify"] = lets })
		events, err := open(s, keys).Events(t.Context(), calendartest.Owner(), week(t))
		if err != nil || len(events) != 1 || events[0].ReadOnly || events[0].Theirs == lets {
			t.Fatalf("guests can modify %t: %+v, %v", lets, events, err)
		}
		title := "Mine"
		update := agenda.Amendment{Key: "k", Kind: agenda.Update, Event: events[0], Set: agenda.Fields{Title: &title}}
		_, err = open(s, keys).Apply(t.Context(), calendartest.Owner(), update)
		if errors.Is(err, calendar.ErrReadOnly) == lets {
			t.Errorf("guests can modify %t: got %v", lets, err)
		}
	}
}

// Whose event was changed between the reading and the write is told so, and nothing is written over it.
func TestAChangeIsOfTheVersionThatWasRead(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	s.Seed(ola, calendartest.Event{UID: "1", Title: "Dentist", Start: at(t, "3 10:00"), End: at(t, "3 11:00")})
	events, err := open(s, keys).Events(t.Context(), calendartest.Owner(), week(t))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	between := roundTrip(func(req *http.Request) (*http.Response, error) {
		if req.Method == http.MethodPatch || req.Method == http.MethodDelete {
			s.Edit(ola, "1", func(e map[string]any) { e["summary"] = "Theirs" })
		}
		return http.DefaultTransport.RoundTrip(req)
	})
	c := google.New(google.Config{Accounts: keys, Endpoint: s.URL, Base: between})
	title := "Mine"
	for _, a := range []agenda.Amendment{
		{Key: "k", Kind: agenda.Update, Event: events[0], Set: agenda.Fields{Title: &title}},
		{Key: "l", Kind: agenda.Delete, Event: events[0]},
	} {
		if _, err := c.Apply(t.Context(), calendartest.Owner(), a); !errors.Is(err, calendar.ErrChanged) {
			t.Errorf("%s: got %v, want %v", a.Kind, err, calendar.ErrChanged)
		}
	}
	if got := theEvent(t, s, ola); got["summary"] != "Theirs" {
		t.Errorf("it stands as %v", got)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// However many series there are, their rules are one request.
func TestRulesAreReadAtOnce(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	other := yoga()
	other.UID, other.Rule = "x", "FREQ=DAILY"
	s.Seed(ola, yoga(), other)
	events, err := open(s, keys).Events(t.Context(), calendartest.Owner(), between(t, "20 00:00", "27 00:00"))
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]int{}
	for _, o := range events {
		rules[o.Recurrence]++
	}
	if diff := cmp.Diff(map[string]int{"FREQ=WEEKLY;COUNT=6": 1, "FREQ=DAILY": 7}, rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if asked := s.Asked(); len(asked) != 2 {
		t.Errorf("%d requests: %q", len(asked), asked)
	}
}

// A meeting link stays with an event that moves, and with a series that is split.
func TestALinkStays(t *testing.T) {
	t.Parallel()
	for _, scope := range []meet.Scope{meet.ThisOne, meet.Following, meet.AllOfThem} {
		s, keys, _ := connected(t)
		s.Seed(ola, yoga())
		link := map[string]any{"conferenceId": "abc", "entryPoints": []any{
			map[string]any{"entryPointType": "video", "uri": "https://meet.google.com/abc"},
		}}
		s.Edit(ola, "w", func(e map[string]any) { e["conferenceData"] = link })
		events, err := open(s, keys).Events(t.Context(), calendartest.Owner(), between(t, "24 00:00", "25 00:00"))
		if err != nil || len(events) != 1 {
			t.Fatalf("%+v, %v", events, err)
		}
		later := between(t, "24 11:00", "24 12:30")
		done, err := open(s, keys).Apply(t.Context(), calendartest.Owner(), agenda.Amendment{
			Key: "k", Kind: agenda.Update, Event: events[0], Scope: scope, Set: agenda.Fields{Span: &later},
		})
		if err != nil {
			t.Fatal(err)
		}
		series, _, _ := strings.Cut(done.Event.ID, "_")
		var event map[string]any
		if err := json.Unmarshal([]byte(s.Event(ola, series)), &event); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(link), event["conferenceData"]); diff != "" {
			t.Errorf("%s: link (-want +got):\n%s", scope, diff)
		}
	}
}
