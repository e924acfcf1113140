package stages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/tool"
	"convene/pkg/turn"
	"convene/pkg/workflow"
)

// sideBySide is how many steps that read run at the same time.
const sideBySide = 24

// The time that one try of a step may take, and the pause before the second one, which doubles with each.
const (
	stepPatience = 20 * time.Second
	stepPause    = 100 * time.Millisecond
)

// carriage carries out a plan over one working copy of the user's world.
type carriage struct {
	worker
	run   *run
	tools plan.Catalogue
	state *plan.State
	// id names the plan, also in the turns that continue it.
	id string
	// path is where the journal has its steps. Mendable says that a model made the plan, and may make one other plan.
	path     string
	mendable bool
	// answer is the call of the step that asked which thing is meant, with what the user chose; nil without an answer.
	answer *meet.PlannedCall
	// answers is the index of that step.
	answers int
	// world is the working copy, and made are the changes over it, in their order.
	world *world.World
	made  []meet.Change
	// shown is when the plan was told last.
	shown time.Time
	// heard says that code read the plan in the user's own words, and from is what these are of.
	heard bool
	from  origin
	// record is the run as its owner finds it later.
	record workflow.Record
	// steps has what came of each step.
	steps []carried
}

// carried is what came of a step, or of a step for one item, as the journal and a waiting plan keep it.
type carried struct {
	plan.Outcome
	Response meet.Response `json:"response"`
	Changes  []stored      `json:"changes,omitempty"`
	Choices  *meet.Choices `json:"choices,omitempty"`
	// Unsure says that other things may be meant than those that could be read.
	Unsure bool `json:"unsure,omitempty"`
	// Argument and Call are for an answer to Choices: where the arguments have words that fit several things, and the
	// call.
	Argument string            `json:"argument,omitempty"`
	Call     *meet.PlannedCall `json:"call,omitempty"`
}

// job is a step to run, or a step for one item.
type job struct {
	step      int
	key, path string
	item      json.RawMessage
}

// begin makes the working copy, with the changes of the steps that have ended.
func (c *carriage) begin(ctx context.Context) (err error) {
	if c.world, err = c.copied(ctx); err != nil {
		return err
	}
	for _, i := range c.state.Order() {
		c.know(i, c.steps[i])
		c.made = append(c.made, deeds(c.steps[i].Changes)...)
	}
	return c.world.Redo(ctx, c.made)
}

// through runs the plan until it has ended, or waits for the user.
func (c *carriage) through(ctx context.Context) error {
	ctx = turn.Enter(ctx, c.path)
	for {
		ready := c.state.Ready()
		if len(ready) == 0 {
			return nil
		}
		if err := c.show(ctx, ready); err != nil {
			return err
		}
		if err := c.wave(ctx, ready); err != nil {
			return err
		}
	}
}

// showEvery is how often a plan is shown while its steps run, by the service's clock: while that stands still, as in
// recordings, a plan is shown when it begins and when it ends.
const showEvery = 100 * time.Millisecond

// show tells how far the plan has come, unless it was told a moment ago.
func (c *carriage) show(ctx context.Context, running []int) error {
	now := c.run.clock()
	if now.Sub(c.shown) < showEvery {
		return nil
	}
	c.shown = now
	return c.run.emit(ctx, c.update(running))
}

// wave runs ready steps, and notes what came of them in the order of the plan.
func (c *carriage) wave(ctx context.Context, ready []int) error {
	var jobs []job
	for _, i := range ready {
		more, err := c.jobs(i)
		if err != nil {
			c.end(i, carried{Outcome: plan.Outcome{Status: plan.Failed, Why: err.Error()}})
			continue
		}
		jobs = append(jobs, more...)
	}
	results := make([]carried, len(jobs))
	if len(ready) == 1 && c.changes(ready[0]) {
		for n, j := range jobs {
			if err := c.change(ctx, j, &results[n]); err != nil {
				return err
			}
		}
	} else if err := c.reads(ctx, jobs, results); err != nil {
		return err
	}
	for _, i := range ready {
		var of []carried
		for n, j := range jobs {
			if j.step == i {
				of = append(of, results[n])
			}
		}
		if c.state.Steps[i].Status == plan.Ready {
			c.end(i, c.joined(i, of))
		}
	}
	return nil
}

// jobs are the runs of a step: one, or one for each item.
func (c *carriage) jobs(i int) ([]job, error) {
	step, key := c.state.Plan.Steps[i], "s"+strconv.Itoa(i+1)
	if step.ForEach == nil {
		return []job{{step: i, key: key, path: step.ID}}, nil
	}
	from := slices.IndexFunc(c.state.Plan.Steps, func(s plan.Step) bool { return s.ID == step.ForEach.From })
	items := plan.Items(c.state.Steps[from].Gave)
	if len(items) > plan.MostItems {
		return nil, errors.New(c.run.voice().TooMany(plan.MostItems))
	}
	jobs := make([]job, len(items))
	for n, item := range items {
		jobs[n] = job{i, key + "." + strconv.Itoa(n+1), step.ID + "." + strconv.Itoa(n+1), item}
	}
	return jobs, nil
}

// reads runs steps that only read, side by side.
func (c *carriage) reads(ctx context.Context, jobs []job, results []carried) error {
	var running sync.WaitGroup
	errs, places := make([]error, len(jobs)), make(chan struct{}, sideBySide)
	for n, j := range jobs {
		places <- struct{}{}
		running.Go(func() {
			defer func() {
				if p := recover(); p != nil { // it fails the turn, not the server
					errs[n] = fmt.Errorf("step %s: panic: %v\n%s", j.path, p, debug.Stack())
				}
				<-places
			}()
			results[n], _, errs[n] = c.do(ctx, j)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// change runs a step that changes something. One that failed leaves nothing on the working copy, and the changes of one
// that the journal has are made on it again.
func (c *carriage) change(ctx context.Context, j job, result *carried) (err error) {
	known := false
	if *result, known, err = c.do(ctx, j); err != nil {
		return err
	}
	changes := deeds(result.Changes)
	c.made = append(c.made, changes...)
	switch {
	case known:
		return c.world.Redo(ctx, changes)
	case result.Status != plan.Completed:
		return c.again(ctx)
	}
	return nil
}

// again makes the working copy anew, with the changes so far.
func (c *carriage) again(ctx context.Context) (err error) {
	known := c.world.Known
	if c.world, err = c.copied(ctx); err != nil {
		return err
	}
	c.world.Known = known
	return c.world.Redo(ctx, c.made)
}

// do runs a job once, unless the journal has what came of it.
func (c *carriage) do(ctx context.Context, j job) (result carried, known bool, err error) {
	ctx = turn.Enter(ctx, j.path)
	path := turn.PathOf(ctx)
	if raw, finished := c.run.journal.Begin(path); finished {
		if err := json.Unmarshal(raw, &result); err != nil {
			return result, true, fmt.Errorf("journal: step %s: %w", path, err)
		}
		return result, true, nil
	}
	observed, ended := c.run.observer.Stage(ctx, "step")
	began := time.Now()
	result, err = c.attempt(observed, j)
	ended(err)
	if err != nil {
		return result, false, err
	}
	if result.Status == plan.Waiting && j.item != nil { // a question for each of many would never end
		result.Status, result.Why, result.Choices = plan.Failed, result.Choices.Question, nil
	}
	result.Milliseconds = float64(time.Since(began).Microseconds()) / 1000
	raw, err := json.Marshal(result)
	if err != nil {
		return result, false, fmt.Errorf("journal: step %s: %w", path, err)
	}
	c.run.journal.Finish(path, raw)
	return result, false, nil
}

// attempt calls the step's tool, again if it failed for a moment. An error is that of the turn; what the step could not
// do is its result.
func (c *carriage) attempt(ctx context.Context, j job) (carried, error) {
	step := c.state.Plan.Steps[j.step]
	t, _ := c.planner.tools.Tool(step.Tool)
	known, _ := c.tools(step.Tool)
	arguments, err := c.state.Bind(j.step, known, j.item)
	if _, nothing := errors.AsType[plan.NothingError](err); nothing {
		return carried{Outcome: plan.Outcome{Status: plan.Skipped, Why: c.run.voice().NothingThere()}}, nil
	}
	if err != nil {
		zerolog.Ctx(ctx).Info().Err(err).Str("step", step.ID).Msg("a step's arguments do not fit together")
		return carried{Outcome: plan.Outcome{Status: plan.Failed, Why: c.run.voice().Unfit()}}, nil
	}
	call := &meet.PlannedCall{Tool: step.Tool, Arguments: meant(arguments, c.talk())}
	if c.answer != nil && c.answers == j.step {
		call = c.answer
	}
	most := step.Retries
	if t.Effect == world.Reads {
		most = max(most, 1) // reading once more costs nothing
	}
	for try := 0; ; try++ {
		result, err := c.try(ctx, t, j, call)
		if ctx.Err() != nil {
			return carried{}, context.Cause(ctx)
		}
		if !transient(result, err) || try >= most {
			return c.outcome(ctx, j.step, call, result, err), nil
		}
		select {
		case <-time.After(stepPause << try):
		case <-ctx.Done():
			return carried{}, context.Cause(ctx)
		}
		if t.Effect == world.Changes { // the last try may have left something on the working copy
			if err := c.again(ctx); err != nil {
				return carried{}, err
			}
		}
	}
}

// try calls the tool once, within the time of a step.
func (c *carriage) try(ctx context.Context, t world.Tool, j job, call *meet.PlannedCall) (world.Result, error) {
	ctx, cancel := context.WithTimeout(ctx, stepPatience)
	defer cancel()
	w := c.world.Step(j.key)
	result, err := t.Call(ctx, w, call.Arguments)
	if t.Effect == world.Changes {
		c.world.Preferences = w.Preferences
	}
	return result, err
}

// transient reports whether the same call may do better in a moment.
func transient(result world.Result, err error) bool {
	if err != nil {
		_, wrong := errors.AsType[*tool.ArgumentError](err)
		return !wrong && fault.As(err).Retryable
	}
	e := result.Response.Error
	return e != nil && result.Choices == nil && e.Recoverable && len(e.SuggestedActions) == 0
}

// outcome is what came of a call.
func (c *carriage) outcome(ctx context.Context, i int, call *meet.PlannedCall, result world.Result, err error) carried {
	v := c.run.voice()
	made := carried{Response: result.Response, Outcome: plan.Outcome{Status: plan.Completed}}
	wrong, isWrong := errors.AsType[*tool.ArgumentError](err)
	switch {
	case isWrong:
		zerolog.Ctx(ctx).Info().Str("tool", call.Tool).Str("field", wrong.Field).Msg("a step's arguments do not fit")
		made.Status, made.Why = plan.Failed, v.Unfit()
	case errors.Is(err, context.DeadlineExceeded):
		made.Status, made.Why = plan.Failed, v.TooSlow()
	case err != nil:
		zerolog.Ctx(ctx).Warn().Err(err).Str("tool", call.Tool).Msg("a step of a plan failed")
		made.Status, made.Why = plan.Failed, fault.As(err).Message
	case result.Choices != nil:
		made.Status, made.Choices, made.Argument, made.Call = plan.Waiting, result.Choices, result.Argument, call
	case result.Response.Error != nil:
		made.Status, made.Why = plan.Failed, result.Response.Error.Message
	default:
		made.Gave, made.Unsure = result.Response.Data, result.Unsure
		if c.changes(i) || c.state.Used(i) { // nobody is shown more of it
			made.Response = meet.Response{Display: meet.Display{Description: result.Response.Display.Description}}
		} else {
			made.Gave = nil // the response has it
		}
		for _, change := range result.Changes {
			made.Changes = append(made.Changes, stored{change, change.Deed})
		}
	}
	return made
}

// joined is what came of a step: of its only run, or of those for its items together. One that failed for some items is
// done for the others, and says so.
func (c *carriage) joined(i int, of []carried) carried {
	if c.state.Plan.Steps[i].ForEach == nil && len(of) == 1 {
		return of[0]
	}
	all := carried{Outcome: plan.Outcome{Status: plan.Skipped, Why: c.run.voice().NothingThere()}}
	var gave []json.RawMessage
	failed := 0
	for _, one := range of {
		all.Milliseconds += one.Milliseconds
		switch one.Status {
		case plan.Failed:
			failed++
			all.Why = one.Why
		case plan.Completed:
			all.Response = beside(all.Response, one.Response)
			all.Status, all.Unsure = plan.Completed, all.Unsure || one.Unsure
			all.Changes, gave = append(all.Changes, one.Changes...), append(gave, one.data())
		default:
		}
	}
	if failed > 0 && all.Status == plan.Completed {
		all.Why = c.run.voice().SomeFailed(failed, len(of), all.Why)
	} else if failed > 0 {
		all.Status = plan.Failed
	} else if all.Status == plan.Completed {
		all.Why = ""
	}
	if all.Gave = plan.Join(gave); all.Response.Data != nil {
		all.Response.Data, all.Gave = all.Gave, nil
	}
	return all
}

// beside is the response of several runs of a step: what all of them tell.
func beside(before, one meet.Response) meet.Response {
	if before.Display.Description != "" && one.Display.Description != "" {
		one.Display.Description = before.Display.Description + "\n" + one.Display.Description
	}
	one.Display.Components = slices.Concat(before.Display.Components, one.Display.Components)
	return one
}

// data is what a step gave.
func (s carried) data() json.RawMessage {
	if s.Gave == nil {
		return s.Response.Data
	}
	return s.Gave
}

// end notes what came of a step.
func (c *carriage) end(i int, result carried) {
	c.steps[i], c.state.Steps[i] = result, result.Outcome
	c.know(i, result)
}

// know notes the addresses that a step found: later ones may write to them.
func (c *carriage) know(i int, result carried) {
	if t, _ := c.tools(c.state.Plan.Steps[i].Tool); t.Gives != string(world.People) {
		return
	}
	for _, item := range plan.Items(result.data()) {
		var address string
		var contact struct{ Name, Email string }
		if json.Unmarshal(item, &address) != nil && json.Unmarshal(item, &contact) == nil {
			address = contact.Email
		}
		if mail.IsAddress(address) {
			c.world.Known = append(c.world.Known, mail.Address{Name: contact.Name, Email: address})
		}
	}
}

// changes reports whether a step changes something.
func (c *carriage) changes(i int) bool {
	t, _ := c.tools(c.state.Plan.Steps[i].Tool)
	return t.Changes
}

// deeds are changes with their deeds.
func deeds(list []stored) []meet.Change {
	return each(list, func(s stored) meet.Change {
		s.Change.Deed = s.Deed
		return s.Change
	})
}
