package task

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed delete_task.md
var deleteTaskWords string

// deleteTask deletes tasks.
func deleteTask() world.Tool {
	return world.Define("task_deleteTask", world.WithTaskSelection(deleteTaskWords), changes(meet.DeleteResource), func(
		ctx context.Context, w *world.World, in Which,
	) (world.Answer[Changed], error) {
		a := begin(w)
		found, err := in.find(ctx, w)
		if err != nil {
			return a.Answer, err
		}
		for _, t := range found.Tasks {
			if _, err := a.change(ctx, &t, nil); err != nil {
				return a.Answer, err
			}
		}
		return a.done(ctx, found.Unread)
	})
}
