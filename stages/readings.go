package stages

import (
	"context"
	"maps"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// gathering is everybody's busy times on their way to a search: what was read ahead, where it is of the right time and
// event, and the rest, which is read now.
type gathering struct {
	finder finder
	turn   meet.Turn
	// people are everybody, the organizer first; needed is the time that bears on the search.
	people []meet.Person
	needed interval.Span
	// ahead is nil where it is of no use, late where nobody is missing in it. The gathering closes late.
	ahead, late *schedules
}

// gather starts to read what is missing. Whoever gathers must close.
func (f finder) gather(ctx context.Context, c circumstances, draft meet.Draft) *gathering {
	g := &gathering{
		finder: f, turn: c.turn, people: everybody(c.turn.Organizer, draft.People),
		needed: slot.Horizon(draft.Template, c.now.Location(), c.now),
	}
	q := meet.BusyQuery{Span: g.needed, Fresh: c.schedules.asked.Fresh}
	if draft.Previous != nil {
		q.Except = draft.Previous.UID
	}
	if usual := soon(c.now); usual.Covers(q.Span) {
		q.Span = usual // others ask the same
	}
	if ahead := c.schedules; ahead.asked.Except == q.Except && ahead.asked.Span.Covers(g.needed) {
		g.ahead = ahead
	}
	q.People = slices.DeleteFunc(slices.Clone(g.people), func(p meet.Person) bool {
		return !p.Known() || g.ahead != nil && slices.ContainsFunc(g.ahead.asked.People, func(asked meet.Person) bool {
			return asked.ID == p.ID
		})
	})
	if len(q.People) > 0 {
		g.late = f.read(ctx, c.turn, q)
	}
	return g
}

// close waits until nothing is read any more that only the gathering needs.
func (g *gathering) close() {
	if g.late != nil {
		g.late.close()
	}
}

// parts are the readings under way that bear on the search.
func (g *gathering) parts() []*schedules {
	return slices.DeleteFunc([]*schedules{g.ahead, g.late}, func(s *schedules) bool { return s == nil })
}

// within reports whether all calendars answer before the time is over.
func (g *gathering) within(grace time.Duration) bool {
	over := time.NewTimer(grace)
	defer over.Stop()
	for _, part := range g.parts() {
		select {
		case <-part.done:
		case <-over.C:
			return false
		}
	}
	return true
}

// soFar is everybody's reading by now, in order. Whose calendar has not answered yet is unknown.
func (g *gathering) soFar() []meet.Reading {
	known := map[meet.PersonID]meet.Reading{}
	for _, part := range g.parts() {
		maps.Copy(known, part.soFar())
	}
	return g.pick(known, reasonReading)
}

// all is everybody's reading, in order, when each calendar has answered or had its time.
func (g *gathering) all(ctx context.Context) ([]meet.Reading, error) {
	known := map[meet.PersonID]meet.Reading{}
	for _, part := range g.parts() {
		readings, err := part.wait()
		if err != nil && part == g.ahead {
			// It was read for whatever the message might be about; now it matters, so it is asked for again.
			again := g.finder.read(ctx, g.turn, part.asked)
			defer again.close()
			readings, err = again.wait()
		}
		if err != nil {
			return nil, fault.New(fault.CalendarFailed, "The calendars could not be read. Please try again in a moment.").
				Later(0).Because(err)
		}
		maps.Copy(known, readings)
	}
	return g.pick(known, reasonUnread), nil
}

// Why somebody's time is not known where no calendar said so.
const (
	reasonReading = "the calendar is still being read"
	reasonUnread  = "the calendar could not be read"
	reasonUnknown = "nobody by this name is among your contacts"
)

// pick is everybody's reading; one who has none is unknown, for the reason given.
func (g *gathering) pick(known map[meet.PersonID]meet.Reading, missing string) []meet.Reading {
	readings := make([]meet.Reading, len(g.people))
	for i, p := range g.people {
		reading, ok := known[p.ID]
		switch {
		case !p.Known():
			reading = unread(p, g.needed, reasonUnknown)
		case !ok:
			reading = unread(p, g.needed, missing)
		}
		readings[i] = reading
	}
	return readings
}

// unread is the reading of somebody of whom nothing was read.
func unread(p meet.Person, needed interval.Span, reason string) meet.Reading {
	return meet.Reading{
		Availability: interval.Availability{Unknown: interval.NewSet(needed)},
		Status: meet.CalendarStatus{
			Person: p.ID, Name: p.Name, State: meet.CalendarUnchecked, Reason: reason,
		},
	}
}

// readings are everybody's, in order.
func (f finder) readings(ctx context.Context, c circumstances, draft meet.Draft) ([]meet.Reading, error) {
	g := f.gather(ctx, c, draft)
	defer g.close()
	return g.all(ctx)
}
