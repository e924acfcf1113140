package stages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
	"convene/pkg/travel"
)

// finder is stage 4: which times and places suit everybody. No model has a part in it.
type finder struct {
	calendars Calendars
	booked    Booked
	places    Places
	router    travel.Router
	cfg       Config
}

// run finds slots and places side by side. A calendar that cannot be read is unknown, never free; a place search that
// fails leaves the event without a place.
//
// Where some calendar keeps everybody waiting, early gets what the others have said until then, with that calendar
// unknown; its error ends the search. Nothing may be chosen from it: the candidates are those that run gives.
func (f finder) run(
	ctx context.Context, c circumstances, draft meet.Draft, early func(meet.Candidates) error,
) (meet.Candidates, error) {
	places := f.searchPlaces(ctx, c, draft)
	defer places.wait()
	reading := f.gather(ctx, c, draft)
	defer reading.close()

	if !reading.within(f.cfg.Grace) {
		soFar, venues := reading.soFar(), places.soFar()
		roughly := f
		roughly.router = travel.Model{}
		if err := early(f.candidates(c, draft, soFar, venues, roughly.ways(ctx, c, draft, venues.list, soFar))); err != nil {
			return meet.Candidates{}, err
		}
	}
	readings, err := reading.all(ctx)
	if err != nil {
		return meet.Candidates{}, err
	}
	return f.conceding(ctx, places.wait(), func(venues placesFound) meet.Candidates {
		return f.candidates(c, draft, readings, venues, f.ways(ctx, c, draft, venues.list, readings))
	}), nil
}

// conceding is what comes of the places that were found, or, where none of them goes with the time, of those that are found
// where more and more of the wish for a place is given up. Where that does not help either, it stays with the first.
func (f finder) conceding(
	ctx context.Context, venues placesFound, candidates func(placesFound) meet.Candidates,
) meet.Candidates {
	asWished := candidates(venues)
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	found := asWished
	for stranded(found) && len(venues.hunt.left) > 0 {
		venues = f.next(ctx, venues.hunt)
		if venues.err != nil || len(venues.list) == 0 {
			return asWished
		}
		found = candidates(venues)
	}
	if stranded(found) {
		return asWished
	}
	return found
}

// stranded reports whether none of the places goes with the time: with one that is pinned, or with any of the others.
func stranded(found meet.Candidates) bool {
	slots := len(found.Slots)
	if found.PinnedSlot {
		slots = min(1, slots)
	}
	if slots == 0 || found.PlacesFailed {
		return false
	}
	for place := range found.Places {
		if slices.Contains(fitting(&found, place)[:slots], true) {
			return false
		}
	}
	return true
}

// candidates is what the readings and the places found come to.
func (f finder) candidates(
	c circumstances, draft meet.Draft, readings []meet.Reading, places placesFound, w ways,
) meet.Candidates {
	found := f.slots(c, draft, readings, w)
	if draft.OnlyThen {
		found = onlyThen(found, draft.Template, c.now.Location())
	}
	found.Places, found.PlacesFailed, found.Search = w.places(), places.err != nil, places.notes
	found.RouterFailed, found.Apart = w.failed, draft.Apart
	found.Shown = determineAlternativesToShow(draft.Template, !found.HasExplicitTimeConflict, draft.Edit)
	if found.HasNoCommonTime {
		// The wish cannot be met as it stands: what helps is other times, and a warning where even the best has a conflict.
		conflict := len(found.Slots) > 0 && found.Slots[0].State == meet.SlotConflict
		found.Shown = meet.Shown{Times: true, ConflictWarning: conflict}
	}
	found.Pairs = w.pairs(found.Slots, draft.Template.TravelBuffer)
	return pinPlace(found, draft)
}

// onlyThen are the candidates at the one time that was asked for. Nothing else would help either.
func onlyThen(found meet.Candidates, t meet.Template, zone *time.Location) meet.Candidates {
	found.Reasons = nil
	found.Slots = slices.DeleteFunc(slices.Clone(found.Slots), func(s meet.Slot) bool {
		day, at, exact := t.ExactStart()
		return exact && (interval.DateOf(s.Start.In(zone)) != day || interval.ClockOf(s.Start.In(zone)) != at)
	})
	return found
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

// findSlots is stage 4 with places that are known.
func (f finder) findSlots(
	ctx context.Context, c circumstances, draft meet.Draft, places []meet.Place,
) (meet.Candidates, error) {
	readings, err := f.readings(ctx, c, draft)
	if err != nil {
		return meet.Candidates{}, err
	}
	return f.slots(c, draft, readings, f.ways(ctx, c, draft, places, readings)), nil
}

// slots is the times that suit everybody by their readings and by their ways.
func (f finder) slots(c circumstances, draft meet.Draft, readings []meet.Reading, w ways) meet.Candidates {
	query := slot.Query{
		Template: draft.Template,
		Zone:     c.now.Location(),
		Now:      c.now,
		Notice:   f.cfg.Notice,
		Offered:  c.alreadyOffered,
	}
	if w.m != nil {
		query.Reach = w.reach
	}
	found := meet.Candidates{Providers: readings[0].Providers}
	for i, person := range everybody(c.turn.Organizer, draft.People) {
		query.Attendees = append(query.Attendees, slot.Attendee{Person: person, Availability: readings[i].Availability})
		found.Calendars = append(found.Calendars, readings[i].Status)
	}
	if draft.Edit != nil && draft.Previous != nil {
		query.Preference, query.Previous = draft.Edit.Preference, draft.Previous.Start
	}
	result := slot.Find(query)
	found.Slots = result.Slots
	found.HasNoCommonTime, found.Past, found.Skipped = result.HasNoCommonTime, result.Past, result.Missing
	found.HasExplicitTimeConflict = result.HasExplicitTimeConflict
	found.Reasons = result.Reasons
	return pinSlot(found, draft, func() []meet.Slot { return slot.All(query) })
}

// midpoint is the middle of everybody's locations, or offices where nothing else is known of somebody; a person without
// either is near the others.
func midpoint(people []meet.Person) *geo.Point {
	var points []geo.Point
	for _, p := range people {
		if at := cmp.Or(p.Location, p.Office); at != nil {
			points = append(points, at.Point)
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
