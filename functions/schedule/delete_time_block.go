package schedule

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed delete_time_block.md
var deleteTimeBlockWords string

// deleteTimeBlock deletes one block.
func deleteTimeBlock() world.Tool {
	return world.Define("schedule_deleteTimeBlock", world.WithSelection(deleteTimeBlockWords), world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Blocks,
		Operation: meet.DeleteResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in Which) (answer world.Answer[Blocks], err error) {
		found, err := in.find(ctx, w)
		if err != nil {
			return answer, err
		}
		d, block := day{World: w, found: found}, found.Events[0]
		change, note, err := d.amend(agenda.Amendment{Kind: agenda.Delete, Event: block})
		v := w.Voice()
		return world.Answer[Blocks]{
			Data:    Blocks{Blocks: w.Events([]meet.Occurrence{block}, true), Conflicts: []Overlap{}},
			Display: meet.CardDisplay, Title: v.Title(block.Title),
			Description: d.noted(
				d.say("deleted", "title", v.Title(block.Title), "when", v.Span(block.Span, false)) + note),
			Components: []meet.Component{w.Block(block)}, Changes: []meet.Change{change},
			Suggestions: []string{d.say("askGaps", "day", v.OnDay(block.Span.Start))},
		}, err
	})
}
