package microsoft_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

func kept(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
	t.Helper()
	return keptIn(open(t, owner, events...), nil)
}

// keptIn is a calendar of the world's; nil is the main one.
func keptIn(w world, in *microsofttest.Calendar) calendartest.Kept {
	if in == nil {
		in = w.mailbox.Main()
	}
	return calendartest.Kept{
		Amender: w.Calendar,
		Dump: func(t *testing.T) string {
			t.Helper()
			text, err := json.MarshalIndent([]any{w.mailbox.Dump(in), w.server.Sent()}, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		},
		Foreign: func(_ *testing.T, uid string) []string { return w.mailbox.Foreign(in, uid) },
		Retitle: func(_ *testing.T, uid, title string) {
			for _, e := range w.mailbox.Events(in) {
				if e.ICalUID == uid {
					e.Subject = title
					w.mailbox.Put(in, e)
				}
			}
		},
		Remove: func(_ *testing.T, uid string) {
			for _, e := range w.mailbox.Events(in) {
				if e.ICalUID == uid {
					w.mailbox.Delete(in, e.ID)
				}
			}
		},
	}
}

// shared is a calendar that another person shares for reading.
func shared(t *testing.T, owner meet.Person, events ...calendartest.Event) calendartest.Kept {
	t.Helper()
	w := open(t, owner)
	theirs := w.mailbox.Add(microsofttest.Calendar{Name: "Theirs", Owner: "boss@example.com"})
	for _, e := range events {
		w.mailbox.Put(theirs, microsofttest.From(owner, e))
	}
	w.accounts = &calendartest.Connections{}
	w.accounts.Connect(account.Account{Provider: account.Microsoft, ID: "a1", Person: owner.ID,
		Address: address, Calendars: []account.Calendar{
			{ID: theirs.ID, Blocks: true},
		}}, token)
	var err error
	w.Calendar, err = microsoft.New(microsoft.Config{Accounts: w.accounts, Endpoint: w.server.Endpoint})
	if err != nil {
		t.Fatal(err)
	}
	return keptIn(w, theirs)
}

func TestChanges(t *testing.T) {
	t.Parallel()
	calendartest.TestAmender(t, kept, shared)
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
		w := open(t, owner, events...)
		return calendartest.Served{
			Over: func(t *testing.T, base http.RoundTripper) calendar.Amender {
				t.Helper()
				c, err := microsoft.New(microsoft.Config{Accounts: w.accounts, Endpoint: w.server.Endpoint, Base: base})
				if err != nil {
					t.Fatal(err)
				}
				return c
			},
			Dump: func(t *testing.T) string {
				t.Helper()
				return withoutVersions(keptIn(w, nil).Dump(t))
			},
		}
	})
}

func withoutVersions(dump string) string {
	return regexp.MustCompile(`"@odata.etag": "[^,]*,`).ReplaceAllString(dump, "")
}

// What Graph would lose is refused, and nothing is written.
func TestWhatWouldBeLostIsRefused(t *testing.T) {
	t.Parallel()
	notes, title := "Bring pens", "Pilates"
	for name, c := range map[string]struct {
		has   map[string]any
		scope meet.Scope
		set   agenda.Fields
	}{
		"the link in an online meeting's notes": {
			map[string]any{"isOnlineMeeting": true}, meet.ThisOne, agenda.Fields{Description: &notes},
		},
		"the attachments of a series that is split": {
			map[string]any{"hasAttachments": true}, meet.Following, agenda.Fields{Title: &title},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t, calendartest.Owner())
			w.mailbox.Put(w.mailbox.Main(), microsofttest.From(calendartest.Owner(), yoga()).With(c.has))
			around := interval.From(yoga().Start.AddDate(0, 0, 20), 48*time.Hour)
			events, err := w.Events(t.Context(), calendartest.Owner(), around)
			if err != nil || len(events) != 1 {
				t.Fatalf("%+v, %v", events, err)
			}
			before := keptIn(w, nil).Dump(t)
			_, err = w.Apply(t.Context(), calendartest.Owner(), agenda.Amendment{
				Key: "k", Kind: agenda.Update, Event: events[0], Scope: c.scope, Set: c.set,
			})
			if fault.CodeOf(err) != fault.CalendarFailed {
				t.Errorf("got %v", err)
			}
			if diff := cmp.Diff(before, keptIn(w, nil).Dump(t)); diff != "" {
				t.Errorf("it was written (-before +after):\n%s", diff)
			}
		})
	}
}

// Whose event was changed between the reading and the write is told so, and nothing is written over it.
func TestAnAmendmentIsOfTheVersionThatWasRead(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{UID: "1", Title: "Dentist", Start: at(9), End: at(10)})
	events, err := w.Events(t.Context(), calendartest.Owner(), interval.From(at(0), 24*time.Hour))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	k := keptIn(w, nil)
	w.server.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPatch {
			k.Retitle(t, "1", "Theirs")
		}
		return false
	})
	title := "Mine"
	_, err = w.Apply(t.Context(), calendartest.Owner(), agenda.Amendment{
		Key: "k", Kind: agenda.Update, Event: events[0], Set: agenda.Fields{Title: &title},
	})
	if !errors.Is(err, calendar.ErrChanged) {
		t.Errorf("got %v, want %v", err, calendar.ErrChanged)
	}
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 || got[0].Subject != "Theirs" {
		t.Errorf("it stands as %+v", got)
	}
}

// However many series there are, their rules are one request for twenty.
func TestRulesAreReadAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	w.server.PageSize(100)
	for n := range 21 {
		e := yoga()
		e.UID = string(rune('a' + n))
		w.mailbox.Put(w.mailbox.Main(), microsofttest.From(calendartest.Owner(), e))
	}
	w.server.Calls()
	events, err := w.Events(t.Context(), calendartest.Owner(), interval.From(yoga().Start.AddDate(0, 0, 20), 48*time.Hour))
	if err != nil || len(events) != 21 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for _, o := range events {
		if o.Recurrence != "FREQ=WEEKLY;BYDAY=TU;COUNT=6" {
			t.Errorf("rule %q", o.Recurrence)
		}
	}
	if calls := w.server.Calls(); len(calls) != 3 {
		t.Errorf("%d requests: %+v", len(calls), calls)
	}
}

// An answer goes to the organizer, once.
func TestAnAnswerIsSentOnce(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{
		UID: "i", Title: "Review", Start: at(9), End: at(10), Organizer: &meet.Attendee{Name: "Bo", Email: "bo@example.com"},
		Guests: []meet.Attendee{{Name: "Ola", Email: address}},
	})
	events, err := w.Events(t.Context(), calendartest.Owner(), interval.From(at(0), 24*time.Hour))
	if err != nil || len(events) != 1 || events[0].ReadOnly || !events[0].Theirs {
		t.Fatalf("%+v, %v", events, err)
	}
	a := agenda.Amendment{Key: "k", Kind: agenda.Respond, Event: events[0], Answer: meet.Undecided}
	for range 2 {
		if _, err := w.Apply(t.Context(), calendartest.Owner(), a); err != nil {
			t.Fatal(err)
		}
	}
	want := []microsofttest.Mail{{Kind: "tentative", To: "bo@example.com", Subject: "Review"}}
	if diff := cmp.Diff(want, w.server.Sent()); diff != "" {
		t.Errorf("mails (-want +got):\n%s", diff)
	}
}

// An answer can be taken back to an earlier one. Graph has no way back to none: then there is nothing to restore.
func TestAnAnswerIsTakenBack(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner(), calendartest.Event{
		UID: "i", Title: "Review", Start: at(9), End: at(10), Organizer: &meet.Attendee{Name: "Bo", Email: "bo@example.com"},
		Guests: []meet.Attendee{{Name: "Ola", Email: address}},
	})
	events, err := w.Events(t.Context(), calendartest.Owner(), interval.From(at(0), 24*time.Hour))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	apply := func(a agenda.Amendment) agenda.Amended {
		t.Helper()
		done, err := w.Apply(t.Context(), calendartest.Owner(), a)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	first := apply(agenda.Amendment{Key: "1", Kind: agenda.Respond, Event: events[0], Answer: meet.Accepted})
	if first.Former != nil {
		t.Errorf("no answer is said to come back: %s", first.Former)
	}
	second := apply(agenda.Amendment{Key: "2", Kind: agenda.Respond, Event: first.Event, Answer: meet.Undecided})
	back := apply(agenda.Amendment{Key: "3", Kind: agenda.Restore, Event: second.Event, Former: second.Former})
	for _, g := range back.Event.Attendees {
		if g.Self && g.Answer != meet.Accepted {
			t.Errorf("the answer is %q, want %q", g.Answer, meet.Accepted)
		}
	}
}

// An event whose attachments are gone with it is not made again without them, as if nothing were missing.
func TestADeletedEventWithAttachmentsStaysDeleted(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	e := microsofttest.From(calendartest.Owner(), calendartest.Event{UID: "1", Title: "Review", Start: at(9), End: at(10)})
	w.mailbox.Put(w.mailbox.Main(), e.With(map[string]any{"hasAttachments": true}))
	events, err := w.Events(t.Context(), calendartest.Owner(), interval.From(at(0), 24*time.Hour))
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	a := agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: events[0]}
	done, err := w.Apply(t.Context(), calendartest.Owner(), a)
	if err != nil || len(done.Former) == 0 {
		t.Fatalf("nothing says how it was, so that it is made anew: %v", err)
	}
	a = agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: events[0], Former: done.Former}
	if _, err = w.Apply(t.Context(), calendartest.Owner(), a); fault.CodeOf(err) != fault.CalendarFailed {
		t.Errorf("got %v", err)
	}
	if left := w.mailbox.Events(w.mailbox.Main()); len(left) != 0 {
		t.Errorf("there is %+v", left)
	}
}
