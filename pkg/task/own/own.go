// Package own keeps tasks in Convene's own store. It is the provider for everyone.
package own

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/task"
)

// Name is the provider's.
const Name = "convene"

// Provider keeps tasks as records. It is a task.Provider.
type Provider struct{ Book record.Book }

// Name is Name.
func (Provider) Name() string { return Name }

// Tasks are all of the person's.
func (p Provider) Tasks(ctx context.Context, person meet.Person) ([]task.Task, error) {
	values, err := p.Book.Of(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	tasks := make([]task.Task, 0, len(values))
	for id, value := range values {
		t, err := decoded(id, value)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, task.ByAge)
	return tasks, nil
}

// Apply makes the change in one write, which other changes of the task exclude.
func (p Provider) Apply(ctx context.Context, person meet.Person, a task.Amendment) (now task.Task, err error) {
	values, entries, err := p.Book.Read(ctx, person.ID)
	if err != nil {
		return now, err
	}
	id := a.Task().ID
	value, stands := values[id]
	if stands {
		if now, err = decoded(id, value); err != nil {
			return now, err
		}
	}
	switch entry := entries[id]; {
	case slices.Contains(entry.By, a.Key):
		return now, nil
	case stands != (a.From != nil), stands && !task.Same(now, *a.From):
		return now, task.Changed()
	default:
		return p.put(ctx, person, a, entry)
	}
}

// put keeps the task as it will be over an entry.
func (p Provider) put(
	ctx context.Context, person meet.Person, a task.Amendment, over record.Entry,
) (to task.Task, err error) {
	value := json.RawMessage("null")
	if a.To != nil {
		if to = *a.To; to.Check() != nil {
			return to, to.Check()
		}
		to.Provider = Name
		if value, err = meet.MarshalLine(to.Listed()); err != nil {
			return to, fmt.Errorf("task %s: %w", to.ID, err)
		}
	}
	done, err := p.Book.Store.Replace(ctx, person.ID, a.Task().ID, over, over.Next(value, a.Key))
	if err == nil && !done {
		err = task.Changed()
	}
	return to, err
}

func decoded(id string, value []byte) (t task.Task, err error) {
	if err := json.Unmarshal(value, &t); err != nil {
		return t, fmt.Errorf("task %s: %w", id, err)
	}
	t.ID, t.Provider = id, Name
	return t, nil
}
