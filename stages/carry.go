package stages

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/plan"
	"convene/pkg/workflow"
)

// several answers a message that takes several steps: a plan is made of it, and carried out over a working copy. What
// all steps would change is one set, which is asked for.
func (w worker) several(ctx context.Context, r *run) (meet.Outcome, error) {
	made, err := perform(ctx, r, "plan", func(ctx context.Context) (drafted, error) { return w.draft(ctx, r) })
	if err != nil {
		return meet.Outcome{}, err
	}
	if made.Plan == nil {
		if made.Question == "" || made.Heard {
			return w.ask(ctx, r, cmp.Or(made.Question, r.voice().OneByOne()))
		}
		return w.clarify(ctx, r, made.Question)
	}
	if call := single(*made.Plan); call != nil && r.saved == nil {
		one := planned{Call: call, Unsure: made.Aside != ""}
		if !made.Heard {
			one.Ruled = &planned{}
		}
		return w.carry(ctx, r, one)
	}
	return w.planOut(ctx, r, made)
}

// planOut carries out the plan that was made of the message.
func (w worker) planOut(ctx context.Context, r *run, made drafted) (meet.Outcome, error) {
	if err := r.progress(ctx, "work", looking("")); err != nil {
		return meet.Outcome{}, err
	}
	r.otherSteps(*made.Plan)
	c := w.carriage(r, made, planID(r.turn.ID))
	c.path, c.mendable = "steps", !made.Heard
	if err := c.start(ctx); err != nil {
		return meet.Outcome{}, err
	}
	return c.carryOut(ctx)
}

// carriage is a plan that has not begun.
func (w worker) carriage(r *run, made drafted, id string) *carriage {
	return &carriage{
		worker: w, run: r, id: id, heard: made.Heard, tools: w.drafts.tools, from: r.origin(),
		state: plan.NewState(*made.Plan, w.drafts.tools), steps: make([]carried, len(made.Plan.Steps)),
		record: r.newRun(*made.Plan, id),
	}
}

// single is the call of a plan that has no other step; nil for any other plan.
func single(p plan.Plan) *meet.PlannedCall {
	if len(p.Steps) != 1 {
		return nil
	}
	return &meet.PlannedCall{Tool: p.Steps[0].Tool, Arguments: p.Steps[0].Arguments}
}

// carryOut runs the plan from where it stands, and ends the turn with what came of it.
func (c *carriage) carryOut(ctx context.Context) (meet.Outcome, error) {
	c.bar()
	if err := c.begin(ctx); err != nil {
		return meet.Outcome{}, err
	}
	end := c.run.receipt.stage("work")
	err := c.through(ctx)
	end()
	if err != nil {
		return meet.Outcome{}, err
	}
	if i, waits := c.state.Waits(); waits {
		return c.wait(ctx, i)
	}
	if anew, err := c.anew(ctx); err != nil {
		return meet.Outcome{}, err
	} else if anew != nil {
		if err := errors.Join(c.keep(ctx, workflow.Partly, ""), anew.start(ctx)); err != nil {
			return meet.Outcome{}, err
		}
		return anew.carryOut(ctx)
	}
	return c.propose(ctx)
}

// bar blocks the steps that need tools which the turn's caller may not use.
func (c *carriage) bar() {
	for i, step := range c.state.Plan.Steps {
		t, _ := c.tools(step.Tool)
		if c.state.Steps[i].Status == plan.Pending && !mayUse(c.run.turn, t.Family) {
			c.steps[i] = carried{Outcome: plan.Outcome{
				Status: plan.Blocked, Why: blocked(step.Tool, t.Family).Error.Message,
			}}
			c.state.Steps[i] = c.steps[i].Outcome
		}
	}
}

// update is the plan as it stands; running are the steps that begin now.
func (c *carriage) update(running []int) meet.PlanUpdate {
	u := meet.PlanUpdate{PlanID: c.id, Name: meet.Caption(c.state.Plan.Name)}
	for i, step := range c.state.Plan.Steps {
		is := c.state.Steps[i]
		u.Steps = append(u.Steps, meet.PlanStep{
			ID: step.ID, Tool: step.Tool, HumanSummary: c.summary(i), DependsOn: orEmpty(c.state.Needs(i)),
			Status:       string(is.Status),
			Milliseconds: is.Milliseconds, Count: c.count(i),
		})
	}
	for _, i := range running {
		u.Steps[i].Status = string(plan.Running)
	}
	return u
}

// summary is what a step is for: the planner's words, or the name of the tool.
func (c *carriage) summary(i int) string {
	step := c.state.Plan.Steps[i]
	return cmp.Or(meet.Caption(step.HumanSummary), step.Tool)
}

// count is how many things a step found or changes; nil if it has not ended.
func (c *carriage) count(i int) *int {
	n := len(c.steps[i].Changes)
	if c.state.Steps[i].Status != plan.Completed {
		return nil
	}
	if !c.changes(i) {
		n = plan.Count(c.steps[i].data())
	}
	return &n
}

// propose ends a turn whose plan has ended: all changes go to the desk as one set, and the message tells what was
// found, what would be changed, and what was not done.
func (c *carriage) propose(ctx context.Context) (meet.Outcome, error) {
	r, open := c.run, c.run.open()
	open.Call, open.Choices, open.Means, open.Argument, open.Times = nil, nil, nil, "", nil
	open.Request = c.savable()
	updates, texts := []meet.Update{c.update(nil)}, []string{}
	for i, step := range c.steps {
		shown := !c.changes(i) && (!c.state.Used(i) || c.asksFact(i))
		if step.Status != plan.Completed || !shown && step.Response.Display.Description == "" {
			continue
		}
		if d := step.Response.Display; shown {
			updates = append(updates, meet.ResultUpdate{Step: c.state.Plan.Steps[i].ID, Response: step.Response})
			open.Shown, open.ShownType = shownIn(step.Response.Data), c.gives(i)
			open.Listed, open.Times = open.Shown, timesIn(step.Response.Data, nil, r.now.Location())
			open.Day = dayIn(step.Response.Data, nil, r.now.Location())
			texts = append(texts, cmp.Or(d.Description, d.Title))
		} else if c.changes(i) {
			texts = append(texts, d.Description)
		}
	}
	draft := c.draftOf()
	if len(draft.Changes) == 0 {
		r.conversation.Waiting = &open
		if texts = append(texts, c.leftOut()...); len(texts) == 0 {
			texts = append(texts, r.voice().NothingPlanned())
		}
		if err := c.ended(ctx, nil); err != nil {
			return meet.Outcome{}, err
		}
		text := strings.Join(texts, "\n\n")
		err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
		return meet.Outcome{Kind: c.kind(nil), Message: text, Memo: c.memo()}, err
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	proposed, err := perform(ctx, r, "changes", func(ctx context.Context) (p proposal, err error) {
		p.Set, p.Applied, err = c.own(r).Propose(ctx, draft)
		return p, err
	})
	if err != nil {
		if fault.CodeOf(err) == change.Refused {
			err = errors.Join(err, c.keep(ctx, workflow.Partly, ""))
		}
		return c.refused(ctx, r, err)
	}
	if err := c.ended(ctx, &proposed); err != nil {
		return meet.Outcome{}, err
	}
	return c.proposed(ctx, open, proposed, updates, texts)
}

// asksFact reports whether a step asks something of events that is told, whatever else uses them: "how long is the
// class, and where is it?".
func (c *carriage) asksFact(i int) bool {
	var look struct{ Aspect string }
	step := c.state.Plan.Steps[i]
	return step.Tool == "calendar_findEvents" && json.Unmarshal(step.Arguments, &look) == nil &&
		slices.Contains([]string{"who", "where", "length", "notes", "details"}, look.Aspect)
}

// proposed tells of the set that the desk has.
func (c *carriage) proposed(
	ctx context.Context, open meet.Waiting, p proposal, updates []meet.Update, texts []string,
) (meet.Outcome, error) {
	r, v := c.run, c.run.voice()
	updates = append(updates, meet.ChangesUpdate{Changes: p.Set})
	texts = append(append(texts, v.Changes(p.Set, p.Applied)), c.leftOut()...)
	if p.Applied == nil {
		open, texts = open.With(p.Set.ID), append(texts, v.Ask(p.Set))
	} else {
		open, updates = open.Having(p.Applied.ChangesID), append(updates, meet.AppliedUpdate{Applied: *p.Applied})
		if p.Applied.UndoUntil != nil {
			texts = append(texts, v.Undo(p.Set))
		}
	}
	open = showing(open, p.Set, p.Applied)
	r.conversation.Waiting = &open
	text := strings.Join(texts, "\n\n")
	err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: c.kind(&p), Message: text, Memo: c.memo()}, err
}

// draftOf is the set of all changes, each after those of the steps that its step needs. What several steps change is
// asked for, unless code read all of them in the words of a program's user, which wants it at once. A plan makes one
// set, also if it is answered twice.
func (c *carriage) draftOf() change.Draft {
	r := c.run
	draft := change.Draft{
		Owner: r.turn.Organizer, Key: c.id, PlanID: c.id, Language: r.understood.Language,
		AutoConfirm: r.turn.AutoConfirm,
	}
	draft.Heard = r.turn.AutoConfirm && c.heard && c.whole()
	ids := make([][]string, len(c.steps))
	for _, i := range c.state.Order() {
		var after []string
		for _, before := range c.state.Before(i) {
			after = append(after, ids[before]...)
		}
		for _, one := range deeds(c.steps[i].Changes) {
			one.ID, one.DependsOn = "p"+strconv.Itoa(len(draft.Changes)+1), after
			draft.Changes, ids[i] = append(draft.Changes, one), append(ids[i], one.ID)
		}
	}
	return draft
}

// whole reports whether all steps were done, or not needed, and none of them may mean other things.
func (c *carriage) whole() bool {
	for i, is := range c.state.Steps {
		done := is.Status == plan.Completed || is.Status == plan.Skipped // a skipped step has no result
		if !done || is.Why != "" || c.steps[i].Unsure {
			return false
		}
	}
	return true
}

// leftOut tells the steps that were not done; nothing of those that only serve others, if they were not needed.
func (c *carriage) leftOut() []string {
	var left []message.Left
	for i, step := range c.steps {
		status := c.state.Steps[i].Status
		why := cmp.Or(step.Why, c.state.Steps[i].Why)
		if why == plan.NotAllRead || !c.changes(i) && c.state.Used(i) && plan.Unread(step.data()) {
			why = c.run.voice().NotAllRead()
		}
		if status == plan.Completed && why == "" || status == plan.Skipped && !c.changes(i) && c.state.Used(i) {
			continue
		}
		left = append(left, message.Left{Summary: c.summary(i), Why: why, Status: string(status)})
	}
	if len(left) == 0 {
		return nil
	}
	return []string{c.run.voice().LeftOut(left)}
}

// kind is how the turn ended.
func (c *carriage) kind(p *proposal) meet.OutcomeKind {
	failed := false
	for _, is := range c.state.Steps {
		failed = failed || is.Status == plan.Failed || is.Status == plan.Blocked
	}
	switch {
	case p != nil && p.Applied == nil:
		return meet.OutcomeWaiting
	case failed:
		return meet.OutcomePartly
	case p != nil:
		return outcomeOf(p.Applied)
	}
	return meet.OutcomeAnswered
}

// memo is what the conversation remembers of the plan: numbers, and nothing that others wrote.
func (c *carriage) memo() string {
	return "(a plan of " + strconv.Itoa(len(c.steps)) + " steps, " + strconv.Itoa(len(c.made)) + " changes)"
}

// gives is the type of what a step's tool gives.
func (c *carriage) gives(i int) string {
	t, _ := c.tools(c.state.Plan.Steps[i].Tool)
	return t.Gives
}
