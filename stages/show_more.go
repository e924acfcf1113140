package stages

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// moreAtOnce is how many further options one turn shows of each kind.
const moreAtOnce = 3

// showMore answers "what else?" without a model: with what the cached search still holds, and, where that is used up,
// with a new search that leaves out what was shown.
func (p *Pipeline) showMore(ctx context.Context, r *run) (meet.Outcome, error) {
	search := r.conversation.Search
	draft := meet.Draft{
		Mode: meet.ModeEdit, Template: search.Template, People: search.People,
		Previous: search.Event, CachedPlaces: search.Places, Around: search.Around, OnlyThen: search.OnlyThen,
	}
	more, err := once(ctx, r, "more", func(ctx context.Context) (further, error) { return p.unseen(ctx, r, draft) })
	if err != nil {
		return meet.Outcome{}, err
	}
	found := more.Found
	found.Search = around(draft, r.circumstances)
	search.Slots, search.Places, search.Lists = more.Slots, more.Places, meet.Lists{}
	if more.Again != nil {
		r.tell(r.countOf(*more.Again))
	}
	on := p.offer(r, draft, found, message.PathAlternatives)
	slots := onDifferentDays(found.Slots, moreAtOnce)
	places := rest(nil, min(moreAtOnce, len(found.Places)))
	shown := meet.AlternativesUpdate{Slots: on.slots(slots), Places: on.places(places), Reasons: []meet.Reason{}}
	search.OfferedSlots, search.OfferedPlaces = shown.Slots, shown.Places
	search.ShownSlots = withTimes(search.ShownSlots, shown.Slots)
	for _, place := range shown.Places {
		search.ShownPlaces = withShown(search.ShownPlaces, place)
	}
	// What is shown is kept first: a process that takes the turn over offers the same.
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	if err := p.offerAlso(ctx, search.Event, shown); err != nil {
		return meet.Outcome{}, err
	}
	text := on.facts.More(slots, places)
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: text}, r.emit(ctx, r.message(text, meet.ByCode), shown)
}

// further is what there is beside what was shown.
type further struct {
	Found meet.Candidates
	// Slots and Places are what the search holds from now on.
	Slots  []meet.Slot
	Places []meet.Place
	// Again is what a new search came to, nil where there was none. It is told outside of the step that makes it: whoever
	// takes the turn over behind that step tells it too.
	Again *meet.Candidates
}

// unseen is what was not shown yet: of the cached search, or of a new one where that has no time left. Each place goes
// with the event's time, and each time with a place that is on offer, of the further ones with one of those that are shown.
func (p *Pipeline) unseen(ctx context.Context, r *run, draft meet.Draft) (further, error) {
	search := r.conversation.Search
	readings, err := p.candidates.readings(ctx, r.circumstances, draft)
	if err != nil {
		return further{}, err
	}
	places := p.morePlaces(ctx, r, draft)
	draft.CachedPlaces = search.Places
	goes := p.candidates.pairing(ctx, r.circumstances, draft, readings)
	places = slices.DeleteFunc(places, func(place meet.Place) bool {
		return search.Event != nil && !goes(search.Event.Span(), place)
	})
	onOffer := append(venuesOf(search.Event), places[:min(moreAtOnce, len(places))]...)
	nowhere := func(s meet.Slot) bool { return len(onOffer) > 0 && !goes(s.Span(), onOffer...) }
	fresh := stillFree(r.circumstances, draft, readings, unseenSlots(search, r))
	if fresh = slices.DeleteFunc(fresh, nowhere); len(fresh) > 0 {
		return further{Found: meet.Candidates{Slots: fresh, Places: places}, Slots: search.Slots, Places: search.Places}, nil
	}
	again, err := p.searchAgain(ctx, r, draft)
	left := slices.DeleteFunc(met(again), nowhere)
	return further{
		Found: meet.Candidates{Slots: left, Calendars: again.Calendars, Places: places},
		Slots: met(again), Places: search.Places, Again: &again,
	}, err
}

// morePlaces are further places that were not shown yet: what the search still holds, or else what a new one finds.
func (p *Pipeline) morePlaces(ctx context.Context, r *run, draft meet.Draft) []meet.Place {
	search := r.conversation.Search
	unseen := func(list []meet.Place) []meet.Place {
		return slices.DeleteFunc(slices.Clone(list), func(place meet.Place) bool {
			return shownBefore(search, place) || search.Event != nil && closed(place, search.Event.Span())
		})
	}
	if left := unseen(search.Places); len(left) > 0 || !functions.SeeksPlace(draft.Template) {
		return left
	}
	draft.PlaceQuery, draft.Around = functions.PlaceQuery(draft.Template), search.Around
	draft.PlaceQuery.Without = search.ShownPlaces
	found := p.candidates.search(ctx, r.circumstances, draft)
	left := unseen(found.list)
	search.Places = append(search.Places, left...)
	return left
}

// venuesOf are the place of a proposal and those on offer instead of it.
func venuesOf(e *meet.Event) []meet.Place {
	if e == nil || e.Place == nil {
		return nil
	}
	return append([]meet.Place{*e.Place}, e.Alternatives.Places...)
}

// pairing reports whether any of some places goes with a time, of those that the event or the search has.
func (f finder) pairing(
	ctx context.Context, c circumstances, draft meet.Draft, readings []meet.Reading,
) func(at interval.Span, places ...meet.Place) bool {
	w := f.ways(ctx, c, draft, append(venuesOf(draft.Previous), draft.CachedPlaces...), readings)
	return func(at interval.Span, places ...meet.Place) bool {
		if w.m == nil {
			return true
		}
		moment := w.m.At(at)
		return slices.ContainsFunc(places, func(p meet.Place) bool {
			i := slices.IndexFunc(w.m.Places(), func(o meet.Place) bool { return o.Key() == p.Key() && o.Location == p.Location })
			return i >= 0 && moment.Fits(i)
		})
	}
}

// offerAlso adds to what a proposal can be confirmed with, by index behind the alternatives that it has, unless that is
// what it has last. One that is confirmed or withdrawn stays as it is.
func (p *Pipeline) offerAlso(ctx context.Context, event *meet.Event, more meet.AlternativesUpdate) error {
	if event == nil {
		return nil
	}
	_, err := p.ports.Proposals.UpdateProposal(ctx, event.ID, func(e *meet.Event) error {
		slots, places := e.Alternatives.Slots, e.Alternatives.Places
		offered := endsWith(slots, more.Slots, func(a, b meet.Slot) bool { return a.Start.Equal(b.Start) }) &&
			endsWith(places, more.Places, func(a, b meet.Place) bool { return a.Key() == b.Key() })
		if e.Status == meet.Proposed && !offered {
			e.Alternatives.Slots, e.Alternatives.Places = append(slots, more.Slots...), append(places, more.Places...)
		}
		return nil
	})
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}

func endsWith[T any](list, end []T, same func(a, b T) bool) bool {
	from := len(list) - len(end)
	return from >= 0 && slices.EqualFunc(list[from:], end, same)
}

// searchAgain is stage 4 once more, without what was shown.
func (p *Pipeline) searchAgain(ctx context.Context, r *run, draft meet.Draft) (meet.Candidates, error) {
	r.alreadyOffered = r.conversation.Search.ShownSlots
	return r.search(ctx, p.candidates, draft)
}

// met are the times that meet the wish, of candidates that may be the nearest to it only.
func met(found meet.Candidates) []meet.Slot {
	if found.HasNoCommonTime || found.HasExplicitTimeConflict {
		return nil
	}
	return slices.Clone(found.Slots)
}

// unseenSlots are those that were not shown and have not passed meanwhile.
func unseenSlots(search *meet.Search, r *run) []meet.Slot {
	return slices.DeleteFunc(slices.Clone(search.Slots), func(s meet.Slot) bool {
		return s.State == meet.SlotConflict || s.Start.Before(r.now) || slices.ContainsFunc(search.ShownSlots, s.Start.Equal)
	})
}

// stillFree are the slots that nobody has filled since they were found. One that cannot be checked any more says so.
func stillFree(c circumstances, draft meet.Draft, readings []meet.Reading, slots []meet.Slot) []meet.Slot {
	people := everybody(c.turn.Organizer, draft.People)
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

// onDifferentDays are the indices of at most n slots, best first, on as many days as there are.
func onDifferentDays(list []meet.Slot, n int) []int {
	chosen := otherDays(list, nil)
	return chosen[:min(n, len(chosen))]
}
