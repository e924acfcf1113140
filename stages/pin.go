package stages

import (
	"slices"

	"convene/pkg/meet"
	"convene/pkg/slot"
)

// Some choices are not the model's to make. They are pinned: put first, and kept there whatever the model ranks. The
// time is pinned that the user named though it is taken, and the previous one where an edit says nothing about when; the
// place that the user named, and the previous one where an edit says nothing about where.

// pinSlot pins the time. All gives every slot that meets the wish, among which the previous one may be though it is not
// among the best.
func pinSlot(found meet.Candidates, draft meet.Draft, all func() []meet.Slot) meet.Candidates {
	if found.HasExplicitTimeConflict {
		found.PinnedSlot = true
		return found
	}
	if draft.Edit == nil || draft.Edit.ChangedTime || draft.Previous == nil {
		return found
	}
	at := func(s meet.Slot) bool { return s.Start.Equal(draft.Previous.Start) }
	among := found.Slots
	if !slices.ContainsFunc(among, at) && !found.HasNoCommonTime {
		among = all()
	}
	i := slices.IndexFunc(among, at)
	if i < 0 {
		return found
	}
	first := among[i]
	others := slices.DeleteFunc(slices.Clone(found.Slots), at)
	found.Slots = append([]meet.Slot{first}, others[:min(len(others), slot.MaxSlots-1)]...)
	found.PinnedSlot = true
	return found
}

// pinPlace pins the place, where it was found.
func pinPlace(found meet.Candidates, draft meet.Draft) meet.Candidates {
	i := pinnedPlace(found.Places, draft)
	if i < 0 {
		return found
	}
	first := found.Places[i]
	found.Places = append([]meet.Place{first}, slices.Delete(slices.Clone(found.Places), i, i+1)...)
	found.PinnedPlace = true
	return found
}

// pinnedPlace is the index of the place that is not the model's to choose, -1 where there is none.
func pinnedPlace(places []meet.Place, draft meet.Draft) int {
	if keepsPlace(draft) {
		return slices.IndexFunc(places, draft.Previous.Place.Same)
	}
	return slices.IndexFunc(places, func(p meet.Place) bool { return p.Named })
}

// keepsPlace reports whether an edit leaves a place that there was as it was.
func keepsPlace(draft meet.Draft) bool {
	return draft.Edit != nil && !draft.Edit.ChangedPlace && draft.Previous != nil && draft.Previous.Place != nil
}
