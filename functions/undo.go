package functions

import (
	"slices"

	"convene/pkg/meet"
)

// What an edit is about that takes others back: the last one, or all of them.
const (
	undoLast = "undo"
	undoAll  = "original"
)

// undone is the draft of the event as it was before the last edit, or before all of them: the wish, the people, the
// time and the place. Without an earlier version nothing changes.
func undone(s *meet.Search, all bool) meet.Draft {
	draft := meet.Draft{
		Mode: meet.ModeEdit, Template: s.Template, People: s.People, Previous: s.Event, CachedPlaces: s.Places,
		Before: bare(*s), OnlyThen: s.OnlyThen, Older: s.Wished, Edit: &meet.Edit{},
	}
	if len(s.Past) == 0 {
		return draft
	}
	i := len(s.Past) - 1
	if all {
		i = 0
	}
	was := s.Past[i]
	draft.Template, draft.People, draft.Older, draft.OnlyThen = was.Template, was.People, was.Wished, was.OnlyThen
	draft.FixedPlace, draft.CachedPlaces = was.Place, nil
	draft.Edit = &meet.Edit{ChangedTime: true, ChangedPlace: true, Undo: len(s.Past) - i, Start: was.Start}
	if was.Place == nil && SeeksPlace(was.Template) {
		draft.PlaceQuery = PlaceQuery(was.Template)
	}
	draft.People = slices.Clone(draft.People)
	return draft
}
