package workflow

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed delete.md
var deleteWords string

// deleteWorkflow deletes a workflow.
func deleteWorkflow() world.Tool {
	return world.Define("workflow_delete", deleteWords, trait(world.Changes, meet.DeleteResource), func(
		ctx context.Context, w *world.World, in NameArguments,
	) (answer world.Answer[Workflows], err error) {
		before, err := one(ctx, w, in.Workflow)
		if err != nil {
			return answer, err
		}
		return answer, keep(ctx, w, &answer, &before, nil)
	})
}
