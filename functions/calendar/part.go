package calendar

import (
	"context"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// part is an event to change, with the part of its series that changes with it.
type part struct {
	meet.Occurrence
	scope meet.Scope
}

// parts are what a call changes of what was found. Of a whole series with exceptions, the occurrences before the last
// one that stays change one by one, and what follows it together: the series as a whole would not spare them.
func parts(
	ctx context.Context, w *world.World, s agenda.Selection, said *string, found world.Found,
) (all []part, err error) {
	if said == nil || *said != string(meet.AllOfThem) || len(s.Except) == 0 {
		for _, o := range scoped(s, said, found.Events) {
			all = append(all, part{o, scopeOf(o, said)})
		}
		return all, nil
	}
	s.Except = nil
	there, err := w.Targets(ctx, s)
	if err != nil {
		return nil, err
	}
	kept := map[string]time.Time{} // the last occurrence that stays, by series
	for _, o := range without(there.Events, found.Events) {
		if o.Span.Start.After(kept[o.UID]) {
			kept[o.UID] = o.Span.Start
		}
	}
	inOrder := slices.Clone(found.Events)
	slices.SortStableFunc(inOrder, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	seen := map[string]bool{}
	for _, o := range inOrder {
		last, spares := kept[o.UID]
		switch {
		case !o.Repeats():
			all = append(all, part{Occurrence: o})
		case spares && !o.Span.Start.After(last):
			all = append(all, part{o, meet.ThisOne})
		case seen[o.UID]:
		default:
			seen[o.UID] = true
			all = append(all, part{o, map[bool]meet.Scope{true: meet.Following, false: meet.AllOfThem}[spares]})
		}
	}
	return all, nil
}
