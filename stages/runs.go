package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/workflow"
)

// newRun is the run of a plan that is made of the turn's message.
func (r *run) newRun(p plan.Plan, id string) workflow.Record {
	record := workflow.Record{Owner: r.turn.Organizer.ID, Language: r.understood.Language, Run: workflow.Run{
		ID: id, Name: meet.Caption(p.Name), Words: r.turn.Message, Started: r.now.UTC(),
		Conversation: r.turn.Conversation,
	}}
	if r.saved != nil {
		record.Name, record.Workflow = r.saved.Name, r.saved.Name
	}
	return record
}

// start keeps the run as one that has begun.
func (c *carriage) start(ctx context.Context) error {
	c.run.taken = c.id
	return c.keep(ctx, workflow.Running, "")
}

// keep keeps the run as the turn leaves it.
func (c *carriage) keep(ctx context.Context, status workflow.Status, changes meet.ChangesID) error {
	record := c.record
	record.Status, record.Changes, record.Steps = status, changes, c.update(nil).Steps
	record.Turn, record.Updated = c.run.turn.ID, c.run.now.UTC()
	return c.runs.Keep(ctx, record)
}

// ended keeps a run that is over, or whose changes wait for a confirmation. The steps are in the journal by then, so
// that a repeated turn does not ask for the run again.
func (c *carriage) ended(ctx context.Context, p *proposal) error {
	if err := c.run.journal.Settle(); err != nil {
		return err
	}
	status, changes := workflow.Completed, meet.ChangesID("")
	switch c.kind(p) {
	case meet.OutcomePartly:
		status = workflow.Partly
	case meet.OutcomeWaiting:
		status = workflow.Proposed
	default:
	}
	if p != nil {
		changes = p.Set.ID
	}
	return c.keep(ctx, status, changes)
}

// asks keeps the run as one that waits for the answer to a question.
func (c *carriage) asks(ctx context.Context, i int, asks meet.Choices) error {
	raw, err := json.Marshal(paused{c.id, c.state, c.steps, c.heard, c.from})
	if err != nil {
		return fmt.Errorf("a waiting plan: %w", err)
	}
	until := c.run.now.Add(c.drafts.keep).UTC()
	c.record.Question, c.record.Until, c.record.State, c.record.Step = &asks, &until, raw, i
	return c.keep(ctx, workflow.Waiting, "")
}

// pointTo is what waits in a conversation for a run's answer.
func pointTo(run workflow.Run, language string, fresh bool) *meet.WaitingPlan {
	return &meet.WaitingPlan{
		ID: run.ID, Choices: *run.Question, Language: language, Until: *run.Until, Keep: run.Until.Sub(run.Updated),
		Fresh: fresh,
	}
}

// point lets an answer reach the run that asked for it, in whatever conversation it comes.
func (a answerer) point(ctx context.Context, r *run) error {
	answer, open := r.turn.Answer, r.conversation.Waiting
	if answer == nil || answer.Run == "" || open != nil && open.Plan != nil && open.Plan.ID == answer.Run {
		return nil
	}
	kept, err := a.runs.Run(ctx, answer.Run)
	if err != nil {
		return err
	}
	if kept.Owner != r.turn.Organizer.ID || kept.Question == nil || kept.Until == nil {
		return fault.New(fault.Conflict, "This run no longer waits for an answer to that question.")
	}
	waiting := meet.Waiting{Language: kept.Language}
	if open != nil {
		waiting = *open
	}
	waiting.Plan = pointTo(kept.Run, kept.Language, false)
	r.conversation.Waiting = &waiting
	return nil
}

// take lets the turn go on with the run that waits, or ends the run if it is not wanted. Of several turns that answer
// its question one goes on.
func (a answerer) take(ctx context.Context, r *run, p meet.WaitingPlan, no bool) (workflow.Record, error) {
	kept, err := once(ctx, r, "take", func(ctx context.Context) (workflow.Record, error) {
		return a.runs.Change(ctx, p.ID, func(kept *workflow.Record) error {
			if no {
				return kept.Cancel(r.now.UTC())
			}
			return kept.Take(p.Choices.ID, r.turn.ID, r.now.UTC())
		})
	})
	if err == nil && !no {
		r.taken = p.ID
	}
	return kept, err
}

// release lets a run wait again that the turn took before it failed; one that it began has failed with it.
func (a answerer) release(ctx context.Context, r *run) {
	if r.taken == "" {
		return
	}
	_, err := a.runs.Change(context.WithoutCancel(ctx), r.taken, func(kept *workflow.Record) error {
		kept.Release(r.turn.ID, r.now.UTC())
		return nil
	})
	if err != nil {
		zerolog.Ctx(ctx).Error().Err(err).Str("run", r.taken).Msg("a run does not wait again")
	}
}

// missed ends a turn whose answer comes too late: the run has been answered elsewhere, or has lapsed. One that has
// lapsed can be started again.
func (a answerer) missed(ctx context.Context, r *run, id string) (meet.Outcome, error) {
	kept, err := a.runs.Run(ctx, id)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return r.say(ctx, meet.OutcomeAnswered, r.voice().Lapsed())
	case err != nil:
		return meet.Outcome{}, err
	case !kept.Late(r.now):
		return r.say(ctx, meet.OutcomeAnswered, r.voice().WentOn())
	}
	return r.startAgain(ctx, kept.Run)
}

// startAgain offers to start a run that has lapsed once more.
func (r *run) startAgain(ctx context.Context, lapsed workflow.Run) (meet.Outcome, error) {
	v, open := r.voice(), r.open()
	open.Plan = nil
	open.Means = []meet.Meaning{{Message: lapsed.Words, Anew: true}, {}}
	return r.choose(ctx, open, meet.Choices{Question: v.Lapsed(), Free: true, Options: []meet.Option{
		{ID: "again", Label: v.StartAgain(), Detail: meet.Caption(lapsed.Words)}, {ID: "no", Label: v.Neither()},
	}})
}

// goOn goes on with what a tool has found: a saved workflow is read next, and a run asks its question again.
func (w worker) goOn(ctx context.Context, r *run, open meet.Waiting, next world.Next) (meet.Outcome, error) {
	if next.Workflow != nil {
		r.next = next.Workflow
		return meet.Outcome{}, nil
	}
	if next.Run.Status == workflow.Lapsed {
		return r.startAgain(ctx, *next.Run)
	}
	r.waits = ""
	open.Call, open.Means = nil, nil
	open.Plan = pointTo(*next.Run, r.understood.Language, true)
	return r.choose(ctx, open, open.Plan.Choices,
		meet.PlanUpdate{PlanID: next.Run.ID, Name: next.Run.Name, Steps: next.Run.Steps})
}

// howSure is how probable a message has to be a request of its own so that it is no answer in words.
const howSure = 0.9

// asksAnew reports whether a message that could be an answer in any words is a request of its own: a look, a change, a
// new event, or a saved workflow.
func (a answerer) asksAnew(r *run) bool {
	looks := func(intent meet.Intent) bool {
		return a.sure != nil && a.sure(r.turn.Message, nil, false, intent) > howSure
	}
	return r.wish != nil || looks(meet.Look) || looks(meet.Act) || ground.Creates(r.plainMessage())
}

// stillWaits lets the message of a turn that is no answer say which plan still waits. One whose time is over is ended,
// and one that has gone on in another conversation is forgotten.
func (a answerer) stillWaits(ctx context.Context, r *run) {
	open := r.conversation.Waiting
	if open == nil || open.Plan == nil {
		return
	}
	p := *open.Plan
	p.Fresh = false
	kept, err := a.runs.Run(ctx, p.ID)
	switch {
	case r.now.After(p.Until):
		open.Plan, r.waits = nil, r.voice().Lapsed()
	case err == nil && kept.Status != workflow.Waiting:
		open.Plan = nil
	default:
		if open.Plan.Fresh {
			r.waits = r.voice().StillWaits(p.Choices.Question)
		}
		open.Plan = &p
	}
}

// savable is the message that was carried out as a call, to be saved if the user likes. What is done to saved workflows
// is none, and an answer belongs to the request before it.
func (r *run) savable(open meet.Waiting, plan planned, result done) *meet.Request {
	family, _, _ := strings.Cut(result.Call.Tool, "_")
	if r.answers || family == workflowFamily || family == systemFamily {
		return open.Request
	}
	return &meet.Request{
		Words: r.turn.Message, Steps: []meet.RequestStep{{Tool: result.Call.Tool}},
		Depends: pointsBack(plan.Call.Arguments) || replaced(r.conversation.Waiting, result, r.corrects),
	}
}

// The families of tools whose calls are no requests to be saved.
const (
	workflowFamily = "workflow"
	systemFamily   = "system"
)

// savable is the message that was carried out as a plan.
func (c *carriage) savable() *meet.Request {
	made := &meet.Request{Words: c.record.Words, Name: c.record.Name}
	for i, step := range c.state.Plan.Steps {
		made.Depends = made.Depends || pointsBack(step.Arguments)
		made.Steps = append(made.Steps, meet.RequestStep{
			Tool: step.Tool, Summary: meet.Caption(c.state.Plan.Steps[i].HumanSummary),
		})
	}
	return made
}

// pointsBack reports whether arguments mean what was shown or arranged before.
func pointsBack(arguments json.RawMessage) bool {
	return slices.ContainsFunc(wordsFor(arguments), func(word string) bool {
		kind, _, _ := strings.Cut(word, ":")
		return kind == "shown" || kind == "event"
	})
}
