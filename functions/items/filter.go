package items

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
)

//go:embed filter.md
var filterWords string

// FilterArguments are events, and which of them are wanted.
type FilterArguments struct {
	Items
	Selection agenda.Selection `json:"selection"`
}

// filter keeps the events that a selection means.
func filter() world.Tool {
	return world.Define("items_filter", world.WithSelection(filterWords), trait(world.Events), func(
		_ context.Context, w *world.World, in FilterArguments,
	) (world.Answer[List], error) {
		events, err := chosen(w, in.Items.Items, in.Selection)
		if err != nil {
			return world.Answer[List]{}, err
		}
		return listed(w, events)
	})
}
