package stages

import (
	"context"
	"slices"

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
	if search == nil {
		return r.say(meet.OutcomeAnswered, "There is nothing to show more of yet. Tell me what you would like to schedule, and with whom.")
	}
	draft := meet.Draft{Mode: meet.ModeEdit, Template: search.Template, People: search.People,
		Previous: search.Event, CachedPlaces: search.Places}
	found := meet.Candidates{Slots: unseenSlots(search, r), Places: unseenPlaces(search)}
	if len(found.Slots) == 0 {
		again, err := p.searchAgain(ctx, r, draft)
		if err != nil {
			return meet.Outcome{}, err
		}
		found.Slots, found.Calendars = again.Slots, again.Calendars
	}
	on := r.offer(p, draft, found, message.PathAlternatives)
	slots := onDifferentDays(found.Slots, moreAtOnce)
	places := rest(nil, min(moreAtOnce, len(found.Places)))
	shown := on.slots(slots)
	more := meet.AlternativesUpdate{Slots: shown, Places: on.places(places), Reasons: []meet.Reason{}}
	search.OfferedSlots, search.OfferedPlaces = more.Slots, more.Places
	for _, s := range more.Slots {
		search.ShownSlots = append(search.ShownSlots, s.Start)
	}
	search.ShownPlaces = append(search.ShownPlaces, placeNames(more.Places)...)
	if err := p.offerAlso(ctx, search.Event, more); err != nil {
		return meet.Outcome{}, err
	}
	text := on.facts.More(slots, places)
	if err := r.emit(meet.MessageUpdate{Text: text, ComposedBy: meet.ByCode}); err != nil {
		return meet.Outcome{}, err
	}
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: text}, r.emit(more)
}

// offerAlso adds to what a proposal can be confirmed with, by index behind the alternatives that it has. One that is
// confirmed or withdrawn stays as it is.
func (p *Pipeline) offerAlso(ctx context.Context, event *meet.Event, more meet.AlternativesUpdate) error {
	if event == nil {
		return nil
	}
	_, err := p.ports.Proposals.UpdateProposal(ctx, event.ID, func(e *meet.Event) error {
		if e.Status == meet.Proposed {
			e.Alternatives.Slots = append(e.Alternatives.Slots, more.Slots...)
			e.Alternatives.Places = append(e.Alternatives.Places, more.Places...)
		}
		return nil
	})
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	return err
}

// searchAgain is stage 4 once more, without what was shown. Only times that meet the wish count.
func (p *Pipeline) searchAgain(ctx context.Context, r *run, draft meet.Draft) (meet.Candidates, error) {
	r.alreadyOffered = r.conversation.Search.ShownSlots
	found, err := r.find(ctx, p.candidates, draft)
	if found.HasNoCommonTime || found.HasExplicitTimeConflict {
		found.Slots = nil
	}
	r.conversation.Search.Slots = found.Slots
	return found, err
}

// unseenSlots are those that were not shown and have not passed meanwhile. Where the wish could not be met, the nearest
// times are not more of it.
func unseenSlots(search *meet.Search, r *run) []meet.Slot {
	return slices.DeleteFunc(slices.Clone(search.Slots), func(s meet.Slot) bool {
		return s.State == meet.SlotConflict || s.Start.Before(r.now) || slices.ContainsFunc(search.ShownSlots, s.Start.Equal)
	})
}

func unseenPlaces(search *meet.Search) []meet.Place {
	return slices.DeleteFunc(slices.Clone(search.Places), func(p meet.Place) bool {
		return slices.Contains(search.ShownPlaces, p.Name)
	})
}

// onDifferentDays are the indices of at most n slots, best first, on as many days as there are.
func onDifferentDays(list []meet.Slot, n int) []int {
	var chosen []int
	days := map[interval.Date]bool{}
	for i, s := range list {
		if day := interval.DateOf(s.Start); !days[day] && len(chosen) < n {
			days[day] = true
			chosen = append(chosen, i)
		}
	}
	chosen = rest(chosen, len(list))
	return chosen[:min(n, len(chosen))]
}
