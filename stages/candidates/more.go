package candidates

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Slots finds only times, those at which everyone can be at one of the places.
func (f *Finder) Slots(ctx context.Context, q Query, places []meet.Place) (meet.Candidates, error) {
	s := f.begin(ctx, q)
	readings, err := s.readings(ctx)
	if err != nil {
		return meet.Candidates{}, err
	}
	return s.slots(readings, s.survey(ctx, places, readings)), nil
}

// MoreAtOnce is how many further options one turn shows of each kind.
const MoreAtOnce = 3

// Further are options that a conversation has not shown.
type Further struct {
	Found meet.Candidates
	// Slots and Places are what the search holds from now on.
	Slots  []meet.Slot
	Places []meet.Place
	// Again is the result of a new search; nil if there was none.
	Again *meet.Candidates
}

// More finds options that were not shown yet: those that are kept of the earlier search or, if it has no time left,
// what again finds. Each place goes with the event's time, and each time with a place that is on offer; a further place
// is on offer if it is one of the first MoreAtOnce.
func (f *Finder) More(
	ctx context.Context, q Query, kept meet.Search, again func(meet.Draft) (meet.Candidates, error),
) (Further, error) {
	s := f.begin(ctx, q)
	notes := s.around()
	readings, err := s.readings(ctx)
	if err != nil {
		return Further{}, err
	}
	further := s.morePlaces(ctx, &kept)
	s.Draft.CachedPlaces = kept.Places
	goes := s.pairing(ctx, readings)
	further = slices.DeleteFunc(further, func(place meet.Place) bool {
		return kept.Event != nil && !goes(kept.Event.Span(), place)
	})
	onOffer := append(VenuesOf(kept.Event), further[:min(MoreAtOnce, len(further))]...)
	nowhere := func(s meet.Slot) bool { return len(onOffer) > 0 && !goes(s.Span(), onOffer...) }
	found := meet.Candidates{Places: further, Search: notes}
	fresh := slices.DeleteFunc(s.stillFree(readings, s.unseenSlots(kept)), nowhere)
	if found.Slots = fresh; len(fresh) > 0 {
		return Further{Found: found, Slots: kept.Slots, Places: kept.Places}, nil
	}
	anew, err := again(s.Draft)
	found.Slots, found.Calendars = slices.DeleteFunc(wishMet(anew), nowhere), anew.Calendars
	return Further{Found: found, Slots: wishMet(anew), Places: kept.Places, Again: &anew}, err
}

// morePlaces are places that were not shown yet: those that the earlier search still holds, or else those that a new
// one finds and adds to it.
func (s *search) morePlaces(ctx context.Context, kept *meet.Search) []meet.Place {
	unseen := func(list []meet.Place) []meet.Place {
		return slices.DeleteFunc(slices.Clone(list), func(place meet.Place) bool {
			return kept.Shows(place) || kept.Event != nil && closed(place, kept.Event.Span())
		})
	}
	if left := unseen(kept.Places); len(left) > 0 || !functions.SeeksPlace(s.Draft.Template) {
		return left
	}
	query := functions.PlaceQuery(s.Draft.Template)
	query.Without = kept.ShownPlaces
	left := unseen(s.newPlaces(ctx, *query).list)
	kept.Places = append(slices.Clip(kept.Places), left...)
	return left
}

// closed reports whether a place is known to be closed during part of a span.
func closed(p meet.Place, at interval.Span) bool {
	open, known := p.OpenDuring(at)
	return known && !open
}

// VenuesOf are the place of a proposal and its alternatives.
func VenuesOf(e *meet.Event) []meet.Place {
	if e == nil || e.Place == nil {
		return nil
	}
	return append([]meet.Place{*e.Place}, e.Alternatives.Places...)
}

// pairing returns a function that reports whether any of the given places goes with a time. It knows the places of the
// event and of the search.
func (s *search) pairing(
	ctx context.Context, readings []meet.Schedule,
) func(at interval.Span, places ...meet.Place) bool {
	w := s.survey(ctx, append(VenuesOf(s.Draft.Previous), s.Draft.CachedPlaces...), readings)
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

// wishMet are the times that meet the wish; none if the candidates are only the nearest to it.
func wishMet(found meet.Candidates) []meet.Slot {
	if found.HasNoCommonTime || found.HasExplicitTimeConflict {
		return nil
	}
	return slices.Clone(found.Slots)
}

// unseenSlots are those that were not shown and have not passed meanwhile.
func (s *search) unseenSlots(kept meet.Search) []meet.Slot {
	return slices.DeleteFunc(slices.Clone(kept.Slots), func(o meet.Slot) bool {
		return o.State == meet.SlotConflict || o.Start.Before(s.Now) || slices.ContainsFunc(kept.ShownSlots, o.Start.Equal)
	})
}

// stillFree are the slots at which still no one is busy. A slot that cannot be checked again becomes unknown.
func (s *search) stillFree(readings []meet.Schedule, slots []meet.Slot) []meet.Slot {
	buffer := s.Draft.Template.TravelBuffer
	var free []meet.Slot
	for _, o := range slots {
		needed := o.Span().Widen(buffer.Before(), buffer.After())
		busy := false
		o.Unknown = nil
		for i, reading := range readings {
			switch reading.Availability.State(needed) {
			case interval.Busy:
				busy = true
			case interval.Unknown:
				o.State, o.Unknown = meet.SlotUnknown, append(o.Unknown, s.everyone[i].Name)
			case interval.Free:
			}
		}
		if !busy {
			free = append(free, o)
		}
	}
	return free
}
