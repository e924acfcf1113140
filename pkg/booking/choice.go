package booking

import (
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Choice takes one of a proposal's alternatives, by index from 0. Its zero value takes the proposal unchanged.
type Choice struct {
	Slot  *int `json:"slot,omitempty"`
	Place *int `json:"place,omitempty"`
	// Start, if not zero, is when the event must start. After a time has gone the alternatives are replaced, and an index
	// may mean another time than the client read: so it is required beside Slot from then on.
	Start time.Time `json:"start,omitzero"`
}

// meant refuses an event at another time than Start.
func (c Choice) meant(e meet.Event) error {
	if c.Start.IsZero() || c.Start.Equal(e.Start) {
		return nil
	}
	return changedMeanwhile()
}

func changedMeanwhile() error {
	return fault.New(fault.Conflict, "The times on offer have changed in the meantime. Please look at the proposal again.")
}

// validate refuses an index without an alternative.
func (c Choice) validate(e meet.Event) error {
	if err := inRange("slot", "times", c.Slot, len(e.Alternatives.Slots)); err != nil {
		return err
	}
	if c.Slot != nil && c.Start.IsZero() && e.Alternatives.Renewed {
		return fault.Invalid("start", "is missing: the times on offer have been replaced since, so say with slot when the "+
			"one that is meant starts")
	}
	return inRange("place", "places", c.Place, len(e.Alternatives.Places))
}

func inRange(field, what string, index *int, n int) error {
	switch {
	case index == nil || *index >= 0 && *index < n:
		return nil
	case n == 0:
		return fault.Invalid(field, "this proposal offers no other %s; leave %s out", what, field)
	default:
		return fault.Invalid(field, "must be between 0 and %d: the index of one of the other %s", n-1, what)
	}
}

// apply is the event with the choice. By choosing an alternative the user accepts its conflicts and unread calendars.
// An alternative time at which the place is closed takes the first other place that is open.
func (c Choice) apply(e meet.Event, links func(meet.Event) meet.Links) (meet.Event, error) {
	if c.Slot == nil && c.Place == nil {
		return e, nil
	}
	proposed := e
	if c.Slot != nil {
		e = atSlot(e, e.Alternatives.Slots[*c.Slot])
	}
	switch {
	case c.Place != nil:
		place := e.Alternatives.Places[*c.Place]
		if closed(place, e) {
			return e, fault.Invalid("place", "%s is closed at that time; choose another place or another time", place.Name)
		}
		e.Place = &place
	case e.Place != nil && closed(*e.Place, e):
		var ok bool
		if e, ok = atOpenPlace(e); !ok {
			return e, fault.Invalid("slot", "%s is closed at that time, and so is every other place on offer; choose another "+
				"time", e.Place.Name)
		}
	}
	if !sameOffer(e, proposed) {
		e.Sequence++ // newer than the proposal's file
	}
	return linked(e, links), nil
}

// linked is the event with renewed links.
func linked(e meet.Event, links func(meet.Event) meet.Links) meet.Event {
	e.Links.Google, e.Links.Outlook = "", ""
	if links != nil {
		e.Links = links(e)
	}
	return e
}

func atSlot(e meet.Event, s meet.Slot) meet.Event {
	e.Start, e.End = s.Start, s.End
	e.Conflicts, e.Unknown = append([]meet.Conflict{}, s.Conflicts...), s.Unknown
	e.Participants = slices.Clone(e.Participants)
	for i, p := range e.Participants {
		if !p.LocalStart.IsZero() {
			e.Participants[i].LocalStart = s.Start.In(p.LocalStart.Location())
		}
		if p.Timezone != "" {
			e.Participants[i].LocalStart = s.Start.In(meet.Person{Timezone: p.Timezone}.Zone())
		}
	}
	return e
}

// atOpenPlace moves the event to the first other place that is open then.
func atOpenPlace(e meet.Event) (meet.Event, bool) {
	i := slices.IndexFunc(e.Alternatives.Places, func(p meet.Place) bool { return !closed(p, e) })
	if i < 0 {
		return e, false
	}
	return seated(e, i), true
}

// seated is the event at one of its other places. The two places change seats, so that the alternatives keep their
// order.
func seated(e meet.Event, i int) meet.Event {
	place := e.Alternatives.Places[i]
	e.Alternatives.Places = slices.Clone(e.Alternatives.Places)
	e.Alternatives.Places[i], e.Place = *e.Place, &place
	return e
}

// closed reports whether the place is known to be closed for some of the event. Unknown hours do not close it.
func closed(p meet.Place, e meet.Event) bool {
	open, known := p.OpenDuring(e.Span())
	return known && !open
}

// sameOffer reports whether both are at the same time and place.
func sameOffer(a, b meet.Event) bool {
	samePlaces := a.Place == nil && b.Place == nil || a.Place != nil && b.Place != nil && samePlace(*a.Place, *b.Place)
	return a.Start.Equal(b.Start) && a.End.Equal(b.End) && samePlaces
}

// made reports whether c is the choice with which the event was confirmed.
func (c Choice) made(e meet.Event) bool {
	slot := slices.IndexFunc(e.Alternatives.Slots, func(s meet.Slot) bool { return s.Start.Equal(e.Start) })
	place := slices.IndexFunc(e.Alternatives.Places, func(p meet.Place) bool {
		return e.Place != nil && samePlace(p, *e.Place)
	})
	return same(c.Slot, slot) && same(c.Place, place) && c.meant(e) == nil
}

// same reports whether the requested index is the one that holds; -1 means that none does.
func same(asked *int, holds int) bool {
	if asked == nil {
		return holds < 0
	}
	return *asked == holds
}

func samePlace(a, b meet.Place) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Location == b.Location
}
