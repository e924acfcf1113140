package calendartest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/meet"
)

// told is what every provider tells of an occurrence.
type told struct {
	Title                                             string
	From, To, Series                                  time.Time
	AllDay, Tentative, Transparent, Declined, Private bool
	Location                                          string
	Guests                                            []meet.Attendee
}

func (e Event) told() told {
	is := told{
		Title: e.Title, From: e.Start.UTC(), To: e.End.UTC(), AllDay: e.AllDay, Tentative: e.Kind == Tentative,
		Transparent: e.Kind == Transparent, Declined: e.Kind == Declined, Private: e.Private, Location: e.Location,
		Guests: e.Guests,
	}
	if e.Rule != "" {
		is.Series = is.From
	}
	return is
}

// agendaCase is a calendar, and its occurrences of March 2 to 22 in order.
type agendaCase struct {
	name   string
	events []Event
	want   []told
}

func agendaCases() []agendaCase {
	one := Event{UID: "1", Title: "Dentist, Dr. Katz", Start: berlin(3, 10), End: berlin(3, 11)}
	as := func(change func(*Event)) Event {
		e := one
		change(&e)
		return e
	}
	kind := func(k Kind) Event { return as(func(e *Event) { e.Kind = k }) }
	full := as(func(e *Event) {
		e.Location, e.Private = "Main Street 1, Berlin", true
		e.Guests = []meet.Attendee{
			{Name: "Al Chen", Email: "al@example.com", Answer: meet.Accepted},
			{Name: "Bo", Email: "bo@example.com", Answer: meet.Declined}, {Name: "Cy", Email: "cy@example.com"},
		}
	})
	day := Event{UID: "1", Title: "Vacation", Start: berlin(4, 0), End: berlin(6, 0), AllDay: true, Kind: Transparent}
	weekly := Event{UID: "w", Title: "Yoga", Start: berlin(3, 9), End: berlin(3, 10), Rule: "FREQ=WEEKLY;COUNT=3"}
	moved := weekly
	moved.Moved = []Move{{From: berlin(10, 9), Start: berlin(11, 15), End: berlin(11, 16)}}
	moved.Cancelled = []time.Time{berlin(17, 9)}
	at := func(d int, from, to float64, series time.Time) told {
		is := weekly.told()
		is.From, is.To, is.Series = berlin(d, from).UTC(), berlin(d, to).UTC(), series.UTC()
		return is
	}
	return []agendaCase{
		{"an empty calendar", nil, nil},
		{"an event", []Event{one}, []told{one.told()}},
		{"all that is known", []Event{full}, []told{full.told()}},
		{"a tentative event", []Event{kind(Tentative)}, []told{kind(Tentative).told()}},
		{"one that takes no time", []Event{kind(Transparent)}, []told{kind(Transparent).told()}},
		{"one that the owner declined", []Event{kind(Declined)}, []told{kind(Declined).told()}},
		{"one that is cancelled", []Event{kind(Cancelled)}, nil},
		{"one after the span", []Event{as(func(e *Event) { e.Start, e.End = berlin(24, 9), berlin(24, 10) })}, nil},
		{"whole days", []Event{day}, []told{day.told()}},
		{"a series", []Event{weekly}, []told{
			at(3, 9, 10, berlin(3, 9)), at(10, 9, 10, berlin(10, 9)), at(17, 9, 10, berlin(17, 9)),
		}},
		{"a series with one moved and one called off", []Event{moved}, []told{
			at(3, 9, 10, berlin(3, 9)), at(11, 15, 16, berlin(10, 9)),
		}},
	}
}

// testAgenda: a provider tells its owner what each event is.
func testAgenda(t *testing.T, open Opener) {
	t.Helper()
	for _, c := range agendaCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, err := agendaOf(t, open(t, Owner(), c.events...)).Events(t.Context(), Owner(), days(2, 22))
			if err != nil {
				t.Fatalf("Events: %v", err)
			}
			slices.SortFunc(found, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
			var got []told
			for _, o := range found {
				if o.UID == "" || o.ID == "" || o.Provider == "" {
					t.Errorf("%q has no identity: %+v", o.Title, o)
				}
				got = append(got, toldOf(o, c.events))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("of a stranger", func(t *testing.T) {
		t.Parallel()
		_, err := agendaOf(t, open(t, Owner())).Events(t.Context(), meet.Person{ID: "stranger"}, day(2))
		if !errors.Is(err, calendar.ErrNoCalendar) {
			t.Errorf("got %v, want %v", err, calendar.ErrNoCalendar)
		}
	})
}

func agendaOf(t *testing.T, p calendar.Provider) calendar.Agenda {
	t.Helper()
	a, ok := p.(calendar.Agenda)
	if !ok {
		t.Fatalf("%s tells nothing of events", p.Name())
	}
	return a
}

// toldOf is what an occurrence tells, without people who are not among the events' guests: vendors add the owner.
func toldOf(o meet.Occurrence, events []Event) told {
	is := told{
		Title: o.Title, From: o.Span.Start.UTC(), To: o.Span.End.UTC(), AllDay: o.AllDay, Tentative: o.Tentative,
		Transparent: o.Transparent, Declined: o.Declined(), Private: o.Visibility == meet.Private, Location: o.Location,
	}
	if !o.RecurrenceID.IsZero() {
		is.Series = o.RecurrenceID.UTC()
	}
	for _, a := range o.Attendees {
		if slices.ContainsFunc(events, func(e Event) bool {
			return slices.ContainsFunc(e.Guests, func(g meet.Attendee) bool { return g.Email == a.Email })
		}) {
			is.Guests = append(is.Guests, a)
		}
	}
	return is
}
