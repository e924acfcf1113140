package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Provider keeps the tasks of people. tasktest is the suite that each must pass: one that cannot keep every member of a
// task is wrapped by pkg/task/overlay, which keeps the rest.
type Provider interface {
	// Name is the provider's, as Task.Provider has it.
	Name() string
	// Tasks are all of the person's, completed ones too, in no particular order. Titles are captions (meet.Caption),
	// because others may have written them. ErrNotConnected says that the person has no account here.
	Tasks(ctx context.Context, person meet.Person) ([]Task, error)
	// Apply makes one change, and returns the task as it stands at the provider then; zero after a deletion. A new task
	// has an id made of the key, which the provider may replace by its own. It is idempotent by the key, also after a
	// crash: a repeat writes nothing and returns the task. If the task is not as the amendment's From says, nothing is
	// written, and the error is Changed. A fault Invalid is a refusal; any other error leaves it open whether it was
	// written.
	Apply(ctx context.Context, person meet.Person, a Amendment) (Task, error)
}

// daysOnly are the providers that keep the day of a due date only, with their names in sentences.
var daysOnly = map[string]string{"google": "Google Tasks", "microsoft": "Microsoft To Do"}

// DayOnly names the provider that shows only the day of the task's due time; empty if there is none.
func (t Task) DayOnly() string {
	if strings.Contains(t.Due, "T") {
		return daysOnly[t.Provider]
	}
	return ""
}

// ErrNotConnected says that a person has no account at a provider.
var ErrNotConnected = errors.New("task: no account is connected")

// ChangedCode is the code of a task that is not as it was read.
const ChangedCode fault.Code = "changed"

// Changed is the fault of a task that is not as it was read.
func Changed() *fault.Error { return fault.New(ChangedCode, "The task has changed meanwhile.") }

// Directory has all tasks of people, at every provider. It is a Provider, but for its name.
type Directory struct {
	// Providers are in order of preference for new tasks. The last is connected for everyone.
	Providers []Provider
}

// Name is that of the provider for everyone.
func (d Directory) Name() string { return d.Providers[len(d.Providers)-1].Name() }

// Tasks are the person's at all connected providers. With an error tasks may be missing from those that are returned.
func (d Directory) Tasks(ctx context.Context, person meet.Person) (all []Task, err error) {
	answers := make([]struct {
		tasks []Task
		err   error
	}, len(d.Providers))
	var reading sync.WaitGroup
	for i, p := range d.Providers {
		reading.Go(func() { answers[i].tasks, answers[i].err = p.Tasks(ctx, person) })
	}
	reading.Wait()
	for _, is := range answers {
		all = append(all, is.tasks...)
		if !errors.Is(is.err, ErrNotConnected) {
			err = errors.Join(err, is.err)
		}
	}
	return all, err
}

// Home is the provider that keeps the person's new tasks: the first that is connected.
func (d Directory) Home(ctx context.Context, person meet.Person) string {
	for _, p := range d.Providers {
		if of, asks := p.(Connector); !asks || of.Connected(ctx, person) {
			return p.Name()
		}
	}
	return d.Name()
}

// Connector is a Provider at which people have accounts of their own.
type Connector interface {
	// Connected reports whether the person has one here.
	Connected(ctx context.Context, person meet.Person) bool
}

// Apply makes the change at the task's provider; of a new task that names none, at the first that is connected.
func (d Directory) Apply(ctx context.Context, person meet.Person, a Amendment) (t Task, err error) {
	name := a.Task().Provider
	if i := slices.IndexFunc(d.Providers, func(p Provider) bool { return p.Name() == name }); i >= 0 {
		return d.Providers[i].Apply(ctx, person, a)
	}
	if name != "" {
		return t, fault.New(fault.Unavailable, "The tasks of %s are not connected here.", name)
	}
	for _, p := range d.Providers {
		if t, err = p.Apply(ctx, person, a); !errors.Is(err, ErrNotConnected) {
			return t, err
		}
	}
	return t, err
}
