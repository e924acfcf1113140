package candidates

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Slots finds times only, each at which everyone can be at one of the places.
func (f *Finder) Slots(
	ctx context.Context, c Circumstances, draft meet.Draft, places []meet.Place,
) (meet.Candidates, error) {
	readings, err := f.readings(ctx, c, draft)
	if err != nil {
		return meet.Candidates{}, err
	}
	return f.slots(c, draft, readings, f.ways(ctx, c, draft, places, readings)), nil
}

// MoreAtOnce is how many further options one turn shows of each kind.
const MoreAtOnce = 3

// Further is what there is beside what a conversation has shown.
type Further struct {
	Found meet.Candidates
	// Slots and Places are what the search holds from now on.
	Slots  []meet.Slot
	Places []meet.Place
	// Again is what a new search came to; nil if there was none.
	Again *meet.Candidates
}

// More is what was not shown yet: of the search that is kept or, if that has no time left, of what again finds. Each
// place goes with the event's time, and each time with a place that is on offer; a further place is on offer if it is
// one of those that are shown.
func (f *Finder) More(
	ctx context.Context, c Circumstances, draft meet.Draft,
	search meet.Search, again func(meet.Draft) (meet.Candidates, error),
) (Further, error) {
	readings, err := f.readings(ctx, c, draft)
	if err != nil {
		return Further{}, err
	}
	further := f.morePlaces(ctx, c, draft, &search)
	draft.CachedPlaces = search.Places
	goes := f.pairing(ctx, c, draft, readings)
	further = slices.DeleteFunc(further, func(place meet.Place) bool {
		return search.Event != nil && !goes(search.Event.Span(), place)
	})
	onOffer := append(VenuesOf(search.Event), further[:min(MoreAtOnce, len(further))]...)
	nowhere := func(s meet.Slot) bool { return len(onOffer) > 0 && !goes(s.Span(), onOffer...) }
	fresh := stillFree(c, draft, readings, unseenSlots(search, c))
	if fresh = slices.DeleteFunc(fresh, nowhere); len(fresh) > 0 {
		return Further{Found: meet.Candidates{Slots: fresh, Places: further}, Slots: search.Slots, Places: search.Places}, nil
	}
	anew, err := again(draft)
	left := slices.DeleteFunc(met(anew), nowhere)
	return Further{
		Found: meet.Candidates{Slots: left, Calendars: anew.Calendars, Places: further},
		Slots: met(anew), Places: search.Places, Again: &anew,
	}, err
}

// morePlaces are further places that were not shown yet: what the search still holds, or else what a new one finds,
// which it holds from then on.
func (f *Finder) morePlaces(ctx context.Context, c Circumstances, draft meet.Draft, search *meet.Search) []meet.Place {
	unseen := func(list []meet.Place) []meet.Place {
		return slices.DeleteFunc(slices.Clone(list), func(place meet.Place) bool {
			return search.Shows(place) || search.Event != nil && closed(place, search.Event.Span())
		})
	}
	if left := unseen(search.Places); len(left) > 0 || !functions.SeeksPlace(draft.Template) {
		return left
	}
	draft.PlaceQuery, draft.Around = functions.PlaceQuery(draft.Template), search.Around
	draft.PlaceQuery.Without = search.ShownPlaces
	organizer := c.Turn.Organizer
	found := f.search(ctx, draft, organizer, meet.Midpoint(draft.Everyone(organizer)))
	left := unseen(found.list)
	search.Places = append(slices.Clip(search.Places), left...)
	return left
}

// closed reports whether a place is known not to be open for all of a time.
func closed(p meet.Place, at interval.Span) bool {
	open, known := p.OpenDuring(at)
	return known && !open
}

// VenuesOf are the place of a proposal and those on offer instead of it.
func VenuesOf(e *meet.Event) []meet.Place {
	if e == nil || e.Place == nil {
		return nil
	}
	return append([]meet.Place{*e.Place}, e.Alternatives.Places...)
}

// pairing reports whether any of some places goes with a time, of those that the event or the search has.
func (f *Finder) pairing(
	ctx context.Context, c Circumstances, draft meet.Draft, readings []meet.Schedule,
) func(at interval.Span, places ...meet.Place) bool {
	w := f.ways(ctx, c, draft, append(VenuesOf(draft.Previous), draft.CachedPlaces...), readings)
	return func(at interval.Span, places ...meet.Place) bool {
		if w.m == nil {
			return true
		}
		moment := w.m.At(at)
		return slices.ContainsFunc(places, func(p meet.Place) bool {
			i := slices.IndexFunc(w.m.Places(), func(o meet.Place) bool {
				return o.Key() == p.Key() && o.Location == p.Location
			})
			return i >= 0 && moment.Fits(i)
		})
	}
}

// met are the times that meet the wish, of candidates that may be the nearest to it only.
func met(found meet.Candidates) []meet.Slot {
	if found.HasNoCommonTime || found.HasExplicitTimeConflict {
		return nil
	}
	return slices.Clone(found.Slots)
}

// unseenSlots are those that were not shown and have not passed meanwhile.
func unseenSlots(search meet.Search, c Circumstances) []meet.Slot {
	return slices.DeleteFunc(slices.Clone(search.Slots), func(s meet.Slot) bool {
		return s.State == meet.SlotConflict || s.Start.Before(c.Now) || slices.ContainsFunc(search.ShownSlots, s.Start.Equal)
	})
}

// stillFree are the slots that nobody has filled since they were found. One that cannot be checked any more says so.
func stillFree(c Circumstances, draft meet.Draft, readings []meet.Schedule, slots []meet.Slot) []meet.Slot {
	people := draft.Everyone(c.Turn.Organizer)
	buffer := draft.Template.TravelBuffer
	var free []meet.Slot
	for _, s := range slots {
		needed := s.Span().Widen(buffer.Before(), buffer.After())
		busy := false
		s.Unknown = nil
		for i, reading := range readings {
			switch reading.Availability.State(needed) {
			case interval.Busy:
				busy = true
			case interval.Unknown:
				s.State, s.Unknown = meet.SlotUnknown, append(s.Unknown, people[i].Name)
			case interval.Free:
			}
		}
		if !busy {
			free = append(free, s)
		}
	}
	return free
}
