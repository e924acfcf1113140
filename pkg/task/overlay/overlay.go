// Package overlay keeps what a provider of tasks cannot: members of tasks stand in Convene's own store, over what the
// provider has.
package overlay

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/task"
)

// Provider is a provider whose tasks have all members. It is a task.Provider if the inner one keeps to these rules: its
// Apply may return a task that differs from what was asked for, which is what it keeps; repeating an amendment that was
// made, before any other, makes nothing and returns the task; and its Tasks give what its Apply returned.
type Provider struct {
	Inner task.Provider
	// Store has the members that the inner provider cannot keep, by the ids of its tasks.
	Store record.Store
}

// extra is what stands over a task.
type extra struct {
	// Kept are the members that the provider has otherwise.
	Kept map[string]kept `json:"kept,omitempty"`
	// Pending is the change of the provider's task that was begun.
	Pending *task.Amendment `json:"pending,omitempty"`
	// As is the provider's own id of a task that was created under another.
	As string `json:"as,omitempty"`
}

// kept is a member that stands as Ours as long as the provider has what it had when that was set.
type kept struct {
	Ours   json.RawMessage `json:"ours"`
	Theirs json.RawMessage `json:"theirs"`
}

// Name is the inner provider's.
func (p Provider) Name() string { return p.Inner.Name() }

// Tasks are the inner provider's, with all members. With an error of that some may be missing.
func (p Provider) Tasks(ctx context.Context, person meet.Person) ([]task.Task, error) {
	tasks, unread := p.Inner.Tasks(ctx, person)
	if len(tasks) == 0 {
		return tasks, unread
	}
	entries, err := p.Store.Entries(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	for i, t := range tasks {
		over, err := extraOf(entries[t.ID])
		if err != nil {
			return nil, err
		}
		tasks[i] = over.on(t)
	}
	return tasks, unread
}

// on is the provider's task with what stands over it.
func (x extra) on(t task.Task) task.Task {
	members := t.Members()
	for name, k := range x.Kept {
		if string(members[name]) == string(k.Theirs) {
			members[name] = k.Ours
		}
	}
	return t.With(members)
}

// Apply makes the change at the inner provider, and keeps what that did not. The change is recorded before it is made,
// so that a repeat after a crash goes on with it.
func (p Provider) Apply(ctx context.Context, person meet.Person, a task.Amendment) (now task.Task, err error) {
	entries, err := p.Store.Entries(ctx, person.ID)
	if err != nil {
		return now, err
	}
	id := a.Task().ID
	at := place{id, entries[id]}
	over, err := extraOf(at.entry)
	if err != nil {
		return now, err
	}
	if slices.Contains(at.entry.By, a.Key) {
		return p.standing(ctx, person, id, over)
	}
	if over.Pending == nil || over.Pending.Key != a.Key {
		if over.Pending, err = p.begun(ctx, person, a, over); err != nil {
			return now, err
		}
		if at, err = p.put(ctx, person, at, over, at.entry.By); err != nil {
			return now, err
		}
	}
	now, err = p.Inner.Apply(ctx, person, *over.Pending)
	if err != nil {
		return now, err
	}
	over.Pending = nil
	if a.To != nil {
		over = over.keeping(*a.To, now)
	}
	if a.To == nil {
		over = extra{}
	} else if now.ID != id {
		over.As = now.ID
		if _, err := p.put(ctx, person, place{now.ID, entries[now.ID]}, extra{Kept: over.Kept}, nil); err != nil {
			return now, err
		}
	}
	_, err = p.put(ctx, person, at, over, at.entry.Next(nil, a.Key).By)
	return over.on(now), err
}

// standing is the task as it is after a change that was made; zero if it is gone.
func (p Provider) standing(ctx context.Context, person meet.Person, id string, over extra) (task.Task, error) {
	if over.As != "" {
		id = over.As
	}
	tasks, err := p.Tasks(ctx, person)
	if i := slices.IndexFunc(tasks, func(t task.Task) bool { return t.ID == id }); i >= 0 {
		return tasks[i], err
	}
	return task.Task{}, err
}

// begun is the change of the provider's own task, if that is as it was read.
func (p Provider) begun(
	ctx context.Context, person meet.Person, a task.Amendment, over extra,
) (*task.Amendment, error) {
	if a.To != nil {
		if err := a.To.Check(); err != nil {
			return nil, err
		}
	}
	if a.From == nil {
		return &a, nil
	}
	tasks, err := p.Inner.Tasks(ctx, person)
	i := slices.IndexFunc(tasks, func(t task.Task) bool { return t.ID == a.From.ID })
	if i < 0 && err != nil {
		return nil, err
	}
	if i < 0 || !task.Same(over.on(tasks[i]), *a.From) {
		return nil, task.Changed()
	}
	inner, _ := a.On(tasks[i])
	return &inner, nil
}

// keeping is what stands over a task that was to be so, and that the provider has.
func (x extra) keeping(to, has task.Task) extra {
	theirs, ours := has.Members(), to.Members()
	x.Kept = map[string]kept{}
	for name := range ours {
		if name != "id" && name != "provider" && string(ours[name]) != string(theirs[name]) {
			x.Kept[name] = kept{ours[name], theirs[name]}
		}
	}
	return x
}

// place is where what stands over a task is kept, and what is there.
type place struct {
	id    string
	entry record.Entry
}

// put keeps what stands over a task, by the changes with these keys.
func (p Provider) put(
	ctx context.Context, person meet.Person, at place, over extra, by []string,
) (place, error) {
	value, err := json.Marshal(over)
	if err != nil {
		return at, fmt.Errorf("overlay of task %s: %w", at.id, err)
	}
	after := record.Entry{Value: value, Version: at.entry.Version + 1, By: by}
	done, err := p.Store.Replace(ctx, person.ID, at.id, at.entry, after)
	if err == nil && !done {
		err = fault.New(fault.Unavailable, "The task is being changed.").Later(0)
	}
	return place{at.id, after}, err
}

func extraOf(e record.Entry) (x extra, err error) {
	if len(e.Value) > 0 {
		err = json.Unmarshal(e.Value, &x)
	}
	return x, err
}

// Connected reports whether the person has an account at the inner provider.
func (p Provider) Connected(ctx context.Context, person meet.Person) bool {
	of, asks := p.Inner.(task.Connector)
	return !asks || of.Connected(ctx, person)
}
