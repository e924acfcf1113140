package calendar

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed delete_events.md
var deleteEventsWords string

type deleteEvents struct {
	Selection agenda.Selection `json:"selection"`
	Scope     *string          `json:"scope" jsonschema:"nullable,enum=this,enum=following,enum=all"`
}

// DeleteEvents deletes events.
func DeleteEvents() world.Tool {
	return world.Define("calendar_deleteEvents", world.WithSelection(deleteEventsWords),
		changes(meet.DeleteResource), deleteAll)
}

func deleteAll(ctx context.Context, w *world.World, in deleteEvents) (world.Answer[Changed], error) {
	found, err := w.Targets(ctx, in.Selection)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	if found, err = throughout(ctx, w, in.Selection, found); err != nil {
		return world.Answer[Changed]{}, err
	}
	var all []agenda.Amendment
	chosen, err := parts(ctx, w, in.Selection, in.Scope, found)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	for _, p := range chosen {
		all = append(all, agenda.Amendment{Kind: agenda.Delete, Event: p.Occurrence, Scope: p.scope})
	}
	return amend(ctx, w, found, all)
}

// throughout is what was found with all occurrences of the one series that is meant, if a span of several days is
// named: "cancel yoga this week".
func throughout(
	ctx context.Context, w *world.World, s agenda.Selection, found world.Found,
) (world.Found, error) {
	one := s.One != nil && *s.One && s.First == nil && len(found.Events) == 1
	if !one || s.Window == nil || !found.Events[0].Repeats() {
		return found, nil
	}
	s.One = nil
	all, err := w.Targets(ctx, s)
	if err != nil {
		return found, err
	}
	all.Events = slices.DeleteFunc(slices.Clone(all.Events), func(o meet.Occurrence) bool {
		return o.UID != found.Events[0].UID
	})
	return all, nil
}
