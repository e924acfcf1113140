package booking

import (
	"context"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

const (
	// lookAround is how far before and after an event with a place other events count for travel.
	lookAround = 12 * time.Hour
	// surveyTime bounds the request for travel times.
	surveyTime = 3 * time.Second
)

// held is the travel time of single people.
type held map[meet.PersonID]meet.TravelBuffer

// settle checks that everyone can be at the event's place for all of its time by the current calendars: since the
// proposal was checked, an alternative may have been chosen, or an event added. If only the time was chosen and the
// place is out of reach, the first other place in reach takes its seat. The returned booking has the organizer's own
// travel buffer, unless one was requested; held has everyone's.
func (d *Desk) settle(
	ctx context.Context, b booking, c Choice, readings map[meet.PersonID]meet.Schedule,
) (booking, held, error) {
	if b.event.Place == nil {
		return b, nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	places := []meet.Place{*b.event.Place}
	if c.Slot != nil && c.Place == nil {
		places = append(places, b.event.Alternatives.Places...)
	}
	// After an error there are estimates, as for the proposal.
	m, _ := travel.Survey(ctx, d.cfg.Router, b.guests(readings), places)
	moment := m.At(b.event.Span())
	rushed := b.rushed(c)
	which := fitting(moment, len(places), rushed)
	switch {
	case which < 0 && c.Place != nil:
		return b, nil, fault.Invalid("place", "there is not enough time to get to %s then; choose another place or another "+
			"time", places[0].Name)
	case which < 0:
		return b, nil, gone("There is not enough time to get to %s for %s.", places[0].Name, when(b.event))
	case which > 0:
		b.event = linked(seated(b.event, which-1), d.cfg.Links)
	}
	ways := held{}
	for i, p := range b.event.Participants {
		if which == 0 && slices.Contains(rushed, i) {
			continue
		}
		if kept := moment.Kept(i, which); p.ID != "" && kept != (meet.TravelBuffer{}) {
			ways[p.ID] = kept
		}
		if b.isOrganizer(p) && b.event.TravelBuffer.Shared() == (meet.TravelBuffer{}) {
			b.event.TravelBuffer, _ = moment.Legs(i, which)
			b.event.TravelBuffer.Derived = b.event.TravelBuffer != (meet.TravelBuffer{})
		}
	}
	return b, ways, nil
}

// fitting is the first place that everyone can reach, -1 if there is none. The first is the event's own, which is known
// to be open, and the rushed may be late there.
func fitting(at travel.Moment, places int, rushed []int) int {
	if !slices.ContainsFunc(at.Late(0), func(guest int) bool { return !slices.Contains(rushed, guest) }) {
		return 0
	}
	for i := 1; i < places; i++ {
		if at.Fits(i) {
			return i
		}
	}
	return -1
}

// rushed are the indexes of participants with an accepted lack of travel time, which holds for the shown place and time
// only.
func (b booking) rushed(c Choice) (rushed []int) {
	for i, p := range b.event.Participants {
		if c.Place == nil && b.shown(p, meet.ConflictTravel) {
			rushed = append(rushed, i)
		}
	}
	return rushed
}

// shown reports whether the proposal showed a conflict of that kind of the participant's.
func (b booking) shown(p meet.Participant, kind meet.ConflictKind) bool {
	return slices.ContainsFunc(b.event.Conflicts, func(c meet.Conflict) bool { return concerns(c, p) && c.Kind == kind })
}

// guests are the participants with their stays around the event. Travel does not count for one whose conflict at that
// time was accepted.
func (b booking) guests(readings map[meet.PersonID]meet.Schedule) []travel.Guest {
	guests := make([]travel.Guest, len(b.event.Participants))
	for i, p := range b.event.Participants {
		if reading := readings[p.ID]; p.ID != "" && !b.shown(p, meet.ConflictBusy) {
			guests[i] = travel.Guest{Availability: reading.Availability, Stays: reading.Stays}
		}
	}
	return guests
}
