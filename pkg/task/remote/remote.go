// Package remote makes a task.Provider of a server that keeps tasks with versions. The provider keeps as much of a task
// as the server does, and does not remember which changes were made: pkg/task/overlay does both.
package remote

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
)

// Server keeps the tasks of people in their accounts.
type Server interface {
	// Name is the provider's.
	Name() string
	// Items are all of the person's tasks. With an error some may be missing; task.ErrNotConnected says that the person
	// has no account.
	Items(ctx context.Context, person meet.Person) ([]Item, error)
	// Create makes a task whose id the server may replace; that id then stays in Item.Made. It is ErrRaced if there is a
	// task that was made under the id.
	Create(ctx context.Context, person meet.Person, t task.Task) (task.Task, error)
	// Connected reports whether the person's new tasks can be kept here.
	Connected(ctx context.Context, person meet.Person) bool
}

// Item is a task at a server, in the version that was read.
type Item struct {
	Task task.Task
	// Made is the id under which Convene created the task; empty if others did.
	Made string
	// Becomes is the task as it would be read after Write.
	Becomes func(to task.Task, members []string) (task.Task, error)
	// Write gives the named members of the task other values; without a task it deletes it. It is ErrRaced if there is
	// another version at the server by now.
	Write func(ctx context.Context, to *task.Task, members []string) (task.Task, error)
}

// ErrRaced says that a task was changed between reading and writing.
var ErrRaced = errors.New("task: changed at the same time")

// maxRaces bounds the attempts at a change of a task that others change at the same time.
const maxRaces = 4

// Merged is a resource with the members of a PATCH over it.
func Merged[T any](was T, fields any) (now T, err error) {
	var members map[string]any
	for _, layer := range []any{was, fields} {
		text, err := json.Marshal(layer)
		if err == nil {
			err = json.Unmarshal(text, &members)
		}
		if err != nil {
			return now, err
		}
	}
	text, err := json.Marshal(members)
	if err == nil {
		err = json.Unmarshal(text, &now)
	}
	return now, err
}

// Provider has the tasks of a server. It is what pkg/task/overlay wraps.
type Provider struct{ Server }

// Tasks are all of the person's.
func (p Provider) Tasks(ctx context.Context, person meet.Person) ([]task.Task, error) {
	items, err := p.Items(ctx, person)
	tasks := make([]task.Task, len(items))
	for i, item := range items {
		tasks[i] = item.Task
	}
	return tasks, err
}

// Apply makes the change in the version that it is of. What a repeat finds done is left as it is.
func (p Provider) Apply(ctx context.Context, person meet.Person, a task.Amendment) (done task.Task, err error) {
	for range maxRaces {
		if done, err = p.once(ctx, person, a); !errors.Is(err, ErrRaced) {
			return done, err
		}
	}
	return done, fault.New(fault.Unavailable, "The task is being changed.").Later(0)
}

func (p Provider) once(ctx context.Context, person meet.Person, a task.Amendment) (done task.Task, err error) {
	items, err := p.Items(ctx, person)
	id := a.Task().ID
	i := slices.IndexFunc(items, func(item Item) bool {
		return item.Task.ID == id && a.From != nil || item.Made == id && a.From == nil
	})
	switch {
	case i < 0 && err != nil: // it may stand in what could not be read
		return done, err
	case i < 0 && a.From == nil:
		return p.Create(ctx, person, *a.To)
	case i < 0 && a.To == nil:
		return done, nil
	case i < 0:
		return done, task.Changed()
	case a.From == nil:
		return items[i].Task, nil
	}
	is, to, sets := items[i], a.To, a.Sets()
	if task.Same(is.Task, *a.From) {
		return is.Write(ctx, to, sets)
	}
	if to != nil {
		becomes, err := is.Becomes(*to, sets)
		if err != nil || task.Same(becomes, is.Task) {
			return is.Task, err
		}
	}
	return done, task.Changed()
}
