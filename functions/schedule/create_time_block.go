package schedule

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed create_time_block.md
var createTimeBlockWords string

// NewBlock is a time block to be made, from StartTime to EndTime. With DurationMinutes it takes the first free time of
// that length between them; without both times, of the day's usual hours; without EndTime it begins at StartTime.
type NewBlock struct {
	Type            string  `json:"type" jsonschema:"enum=work,enum=meeting,enum=email,enum=break,enum=blocked"`
	Title           string  `json:"title"`
	StartTime       *string `json:"startTime" jsonschema:"nullable"`
	EndTime         *string `json:"endTime" jsonschema:"nullable"`
	DurationMinutes *int    `json:"durationMinutes" jsonschema:"nullable"`
	Description     *string `json:"description" jsonschema:"nullable"`
}

// CreateTimeBlockArguments are one block and its date; null is today.
type CreateTimeBlockArguments struct {
	NewBlock
	Date     *string `json:"date" jsonschema:"nullable"`
	Calendar *string `json:"calendar" jsonschema:"nullable"`
}

// createTimeBlock makes one block. What it overlaps is told; more than mostAtOnce blocks at one time are refused.
func createTimeBlock() world.Tool {
	return world.Define("schedule_createTimeBlock", createTimeBlockWords, world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Blocks,
		Operation: meet.CreateResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in CreateTimeBlockArguments) (answer world.Answer[Blocks], err error) {
		d, date, err := readDate(ctx, w, in.Date)
		if err != nil {
			return answer, err
		}
		block, err := d.place(in.NewBlock, date)
		if err != nil {
			return answer, err
		}
		if in.Calendar != nil {
			block.Calendar = *in.Calendar
		}
		if err := w.Shelve(ctx, &block); err != nil {
			return answer, err
		}
		if d, err = read(ctx, w, block.Span); err != nil {
			return answer, err
		}
		if d.full(block.Span, "") {
			return answer, d.fullError(block.Span)
		}
		change, _, err := d.amend(agenda.Amendment{Kind: agenda.Create, Event: block})
		if err != nil {
			return answer, err
		}
		data, part, warning, err := d.shown(change, block)
		v := w.Voice()
		text := d.say("created", "title", v.Title(block.Title), "when", v.Span(block.Span, false))
		return world.Answer[Blocks]{
			Data: data, Display: meet.CardDisplay, Title: v.Title(block.Title), Description: d.noted(text + warning),
			Components: []meet.Component{part}, Changes: []meet.Change{change},
			Suggestions: []string{d.say("askDay", "day", v.OnDay(block.Span.Start))},
		}, err
	})
}
