package task

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/task"
)

//go:embed complete_task.md
var completeTaskWords string

// completeTask marks tasks as done. A recurring one makes the next one.
func completeTask() world.Tool {
	return world.Define("task_completeTask", world.WithTaskSelection(completeTaskWords), changes(meet.UpdateResource),
		func(
			ctx context.Context, w *world.World, in Which,
		) (world.Answer[Changed], error) {
			a := begin(w)
			found, err := in.find(ctx, w)
			if err != nil {
				return a.Answer, err
			}
			for _, was := range found.Tasks {
				to := was
				to.Status = task.Completed
				if _, err := a.settle(ctx, was, to); err != nil {
					return a.Answer, err
				}
				if n := len(keep(found.All, func(t task.Task) bool {
					return t.Open() && slices.Contains(t.Dependencies,
						was.ID)
				})); n > 0 {
					a.notes = append(a.notes, w.Voice().Count(phrases, "unblocks", n))
				}
			}
			return a.done(ctx, found.Unread)
		})
}

// settle adds the change of a task. If that completes a recurring one, the rule goes on with a new task,
// which is made only if the former is completed.
func (a *answer) settle(ctx context.Context, was, to task.Task) (now task.Task, err error) {
	completes := was.Open() && to.Status == task.Completed
	next, recurs := a.Tasks.Next(to, a.Now)
	if completes && recurs {
		to.Recurrence = ""
	}
	if now, err = a.change(ctx, &was, &to); err != nil || !completes || !recurs {
		return now, err
	}
	next.Status, next.Column = task.Backlog, was.Column
	completion := &a.Changes[len(a.Changes)-1]
	completion.ID = "completes " + was.ID
	after := completion.ID
	made, err := a.change(ctx, nil, &next)
	if err != nil {
		return now, err
	}
	a.Changes[len(a.Changes)-1].DependsOn = []string{after}
	a.note("again", "title", a.Voice().Title(made.Title), "when", a.Due(made))
	return now, nil
}
