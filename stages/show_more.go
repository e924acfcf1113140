package stages

import (
	"context"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/stages/candidates"
)

// furtherOptions shows more options of a search.
type furtherOptions struct {
	finder    *candidates.Finder
	proposals Proposals
	// search is stage 4 again, without the starts that were offered.
	search func(ctx context.Context, r *run, draft meet.Draft, offered []time.Time) (meet.Candidates, error)
}

// showMore answers "what else?" without a model: with options that the cached search still holds, or else with those of
// a new search that leaves out what was shown.
func (f furtherOptions) showMore(ctx context.Context, r *run) (meet.Outcome, error) {
	search := r.conversation.Search
	draft := meet.Draft{
		Mode: meet.ModeEdit, Template: search.Template, People: search.People,
		Previous: search.Event, CachedPlaces: search.Places, Around: search.Around, OnlyThen: search.OnlyThen,
	}
	more, err := once(ctx, r, "more", func(ctx context.Context) (candidates.Further, error) {
		return f.finder.More(ctx, r.query(draft), *search, func(draft meet.Draft) (meet.Candidates, error) {
			return f.search(ctx, r, draft, search.ShownSlots)
		})
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	found := more.Found
	search.Slots, search.Places, search.Lists = more.Slots, more.Places, meet.Lists{}
	if more.Again != nil {
		r.tell(countOf(*more.Again))
	}
	slots := onDifferentDays(found.Slots, candidates.MoreAtOnce)
	places := filledUp(nil, min(candidates.MoreAtOnce, len(found.Places)))
	shown := meet.AlternativesUpdate{
		Slots: picked(found.Slots, slots), Places: picked(found.Places, places), Reasons: []meet.Reason{},
	}
	search.OfferedSlots, search.OfferedPlaces = shown.Slots, shown.Places
	search.ShowSlots(shown.Slots)
	for _, place := range shown.Places {
		search.ShowPlace(place)
	}
	// The steps are kept first: a process that takes the turn over offers the same.
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	if err := f.offerAlso(ctx, search.Event, shown); err != nil {
		return meet.Outcome{}, err
	}
	text := factsOf(r.situation, draft, found).More(slots, places)
	return meet.Outcome{Kind: meet.OutcomeAlternatives, Message: text}, r.emit(ctx, r.message(text, meet.ByCode), shown)
}

// offerAlso appends to the alternatives of a proposal, unless they end with these already. A proposal that is confirmed
// or withdrawn does not change.
func (f furtherOptions) offerAlso(ctx context.Context, event *meet.Event, more meet.AlternativesUpdate) error {
	if event == nil {
		return nil
	}
	_, err := f.proposals.UpdateProposal(ctx, event.ID, func(e *meet.Event) error {
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

// onDifferentDays are the indices of at most n slots, best first, on as many days as there are.
func onDifferentDays(list []meet.Slot, n int) []int {
	chosen := otherDays(list, nil)
	return chosen[:min(n, len(chosen))]
}
