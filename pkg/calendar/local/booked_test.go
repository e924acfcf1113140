package local_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// bookings keep one booking, and write it as a desk does.
type bookings struct {
	store *localtest.Memory
	event meet.Event
	keys  []string
}

func (b *bookings) Amend(ctx context.Context, a meet.Amending) error {
	if a.UID != b.event.UID || a.Owner != b.event.Participants[0].ID {
		return fault.New(fault.NotFound, "Only its organizer can change this event.")
	}
	b.keys = append(b.keys, a.Key)
	a.Make(&b.event)
	people := []meet.PersonID{"me", "al"}
	if b.event.Status == meet.Cancelled {
		return b.store.Remove(ctx, people, a.UID)
	}
	stored := b.event.Stored(nil)
	stored.Change = a.Key
	return b.store.PutAll(ctx, people, stored)
}

// coffee is a booking of mine with Al, at ten.
func coffee(t *testing.T) (*local.Calendar, *bookings) {
	t.Helper()
	b := &bookings{store: &localtest.Memory{}, event: meet.Event{
		UID: "p1@convene", Status: meet.Confirmed, Title: "Coffee", Start: at(10), End: at(11),
		Place:        &meet.Place{Name: "Philz", Address: "Main St 1"},
		Participants: []meet.Participant{{ID: "me", Name: "Mia"}, {ID: "al", Name: "Al", Email: "al@example.com"}},
	}}
	c := local.New(b.store, map[string][]byte{"me.ics": []byte(nine), "al.ics": []byte(nine)})
	c.Bookings = b
	if err := b.store.PutAll(t.Context(), []meet.PersonID{"me", "al"}, b.event.Stored(nil)); err != nil {
		t.Fatal(err)
	}
	return c, b
}

// booked is the person's copy; nil if there is none.
func booked(t *testing.T, c *local.Calendar, person meet.PersonID) *meet.Occurrence {
	t.Helper()
	events, err := c.Events(t.Context(), meet.Person{ID: person}, span(0, 24))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range events {
		if o.UID == "p1@convene" {
			return &o
		}
	}
	return nil
}

func amended(t *testing.T, c *local.Calendar, person meet.PersonID, a agenda.Amendment) agenda.Amended {
	t.Helper()
	done, err := c.Apply(t.Context(), meet.Person{ID: person}, a)
	if err != nil {
		t.Fatalf("Apply %s: %v", a.Kind, err)
	}
	return done
}

func TestABookingTellsItsPeople(t *testing.T) {
	t.Parallel()
	c, _ := coffee(t)
	o := booked(t, c, "al")
	if o == nil || o.Organizer == nil || o.Organizer.Name != "Mia" || len(o.Attendees) != 2 || !o.Attendees[1].Self ||
		o.Location != "Philz, Main St 1" || o.ReadOnly {
		t.Errorf("Al's copy: %+v", o)
	}
}

// Its organizer moves, renames, deletes a booking for all who take part, and takes each back.
func TestABookingIsChangedForAll(t *testing.T) {
	t.Parallel()
	title, then := "Tea", interval.Span{Start: at(15), End: at(16)}
	for _, a := range []agenda.Amendment{
		{Key: "k", Kind: agenda.Update, Set: agenda.Fields{Title: &title, Span: &then}}, {Key: "k", Kind: agenda.Delete},
	} {
		c, b := coffee(t)
		before := booked(t, c, "me")
		a.Event = *before
		done := amended(t, c, "me", a)
		amended(t, c, "me", a)
		if len(b.keys) != 1 {
			t.Errorf("%s was made %d times", a.Kind, len(b.keys))
		}
		for _, person := range []meet.PersonID{"me", "al"} {
			o := booked(t, c, person)
			times, err := c.Times(t.Context(), meet.Person{ID: person}, span(10, 17), "")
			switch {
			case err != nil:
				t.Fatal(err)
			case a.Kind == agenda.Delete && (o != nil || len(times.Busy) > 0):
				t.Errorf("%s has %+v, busy %v", person, o, times.Busy)
			case a.Kind == agenda.Update && (o == nil || o.Title != "Tea" || o.Span != then || len(times.Busy) != 1 ||
				times.Busy[0] != then):
				t.Errorf("%s has %+v, busy %v", person, o, times.Busy)
			}
		}
		undo := agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: done.Event, Former: done.Former}
		if a.Kind == agenda.Delete {
			undo.Event = *before
		}
		amended(t, c, "me", undo)
		if o := booked(t, c, "al"); o == nil || o.Title != "Coffee" || o.Span != before.Span {
			t.Errorf("after the undo of %s Al has %+v", a.Kind, o)
		}
	}
}

// A guest can delete the own copy, and not change the event.
func TestABookingOfAnother(t *testing.T) {
	t.Parallel()
	c, b := coffee(t)
	title := "Mine"
	o := *booked(t, c, "al")
	renamed := agenda.Amendment{Key: "k1", Kind: agenda.Update, Event: o, Set: agenda.Fields{Title: &title}}
	if _, err := c.Apply(t.Context(), meet.Person{ID: "al"}, renamed); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("renamed by a guest: %v", err)
	}
	deleted := agenda.Amendment{Key: "k2", Kind: agenda.Delete, Event: o}
	done := amended(t, c, "al", deleted)
	if booked(t, c, "al") != nil || booked(t, c, "me") == nil || len(b.keys) > 0 {
		t.Error("the copy of the guest alone must be gone")
	}
	amended(t, c, "al", agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: o, Former: done.Former})
	if booked(t, c, "al") == nil {
		t.Error("the copy did not come back")
	}
}

func TestABookingThatChangedMeanwhile(t *testing.T) {
	t.Parallel()
	c, b := coffee(t)
	o := *booked(t, c, "me")
	b.event.Start, b.event.End = at(12), at(13)
	if err := b.store.PutAll(t.Context(), []meet.PersonID{"me", "al"}, b.event.Stored(nil)); err != nil {
		t.Fatal(err)
	}
	stale := agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: o}
	if _, err := c.Apply(t.Context(), meet.Person{ID: "me"}, stale); !errors.Is(err, calendar.ErrChanged) {
		t.Errorf("got %v, want %v", err, calendar.ErrChanged)
	}
	c.Bookings = nil
	o = *booked(t, c, "me")
	if _, err := c.Apply(t.Context(), meet.Person{ID: "me"}, agenda.Amendment{
		Key: "k", Kind: agenda.Delete, Event: o,
	}); !errors.Is(err, calendar.ErrReadOnly) || !o.ReadOnly {
		t.Errorf("without bookings: %v, %+v", err, o)
	}
}

// Changes of one person's that are made at once are all made.
func TestChangesAtOnce(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(nine)})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			_, err := c.Apply(t.Context(), meet.Person{ID: "al"}, agenda.Amendment{
				Key: fmt.Sprint(i), Kind: agenda.Create, Event: meet.Occurrence{Title: "Block", Span: span(12, 13)},
			})
			if err != nil {
				t.Errorf("Apply: %v", err)
			}
		})
	}
	wg.Wait()
	if events, err := c.Events(t.Context(), meet.Person{ID: "al"}, span(11, 14)); len(events) != 20 || err != nil {
		t.Errorf("%d events, %v", len(events), err)
	}
}

// A calendar whose file is damaged is not written, because nothing of it would be read.
func TestADamagedCalendarIsNotChanged(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(cut)})
	_, err := c.Apply(t.Context(), meet.Person{ID: "al"}, agenda.Amendment{
		Key: "k", Kind: agenda.Create, Event: meet.Occurrence{Title: "Block", Span: span(12, 13)},
	})
	if fault.CodeOf(err) != fault.CalendarFailed {
		t.Errorf("got %v", err)
	}
}

// The files are the zero tenant's, and so is what is changed over them; a person of another tenant has a calendar of
// blocks only.
func TestChangesAreOfATenant(t *testing.T) {
	t.Parallel()
	c := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(nine)})
	al := meet.Person{ID: "al"}
	other := meet.InTenant(t.Context(), "other")
	in := interval.Span{Start: at(14), End: at(15)}
	if _, err := c.Apply(other, al, agenda.Amendment{
		Key: "k", Kind: agenda.Delete, Event: meet.Occurrence{Provider: "local", Calendar: "al", UID: "n", Span: span(9, 10)},
	}); !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("an event of a file, by another tenant: %v", err)
	}
	made, err := c.Apply(other, al, agenda.Amendment{
		Key: "k", Kind: agenda.Create, Event: meet.Occurrence{Title: "Block", Span: in, Kind: meet.WorkBlock},
	})
	if err != nil || made.Event.Kind != meet.WorkBlock || made.Event.Span.Start.Sub(in.Start) != time.Duration(0) {
		t.Errorf("a new block: %+v, %v", made, err)
	}
	if found, err := c.Events(other, al, span(0, 24)); len(found) != 1 || !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("events: %v, %v", found, err)
	}
}

// A guest's copy comes back only while the event is as it was: one that was called off or moved since stays as it is.
func TestACopyOfAnEventThatIsNoMore(t *testing.T) {
	t.Parallel()
	for name, since := range map[string]func(*testing.T, *bookings){
		"called off": func(t *testing.T, b *bookings) {
			t.Helper()
			if err := b.store.Remove(t.Context(), []meet.PersonID{"me", "al"}, "p1@convene"); err != nil {
				t.Fatal(err)
			}
		},
		"moved": func(t *testing.T, b *bookings) {
			t.Helper()
			b.event.Start, b.event.End = at(15), at(16)
			if err := b.store.PutAll(t.Context(), []meet.PersonID{"me"}, b.event.Stored(nil)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		c, b := coffee(t)
		o := *booked(t, c, "al")
		done := amended(t, c, "al", agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: o})
		since(t, b)
		undo := agenda.Amendment{Key: "u", Kind: agenda.Restore, Event: o, Former: done.Former}
		if _, err := c.Apply(t.Context(), meet.Person{ID: "al"}, undo); !errors.Is(err, calendar.ErrChanged) {
			t.Errorf("%s: got %v, want %v", name, err, calendar.ErrChanged)
		}
		if o := booked(t, c, "al"); o != nil {
			t.Errorf("%s: a copy of what is no more: %+v", name, o)
		}
	}
}
