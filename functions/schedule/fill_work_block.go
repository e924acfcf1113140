package schedule

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

//go:embed fill_work_block.md
var fillWorkBlockWords string

// FillWorkBlockArguments say which block, and by which rule tasks are chosen.
type FillWorkBlockArguments struct {
	Which
	Strategy *string `json:"strategy" jsonschema:"nullable,enum=best_fit,enum=priority,enum=quick_wins,enum=mixed"`
}

// fillWorkBlock finds the block, and says that there are no tasks to fill it with yet.
func fillWorkBlock() world.Tool {
	return world.Define("schedule_fillWorkBlock", world.WithSelection(fillWorkBlockWords), world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Blocks,
		Operation: meet.UpdateResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in FillWorkBlockArguments) (answer world.Answer[Blocks], err error) {
		found, err := in.find(ctx, w)
		if err != nil {
			return answer, err
		}
		d, title := day{World: w}, w.Voice().Title(found.Events[0].Title)
		return answer, fault.New(fault.Unavailable, "%s", d.say("noTasks", "title", title))
	})
}
