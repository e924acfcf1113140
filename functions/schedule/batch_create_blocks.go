package schedule

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed batch_create_blocks.md
var batchCreateBlocksWords string

// BatchCreateBlocksArguments are blocks of one day; a null date is today.
type BatchCreateBlocksArguments struct {
	Date   *string    `json:"date" jsonschema:"nullable"`
	Blocks []NewBlock `json:"blocks"`
}

// Batch is the data of schedule_batchCreateBlocks.
type Batch struct {
	Created   []agenda.Event `json:"created"`
	Conflicts []Unfit        `json:"conflicts"`
}

// Unfit is a block that is not made, and why.
type Unfit struct {
	Block  NewBlock `json:"block"`
	Reason string   `json:"reason"`
}

// mostBlocks is how many blocks can be made at once.
const mostBlocks = 50

// batchCreateBlocks makes several blocks as one set of changes. A block that overlaps a meeting, or that would be one
// too many at its time, is not made: it is a conflict.
func batchCreateBlocks() world.Tool {
	return world.Define("schedule_batchCreateBlocks", batchCreateBlocksWords, world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Blocks,
		Operation: meet.CreateResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in BatchCreateBlocksArguments) (answer world.Answer[Batch], err error) {
		if len(in.Blocks) == 0 || len(in.Blocks) > mostBlocks {
			return answer, tool.BadArgument("blocks", "%d blocks; there must be from 1 to %d", len(in.Blocks), mostBlocks)
		}
		d, date, err := readDate(ctx, w, in.Date)
		if err != nil {
			return answer, err
		}
		answer = world.Answer[Batch]{
			Data:    Batch{Created: []agenda.Event{}, Conflicts: []Unfit{}},
			Display: meet.TimelineDisplay, Title: w.Voice().Day(d.span.Start),
		}
		var lines []string
		for i, one := range in.Blocks {
			block, err := d.place(one, date)
			if err != nil {
				return answer, within(err, i)
			}
			if err := w.Shelve(ctx, &block); err != nil {
				return answer, err
			}
			line, err := d.add(&answer, one, block)
			if err != nil {
				return answer, err
			}
			lines = append(lines, "- "+line)
		}
		answer.Description = d.noted(strings.Join(lines, "\n"))
		answer.Suggestions = []string{d.say("askDay", "day", w.Voice().OnDay(d.span.Start))}
		return answer, nil
	})
}

// add makes the block, or notes why not, and tells of it.
func (d *day) add(answer *world.Answer[Batch], in NewBlock, block meet.Occurrence) (string, error) {
	v, reason := d.Voice(), ""
	if over := d.overlapped(block.Span, ""); len(over) > 0 {
		reason = d.say("overlaps", "titles", d.titles(over))
	} else if d.full(block.Span, "") {
		reason = d.say("full", "when", v.Span(block.Span, false))
	}
	line := d.say("block", "title", v.Title(block.Title), "when", v.Times(block.Span))
	if reason != "" {
		answer.Data.Conflicts = append(answer.Data.Conflicts, Unfit{in, reason})
		return d.say("unfit", "block", line, "reason", reason), nil
	}
	change, _, err := d.amend(agenda.Amendment{Kind: agenda.Create, Event: block})
	if err != nil {
		return "", err
	}
	data, part, _, err := d.shown(change, block)
	if err != nil {
		return "", err
	}
	block.UID = data.Blocks[0].ID
	d.events = append(d.events, block)
	answer.Data.Created = append(answer.Data.Created, data.Blocks...)
	answer.Components, answer.Changes = append(answer.Components, part), append(answer.Changes, change)
	return line, nil
}
