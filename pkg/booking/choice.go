package booking

import (
	"slices"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Choice takes one of a proposal's alternatives, by index from 0. Its zero value takes the proposal as it is.
type Choice struct {
	Slot  *int `json:"slot,omitempty"`
	Place *int `json:"place,omitempty"`
}

// validate refuses an index that the proposal has no alternative for.
func (c Choice) validate(e meet.Event) error {
	if err := inRange("slot", "times", c.Slot, len(e.Alternatives.Slots)); err != nil {
		return err
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

// apply is the event as chosen. What the user saw with the alternative, its conflicts and unread calendars, is what
// they accept by choosing it.
func (c Choice) apply(e meet.Event, links func(meet.Event) meet.Links) (meet.Event, error) {
	if c.Slot == nil && c.Place == nil {
		return e, nil
	}
	if c.Slot != nil {
		e = atSlot(e, e.Alternatives.Slots[*c.Slot])
	}
	if c.Place != nil {
		place := e.Alternatives.Places[*c.Place]
		e.Place = &place
	}
	if e.Place != nil && closedAllThrough(*e.Place, e.Span()) {
		return e, fault.Invalid("place", "%s is closed at that time; choose another place or another time", e.Place.Name)
	}
	e.Links.Google, e.Links.Outlook = "", ""
	if links != nil {
		e.Links = links(e)
	}
	return e, nil
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

// closedAllThrough reports whether the place is known to be closed for the whole of span.
func closedAllThrough(p meet.Place, span interval.Span) bool {
	times, known := p.OpenTimes(span)
	return known && len(times) == 0
}

// made reports whether c is the choice with which the event was confirmed.
func (c Choice) made(e meet.Event) bool {
	slot := slices.IndexFunc(e.Alternatives.Slots, func(s meet.Slot) bool { return s.Start.Equal(e.Start) })
	place := slices.IndexFunc(e.Alternatives.Places, func(p meet.Place) bool { return e.Place != nil && samePlace(p, *e.Place) })
	return same(c.Slot, slot) && same(c.Place, place)
}

// same reports whether the index that was asked for is the one that holds; -1 means that none does.
func same(asked *int, holds int) bool {
	if asked == nil {
		return holds < 0
	}
	return *asked == holds
}

func samePlace(a, b meet.Place) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Location == b.Location
}
