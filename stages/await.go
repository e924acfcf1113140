package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/workflow"
)

// paused is a plan that waits for an answer: all that another process needs to go on.
type paused struct {
	ID    string      `json:"id"`
	State *plan.State `json:"state"`
	Steps []carried   `json:"steps"`
	Heard bool        `json:"heard,omitempty"`
	From  origin      `json:"from"`
}

// origin is what the words of a plan are of: what the user has said for it, and what was shown before.
type origin struct {
	Said   string   `json:"said"`
	Shown  []string `json:"shown,omitempty"`
	Listed []string `json:"listed,omitempty"`
}

func (r *run) origin() origin {
	o := origin{Said: r.turn.Message}
	if open := r.conversation.Waiting; open != nil {
		o.Shown, o.Listed = open.Shown, open.Listed
	}
	return o
}

// talk is the conversation as it was when the plan was made.
func (c *carriage) talk() meet.Conversation {
	talk := c.run.conversation
	talk.Waiting = &meet.Waiting{Shown: c.from.Shown, Listed: c.from.Listed}
	return talk
}

// copied is a working copy of the user's world, in which only what was said for the plan is the user's own word.
func (c *carriage) copied(ctx context.Context) (*world.World, error) {
	said := c.run.turn
	said.Message = c.from.Said
	return c.worlds.World(ctx, said, c.run.now, c.run.understood.Language)
}

// planID names the plan of a turn.
func planID(id meet.TurnID) string { return "pl_" + strings.TrimPrefix(string(id), "t_") }

// wait ends a turn whose plan needs an answer. Nothing is proposed before it, and nothing in the process waits.
func (c *carriage) wait(ctx context.Context, i int) (meet.Outcome, error) {
	r, asks := c.run, *c.steps[i].Choices
	asks.ID = questionID(r.turn.ID)
	if err := c.asks(ctx, i, asks); err != nil {
		return meet.Outcome{}, err
	}
	open := r.open()
	if before := open.Plan; before != nil && before.ID != c.id { // a conversation has one plan that waits
		r.waits = r.voice().WaitsNoLonger(before.Choices.Question)
		_, err := c.runs.Change(ctx, before.ID, func(kept *workflow.Record) error { return kept.Cancel(r.now.UTC()) })
		if err != nil && fault.CodeOf(err) != fault.Conflict && fault.CodeOf(err) != fault.NotFound {
			return meet.Outcome{}, err
		}
	}
	open.Call, open.Means, open.Argument, open.Request = nil, nil, "", c.savable()
	open.Plan = &meet.WaitingPlan{
		ID: c.id, Choices: asks, Language: r.understood.Language, Until: r.now.Add(c.drafts.keep), Keep: c.drafts.keep,
		Fresh: true,
	}
	return r.choose(ctx, open, asks, c.update(nil))
}

// toPlan reads the message as an answer to a plan that waits: one of its options or, right after the question, any
// words if it has none, and the message is no request of its own. A no ends the plan.
func (a answerer) toPlan(r *run, open meet.Waiting) (said heardReply, ok bool, err error) {
	p := open.Plan
	if p == nil {
		return said, false, nil
	}
	if answer := r.turn.Answer; answer != nil {
		if answer.ID != p.Choices.ID {
			return said, false, nil
		}
		said.Plan = true
		if answer.Text == "" {
			said.Reply, err = pressed(p.Choices, *answer)
			return said, true, err
		}
		if said.Reply = a.inWords(p.Choices, answer.Text); said.Kind != No && said.Kind != Pick {
			said.Reply, said.Text = Reply{Kind: Pick}, meet.Caption(answer.Text)
		}
		return said, true, nil
	}
	since := !p.Fresh && (r.conversation.Question != nil || r.goesOn())
	if since || open.Choices != nil && open.Choices.ID != p.Choices.ID || open.Fresh && len(open.Changes) > 0 {
		return said, false, nil // something else was asked since
	}
	said = heardReply{Reply: a.inWords(p.Choices, r.turn.Message), Plan: true}
	switch {
	case said.Kind == No, said.Kind == Pick && len(said.Indices) > 0:
		return said, true, nil
	case p.Fresh && p.Choices.Free && len(p.Choices.Options) == 0 && !a.asksAnew(r):
		said.Reply, said.Text = Reply{Kind: Pick}, meet.Caption(r.turn.Message)
		return said, said.Text != "", nil
	}
	return heardReply{}, false, nil
}

// inWords reads a message as an answer to a question.
func (a answerer) inWords(choices meet.Choices, message string) Reply {
	labels := each(choices.Options, func(o meet.Option) string { return o.Label + " " + o.Detail })
	return a.read(message, Asked{Options: labels, Choices: true})
}

// answered continues the plan that waits, or ends it.
func (a answerer) answered(ctx context.Context, r *run, open meet.Waiting, said heardReply) (meet.Outcome, error) {
	p := *open.Plan
	open.Plan, open.Choices = nil, nil
	r.conversation.Waiting = &open
	kept, err := a.take(ctx, r, p, said.Kind == No)
	code := fault.CodeOf(err)
	switch missed := code == fault.Conflict || code == fault.NotFound; {
	case said.Kind == No && (err == nil || missed):
		return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
	case missed:
		return a.missed(ctx, r, p.ID)
	case err != nil:
		return meet.Outcome{}, err
	}
	c, err := a.continued(r, kept)
	if err != nil {
		return meet.Outcome{}, err
	}
	if err := c.hear(kept, said); err != nil {
		return meet.Outcome{}, err
	}
	if err := r.progress(ctx, "work", looking("")); err != nil {
		return meet.Outcome{}, err
	}
	return c.carryOut(ctx)
}

// continued is a plan as it was left.
func (a answerer) continued(r *run, kept workflow.Record) (*carriage, error) {
	var was paused
	if err := json.Unmarshal(kept.State, &was); err != nil {
		return nil, fmt.Errorf("a waiting plan: %w", err)
	}
	if was.State == nil || len(was.Steps) != len(was.State.Plan.Steps) || kept.Step >= len(was.Steps) ||
		kept.Question == nil {
		return nil, fmt.Errorf("a waiting plan: step %d of %d", kept.Step, len(was.Steps))
	}
	was.State.Continue(a.drafts.tools)
	said := r.turn.Message
	if answer := r.turn.Answer; answer != nil {
		said = answer.Text
	}
	was.From.Said = strings.TrimSpace(was.From.Said + "\n" + said)
	kept.Question, kept.Until, kept.State, kept.Step = nil, nil, nil, 0
	return &carriage{
		worker: a.worker, run: r, id: was.ID, tools: a.drafts.tools, state: was.State, steps: was.Steps, heard: was.Heard,
		from: was.From, path: "steps", record: kept,
	}, nil
}

// hear gives the step that asked its answer: what it gives, if it did nothing but ask, or the things that are meant.
func (c *carriage) hear(kept workflow.Record, said heardReply) error {
	text, ids, step := said.Text, []string{}, kept.Step
	for _, i := range said.Indices {
		text = kept.Question.Options[i].Label
		ids = append(ids, kept.Question.Options[i].ID)
	}
	asked := c.steps[step]
	if t, _ := c.tools(c.state.Plan.Steps[step].Tool); t.Gives == "text" {
		raw, _ := json.Marshal(map[string]string{"text": text}) // texts can always be written
		c.steps[step] = carried{Outcome: plan.Outcome{Status: plan.Completed, Gave: raw}}
	} else if len(ids) == 0 {
		return fault.Invalid("answer", "choose one of the options of the question")
	} else {
		c.steps[step] = carried{Outcome: plan.Outcome{Status: plan.Pending}}
		c.answers = step
		c.answer = &meet.PlannedCall{
			Tool: asked.Call.Tool, Arguments: chosen(asked.Call.Arguments, asked.Argument, ids),
		}
	}
	c.state.Steps[step] = c.steps[step].Outcome
	return nil
}
