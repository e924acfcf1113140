package task

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/task"
)

// Words name an open task unless they also name an event of the calendar, or the calendar cannot be read.
func TestCalledTasks(t *testing.T) {
	t.Parallel()
	all := append(tasks(), task.Task{ID: "focus list", Title: "Focus", Status: task.Backlog})
	called := func(w *world.World) []string {
		text := "did the slides, the focus, the plan and the flurb, and water the plants"
		m := ground.Message{Text: text, Language: "en", Now: w.Now, Things: w.Things(t.Context())}
		return ground.Called(m, ground.Task)
	}
	got := called(newWorld(backlog{tasks: all}, calendar{focus()}))
	if want := []string{"slides", "water the plants"}; !cmp.Equal(slices.Sorted(slices.Values(got)), want) {
		t.Errorf("called %q, want %q", got, want)
	}
	unread := newWorld(backlog{tasks: all}, nil)
	unread.Agenda = agenda.NewCopy(blind{}, me)
	if got := called(unread); got != nil {
		t.Errorf("called %q beside a calendar that cannot be read", got)
	}
}

// The next of a recurring task is made only if the former is completed.
func TestTheNextDependsOnTheCompletion(t *testing.T) {
	t.Parallel()
	result, err := call(t, newWorld(backlog{tasks: tasks()}, nil), "task_completeTask", `{"taskId":"plants"}`)
	if err != nil || len(result.Changes) != 2 {
		t.Fatalf("%v, %d changes", err, len(result.Changes))
	}
	first, next := result.Changes[0], result.Changes[1]
	if first.ID == "" || !cmp.Equal(next.DependsOn, []string{first.ID}) {
		t.Errorf("it depends on %q, want %q", next.DependsOn, first.ID)
	}
}

// Later calls of a turn see what earlier ones would change.
func TestTheWorkingCopy(t *testing.T) {
	t.Parallel()
	w := newWorld(backlog{tasks: tasks()}, calendar{focus()})
	for _, step := range []struct{ tool, arguments string }{
		{"task_createTask", `{"title":"Call Nia"}`},
		{"task_updateTask", `{"selection":{"titleHas":["call nia"],"one":true},"updates":{"priority":"high"}}`},
		{"task_deleteTask", `{"selection":{"titleHas":["call nia"],"one":true}}`},
	} {
		if result, err := call(t, w, step.tool, step.arguments); err != nil || len(result.Changes) != 1 {
			t.Errorf("%s: %v, %+v", step.tool, err, result.Response.Error)
		}
	}
	if result, err := call(t, w, "task_deleteTask", `{"selection":{"titleHas":["call nia"]}}`); err != nil ||
		result.Response.Error == nil {
		t.Errorf("a deleted task was deleted again: %v", err)
	}
}
