package workflow

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

//go:embed rename.md
var renameWords string

// RenameArguments name a workflow, and say what it is called from now on.
type RenameArguments struct {
	NameArguments
	Name string `json:"name"`
}

// rename gives a workflow another name, which no other one has.
func rename() world.Tool {
	return world.Define("workflow_rename", renameWords, trait(world.Changes, meet.UpdateResource), func(
		ctx context.Context, w *world.World, in RenameArguments,
	) (answer world.Answer[Workflows], err error) {
		before, err := one(ctx, w, in.Workflow)
		if err != nil {
			return answer, err
		}
		all, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		for _, known := range workflow.Exactly(in.Name, all) {
			if known.ID != before.ID {
				return answer, fault.New(fault.Conflict, "%s", say(w, "taken", "name", w.Voice().Title(known.Name)))
			}
		}
		after := before
		after.Name = meet.Caption(in.Name)
		return answer, keep(ctx, w, &answer, &before, &after)
	})
}
