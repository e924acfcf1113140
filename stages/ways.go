package stages

import (
	"context"
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
	"convene/pkg/travel"
)

// ways are how everybody gets to the places that were found, and on from there. The zero value is of an event that takes
// place nowhere: then nothing is said against any time.
type ways struct {
	m *travel.Map
	// people are everybody, the organizer first.
	people []meet.Person
	// bound is how many of the first places the event is bound to: the venue that was named with its branches, or the one
	// that an edit keeps. 0 where any place will do.
	bound int
	// failed says that the router did not answer, so that the ways are estimates.
	failed bool
}

// ways puts the places into their fair order, those that meet more of the wish and a pinned one first, and works out who
// can be where when. The router is asked once for them.
func (f finder) ways(
	ctx context.Context, c circumstances, draft meet.Draft, list []meet.Place, readings []meet.Reading,
) ways {
	w := ways{people: everybody(c.turn.Organizer, draft.People)}
	if draft.Template.Remote() || len(list) == 0 {
		return w
	}
	guests := make([]travel.Guest, len(w.people))
	for i, p := range w.people {
		guests[i] = travel.Guest{Availability: readings[i].Availability, Stays: readings[i].Stays}
		if p.Location != nil {
			guests[i].Home = &p.Location.Point
		}
	}
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	m, err := travel.Survey(ctx, f.router, guests, list)
	w.failed = err != nil
	m = m.Arranged(arranged(m.Places(), m.Order(), draft.Template))
	if i := pinnedPlace(m.Places(), draft); i >= 0 {
		m = m.Arranged(toFront(rest(nil, len(list)), i))
		w.bound = 1
		for first := m.Places()[0]; first.Named && w.bound < len(list) && sameVenue(first, m.Places()[w.bound]); {
			w.bound++
		}
	}
	w.m = m.Over(slot.Horizon(draft.Template, c.now.Location(), c.now))
	return w
}

// sameVenue reports whether both are branches of what the user named.
func sameVenue(a, b meet.Place) bool { return b.Named && a.Name == b.Name }

// How much worse than the best a time is to meet at: with a place that is not the one that was meant, and with none.
const (
	otherPlace = 1
	noPlace    = 2
)

// reach is what the places make of a time: best one at which a place is open that everybody can come to. A time at which
// places are open, and somebody cannot be at any of them, does not suit that somebody.
func (w ways) reach(at interval.Span, without slot.Absent) slot.Reach {
	m := w.m
	if i, gone := without.Index(); gone {
		m = m.Without(i)
	}
	moment, other, open := m.At(at), false, false
	for i := range m.Places() {
		if !moment.Open(i) {
			continue
		}
		open = true
		if moment.AnyLate(i) {
			continue
		}
		if i < w.bound || w.bound == 0 {
			return slot.Reach{}
		}
		other = true
	}
	switch {
	case other:
		return slot.Reach{Worse: otherPlace}
	case open:
		return slot.Reach{Late: fewestLate(moment, m, true)}
	default:
		return slot.Reach{Late: fewestLate(moment, m, false), Worse: noPlace}
	}
}

// fewestLate is who is late at that one of the places, those that are open or those that are not, at which the fewest are.
func fewestLate(at travel.Moment, m *travel.Map, open bool) (late []int) {
	some := false
	for i := range m.Places() {
		if at.Open(i) != open {
			continue
		}
		if l := at.Late(i); !some || len(l) < len(late) {
			late, some = l, true
		}
	}
	return late
}

// places are in order, each with how long everybody takes to get there.
func (w ways) places() []meet.Place {
	if w.m == nil {
		return nil
	}
	places := slices.Clone(w.m.Places())
	for i := range places {
		places[i].TravelMinutes = make([]meet.Way, 0, len(w.people))
		for g, p := range w.people {
			if way, known := w.m.FromHome(g, i); known {
				places[i].TravelMinutes = append(places[i].TravelMinutes, meet.Way{
					Person: p.ID, Name: p.Name, Minutes: int(way.Minutes()),
				})
			}
		}
	}
	return places
}

// pairs say of each place at the time of each slot whether everybody can be there, and what the organizer needs to get
// there where nobody has asked for a buffer. Nil where nobody's whereabouts are known.
func (w ways) pairs(slots []meet.Slot, asked meet.TravelBuffer) [][]meet.Pair {
	if w.m == nil || !w.m.Located() {
		return nil
	}
	pairs := make([][]meet.Pair, len(slots))
	for i, s := range slots {
		moment := w.m.At(s.Span())
		pairs[i] = make([]meet.Pair, len(w.m.Places()))
		for j := range pairs[i] {
			for _, g := range moment.Late(j) {
				if saysTravel(s, w.people[g]) {
					pairs[i][j].Rushed = true
				} else {
					pairs[i][j].Late = true
				}
			}
			if asked == (meet.TravelBuffer{}) {
				pairs[i][j].Travel = derived(moment.Legs(0, j))
			}
		}
	}
	return pairs
}

// saysTravel reports whether the slot itself says that it leaves somebody no time for the way.
func saysTravel(s meet.Slot, p meet.Person) bool {
	return slices.ContainsFunc(s.Conflicts, func(c meet.Conflict) bool {
		return c.Person == p.ID && (c.Kind == meet.ConflictTravel || c.Kind == meet.ConflictBusy)
	})
}

// derived marks a buffer that nobody asked for.
func derived(b meet.TravelBuffer, ok bool) meet.TravelBuffer {
	if !ok || b == (meet.TravelBuffer{}) {
		return meet.TravelBuffer{}
	}
	b.Derived = true
	return b
}
