package stages

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/plan"
	"convene/pkg/turn"
	"convene/pkg/workflow"
)

// wish is what a message asks for of saved workflows and runs, as a call.
type wish struct {
	Call     meet.PlannedCall `json:"call"`
	Language string           `json:"language"`
	// Unsure says that something else may have the name: what changes is asked for.
	Unsure bool `json:"unsure,omitempty"`
}

// wishes reads what the message asks for of saved workflows and runs, by rules and before anything else does. A turn
// that a program starts names its workflow.
func (p *Pipeline) wishes(ctx context.Context, r *run) (err error) {
	if p.ports.Worlds == nil || r.turn.Answer != nil {
		return nil
	}
	if name := r.turn.Workflow; name != "" {
		r.wish = &wish{Call: callFor(workflow.Wish{Deed: workflow.Start, Name: name}), Language: cmp.Or(
			r.prefers.Language, "en")}
		return nil
	}
	r.wish, err = once(ctx, r, "wish", func(ctx context.Context) (*wish, error) {
		said, ok := workflow.Read(r.turn.Message, func(w workflow.Wish) bool { return p.fits(ctx, r, w) })
		if !ok {
			return nil, ctx.Err()
		}
		changes := said.Deed == workflow.Delete || said.Deed == workflow.Rename
		return &wish{callFor(said), said.Language, changes && !said.Plain && p.alike(ctx, r, said.Name)}, nil
	})
	return err
}

// fits reports whether a wish whose words may mean something else is one: there is something to save, or to go on with,
// or a workflow of that name.
func (p *Pipeline) fits(ctx context.Context, r *run, w workflow.Wish) bool {
	open := r.conversation.Waiting
	switch {
	case w.Deed == workflow.Save && w.Words != "":
		return true
	case w.Deed == workflow.Save: // where nothing was asked for, that is said
		return open != nil && open.Request != nil || r.conversation.Search == nil
	case w.Deed == workflow.Resume && w.Name == "":
		return open != nil && open.Plan != nil || p.anyWaits(ctx, r)
	}
	copied, err := p.ports.Worlds.World(ctx, r.turn, r.now, w.Language)
	if err != nil || copied.Own[meet.WorkflowThing] == nil {
		return false
	}
	values, err := copied.Own[meet.WorkflowThing].All(ctx)
	if err != nil {
		return false
	}
	all, err := workflow.All(values)
	return err == nil && len(workflow.Exactly(w.Name, all)) > 0
}

// alike reports whether an event, a task or a list has the name too.
func (p *Pipeline) alike(ctx context.Context, r *run, name string) bool {
	return slices.ContainsFunc(p.ownOf(ctx, r).things(), func(t ground.Thing) bool {
		return len(workflow.Exactly(name, []workflow.Workflow{{Name: t.Title}})) > 0
	})
}

// mostLookedAt is how many of the latest runs are looked at for one that waits.
const mostLookedAt = 20

func (p *Pipeline) anyWaits(ctx context.Context, r *run) bool {
	runs, err := p.ports.Runs.Runs(ctx, r.turn.Organizer.ID, mostLookedAt)
	return err == nil && slices.ContainsFunc(runs, func(kept workflow.Record) bool {
		return kept.Status == workflow.Waiting
	})
}

// runTool runs a saved workflow.
const runTool = "workflow_run"

// callFor is the call of a wish.
func callFor(w workflow.Wish) meet.PlannedCall {
	tools := map[workflow.Deed]string{
		workflow.Save: "workflow_save", workflow.Start: runTool, workflow.List: "workflow_view",
		workflow.Show: "workflow_view", workflow.Rename: "workflow_rename", workflow.Delete: "workflow_delete",
		workflow.History: "system_showWorkflowHistory", workflow.Resume: "system_resumeWorkflow",
	}
	var named, words any
	if w.Name != "" {
		named = w.Name
	}
	if w.Words != "" {
		words = w.Words
	}
	arguments := map[workflow.Deed]map[string]any{
		workflow.Save:    {"name": w.Name, "words": words},
		workflow.Rename:  {"workflow": w.Name, "name": w.To},
		workflow.History: {"type": named, "limit": nil},
		workflow.Resume:  {"workflowId": named},
	}[w.Deed]
	if arguments == nil {
		arguments = map[string]any{"workflow": named}
	}
	raw, _ := json.Marshal(arguments) // texts can always be written
	return meet.PlannedCall{Tool: tools[w.Deed], Arguments: raw}
}

// grant does what a wish says.
func (p *Pipeline) grant(ctx context.Context, r *run) (meet.Outcome, error) {
	r.acknowledge(meet.Act, message.Look(r.wish.Language), r.wish.Language)
	r.steps = workSteps
	if err := r.catchUp(); err != nil {
		return meet.Outcome{}, err
	}
	r.was.Words = "" // what it says of the question is about the request
	if open := r.conversation.Waiting; open != nil {
		r.conversation.Waiting = aged(*open, meet.Act)
		p.answerer.stillWaits(ctx, r)
	}
	return p.answerer.carry(ctx, r, planned{Call: &r.wish.Call, Unsure: r.wish.Unsure})
}

// runSaved reads the words of a saved workflow as if its owner said them now, in a conversation in which nothing was
// shown before. What waits goes on waiting.
func (p *Pipeline) runSaved(ctx context.Context, r *run) (meet.Outcome, error) {
	within := *r
	within.saved, within.next, within.wish, within.answers = r.next, nil, nil, false
	within.turn.Message, within.turn.Workflow, within.turn.Answer = r.next.Words, "", nil
	within.asked, within.before, within.asks, within.aspects, within.anew = r.next.Words, "", nil, nil, false
	within.own, within.ownPlan, within.grounded, within.tasks, within.offered = nil, nil, grounded{}, nil, nil
	within.mentions = within.contacts.Mentions(r.next.Words)
	within.conversation = meet.Conversation{ID: r.conversation.ID, Waiting: alone(r.conversation.Waiting)}
	within.catchUp = func() error { return nil }
	outcome, err := p.read(turn.Enter(ctx, "workflow"), &within)
	r.conversation.Waiting, r.taken = within.conversation.Waiting, within.taken
	if within.conversation.Search != nil { // it arranges an event
		r.conversation.Search, r.conversation.Question = within.conversation.Search, within.conversation.Question
	}
	return outcome, err
}

// alone is what waits, without what words could mean of it.
func alone(open *meet.Waiting) *meet.Waiting {
	if open == nil {
		return nil
	}
	return &meet.Waiting{
		Language: open.Language, Changes: open.Changes, Applied: open.Applied, Earlier: open.Earlier, Plan: open.Plan,
		Aside: open.Aside,
	}
}

// otherSteps says that a saved workflow would now be carried out with other tools than when it was saved.
func (r *run) otherSteps(p plan.Plan) {
	if r.saved == nil || len(r.saved.Steps) == 0 {
		return
	}
	now := each(p.Steps, func(s plan.Step) string { return s.Tool })
	then := each(r.saved.Steps, func(s meet.RequestStep) string { return s.Tool })
	slices.Sort(now)
	slices.Sort(then)
	if !slices.Equal(slices.Compact(now), slices.Compact(then)) {
		r.note = r.voice().OtherSteps(r.saved.Name)
	}
}

// alonePlan is a plan of the single call that the words of a saved workflow have become.
func alonePlan(saved workflow.Workflow, call meet.PlannedCall) *plan.Plan {
	return &plan.Plan{Name: saved.Name, Steps: []plan.Step{{
		ID: "1", Tool: call.Tool, Arguments: call.Arguments, HumanSummary: meet.Caption(saved.Words),
	}}}
}
