package task

import (
	"strings"
	"testing"

	"convene/pkg/task"
)

func TestAProviderThatShowsOnlyTheDayIsNamed(t *testing.T) {
	t.Parallel()
	one := task.Task{ID: "1", Title: "Call", Status: task.Backlog, Provider: "google"}
	for due, want := range map[string]bool{"2026-11-27T17:00:00-08:00": true, "2026-11-27": false} {
		result, err := call(t, newWorld(backlog{tasks: []task.Task{one}}, calendar{}), "task_updateTask",
			`{"taskId":"1","updates":{"dueDate":"`+due+`"}}`)
		said := result.Response.Display.Description
		if err != nil || strings.Contains(said, "Google Tasks shows only the day; the time is kept here.") != want {
			t.Errorf("%s: %v, said %q", due, err, said)
		}
	}
}
