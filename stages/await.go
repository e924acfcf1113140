package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/plan"
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
	raw, err := json.Marshal(paused{c.id, c.state, c.steps, c.heard, c.from})
	if err != nil {
		return meet.Outcome{}, fmt.Errorf("a waiting plan: %w", err)
	}
	asks.ID = questionID(r.turn.ID)
	open := r.open()
	if before := open.Plan; before != nil { // a conversation has one plan that waits
		r.waits = r.voice().WaitsNoLonger(before.Choices.Question)
	}
	open.Call, open.Means, open.Argument = nil, nil, ""
	open.Plan = &meet.WaitingPlan{
		Choices: asks, Step: i, State: raw, Language: r.understood.Language, Until: r.now.Add(c.drafts.keep),
		Keep: c.drafts.keep, Fresh: true,
	}
	return r.choose(ctx, open, asks, c.update(nil))
}

// toPlan reads the message as an answer to a plan that waits: one of its options or, right after the question, any
// words if it has none. A no ends the plan.
func (a answerer) toPlan(r *run, open meet.Waiting) (said heardReply, ok bool, err error) {
	p := open.Plan
	if p == nil {
		return said, false, nil
	}
	if answer := r.turn.Answer; answer != nil {
		if answer.ID != p.Choices.ID {
			return said, false, nil
		}
		said.Reply, err = pressed(p.Choices, *answer)
		said.Plan = true
		return said, true, err
	}
	since := !p.Fresh && (r.conversation.Question != nil || r.goesOn())
	if since || open.Choices != nil && open.Choices.ID != p.Choices.ID || open.Fresh && len(open.Changes) > 0 {
		return said, false, nil // something else was asked since
	}
	labels := each(p.Choices.Options, func(o meet.Option) string { return o.Label + " " + o.Detail })
	said = heardReply{Reply: a.read(r.turn.Message, Asked{Options: labels, Choices: true}), Plan: true}
	switch {
	case said.Kind == No, said.Kind == Pick && len(said.Indices) > 0:
		return said, true, nil
	case p.Fresh && p.Choices.Free && len(labels) == 0:
		said.Reply, said.Text = Reply{Kind: Pick}, meet.Caption(r.turn.Message)
		return said, said.Text != "", nil
	}
	return heardReply{}, false, nil
}

// answered continues the plan that waits, or ends it.
func (a answerer) answered(ctx context.Context, r *run, open meet.Waiting, said heardReply) (meet.Outcome, error) {
	p := open.Plan
	open.Plan, open.Choices = nil, nil
	r.conversation.Waiting = &open
	switch {
	case said.Kind == No:
		return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
	case r.now.After(p.Until):
		return r.say(ctx, meet.OutcomeAnswered, r.voice().Lapsed())
	}
	c, err := a.continued(r, *p)
	if err != nil {
		return meet.Outcome{}, err
	}
	c.hear(*p, said)
	if err := r.progress(ctx, "work", looking("")); err != nil {
		return meet.Outcome{}, err
	}
	return c.carryOut(ctx)
}

// continued is a plan as it was left.
func (a answerer) continued(r *run, p meet.WaitingPlan) (*carriage, error) {
	var was paused
	if err := json.Unmarshal(p.State, &was); err != nil {
		return nil, fmt.Errorf("a waiting plan: %w", err)
	}
	if was.State == nil || len(was.Steps) != len(was.State.Plan.Steps) || p.Step >= len(was.Steps) {
		return nil, fmt.Errorf("a waiting plan: %d steps of %d", p.Step, len(was.Steps))
	}
	was.State.Continue(a.drafts.tools)
	was.From.Said = strings.TrimSpace(was.From.Said + "\n" + r.turn.Message)
	return &carriage{
		worker: a.worker, run: r, id: was.ID, tools: a.drafts.tools, state: was.State, steps: was.Steps, heard: was.Heard,
		from: was.From, path: "steps",
	}, nil
}

// hear gives the step that asked its answer: what it gives, if it did nothing but ask, or the things that are meant.
func (c *carriage) hear(p meet.WaitingPlan, said heardReply) {
	text, ids := said.Text, []string{}
	for _, i := range said.Indices {
		text = p.Choices.Options[i].Label
		ids = append(ids, p.Choices.Options[i].ID)
	}
	asked := c.steps[p.Step]
	if t, _ := c.tools(c.state.Plan.Steps[p.Step].Tool); t.Gives == "text" {
		raw, _ := json.Marshal(map[string]string{"text": text}) // texts can always be written
		c.steps[p.Step] = carried{Outcome: plan.Outcome{Status: plan.Completed, Gave: raw}}
	} else {
		c.steps[p.Step] = carried{Outcome: plan.Outcome{Status: plan.Pending}}
		c.answers = p.Step
		c.answer = &meet.PlannedCall{
			Tool: asked.Call.Tool, Arguments: chosen(asked.Call.Arguments, asked.Argument, ids),
		}
	}
	c.state.Steps[p.Step] = c.steps[p.Step].Outcome
}

// stillWaits lets the message of a turn that is no answer say which plan still waits. One whose time is over is ended.
func (r *run) stillWaits() {
	open := r.conversation.Waiting
	if open == nil || open.Plan == nil {
		return
	}
	p := *open.Plan
	if p.Fresh = false; r.now.After(p.Until) {
		open.Plan, r.waits = nil, r.voice().Lapsed()
		return
	}
	open.Plan, r.waits = &p, r.voice().StillWaits(p.Choices.Question)
}
