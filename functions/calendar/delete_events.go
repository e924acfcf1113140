package calendar

import (
	"context"
	_ "embed"

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
