package schedule

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
)

//go:embed fill_work_block.md
var fillWorkBlockWords string

// FillWorkBlockArguments say which block, and by which rule tasks are chosen.
type FillWorkBlockArguments struct {
	Which
	Strategy *string `json:"strategy" jsonschema:"nullable,enum=best_fit,enum=priority,enum=quick_wins,enum=mixed"`
}

// Filled are the data of schedule_fillWorkBlock: the block as it would be.
type Filled struct {
	Block world.BlockLoad `json:"block"`
	// Tasks are those that are added.
	Tasks []world.TaskItem `json:"tasks"`
}

// fillWorkBlock puts into a block the tasks that fit best into the time that its tasks leave. The owner has not named
// them, and is always asked.
func fillWorkBlock() world.Tool {
	return world.Define("schedule_fillWorkBlock", world.WithSelection(fillWorkBlockWords), world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.Tasks,
		Operation: meet.UpdateResource, Resource: meet.BlockResource,
	}, func(ctx context.Context, w *world.World, in FillWorkBlockArguments) (answer world.Answer[Filled], err error) {
		found, err := in.find(ctx, w)
		if err != nil {
			return answer, err
		}
		block := found.Events[0]
		d, v, by := day{World: w}, w.Voice(), task.BestFit
		if w.Tasks == nil {
			return answer, fault.New(fault.Unavailable, "%s", d.say("noTasks", "title", v.Title(block.Title)))
		}
		if in.Strategy != nil {
			by = task.Strategy(*in.Strategy)
		}
		tasks, err := w.FindTasks(ctx, task.Selection{Assignee: new("me")})
		if err != nil {
			return answer, err
		}
		free := w.Load(block).FreeMinutes()
		chosen := task.Fit(w.Unassigned(ctx, tasks), free, by, w.Now)
		if len(chosen.Tasks) == 0 {
			return answer, fault.New(fault.NotFound, "%s",
				d.say("noFit", "title", v.Title(block.Title), "length", v.Length(free)))
		}
		for i, t := range chosen.Tasks {
			to := t
			to.BlockID = block.Key()
			c, now, _, err := w.AmendTask(ctx, &t, &to)
			if err != nil {
				return answer, err
			}
			c.Class = meet.R2
			chosen.Tasks[i], answer.Changes = now, append(answer.Changes, c)
		}
		answer.Data = Filled{Block: w.Load(block), Tasks: w.TaskItems(chosen.Tasks, true)}
		answer.Display, answer.Title = meet.ConfirmationDisplay, v.Title(block.Title)
		answer.Description = d.say("fills", "titles", w.TaskTitles(chosen.Tasks), "used", v.Length(chosen.Minutes),
			"length", v.Length(free), "title", v.Title(block.Title))
		answer.Components = []meet.Component{w.Block(block)}
		return answer, nil
	})
}
