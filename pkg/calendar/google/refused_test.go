package google_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func TestFaultsWhileWriting(t *testing.T) {
	t.Parallel()
	const again = "the event was changed in Google Calendar at the same moment; try again"
	write, change := "POST", "PATCH"
	for _, c := range []struct {
		name   string
		method string
		times  int
		answer http.HandlerFunc
		reason string
		code   fault.Code
	}{
		{"401 once", write, 1, answering(t, 401, "error-401.json"), "", ""},
		{"401 with every token", write, 9, answering(t, 401, "error-401.json"), reconnect, fault.CalendarFailed},
		{"403 rate limit once", write, 1, answering(t, 403, "error-403-rate-limit.json"), "", ""},
		{"403 forbidden", write, 9, answering(t, 403, "error-403-forbidden.json"), refused, fault.CalendarFailed},
		{"404", write, 9, answering(t, 404, "error-404.json"), gone, fault.CalendarFailed},
		{"409 of an event that is not there", "GET", 9, answering(t, 404, "error-404.json"), gone, fault.CalendarFailed},
		{"412 once", change, 1, answering(t, 412, "error-412.json"), "", ""},
		{"412 twice", change, 2, answering(t, 412, "error-412.json"), again, fault.Conflict},
		{"an HTML page with 502", write, 9, googletest.Answer(502, "text/html", "<html>"), down, fault.CalendarFailed},
		{"null", write, 9, googletest.Answer(200, "application/json", "null"), unreadable, fault.CalendarFailed},
		{"something that is no event", change, 9, googletest.Answer(200, "application/json", "{}"), unreadable,
			fault.CalendarFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			provider := open(s, keys)
			if _, err := provider.Write(t.Context(), entry(t, first(t))); err != nil {
				t.Fatal(err)
			}
			s.Fail(c.times, c.method, "/events", c.answer)
			_, err := provider.Write(t.Context(), entry(t, moved(t)))
			checkFault(t, err, c.reason)
			if c.reason != "" && fault.CodeOf(err) != c.code {
				t.Errorf("code = %s, want %s", fault.CodeOf(err), c.code)
			}
		})
	}
}

func TestFaultsWhileRemoving(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		reason string
	}{
		{"404", answering(t, 404, "error-404.json"), ""},
		{"410", answering(t, 410, "error-410-deleted.json"), ""},
		{"403", answering(t, 403, "error-403-forbidden.json"), refused},
		{"500", answering(t, 500, "error-500.json"), down},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, keys, _ := connected(t)
			s.Fail(9, "DELETE", "/events", c.answer)
			checkFault(t, open(s, keys).Remove(t.Context(), entry(t, first(t))), c.reason)
		})
	}
}

func TestNothingToWriteTo(t *testing.T) {
	t.Parallel()
	s, keys, id := connected(t)
	c := open(s, keys)
	stranger := entry(t, first(t))
	stranger.Owner.ID = "stranger"
	if _, err := c.Write(t.Context(), stranger); !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("error = %v, want %v", err, calendar.ErrNoCalendar)
	}
	keys.Choose(id, account.Calendar{ID: ola, Blocks: true})
	_, err := c.Write(t.Context(), entry(t, first(t)))
	checkFault(t, err, "choose the Google calendar that events are written to")
	keys.Choose(id)
	keys.Allow(id, account.Read)
	_, err = c.Write(t.Context(), entry(t, first(t)))
	checkFault(t, err, "reconnect the Google calendar and allow events to be written to it")
	keys.Allow(id, account.Write)
	write(t, c, entry(t, first(t)))
}

func TestWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	s, keys, _ := connected(t)
	c := open(s, keys)
	for name, change := range map[string]func(*meet.Event){
		"no UID":         func(e *meet.Event) { e.UID = "" },
		"an endless one": func(e *meet.Event) { e.UID = strings.Repeat("x", 700) },
		"no time":        func(e *meet.Event) { e.End = e.Start },
	} {
		e := first(t)
		change(&e)
		if _, err := c.Write(t.Context(), entry(t, e)); fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: error = %v, want an internal fault", name, err)
		}
	}
	if asked := s.Asked(); len(asked) > 0 {
		t.Errorf("Google was asked: %v", asked)
	}
}

// A person who allows no more than to see when they are busy is asked for no events, and for them once more is allowed.
func TestReadAccessSeesBusyTimesOnly(t *testing.T) {
	t.Parallel()
	s, keys, id := connected(t)
	keys.Allow(id, account.Read)
	c := open(s, keys)
	e := first(t)
	span := interval.Span{Start: e.Start.Add(-time.Hour), End: e.End.Add(time.Hour)}
	last, err := c.Sync(t.Context(), calendartest.Owner(), span, calendar.Snapshot{})
	if err != nil {
		t.Fatal(err)
	}
	if asked := strings.Join(s.Asked(), "\n"); strings.Contains(asked, "/events") || !strings.Contains(asked, "freeBusy") {
		t.Errorf("Google was asked\n%s\nwant only for busy times", asked)
	}
	keys.Allow(id, account.Write)
	if _, err := c.Sync(t.Context(), calendartest.Owner(), span, last); err != nil {
		t.Fatal(err)
	}
	if asked := strings.Join(s.Asked(), "\n"); !strings.Contains(asked, "/events") {
		t.Errorf("Google was asked\n%s\nwant for events too", asked)
	}
}
