package task

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed view_tasks.md
var viewTasksWords string

// ViewTasksArguments say which tasks, and in which order; by score if nothing says so.
type ViewTasksArguments struct {
	Selection        *task.Selection `json:"selection" jsonschema:"nullable"`
	IncludeCompleted *bool           `json:"includeCompleted" jsonschema:"nullable"`
	Limit            *int            `json:"limit" jsonschema:"nullable"`
	// Reminded is when the user is to be reminded of them, and Finished when they were completed.
	Reminded *agenda.Window `json:"reminded" jsonschema:"nullable"`
	Finished *agenda.Window `json:"finished" jsonschema:"nullable"`
}

// List are the data of a tool that shows tasks.
type List struct {
	Tasks []world.TaskItem `json:"tasks"`
	// Total counts the tasks that fit, and Overdue those of them that are overdue. OpenMinutes is the effort of all.
	Total       int `json:"total"`
	Overdue     int `json:"overdue"`
	OpenMinutes int `json:"openMinutes"`
	// Unread says that some tasks could not be read, so that there may be more.
	Unread bool `json:"unread"`
}

// viewTasks shows tasks with their scores.
func viewTasks() world.Tool {
	return world.Define("task_viewTasks", world.WithTaskSelection(viewTasksWords), reads(), func(
		ctx context.Context, w *world.World, in ViewTasksArguments,
	) (world.Answer[List], error) {
		var s task.Selection
		if in.Selection != nil {
			s = *in.Selection
		}
		found, err := shown(ctx, w, s)
		if err == nil && in.IncludeCompleted != nil && *in.IncludeCompleted && s.Status == nil {
			done := s
			done.Status = new(string(task.Completed))
			var more world.FoundTasks
			more, err = shown(ctx, w, done)
			found.Tasks = append(found.Tasks, keep(more.Tasks, func(t task.Task) bool {
				return !slices.ContainsFunc(found.Tasks, func(o task.Task) bool { return o.ID == t.ID })
			})...)
		}
		if err == nil {
			found.Tasks, err = in.within(w, found.Tasks)
		}
		if err != nil {
			return world.Answer[List]{}, err
		}
		if s.Order == nil {
			found.Tasks = task.Ranked(found.Tasks, w.Now)
		}
		return list(w, found, in.Limit)
	})
}

// within are the tasks whose reminder, or whose completion, lies in the time that is asked for.
func (in ViewTasksArguments) within(w *world.World, tasks []task.Task) ([]task.Task, error) {
	for name, asked := range map[string]struct {
		window *agenda.Window
		at     func(task.Task) string
	}{
		"reminded": {in.Reminded, func(t task.Task) string { return t.Reminder }},
		"finished": {in.Finished, func(t task.Task) string { return t.Completed }},
	} {
		if asked.window == nil {
			continue
		}
		span, err := asked.window.In(w.Zone(), name)
		if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
			return nil, tool.BadArgument(f.Field, "%s", f.Message)
		} else if err != nil {
			return nil, err
		}
		tasks = keep(tasks, func(t task.Task) bool {
			at, err := time.Parse(time.RFC3339, asked.at(t))
			return err == nil && !at.Before(span.Start) && at.Before(span.End)
		})
	}
	return tasks, nil
}

// shown are the tasks of a selection, all of them where one is meant and several fit.
func shown(ctx context.Context, w *world.World, s task.Selection) (world.FoundTasks, error) {
	found, err := w.FindTasks(ctx, s)
	if _, several := errors.AsType[*task.AmbiguousError](err); several {
		err = nil
	}
	return found, err
}

// list is the answer that shows tasks, at most limit.
func list(w *world.World, found world.FoundTasks, limit *int) (answer world.Answer[List], err error) {
	if limit != nil && *limit < 1 {
		return answer, tool.BadArgument("limit", "must be at least 1")
	}
	data := List{Total: len(found.Tasks), Unread: found.Unread}
	for _, t := range found.Tasks {
		if t.Overdue(w.Now) {
			data.Overdue++
		}
		if t.Open() {
			data.OpenMinutes += t.Effort()
		}
	}
	tasks := found.Tasks
	if limit != nil {
		tasks = tasks[:min(*limit, len(tasks))]
	}
	data.Tasks = w.TaskItems(tasks, false)
	answer = world.Answer[List]{
		Data: data, Display: meet.ListDisplay, Title: w.Voice().Count(phrases, "tasks", data.Total),
		Components: w.TaskCards(tasks),
	}
	if data.Total == 0 {
		answer.Title = say(w, "noTasks")
		if len(found.All) > 0 {
			answer.Title = w.Say("noTask")
		}
	}
	answer.Description = answer.Title
	if data.Overdue > 0 {
		answer.Description += " " + say(w, "overdueToo", "n", strconv.Itoa(data.Overdue))
	}
	if len(tasks) > 0 {
		answer.Description += "\n\n" + lines(w, tasks)
		answer.Suggestions = []string{say(w, "askFit")}
	}
	if found.Unread {
		answer.Description += "\n\n" + w.Say("tasksUnread")
	}
	return answer, nil
}

func keep(tasks []task.Task, rule func(task.Task) bool) []task.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t task.Task) bool { return !rule(t) })
}
