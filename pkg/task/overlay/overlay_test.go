package overlay_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/task"
	"convene/pkg/task/overlay"
	"convene/pkg/task/tasktest"
)

// modest is a provider that keeps titles, notes, the date that a task is due, and whether it is completed. Its ids are
// its own.
type modest struct {
	mu    sync.Mutex
	tasks []task.Task
	// lose makes a change without an answer.
	lose bool
}

func (*modest) Name() string { return "modest" }

func (m *modest) Tasks(_ context.Context, person meet.Person) ([]task.Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if person.ID != tasktest.Owner().ID {
		return nil, task.ErrNotConnected
	}
	return append([]task.Task{}, m.tasks...), nil
}

// kept is what the provider keeps of a task.
func kept(t task.Task) task.Task {
	is := task.Task{ID: t.ID, Title: t.Title, Description: t.Description, Status: task.Backlog, Provider: "modest"}
	is.Due = t.Due[:min(len(t.Due), len(time.DateOnly))]
	if !t.Open() {
		is.Status, is.Completed = task.Completed, "2026-11-26T11:59:00Z"
	}
	return is
}

func (m *modest) Apply(_ context.Context, _ meet.Person, a task.Amendment) (done task.Task, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	find := func(id string) int {
		for i, t := range m.tasks {
			if t.ID == id {
				return i
			}
		}
		return -1
	}
	switch i := find(a.Task().ID); {
	case a.From == nil:
		done = kept(*a.To)
		done.ID = "m" + strconv.Itoa(len(m.tasks)+1)
		m.tasks = append(m.tasks, done)
	case i < 0 && a.To == nil:
	case i < 0:
		return done, task.Changed()
	case a.To == nil:
		m.tasks = append(m.tasks[:i], m.tasks[i+1:]...)
	default:
		done = kept(*a.To)
		m.tasks[i] = done
	}
	if m.lose {
		m.lose = false
		return task.Task{}, errors.New("the connection broke")
	}
	return done, nil
}

func open(t *testing.T, tasks ...task.Task) (overlay.Provider, *modest) {
	t.Helper()
	inner := &modest{}
	p := overlay.Provider{Inner: inner, Store: &tasktest.Shelf{}}
	for _, one := range tasks {
		if _, err := p.Apply(t.Context(), tasktest.Owner(), task.Amendment{Key: "seed-" + one.ID, To: &one}); err != nil {
			t.Fatal(err)
		}
	}
	return p, inner
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(t *testing.T, _ meet.Person, tasks ...task.Task) task.Provider {
		t.Helper()
		p, _ := open(t, tasks...)
		return p
	})
}

// What the owner changes at the provider counts for more than what stood over it.
func TestAChangeAtTheProviderWins(t *testing.T) {
	t.Parallel()
	p, inner := open(t, task.Task{ID: "1", Title: "Call", Status: task.Backlog, Due: "2026-11-27T17:00:00+01:00",
		Priority: task.High})
	inner.tasks[0].Due = "2026-11-30"
	got, err := p.Tasks(t.Context(), tasktest.Owner())
	if err != nil || got[0].Due != "2026-11-30" || got[0].Priority != task.High {
		t.Errorf("%+v, %v; want the provider's date, and our priority", got, err)
	}
}

// A change whose answer was lost is finished by its repeat, and made once.
func TestARepeatFinishesALostChange(t *testing.T) {
	t.Parallel()
	p, inner := open(t, task.Task{ID: "1", Title: "Call", Status: task.Backlog})
	was, err := p.Tasks(t.Context(), tasktest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	to := was[0]
	to.Title, to.Priority = "Call Al", task.High
	a := task.Amendment{Key: "turn", From: &was[0], To: &to}
	inner.lose = true
	if _, err := p.Apply(t.Context(), tasktest.Owner(), a); err == nil {
		t.Fatal("the answer was not lost")
	}
	for range 2 {
		got, err := p.Apply(t.Context(), tasktest.Owner(), a)
		if err != nil || !task.Same(got, to) {
			t.Errorf("the repeat: %+v, %v", got, err)
		}
	}
	if len(inner.tasks) != 1 {
		t.Errorf("%d tasks, want 1", len(inner.tasks))
	}
}
