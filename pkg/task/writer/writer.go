// Package writer makes changes of tasks, and takes them back.
package writer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"convene/pkg/change"
	"convene/pkg/meet"
	"convene/pkg/task"
)

// Tasks are all tasks of people, which can be changed.
type Tasks interface {
	Tasks(ctx context.Context, person meet.Person) ([]task.Task, error)
	Apply(ctx context.Context, person meet.Person, a task.Amendment) (task.Task, error)
}

// Writer makes changes of tasks: a change.Writer and change.Chainer whose deeds are task.Amendments.
type Writer struct{ Tasks Tasks }

// read is the task as it stands; a fault Changed if it is gone. If the tasks of another provider cannot be read, the
// task may be found all the same.
func (w Writer) read(ctx context.Context, owner meet.Person, id string) (task.Task, error) {
	all, err := w.Tasks.Tasks(ctx, owner)
	if i := slices.IndexFunc(all, func(t task.Task) bool { return t.ID == id }); i >= 0 {
		return all[i], nil
	}
	if err != nil {
		return task.Task{}, err
	}
	return task.Task{}, task.Changed()
}

// Standing reads the task again.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	a, err := amendmentOf(c)
	if err != nil || a.From == nil {
		return nil, err
	}
	now, err := w.read(ctx, owner, a.From.ID)
	if err != nil || task.Same(now, *a.From) || a.To != nil && task.Same(now, *a.To) {
		return nil, err
	}
	fresh, err := on(owner, c, a, now)
	return &fresh, err
}

// Write makes the change.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	a, err := amendmentOf(c)
	if err != nil {
		return change.Written{}, err
	}
	done, err := w.Tasks.Apply(ctx, owner, a)
	if err != nil {
		return change.Written{}, err
	}
	undo, err := json.Marshal(done)
	return change.Written{Undo: undo}, err
}

// Onto is the change on the task as the one before it leaves it.
func (w Writer) Onto(owner meet.Person, c, before meet.Change, done *change.Written) (meet.Change, error) {
	a, err := amendmentOf(c)
	if err != nil {
		return c, err
	}
	first, err := amendmentOf(before)
	if err != nil {
		return c, err
	}
	left := first.To
	if done != nil && left != nil {
		if err := json.Unmarshal(done.Undo, &left); err != nil {
			return c, fmt.Errorf("task: written: %w", err)
		}
	}
	if left == nil {
		return c, task.Changed()
	}
	return on(owner, c, a, *left)
}

// Inverse is the change that brings back what c changed. Members that others have changed since stay, unless c changed
// them too.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, done change.Written,
) (inverse meet.Change, err error) {
	a, err := amendmentOf(c)
	if err != nil {
		return c, err
	}
	if a.To == nil {
		if _, err := w.read(ctx, owner, a.From.ID); err == nil {
			return c, task.Changed()
		}
		return a.Back().Change(owner)
	}
	var left task.Task
	if err := json.Unmarshal(done.Undo, &left); err != nil {
		return c, fmt.Errorf("task: written: %w", err)
	}
	now, err := w.read(ctx, owner, left.ID)
	if err != nil {
		return c, err
	}
	back := a.Back()
	if a.From == nil {
		back.From = &left
	}
	back, clash := back.On(now)
	if clash {
		return c, task.Changed()
	}
	return back.Change(owner)
}

// on is the change as one of the task as it stands now.
func on(owner meet.Person, c meet.Change, a task.Amendment, now task.Task) (meet.Change, error) {
	a, _ = a.On(now)
	fresh, err := a.Change(owner)
	fresh.ID, fresh.Class, fresh.DependsOn = c.ID, c.Class, c.DependsOn
	return fresh, err
}

// amendmentOf is the deed of a change.
func amendmentOf(c meet.Change) (a task.Amendment, err error) {
	if err := json.Unmarshal(c.Deed, &a); err != nil {
		return a, fmt.Errorf("task: deed: %w", err)
	}
	if a.From == nil && a.To == nil {
		return a, errors.New("task: a deed without a task")
	}
	return a, nil
}
