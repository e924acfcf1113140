package local

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// booked is what an amendment can change of a confirmed event, which has its time, its title and its guests at Convene.
type booked struct {
	UID   string    `json:"uid"`
	Title string    `json:"title"`
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// booked is a confirmed event as its owner's agenda tells it.
func (c *Calendar) booked(e meet.StoredEvent, owner meet.PersonID) meet.Occurrence {
	o := meet.Occurrence{
		Provider: c.Name(), ID: e.UID, UID: e.UID, Title: e.Title, Location: e.Location, Span: e.Span(),
		Version: bookedVersion(e), ReadOnly: c.Bookings == nil,
	}
	for i, p := range e.People {
		who := meet.Attendee{Name: p.Name, Email: p.Email, Self: p.ID != "" && p.ID == owner}
		if i == 0 {
			o.Organizer = &who
		}
		o.Attendees = append(o.Attendees, who)
	}
	return o
}

// bookedVersion changes with what an owner sees of a confirmed event.
func bookedVersion(e meet.StoredEvent) string {
	sum := fnv.New64a()
	said := []string{e.Title, e.Location, e.Start.UTC().Format(time.RFC3339), e.End.UTC().Format(time.RFC3339)}
	for _, p := range e.People {
		said = append(said, string(p.ID), p.Name, p.Email)
	}
	_, _ = sum.Write([]byte(strings.Join(said, "\x00"))) // a hash takes everything
	return strconv.FormatUint(sum.Sum64(), 36)
}

// ever is a span around an event in which its copy is looked for: it may have been moved.
const ever = 366 * 24 * time.Hour

// applyBooked changes a confirmed event of the person's for all who take part; mine is false if the event is none.
func (c *Calendar) applyBooked(
	ctx context.Context, person meet.Person, a agenda.Amendment, former former,
) (done agenda.Amended, mine bool, err error) {
	was := former.Booked
	if a.Event.Calendar != "" {
		return done, false, nil // of a file
	}
	standing, err := c.standing(ctx, person.ID, a.Event)
	if err != nil {
		return done, true, err
	}
	switch {
	case former.Copy != nil, ofAnother(standing, person.ID) && a.Kind == agenda.Delete:
		done, err = c.applyCopy(ctx, person.ID, a, standing, former.Copy)
		return done, true, err
	case standing == nil && a.Kind == agenda.Delete:
		return done, true, nil
	case standing == nil && was == nil:
		return done, true, calendar.ErrChanged
	case standing != nil && standing.Change == a.Key:
		done.Event = c.booked(*standing, person.ID)
		return done, true, nil
	case c.Bookings == nil:
		return done, true, calendar.ErrReadOnly
	case standing != nil && bookedVersion(*standing) != a.Event.Version:
		return done, true, calendar.ErrChanged
	}
	change, err := bookedChange(a, was)
	if err != nil {
		return done, true, err
	}
	err = c.Bookings.Amend(ctx, meet.Amending{
		Owner: person.ID, UID: a.Event.UID, Key: a.Key, Provider: c.Name(), Make: change,
	})
	if err != nil {
		return done, true, err
	}
	done, err = c.amendedBooking(ctx, person, a, standing, was)
	return done, true, err
}

// ofAnother reports whether another person organizes the event.
func ofAnother(e *meet.StoredEvent, person meet.PersonID) bool {
	return e != nil && len(e.People) > 0 && e.People[0].ID != person
}

// applyCopy deletes a guest's own copy, or brings it back if the organizer's still says the same. The others keep
// theirs.
func (c *Calendar) applyCopy(
	ctx context.Context, person meet.PersonID, a agenda.Amendment, standing, was *meet.StoredEvent,
) (done agenda.Amended, err error) {
	own := []meet.PersonID{person}
	if was != nil {
		done.Event = c.booked(*was, person)
		theirs, err := c.standing(ctx, was.People[0].ID, done.Event)
		if err == nil && (theirs == nil || bookedVersion(*theirs) != done.Event.Version) {
			err = calendar.ErrChanged
		}
		if err != nil {
			return agenda.Amended{}, err
		}
		return done, c.store.PutAll(ctx, own, *was)
	}
	if bookedVersion(*standing) != a.Event.Version {
		return done, calendar.ErrChanged
	}
	if done.Former, err = json.Marshal(former{Copy: standing}); err != nil {
		return done, err
	}
	return done, c.store.Remove(ctx, own, standing.UID)
}

// amendedBooking is a confirmed event after an amendment.
func (c *Calendar) amendedBooking(
	ctx context.Context, person meet.Person, a agenda.Amendment, before *meet.StoredEvent, was *booked,
) (done agenda.Amended, err error) {
	if before != nil {
		done.Former, err = json.Marshal(former{Booked: &booked{
			UID: before.UID, Title: before.Title, Start: before.Start, End: before.End,
		}})
	}
	if err != nil || a.Kind == agenda.Delete {
		return done, err
	}
	after := a.Event
	switch {
	case was != nil:
		after.Span = interval.Span{Start: was.Start, End: was.End}
	case a.Set.Span != nil:
		after.Span = *a.Set.Span
	}
	standing, err := c.standing(ctx, person.ID, after)
	if err == nil && standing == nil {
		err = calendar.ErrChanged
	}
	if err == nil {
		done.Event = c.booked(*standing, person.ID)
	}
	return done, err
}

// standing is the person's copy of a confirmed event; nil if there is none.
func (c *Calendar) standing(ctx context.Context, person meet.PersonID, o meet.Occurrence) (*meet.StoredEvent, error) {
	all, err := c.store.Between(ctx, person, o.Span.Widen(ever, ever))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(e meet.StoredEvent) bool { return e.UID == o.UID })
	if i < 0 {
		return nil, nil
	}
	return &all[i], nil
}

// bookedChange is the amendment of the booking.
func bookedChange(a agenda.Amendment, was *booked) (func(*meet.Event), error) {
	set := a.Set
	switch {
	case a.Kind == agenda.Delete:
		return func(e *meet.Event) { e.Status = meet.Cancelled }, nil
	case a.Kind == agenda.Restore && was != nil:
		return func(e *meet.Event) {
			e.Status, e.Title, e.Start, e.End = meet.Confirmed, was.Title, was.Start, was.End
		}, nil
	case a.Kind != agenda.Update, set.AllDay != nil && *set.AllDay, set.Location != nil, set.Description != nil,
		set.Transparent != nil, set.Visibility != nil, set.Kind != nil, set.Categories != nil, set.Recurrence != nil:
		return nil, fault.New(fault.CalendarFailed,
			"Of an event that Convene booked, only the title, the time and the guests can be changed here.")
	}
	return func(e *meet.Event) {
		if set.Title != nil {
			e.Title = *set.Title
		}
		if set.Span != nil {
			e.Start, e.End = set.Span.Start.In(e.Start.Location()), set.Span.End.In(e.End.Location())
		}
		calendar.Invite(e, set)
	}, nil
}
