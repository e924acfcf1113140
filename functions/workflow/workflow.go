package workflow

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// Workflows are the data of the family's tools: as they stand or, of a tool that changes them, those that change, as
// they would be.
type Workflows struct {
	Workflows []Workflow `json:"workflows"`
}

// Workflow is a saved workflow. Created is in RFC 3339.
type Workflow struct {
	ID       string             `json:"id"`
	Name     string             `json:"name"`
	Words    string             `json:"words"`
	Language string             `json:"language"`
	Steps    []meet.RequestStep `json:"steps"`
	Created  string             `json:"created"`
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

func dataOf(w *world.World, of workflow.Workflow, pending bool) Workflow {
	return Workflow{
		of.ID, of.Name, of.Words, of.Language, append([]meet.RequestStep{}, of.Steps...),
		of.Created.In(w.Zone()).Format(time.RFC3339), pending,
	}
}

// own are the owner's workflows, by name.
func own(ctx context.Context, w *world.World) ([]workflow.Workflow, error) {
	kept, ok := w.Own[meet.WorkflowThing]
	if !ok {
		return nil, fault.New(fault.Unavailable, "%s", say(w, "unkept"))
	}
	values, err := kept.All(ctx)
	if err != nil {
		return nil, err
	}
	return workflow.All(values)
}

// one is the workflow that words mean. Several are asked about; of an unknown one it is said which there are.
func one(ctx context.Context, w *world.World, words string) (found workflow.Workflow, err error) {
	all, err := own(ctx, w)
	if err != nil {
		return found, err
	}
	fit := workflow.Named(words, all)
	switch {
	case len(fit) == 1:
		return fit[0], nil
	case len(all) == 0:
		return found, fault.New(fault.NotFound, "%s", say(w, "empty"))
	case len(fit) == 0:
		unknown := say(w, "unknown", "name", w.Voice().Title(words), "names", names(w, all))
		return found, fault.New(fault.NotFound, "%s", unknown)
	}
	asked := &world.AmbiguousError{Question: say(w, "which"), Argument: "workflow"}
	for _, f := range fit {
		asked.Options = append(asked.Options, meet.Option{
			ID: f.ID, Label: f.Name, Detail: meet.Shorten(meet.Caption(f.Words), longestDetail),
		})
	}
	return found, asked
}

// longestDetail is how many characters of a workflow's words tell it from others.
const longestDetail = 60

func names(w *world.World, all []workflow.Workflow) string {
	var list []string
	for _, one := range all {
		list = append(list, w.Voice().Title(one.Name))
	}
	return w.Voice().List(list)
}

// keep adds the change of a workflow to an answer. A nil after deletes the one before.
func keep(
	ctx context.Context, w *world.World, answer *world.Answer[Workflows], before, after *workflow.Workflow,
) (err error) {
	var value []byte
	shown := before
	if after != nil {
		if value, err = json.Marshal(after); err != nil {
			return err
		}
		if err := workflow.Kind.Validate(after.ID, value); err != nil {
			return bad(err)
		}
		shown = after
	}
	c, err := w.Keep(ctx, meet.WorkflowThing, shown.ID, value, shown.Name)
	answer.Changes = append(answer.Changes, c)
	answer.Data.Workflows = append(answer.Data.Workflows, dataOf(w, *shown, true))
	answer.Display, answer.Title = meet.CardDisplay, say(w, "title")
	return err
}

// bad makes a fault that names a member the caller's mistake.
func bad(err error) error {
	if f := fault.As(err); f.Code == fault.InvalidRequest {
		return tool.BadArgument(f.Field, "%s", f.Message)
	}
	return err
}

// described is a workflow in words: its name, what its owner said, and its steps as they were.
func described(w *world.World, of workflow.Workflow) string {
	lines := []string{say(w, "described", "name", w.Voice().Title(of.Name), "words", w.Voice().Quote(of.Words))}
	for _, step := range of.Steps {
		if step.Summary != "" {
			lines = append(lines, "- "+w.Voice().Title(step.Summary))
		}
	}
	return strings.Join(lines, "\n")
}
