package calendar

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// applyDeadline is how long a source may take for one change, which is several calls.
	applyDeadline = 20 * time.Second
	// builtIn is the source that keeps Convene's own bookings.
	builtIn = "local"
)

// Apply makes a change of the person's own calendar at the event's provider; without one, at the first that a new event
// can be written to. It is Amender.Apply, and forgets the readings of before. A provider that is not here, or whose
// events cannot be changed, is ErrReadOnly.
func (d *Directory) Apply(
	ctx context.Context, person meet.Person, a agenda.Amendment,
) (done agenda.Amended, err error) {
	if a.Event.ReadOnly {
		return done, ErrReadOnly
	}
	err = ErrReadOnly
	for _, p := range d.amenders(ctx, person, a.Event.Provider) {
		if done, err = d.applyAt(ctx, p, person, a); !errors.Is(err, ErrNoCalendar) || a.Event.Provider != "" {
			return done, err
		}
	}
	return done, err
}

// amenders are the sources of that name whose events can be changed; all of the person's, if it is empty.
func (d *Directory) amenders(ctx context.Context, person meet.Person, name string) []Amender {
	connected, err := d.connected(ctx, person.ID)
	var list []Amender
	for _, p := range d.sourcesFor(person) {
		amender, ok := source(p).(Amender)
		switch {
		case !ok, name != "" && p.Name() != name:
		case name == "" && err == nil && d.Accounts != nil && d.Accounts.Needed(p.Name()) &&
			!slices.Contains(connected, p.Name()):
		default:
			list = append(list, amender)
		}
	}
	return list
}

// applyAt makes the change at one source. Even if it fails, it may have been written.
func (d *Directory) applyAt(
	ctx context.Context, p Amender, person meet.Person, a agenda.Amendment,
) (agenda.Amended, error) {
	var done agenda.Amended
	limited := bounded(ctx, applyDeadline, func(ctx context.Context) (is answer) {
		var made agenda.Amended
		made, is.err = p.Apply(ctx, person, a)
		is.amended = &made
		return is
	})
	if limited.amended != nil {
		done = *limited.amended
	}
	err := limited.err
	if err == nil && d.Bookings != nil && p.Name() != builtIn {
		err = d.follow(ctx, person.ID, a, done)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), applyDeadline)
	defer cancel()
	if forgotten := d.Forget(ctx, person.ID); err == nil {
		err = forgotten
	}
	done.Event = captioned(done.Event)
	return done, err
}

// follow makes Convene's own book say what the calendar says of an event that Convene booked.
func (d *Directory) follow(ctx context.Context, person meet.PersonID, a agenda.Amendment, done agenda.Amended) error {
	if a.Kind == agenda.Create || a.Kind == agenda.Respond || a.Event.Repeats() {
		return nil
	}
	err := d.Bookings.Amend(ctx, meet.Amending{
		Owner: person, UID: a.Event.UID, Key: a.Key, Provider: a.Event.Provider,
		Make: func(e *meet.Event) {
			if a.Kind == agenda.Delete {
				e.Status = meet.Cancelled
				return
			}
			e.Status, e.Title = meet.Confirmed, done.Event.Title
			e.Start, e.End = done.Event.Span.Start.In(e.Start.Location()), done.Event.Span.End.In(e.End.Location())
			Invite(e, a.Set)
		},
	})
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}

// Invite adds and removes participants of a booking as an amendment does guests.
func Invite(e *meet.Event, set agenda.Fields) {
	is := func(a meet.Attendee) func(meet.Participant) bool {
		return func(p meet.Participant) bool { return p.Email != "" && strings.EqualFold(p.Email, a.Email) }
	}
	for _, gone := range set.Uninvite {
		e.Participants = slices.DeleteFunc(e.Participants, is(gone))
	}
	for _, who := range set.Invite {
		if !slices.ContainsFunc(e.Participants, is(who)) {
			e.Participants = append(e.Participants, meet.Participant{Name: who.Name, Email: who.Email})
		}
	}
}
