package calendar_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// diary is a provider that knows al's events.
type diary struct {
	provider
	events []meet.Occurrence
	fails  error
	takes  time.Duration
}

func (d diary) Events(ctx context.Context, p meet.Person, _ interval.Span) ([]meet.Occurrence, error) {
	if p.ID != al.ID {
		return nil, calendar.ErrNoCalendar
	}
	select {
	case <-time.After(d.takes):
		return d.events, d.fails
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestEventsOfAllCalendars(t *testing.T) {
	t.Parallel()
	event := func(uid, title string, from, to int) meet.Occurrence {
		return meet.Occurrence{UID: uid, Title: title, Span: span(from, to)}
	}
	broken, none := errors.New("502 from somewhere"), calendar.ErrNoCalendar
	late, early := event("2", "Flight", 15, 17), event("1", "Dentist", 9, 10)
	from := func(name string, fails error, events ...meet.Occurrence) diary {
		return diary{provider: provider{name: name}, events: events, fails: fails}
	}
	for _, test := range []struct {
		name    string
		sources []calendar.Provider
		want    []string
		err     error
	}{
		{"in order", []calendar.Provider{from("local", nil, late), from("google", nil, early)},
			[]string{"Dentist", "Flight"}, nil},
		{"an event that two calendars have", []calendar.Provider{from("ics", nil, early), from("google", nil, early)},
			[]string{"Dentist"}, nil},
		{"two of a series that were moved to one time", []calendar.Provider{from("local", nil,
			meet.Occurrence{Provider: "local", UID: "1", Title: "Monday's", RecurrenceID: span(3, 4).Start, Span: span(9, 10)},
			meet.Occurrence{Provider: "local", UID: "1", Title: "Tuesday's", RecurrenceID: span(9, 10).Start, Span: span(9, 10)},
		)}, []string{"Monday's", "Tuesday's"}, nil},
		{"the copy of a booking that was moved elsewhere", []calendar.Provider{
			from("google", nil, meet.Occurrence{Provider: "google", UID: "1", Title: "Moved", Span: span(12, 13)}),
			from("local", nil, meet.Occurrence{Provider: "local", UID: "1", Title: "Copy", Span: span(9, 10)}),
		}, []string{"Moved"}, nil},
		{"one calendar fails", []calendar.Provider{from("local", nil, late), from("google", broken)},
			[]string{"Flight"}, broken},
		{"no calendar", []calendar.Provider{from("local", none)}, nil, none},
		{"no calendar, but an event of Convene's", []calendar.Provider{from("local", none, early)},
			[]string{"Dentist"}, nil},
		{"a calendar that knows times only", []calendar.Provider{source("x", busy(span(9, 10)))}, nil, none},
		{"a cache is not asked", []calendar.Provider{
			remembering{from("google", nil, early), nil, nil},
		}, []string{"Dentist"}, nil},
		{"a title is a caption", []calendar.Provider{from("ics", nil, event("1", "Pay at\nhttps://evil.example/", 9, 10))},
			[]string{meet.Caption("Pay at\nhttps://evil.example/")}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := calendar.Directory{Sources: test.sources}
			events, err := d.Events(t.Context(), al, whole)
			if !errors.Is(err, test.err) {
				t.Errorf("error: got %v, want %v", err, test.err)
			}
			var got []string
			for _, e := range events {
				got = append(got, e.Title)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("titles (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEventsComeWithinTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := calendar.Directory{Sources: []calendar.Provider{
			diary{provider: provider{name: "local"}, events: []meet.Occurrence{{Title: "Yoga", Span: span(9, 10)}}},
			diary{provider: provider{name: "google"}, takes: time.Hour},
		}}
		began := time.Now()
		events, err := d.Events(t.Context(), al, whole)
		if len(events) != 1 || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != calendar.DefaultDeadline {
			t.Errorf("got %v, %v after %v", events, err, time.Since(began))
		}
	})
}
