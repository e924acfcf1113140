package events_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/agenda/agendatest"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var (
	noon  = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	owner = meet.Person{ID: "me", Timezone: "Europe/Berlin"}
)

func lunch() meet.Occurrence {
	return meet.Occurrence{
		Provider: "p", Calendar: "work", UID: "lunch", Version: "v1",
		Title: "Lunch", Location: "Room 1", Description: "notes",
		Span: interval.Span{Start: noon, End: noon.Add(time.Hour)}, Categories: []string{"a"},
		Attendees: []meet.Attendee{
			{Email: "me@example.com", Self: true, Answer: meet.Undecided}, {Name: "Al", Email: "al@example.com"},
		},
	}
}

func newDiary() *agendatest.Diary { return agendatest.NewDiary(lunch()) }

func changeOf(t *testing.T, a agenda.Amendment) meet.Change {
	t.Helper()
	c, err := a.Change(owner.Zone())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func ptr[T any](v T) *T { return &v }

// amendments are one of each kind, of lunch.
func amendments() map[string]agenda.Amendment {
	later := interval.Span{Start: noon.Add(2 * time.Hour), End: noon.Add(3 * time.Hour)}
	all := map[string]agenda.Amendment{
		"rename": {Kind: agenda.Update, Set: agenda.Fields{Title: ptr("Brunch")}},
		"move":   {Kind: agenda.Update, Set: agenda.Fields{Span: &later}},
		"everything": {Kind: agenda.Update, Set: agenda.Fields{
			Title: ptr("T"), Location: ptr("L"), Description: ptr("D"), Span: &later, AllDay: ptr(true), Transparent: ptr(true),
			Visibility: ptr(meet.Private), Kind: ptr(meet.WorkBlock), Categories: &[]string{"b"}, Recurrence: ptr("FREQ=DAILY"),
		}},
		"guests": {Kind: agenda.Update, Set: agenda.Fields{
			Invite:   []meet.Attendee{{Email: "bo@example.com"}, {Email: "ME@example.com"}},
			Uninvite: []meet.Attendee{{Email: "al@example.com"}},
		}},
		"decline": {Kind: agenda.Respond, Answer: meet.Declined},
		"delete":  {Kind: agenda.Delete},
	}
	for name, a := range all {
		a.Key, a.Event = name, lunch()
		all[name] = a
	}
	created := lunch()
	created.UID, created.Version = "new", ""
	all["create"] = agenda.Amendment{Key: "create", Kind: agenda.Create, Event: created}
	return all
}

// Each change is made as shown, and taken back whole, whether the calendar remembers what it replaced or not.
func TestEachAmendmentAndItsInverse(t *testing.T) {
	t.Parallel()
	for name, a := range amendments() {
		for _, forgets := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " forgotten ", forgets), func(t *testing.T) {
				t.Parallel()
				d := newDiary()
				d.Forgets = forgets
				w, c := events.Writer{Calendars: d}, changeOf(t, a)
				if fresh, err := w.Standing(t.Context(), owner, c); fresh != nil || err != nil {
					t.Fatalf("standing: %v, %v", fresh, err)
				}
				if outcome, _, err := w.Look(t.Context(), owner, c); outcome != meet.ChangeFailed || err != nil {
					t.Errorf("before it is made, it looks %s, %v", outcome, err)
				}
				done, err := w.Write(t.Context(), owner, c)
				if err != nil {
					t.Fatalf("write: %v", err)
				}
				outcome, found, err := w.Look(t.Context(), owner, c)
				if outcome != meet.ChangeDone || err != nil {
					t.Errorf("once it is made, it looks %s, %v", outcome, err)
				}
				if again, err := w.Write(t.Context(), owner, c); err != nil || cmp.Diff(done, again) != "" || len(d.Made) != 1 {
					t.Errorf("again: %v, made %d times", err, len(d.Made))
				}
				if forgets {
					done = found
				}
				inverse, err := w.Inverse(t.Context(), owner, c, done)
				if err == nil {
					_, err = w.Write(t.Context(), owner, inverse)
				}
				if err != nil {
					t.Fatalf("undo: %v", err)
				}
				got, there := d.Standing["lunch"]
				if !there { // it is another one, made anew
					got = d.Standing["of delete-undo"]
					got.UID = "lunch"
				}
				got.Version = "v1"
				if diff := cmp.Diff(lunch(), got); diff != "" || len(d.Standing) != 1 {
					t.Errorf("%d events; lunch (-before +after):\n%s", len(d.Standing), diff)
				}
			})
		}
	}
}

// What others changed since stays; where it is what the change was of, taking back is refused.
func TestUndoingWhatOthersChangedSince(t *testing.T) {
	t.Parallel()
	rename := func(e *meet.Occurrence) { e.Title = "Theirs" }
	note := func(e *meet.Occurrence) { e.Description = "theirs" }
	for _, tt := range []struct {
		change string
		scope  meet.Scope
		theirs func(*meet.Occurrence)
		want   fault.Code
		title  string
	}{
		{change: "rename", theirs: note, title: "Lunch"},
		{change: "rename", theirs: rename, want: change.Changed, title: "Theirs"},
		{change: "rename", scope: meet.AllOfThem, theirs: note, want: change.Changed, title: "Brunch"},
		{change: "move", theirs: rename, title: "Theirs"},
		{change: "guests", theirs: rename, title: "Theirs"},
		{change: "decline", theirs: rename, title: "Theirs"},
		{change: "decline", theirs: func(e *meet.Occurrence) { e.Attendees[0].Answer = meet.Accepted }, want: change.Changed,
			title: "Lunch"},
		{change: "create", theirs: note, want: change.Changed, title: "Lunch"},
		{change: "delete", theirs: rename, want: change.Changed, title: "Theirs"},
	} {
		t.Run(tt.change+" "+tt.title, func(t *testing.T) {
			t.Parallel()
			d, a := newDiary(), amendments()[tt.change]
			a.Scope = tt.scope
			w, c := events.Writer{Calendars: d}, changeOf(t, a)
			done, err := w.Write(t.Context(), owner, c)
			if err != nil {
				t.Fatal(err)
			}
			now, there := d.Standing[a.Event.Key()]
			if !there {
				now = lunch()
			}
			now.Version += "+"
			tt.theirs(&now)
			d.Standing[now.Key()] = now
			inverse, err := w.Inverse(t.Context(), owner, c, done)
			if err == nil {
				_, err = w.Write(t.Context(), owner, inverse)
			}
			if got := fault.CodeOf(err); got != tt.want {
				t.Fatalf("undo = %v, want code %q", err, tt.want)
			}
			after := d.Standing[now.Key()]
			if after.Title != tt.title || tt.want == "" && after.Description != now.Description {
				t.Errorf("it is %q with %q", after.Title, after.Description)
			}
		})
	}
}

func TestStanding(t *testing.T) {
	t.Parallel()
	moved := func(e *meet.Occurrence) {
		e.Span = interval.Span{Start: noon.AddDate(0, 0, 9), End: noon.AddDate(0, 0, 9).Add(time.Hour)}
	}
	for _, tt := range []struct {
		name   string
		theirs func(d *agendatest.Diary, e *meet.Occurrence)
		want   fault.Code
		fresh  string
	}{
		{name: "as it was", theirs: func(*agendatest.Diary, *meet.Occurrence) {}},
		{name: "another title",
			theirs: func(_ *agendatest.Diary, e *meet.Occurrence) { e.Version, e.Location = "v2", "Room 2" },
			fresh:  "Room 2 2026-11-25T13:00:00+01:00"},
		{name: "moved", theirs: func(_ *agendatest.Diary, e *meet.Occurrence) { e.Version = "v2"; moved(e) },
			fresh: "Room 1 2026-12-04T13:00:00+01:00"},
		{name: "without versions, as it was", theirs: func(_ *agendatest.Diary, e *meet.Occurrence) { e.Version = "" }},
		{name: "without versions, moved", theirs: func(_ *agendatest.Diary, e *meet.Occurrence) { e.Version = ""; moved(e) },
			fresh: "Room 1 2026-12-04T13:00:00+01:00"},
		{name: "only to be read",
			theirs: func(_ *agendatest.Diary, e *meet.Occurrence) { e.Version, e.ReadOnly = "v2", true },
			want:   change.Changed},
		{name: "gone", theirs: func(d *agendatest.Diary, e *meet.Occurrence) { e.UID = "other" }, want: change.Changed},
		{name: "gone, or in a calendar that could not be read", theirs: func(d *agendatest.Diary, e *meet.Occurrence) {
			e.UID, d.Problem = "other", fault.New(fault.CalendarFailed, "part of the calendar could not be read").Later(0)
		}, want: fault.CalendarFailed},
		{name: "there, and another calendar could not be read", theirs: func(d *agendatest.Diary, _ *meet.Occurrence) {
			d.Problem = errors.New("broken")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDiary()
			now := lunch()
			tt.theirs(d, &now)
			d.Standing = map[string]meet.Occurrence{now.Key(): now}
			w, c := events.Writer{Calendars: d}, changeOf(t, amendments()["rename"])
			fresh, err := w.Standing(t.Context(), owner, c)
			if got := fault.CodeOf(err); got != tt.want {
				t.Fatalf("standing = %v, want code %q", err, tt.want)
			}
			if tt.fresh == "" {
				if fresh != nil {
					t.Errorf("it is another: %s", fresh.Before)
				}
				return
			}
			var before, after agenda.Event
			if err := errors.Join(json.Unmarshal(fresh.Before, &before), json.Unmarshal(fresh.After, &after)); err != nil {
				t.Fatal(err)
			}
			if got := before.Location + " " + before.Start; got != tt.fresh || after.Title != "Brunch" {
				t.Errorf("it is %q, to become %q", got, after.Title)
			}
			if _, err := w.Write(t.Context(), owner, *fresh); err != nil {
				t.Errorf("the change as it would be now: %v", err)
			}
		})
	}
}

// A second change of one event is made on what the first has left there.
func TestAChangeOnTopOfAnother(t *testing.T) {
	t.Parallel()
	d := newDiary()
	w, all := events.Writer{Calendars: d}, amendments()
	first, second := changeOf(t, all["rename"]), changeOf(t, all["move"])
	second.ID, second.Class, second.DependsOn = "2", meet.R2, []string{"1"}
	done, err := w.Write(t.Context(), owner, first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(t.Context(), owner, second); fault.CodeOf(err) != change.Changed {
		t.Errorf("as it was read: %v, want a refusal", err)
	}
	onto, err := w.Onto(owner, second, first, &done)
	if err != nil || onto.ID != "2" || onto.Class != meet.R2 || len(onto.DependsOn) != 1 {
		t.Fatalf("onto: %+v, %v", onto, err)
	}
	if _, err := w.Write(t.Context(), owner, onto); err != nil {
		t.Fatal(err)
	}
	if e := d.Standing["lunch"]; e.Title != "Brunch" || e.Span.Start.Hour() != 14 {
		t.Errorf("it is %q at %v", e.Title, e.Span.Start)
	}
	if _, err := w.Onto(owner, second, changeOf(t, all["delete"]), nil); fault.CodeOf(err) != change.Changed {
		t.Errorf("on top of a deletion: %v", err)
	}
}
