package schedule

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

//go:embed move_time_block.md
var moveTimeBlockWords string

// MoveTimeBlockArguments say which block, and its new time. Without an end it keeps its length, without a date its day.
type MoveTimeBlockArguments struct {
	Which
	NewStartTime string  `json:"newStartTime"`
	NewEndTime   *string `json:"newEndTime" jsonschema:"nullable"`
	NewDate      *string `json:"newDate" jsonschema:"nullable"`
}

// moveTimeBlock moves one block.
func moveTimeBlock() world.Tool {
	return world.Define("schedule_moveTimeBlock", world.WithSelection(moveTimeBlockWords), world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Blocks,
		Operation: meet.UpdateResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in MoveTimeBlockArguments) (answer world.Answer[Blocks], err error) {
		found, err := in.find(ctx, w)
		if err != nil {
			return answer, err
		}
		block := found.Events[0]
		span, err := in.span(w, block)
		if err != nil {
			return answer, err
		}
		d, err := read(ctx, w, span)
		if err != nil {
			return answer, err
		}
		if found.Unread {
			d.found = found
		}
		v, title := w.Voice(), w.Voice().Title(block.Title)
		if span.Start.Equal(block.Span.Start) && span.End.Equal(block.Span.End) {
			return answer, fault.New(fault.Conflict, "%s", d.say("same", "title", title, "when", v.Span(span, false)))
		}
		if d.full(span, block.Key()) {
			return answer, d.fullError(span)
		}
		change, note, err := d.amend(agenda.Amendment{
			Kind: agenda.Update, Event: block, Set: agenda.Fields{Span: &span},
		})
		if err != nil {
			return answer, err
		}
		was := block.Span
		block.Span = span
		data, part, warning, err := d.shown(change, block)
		text := d.say("moved", "title", title, "from", v.Span(was, false), "to", v.Span(span, false))
		return world.Answer[Blocks]{
			Data: data, Display: meet.CardDisplay, Title: title, Description: d.noted(text + note + warning),
			Components: []meet.Component{part}, Changes: []meet.Change{change},
			Suggestions: []string{d.say("askDay", "day", v.OnDay(span.Start))},
		}, err
	})
}

// span is the block's new time.
func (in MoveTimeBlockArguments) span(w *world.World, block meet.Occurrence) (interval.Span, error) {
	date := interval.DateOf(block.Span.Start.In(w.Zone()))
	if in.NewDate != nil {
		var err error
		if date, err = dateOf(w, "newDate", in.NewDate); err != nil {
			return interval.Span{}, err
		}
	}
	if in.NewEndTime != nil {
		return stretch(w, date, [2]string{"newStartTime", in.NewStartTime}, [2]string{"newEndTime", *in.NewEndTime})
	}
	start, err := clockAt(w, "newStartTime", date, in.NewStartTime)
	return interval.From(start, block.Span.Duration()), err
}
