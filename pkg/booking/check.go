package booking

import (
	"context"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// check reads the calendars again. By confirming, the user accepted the conflicts and unread calendars that the
// proposal showed; anything new stops the booking.
//
// A conflict with an event that is moved may be a guest's copy of it: some providers give copies names of their own,
// which are known only after the organizer's calendar was read. So the calendars are read twice then.
func (d *Desk) check(ctx context.Context, b booking) (map[meet.PersonID]meet.Schedule, error) {
	readings, err := d.read(ctx, b)
	if err != nil {
		return nil, err
	}
	busy, unread := b.inTheWay(readings)
	if len(busy) > 0 && b.moved != nil {
		if readings, err = d.read(ctx, b); err != nil {
			return nil, err
		}
		busy, unread = b.inTheWay(readings)
	}
	if len(busy) > 0 {
		return nil, gone("%s no longer free on %s.", b.subject(busy), when(b.event))
	}
	if len(unread) > 0 {
		return nil, fault.New(fault.CalendarFailed, "We could not check %s just now, so nothing was booked: %s.",
			b.calendars(unread), whatToDo(unread, readings)).Later(5 * time.Second)
	}
	return readings, nil
}

// inTheWay lists the participants who are busy and those whose time is unknown, except where that was accepted.
func (b booking) inTheWay(readings map[meet.PersonID]meet.Schedule) (busy, unread []meet.Participant) {
	for _, p := range b.event.Participants {
		switch r := readings[p.ID]; {
		case p.ID == "": // nobody to ask
			unread = append(unread, p)
		case r.Availability.Busy.Overlaps(b.needed()) && !b.acceptedConflict(p, r):
			busy = append(busy, p)
		case b.leavesOpen(r) && !b.shown(p, meet.ConflictBusy): // known to be busy is worse than unknown
			unread = append(unread, p)
		}
	}
	return busy, b.unaccepted(unread)
}

// whatToDo is the reason of the first calendar that could not be read, which says what to do.
func whatToDo(unread []meet.Participant, readings map[meet.PersonID]meet.Schedule) string {
	for _, p := range unread {
		if reason := readings[p.ID].Status.Reason; reason != "" {
			return reason
		}
	}
	return "please try again in a moment"
}

// read returns a reading for every participant with an id; without an answer, one that is unknown.
func (d *Desk) read(ctx context.Context, b booking) (map[meet.PersonID]meet.Schedule, error) {
	given := make(map[meet.PersonID]interval.Set)
	for _, a := range b.turn.Availability {
		given[a.Person] = interval.NewSet(a.Busy...).Union(given[a.Person])
	}
	var calendars, requests []meet.Person
	for _, p := range b.people() {
		if _, ok := given[p.ID]; ok {
			requests = append(requests, p)
			continue
		}
		calendars = append(calendars, p)
	}
	readings := make(map[meet.PersonID]meet.Schedule)
	if err := d.ask(ctx, d.cfg.Calendars, b.query(calendars), readings); err != nil {
		return nil, err
	}
	if err := d.ask(ctx, d.cfg.Written, b.query(requests), readings); err != nil {
		return nil, err
	}
	for _, p := range requests {
		// The request has all of their availability; only events booked since are added.
		known := interval.Availability{Busy: readings[p.ID].Availability.Busy.Union(given[p.ID])}
		readings[p.ID] = meet.Schedule{
			Availability: known, Status: meet.CalendarStatus{State: meet.Checked}, Stays: readings[p.ID].Stays,
		}
	}
	return readings, nil
}

func (d *Desk) ask(ctx context.Context, c Calendars, q meet.BusyQuery, into map[meet.PersonID]meet.Schedule) error {
	if len(q.People) == 0 {
		return nil
	}
	readings, err := c.Busy(ctx, q)
	if err != nil {
		return fault.New(fault.CalendarFailed, "We could not check the calendars just now, so nothing was booked. Please "+
			"try again in a moment.").
			Later(5 * time.Second).Because(err)
	}
	for _, p := range q.People {
		reading, ok := readings[p.ID]
		if !ok {
			reading.Availability.Unknown = interval.NewSet(q.Span)
			reading.Status.State = meet.CalendarUnchecked
		}
		into[p.ID] = reading
	}
	return nil
}

// query asks about the event with its travel and, if it has a place, about the events before and after it. The event
// itself does not count if it is already written.
func (b booking) query(people []meet.Person) meet.BusyQuery {
	span := b.needed()
	if b.event.Place != nil {
		span = span.Widen(lookAround, lookAround)
	}
	return meet.BusyQuery{People: people, Span: span, Except: b.event.UID, Fresh: true}
}

// needed is the time that must be free for everyone: the event with the requested travel buffer.
func (b booking) needed() interval.Span {
	buffer := b.event.TravelBuffer.Shared()
	return b.event.Span().Widen(buffer.Before(), buffer.After())
}

// people are the participants with an id, as the turn describes them.
func (b booking) people() []meet.Person {
	var people []meet.Person
	known := append([]meet.Person{b.turn.Organizer}, b.turn.Participants...)
	for _, p := range b.event.Participants {
		if p.ID == "" {
			continue
		}
		person := meet.Person{ID: p.ID, Name: p.Name, Email: p.Email, Timezone: p.Timezone}
		if i := slices.IndexFunc(known, func(k meet.Person) bool { return k.ID == p.ID }); i >= 0 {
			person = known[i]
		}
		people = append(people, person)
	}
	return people
}

// leavesOpen reports whether the reading leaves some of the needed time unknown. All time of an unchecked calendar
// without an unknown time is.
func (b booking) leavesOpen(r meet.Schedule) bool {
	unread := r.Availability.Unknown
	return unread.Overlaps(b.needed()) || r.Status.State == meet.CalendarUnchecked && len(unread) == 0
}

// acceptedConflict reports whether the proposal showed that p is busy. Accepting a rushed way there does not accept
// another event at the same time.
func (b booking) acceptedConflict(p meet.Participant, r meet.Schedule) bool {
	duringEvent := r.Availability.Busy.Overlaps(b.event.Span())
	return slices.ContainsFunc(b.event.Conflicts, func(c meet.Conflict) bool {
		return concerns(c, p) && (c.Kind == meet.ConflictBusy || c.Kind == meet.ConflictTravel && !duringEvent)
	})
}

// unaccepted are the unread people who were not in the proposal's Unknown. It has names: of two people with the same
// name, it may have meant only one. People without an id are always accepted.
func (b booking) unaccepted(unread []meet.Participant) []meet.Participant {
	said := map[string]int{}
	for _, name := range b.event.Unknown {
		said[name]++
	}
	for _, p := range unread {
		said[p.Name]--
	}
	return slices.DeleteFunc(unread, func(p meet.Participant) bool { return p.ID == "" || said[p.Name] >= 0 })
}

// concerns reports whether the conflict is the participant's.
func concerns(c meet.Conflict, p meet.Participant) bool {
	return c.Person == p.ID || c.Person == "" && c.Name == p.Name
}

// subject is the beginning of a sentence about people: "You and Al are", "Al is".
func (b booking) subject(people []meet.Participant) string {
	names := make([]string, len(people))
	verb := "are"
	for i, p := range people {
		names[i] = p.Name
		if b.isOrganizer(p) {
			names[i] = "You"
		}
	}
	if len(people) == 1 && !b.isOrganizer(people[0]) {
		verb = "is"
	}
	return list(names) + " " + verb
}

// calendars names people's calendars: "your calendar and Al's calendar".
func (b booking) calendars(people []meet.Participant) string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.Name + "'s calendar"
		if b.isOrganizer(p) {
			names[i] = "your calendar"
		}
	}
	return list(names)
}

func (b booking) isOrganizer(p meet.Participant) bool { return p.ID == b.turn.Organizer.ID }

// list is "a", "a and b" or "a, b and c".
func list(names []string) string {
	n := len(names) - 1
	if n < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n], ", ") + " and " + names[n]
}
