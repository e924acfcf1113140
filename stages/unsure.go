package stages

import (
	"context"
	"slices"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// How probable an intent has to be, at least, so that the turn follows it if the rules read the message otherwise.
const (
	surely       = 0.7
	surelyDelete = 0.8
)

// unsure reports whether it is not plain enough what the message asks for: the rules read it otherwise than the model,
// and the intent is not probable. Without a model the rules ask by themselves.
func (w worker) unsure(r *run, result done) bool {
	if result.Heard || w.sure == nil {
		return false
	}
	least := surely
	if slices.ContainsFunc(result.Changes, func(c stored) bool { return c.Kind == meet.DeleteThing }) {
		least = surelyDelete
	}
	sure := w.sure(r.turn.Message, r.conversation.History, r.conversation.Search != nil, r.understood.Intent)
	if g := r.grounded; g.Tool != "" && g.Reads == (r.understood.Intent == meet.Look) {
		sure = max(sure, g.Probability)
	}
	return sure > 0 && sure < least
}

// offer ends the turn with what the message may ask for, as choices: the model's reading, that of the rules if there is
// one, and neither. Nothing is done or shown before the user has chosen.
func (r *run) offer(ctx context.Context, open meet.Waiting, result done) (meet.Outcome, error) {
	v := r.voice()
	choices := meet.Choices{Question: v.WhichReading(), Free: true}
	for i, reading := range []*done{&result, result.Ruled} {
		if reading == nil {
			continue
		}
		choices.Options = append(choices.Options, meet.Option{ID: []string{"model", "rules"}[i], Label: reading.caption(v)})
		open.Means = append(open.Means, meet.Meaning{Call: reading.Call})
	}
	choices.Options = append(choices.Options, meet.Option{ID: "none", Label: v.Neither()})
	open.Call, open.Means = nil, append(open.Means, meet.Meaning{})
	return r.choose(ctx, open, choices)
}

// caption is what a reading would change, or the heading of what it shows.
func (d done) caption(v message.Voice) string {
	if len(d.Changes) == 0 {
		return d.Response.Display.Title
	}
	return v.Caption(meet.ChangeSet{Changes: each(d.Changes, func(c stored) meet.Change { return c.Change })})
}
