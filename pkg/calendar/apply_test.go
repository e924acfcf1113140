package calendar_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// book is a provider whose events can be changed; it notes what is asked of it.
type book struct {
	diary
	fails error
	asked *[]string
}

func (b book) Apply(_ context.Context, p meet.Person, a agenda.Amendment) (agenda.Amended, error) {
	*b.asked = append(*b.asked, b.name)
	if p.ID != al.ID {
		return agenda.Amended{}, calendar.ErrNoCalendar
	}
	after := a.After()
	if after == nil {
		after = &meet.Occurrence{}
	}
	return agenda.Amended{Event: *after}, b.fails
}

// desk are bookings: it knows one.
type desk struct {
	uid  string
	made []meet.Event
}

func (d *desk) Amend(_ context.Context, a meet.Amending) error {
	if a.UID != d.uid {
		return fault.New(fault.NotFound, "This event was not booked here.")
	}
	e := meet.Event{Status: meet.Confirmed}
	a.Make(&e)
	d.made = append(d.made, e)
	return nil
}

func TestAChangeGoesToTheEventsCalendar(t *testing.T) {
	t.Parallel()
	broken := errors.New("502 from somewhere")
	for _, test := range []struct {
		name     string
		person   meet.Person
		event    meet.Occurrence
		accounts calendar.Accounts
		fails    error
		asked    []string
		err      error
	}{
		{name: "to its provider", person: al, event: meet.Occurrence{Provider: "local"}, asked: []string{"local"}},
		{name: "to the first", person: al, asked: []string{"google"}},
		{name: "to the first that is connected", person: al, accounts: accounts{}, asked: []string{"local"}},
		{name: "to the first with a calendar", person: meet.Person{ID: "bo"}, asked: []string{"google", "local"},
			err: calendar.ErrNoCalendar},
		{name: "to a feed", person: al, event: meet.Occurrence{Provider: "ics"}, err: calendar.ErrReadOnly},
		{name: "to nobody's", person: al, event: meet.Occurrence{Provider: "yahoo"}, err: calendar.ErrReadOnly},
		{name: "of an event that may only be read", person: al,
			event: meet.Occurrence{Provider: "local", ReadOnly: true}, err: calendar.ErrReadOnly},
		{name: "that fails", person: al, fails: broken, asked: []string{"google"}, err: broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			at := func(name string) book {
				return book{diary: diary{provider: provider{name: name}}, fails: test.fails, asked: &asked}
			}
			d := calendar.Directory{Accounts: test.accounts, Sources: []calendar.Provider{
				diary{provider: provider{name: "ics"}}, remembering{at("google"), new([]meet.PersonID), nil}, at("local"),
			}}
			_, err := d.Apply(t.Context(), test.person, agenda.Amendment{Kind: agenda.Create, Event: test.event})
			if !errors.Is(err, test.err) {
				t.Errorf("error: got %v, want %v", err, test.err)
			}
			if diff := cmp.Diff(test.asked, asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}

// What is changed elsewhere is true of the booking too; the built-in calendar tells it itself.
func TestBookingsFollowTheirCalendars(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"google": 1, "local": 0} {
		var asked []string
		made := &desk{uid: "p1@convene"}
		d := calendar.Directory{Bookings: made, Sources: []calendar.Provider{
			book{diary: diary{provider: provider{name: name}}, asked: &asked},
		}}
		when := span(15, 16)
		for _, uid := range []string{"p1@convene", "1@example.com"} {
			_, err := d.Apply(t.Context(), al, agenda.Amendment{
				Kind: agenda.Update, Event: meet.Occurrence{Provider: name, UID: uid, Title: "Tea"},
				Set: agenda.Fields{Span: &when},
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(made.made) != want || want > 0 && (!made.made[0].Start.Equal(at(15)) || made.made[0].Title != "Tea") {
			t.Errorf("%s: the booking became %+v", name, made.made)
		}
	}
}
