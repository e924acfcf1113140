package items

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed count.md
var countWords string

// CountArguments are events, and which of them count; null is all.
type CountArguments struct {
	Items
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
}

// Count is the data of items_count.
type Count struct {
	Count int `json:"count"`
}

// count counts events.
func count() world.Tool {
	return world.Define("items_count", world.WithSelection(countWords), trait(world.Number), func(
		_ context.Context, w *world.World, in CountArguments,
	) (answer world.Answer[Count], err error) {
		events := in.Items.Items
		if in.Selection != nil {
			if events, err = chosen(w, events, *in.Selection); err != nil {
				return answer, err
			}
		}
		text := counted(w, len(events))
		return world.Answer[Count]{
			Data: Count{len(events)}, Display: meet.CardDisplay, Title: text, Description: text,
		}, nil
	})
}
