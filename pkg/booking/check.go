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

// check reads the calendars as they are now. What the user saw with the proposal, a conflict or a calendar that
// could not be read, they accepted by confirming; anything new stops the booking.
//
// What seems to be in the way of an event that is moved may be a guest's copy of it: some providers give copies names
// of their own, which are known only once the organizer's calendar was read. So it is looked at twice.
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

// inTheWay is who is busy and whose time is not known, without what was accepted.
func (b booking) inTheWay(readings map[meet.PersonID]meet.Schedule) (busy, unread []meet.Participant) {
	for _, p := range b.event.Participants {
		switch r := readings[p.ID]; {
		case p.ID == "": // nobody to ask
			unread = append(unread, p)
		case r.Availability.Busy.Overlaps(b.needed()) && !b.acceptedConflict(p, r):
			busy = append(busy, p)
		case b.leavesOpen(r) && !b.acceptedBusy(p):
			unread = append(unread, p)
		}
	}
	return busy, b.unaccepted(unread)
}

// whatToDo is what the first of the calendars that could not be read asks for.
func whatToDo(unread []meet.Participant, readings map[meet.PersonID]meet.Schedule) string {
	for _, p := range unread {
		if reason := readings[p.ID].Status.Reason; reason != "" {
			return reason
		}
	}
	return "please try again in a moment"
}

// read gives every participant with an id a reading; where nothing came back, one that is unknown.
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
		// The request said all there is to know of these; only what was booked since comes on top.
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

// query asks about the event with its travel, and, where it has a place, about what people come from and go on to. The
// event itself does not count where it is already written.
func (b booking) query(people []meet.Person) meet.BusyQuery {
	span := b.needed()
	if b.event.Place != nil {
		span = span.Widen(lookAround, lookAround)
	}
	return meet.BusyQuery{People: people, Span: span, Except: b.event.UID, Fresh: true}
}

// needed is the time that must be free for everybody: the event, and the way there and back that was asked for.
func (b booking) needed() interval.Span {
	buffer := b.event.TravelBuffer.Shared()
	return b.event.Span().Widen(buffer.Before(), buffer.After())
}

// people are the participants who can be asked about, with all that the turn says of them.
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

// leavesOpen reports whether the reading does not say all of the time needed, whatever else is known to be in it. A
// calendar that calls itself unchecked, and does not say for which time, says nothing of any.
func (b booking) leavesOpen(r meet.Schedule) bool {
	unread := r.Availability.Unknown
	return unread.Overlaps(b.needed()) || r.Status.State == meet.CalendarUnchecked && len(unread) == 0
}

// acceptedConflict reports whether the proposal said that p is busy. Having accepted a rushed way there is not
// having accepted another event at the same time.
func (b booking) acceptedConflict(p meet.Participant, r meet.Schedule) bool {
	duringEvent := r.Availability.Busy.Overlaps(b.event.Span())
	return slices.ContainsFunc(b.event.Conflicts, func(c meet.Conflict) bool {
		return concerns(c, p) && (c.Kind == meet.ConflictBusy || c.Kind == meet.ConflictTravel && !duringEvent)
	})
}

// acceptedBusy reports whether the proposal said that p is busy, which is worse than that nobody knows.
func (b booking) acceptedBusy(p meet.Participant) bool {
	return slices.ContainsFunc(b.event.Conflicts, func(c meet.Conflict) bool {
		return concerns(c, p) && c.Kind == meet.ConflictBusy
	})
}

// unaccepted are those of the unread people of whom the proposal did not say that nobody knows whether they are free.
// It says so by their names: of two who share one, it may have meant one only. People without an id are never asked
// about.
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

// subject is people as a sentence begins: "You and Al are", "Al is".
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

// calendars is whose calendars: "your calendar and Al's calendar".
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
