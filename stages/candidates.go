package stages

import (
	"context"
	"slices"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// finder is stage 4: which times and places suit everybody. No model has a part in it.
type finder struct {
	calendars Calendars
	places    Places
	cfg       Config
}

// run finds slots and places side by side. A calendar that cannot be read is unknown, never free; a place search that
// fails leaves the event without a place.
func (f finder) run(ctx context.Context, r *run, draft meet.Draft) (meet.Candidates, error) {
	searched := make(chan placesFound, 1)
	go func() { searched <- f.findPlaces(ctx, r, draft) }()

	found, err := f.findSlots(ctx, r, draft)
	places := <-searched
	if err != nil {
		return meet.Candidates{}, err
	}
	if places.err != nil {
		r.receipt.degraded("the search for places failed")
	}
	found.Places, found.PlacesFailed, found.Midpoint = places.list, places.err != nil, places.near
	found.Shown = determineAlternativesToShow(draft.Template, !found.HasExplicitTimeConflict, draft.Edit)
	if found.HasNoCommonTime {
		// The wish cannot be met as it stands: what helps is other times, and a warning where even the best has a conflict.
		found.Shown = meet.Shown{Times: true, ConflictWarning: found.Slots != nil && found.Slots[0].State == meet.SlotConflict}
	}
	return pinned(found, draft), nil
}

// determineAlternativesToShow decides which alternatives the message lists: the first case that holds.
func determineAlternativesToShow(t meet.Template, hasValidTime bool, edit *meet.Edit) meet.Shown {
	changed := meet.Edit{}
	if edit != nil {
		changed = *edit
	}
	switch {
	case !hasValidTime:
		return meet.Shown{Times: true, ConflictWarning: true}
	case changed.ChangedTime && changed.ChangedPlace:
		return meet.Shown{}
	case changed.ChangedTime:
		return meet.Shown{Times: true}
	case changed.ChangedPlace:
		return meet.Shown{Places: true}
	case t.NamesTime() && t.NamesPlace():
		return meet.Shown{}
	case t.NamesTime():
		return meet.Shown{Places: true}
	case t.NamesPlace():
		return meet.Shown{Times: true}
	default:
		return meet.Shown{Places: true}
	}
}

func (f finder) findSlots(ctx context.Context, r *run, draft meet.Draft) (meet.Candidates, error) {
	readings, err := f.readings(ctx, r, draft)
	if err != nil {
		return meet.Candidates{}, err
	}
	query := slot.Query{
		Template: draft.Template,
		Zone:     r.now.Location(),
		Now:      r.now,
		Notice:   f.cfg.Notice,
		Offered:  r.alreadyOffered,
	}
	var found meet.Candidates
	for i, person := range everybody(r.turn.Organizer, draft.People) {
		query.Attendees = append(query.Attendees, slot.Attendee{Person: person, Availability: readings[i].Availability})
		found.Calendars = append(found.Calendars, readings[i].Status)
	}
	if draft.Edit != nil && draft.Previous != nil {
		query.Preference, query.Previous = draft.Edit.Preference, draft.Previous.Start
	}
	result := slot.Find(query)
	found.Slots = result.Slots
	found.HasNoCommonTime = result.HasNoCommonTime
	found.HasExplicitTimeConflict = result.HasExplicitTimeConflict
	found.Reasons = result.Reasons
	if keepsTime(draft) {
		found = withPrevious(found, slot.All(query), draft.Previous)
	}
	return found, nil
}

// keepsTime reports whether an edit says nothing about when: then the time stays where it still suits everybody.
func keepsTime(draft meet.Draft) bool {
	return draft.Edit != nil && !draft.Edit.ChangedTime && draft.Previous != nil
}

// withPrevious puts the previous event's start first where it is still to be had.
func withPrevious(found meet.Candidates, all []meet.Slot, previous *meet.Event) meet.Candidates {
	i := slices.IndexFunc(all, func(s meet.Slot) bool { return s.Start.Equal(previous.Start) })
	if i < 0 || found.HasNoCommonTime {
		return found
	}
	others := slices.DeleteFunc(found.Slots, func(s meet.Slot) bool { return s.Start.Equal(previous.Start) })
	found.Slots = append([]meet.Slot{all[i]}, others...)
	found.PinnedSlot = true
	return found
}

// pinned fixes the choices that are not the model's to make: the time that the user named though it is taken, the place
// that the user named, and the one that an edit did not speak of.
func pinned(found meet.Candidates, draft meet.Draft) meet.Candidates {
	if found.HasExplicitTimeConflict {
		found.PinnedSlot = true
	}
	if i := keptPlace(found, draft); i >= 0 {
		first := found.Places[i]
		found.Places = append([]meet.Place{first}, slices.Delete(slices.Clone(found.Places), i, i+1)...)
		found.PinnedPlace = true
	}
	return found
}

// keptPlace is where in the list the place is that the choice is bound to; -1 where it is bound to none.
func keptPlace(found meet.Candidates, draft meet.Draft) int {
	if draft.Edit != nil && !draft.Edit.ChangedPlace && draft.Previous != nil && draft.Previous.Place != nil {
		previous := *draft.Previous.Place
		return slices.IndexFunc(found.Places, func(p meet.Place) bool { return p.Same(previous) })
	}
	return slices.IndexFunc(found.Places, func(p meet.Place) bool { return p.Named })
}

// placesFound is the answer of the search that runs beside the slots.
type placesFound struct {
	list []meet.Place
	near *geo.Point
	err  error
}

// mostPlaces is how many venues reach the model.
const mostPlaces = 10

func (f finder) findPlaces(ctx context.Context, r *run, draft meet.Draft) placesFound {
	near := midpoint(everybody(r.turn.Organizer, draft.People))
	switch {
	case draft.Template.Remote():
		return placesFound{}
	case draft.FixedPlace != nil:
		return placesFound{list: []meet.Place{f.look(ctx, *draft.FixedPlace, near)}, near: near}
	case draft.PlaceQuery == nil:
		return placesFound{list: draft.CachedPlaces, near: near}
	}
	query := *draft.PlaceQuery
	query.Near, query.Limit = near, mostPlaces
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	list, err := f.places.Search(ctx, query)
	return placesFound{list, near, err}
}

// look completes a venue that a suggestion named with what the search knows of it.
func (f finder) look(ctx context.Context, venue meet.Place, near *geo.Point) meet.Place {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	list, err := f.places.Search(ctx, meet.PlaceQuery{Name: venue.Name, Near: near, Limit: 1})
	if err == nil && len(list) > 0 && list[0].Same(venue) {
		return list[0]
	}
	if near != nil && venue.Location != (geo.Point{}) {
		venue.DistanceFromMidpointKm = geo.Distance(*near, venue.Location)
	}
	return venue
}

// midpoint is the middle of everybody's locations; a person without one is near the others.
func midpoint(people []meet.Person) *geo.Point {
	var points []geo.Point
	for _, p := range people {
		if p.Location != nil {
			points = append(points, p.Location.Point)
		}
	}
	middle, ok := geo.Midpoint(points...)
	if !ok {
		return nil
	}
	return &middle
}

func everybody(organizer meet.Person, others []meet.Person) []meet.Person {
	return append([]meet.Person{organizer}, others...)
}
