package workflow

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

//go:embed save.md
var saveWords string

// SaveArguments are a name, and what is kept under it.
type SaveArguments struct {
	Name  string  `json:"name"`
	Words *string `json:"words" jsonschema:"nullable"`
}

// save keeps the words of the request that was carried out last, or those that are given: by a program, or by the owner
// in the message, so that they are always the owner's own.
func save() world.Tool {
	return world.Define("workflow_save", saveWords, trait(world.Changes, meet.CreateResource), func(
		ctx context.Context, w *world.World, in SaveArguments,
	) (answer world.Answer[Workflows], err error) {
		if in.Name = meet.Caption(in.Name); in.Name == "" {
			return answer, &world.Refusal{Fault: fault.New(fault.InvalidRequest, "%s", say(w, "nameless"))}
		}
		request := w.Request
		said := in.Words != nil && !w.Program && strings.Contains(strings.Join(strings.Fields(w.Said), " "), *in.Words)
		if said || in.Words != nil && w.Program && request == nil {
			request = &meet.Request{Words: strings.TrimSpace(*in.Words)}
		}
		switch {
		case request == nil && w.Program:
			return answer, tool.BadArgument("words", "is missing: what the owner would say")
		case request == nil:
			return answer, fault.New(fault.NotFound, "%s", say(w, "nothing"))
		case request.Depends:
			return answer, fault.New(fault.NotFound, "%s", say(w, "depends", "words", w.Voice().Quote(request.Words)))
		}
		all, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		one := workflow.Workflow{
			ID: w.NewID("workflow", in.Name), Name: in.Name, Words: request.Words, Language: w.Language, Steps: request.Steps,
			Created: w.Now.UTC(),
		}
		if known := workflow.Exactly(in.Name, all); len(known) == 1 {
			one.ID, one.Name = known[0].ID, known[0].Name
			return answer, keep(ctx, w, &answer, &known[0], &one)
		}
		return answer, keep(ctx, w, &answer, nil, &one)
	})
}
