package task

import (
	"context"
	_ "embed"
	"errors"
	"reflect"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/tool"
)

//go:embed update_task.md
var updateTaskWords string

// UpdateTaskArguments are new values for one task, or for all of a selection.
type UpdateTaskArguments struct {
	Which
	Updates settings `json:"updates"`
}

// updateTask changes fields of tasks, and nothing that it does not name. A priority that rises brings an offer of time.
func updateTask() world.Tool {
	return world.Define("task_updateTask", world.WithTaskSelection(updateTaskWords), changes(meet.UpdateResource), func(
		ctx context.Context, w *world.World, in UpdateTaskArguments,
	) (world.Answer[Changed], error) {
		a := begin(w)
		switch u := in.Updates; {
		case !u.any():
			return a.Answer, tool.BadArgument("updates", "names nothing to change")
		case u.Title != nil && strings.TrimSpace(*u.Title) == "":
			return a.Answer, tool.BadArgument("updates.title", "is empty")
		}
		found, err := in.find(ctx, w)
		if err != nil {
			return a.Answer, err
		}
		for _, was := range found.Tasks {
			to := was
			if err := in.Updates.put(w, &to, found.All); err != nil {
				return a.Answer, within(err)
			}
			in.Updates.label(&to)
			now, err := a.settle(ctx, was, to)
			if err != nil {
				return a.Answer, within(err)
			}
			if len(found.Tasks) == 1 && was.Priority != task.High {
				a.offer(ctx, now)
			}
		}
		return a.done(ctx, found.Unread)
	})
}

// any reports whether a value is set.
func (s settings) any() bool {
	values := reflect.ValueOf(s)
	for i := range values.NumField() {
		if f := values.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 || f.Kind() == reflect.Pointer && !f.IsNil() {
			return true
		}
	}
	return false
}

// label adds and removes tags and dependencies.
func (s settings) label(t *task.Task) {
	is := func(list []string) func(string) bool {
		return func(one string) bool {
			return slices.ContainsFunc(list, func(o string) bool { return strings.EqualFold(o, one) })
		}
	}
	t.Tags = slices.DeleteFunc(slices.Clone(t.Tags), is(s.RemoveTags))
	for _, tag := range s.AddTags {
		if tag = meet.Caption(tag); tag != "" && !is(t.Tags)(tag) {
			t.Tags = append(t.Tags, tag)
		}
	}
	t.Dependencies = slices.Clone(t.Dependencies)
	for _, id := range s.AddDependencies {
		if !slices.Contains(t.Dependencies, id) {
			t.Dependencies = append(t.Dependencies, id)
		}
	}
}

// within names the member of updates that is wrong, by the name that it has there.
func within(err error) error {
	if asked, ok := errors.AsType[*world.AmbiguousError](err); ok {
		asked.Argument = "updates." + asked.Argument
		return err
	}
	wrong, ok := errors.AsType[*tool.ArgumentError](err)
	if !ok {
		return err
	}
	field := wrong.Field
	if field == "due" {
		field = "dueDate"
	}
	return tool.BadArgument("updates."+field, "%s", wrong.Problem)
}
