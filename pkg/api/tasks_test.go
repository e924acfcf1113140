package api

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/task"
)

// haveTasks gives the fixture's people tasks.
func haveTasks(c *Config) {
	c.Tasks = chores{"me": {
		{ID: "2", Title: "Later", Created: "2026-03-02T00:00:00Z"}, {ID: "1", Title: "First", Tags: []string{"a"}},
	}}
	c.TaskFile = func(format string, tasks []task.Task) ([]byte, string, error) {
		return []byte(format + strconv.Itoa(len(tasks))), "text/x-" + format, nil
	}
}

// chores are people's tasks; those of "down" cannot all be read.
type chores map[meet.PersonID][]task.Task

// Tasks is Tasks'.
func (c chores) Tasks(_ context.Context, person meet.Person) ([]task.Task, error) {
	if c["down"] != nil {
		return c[person.ID], errors.New("unreachable")
	}
	return c[person.ID], nil
}

func TestAPersonsTasks(t *testing.T) {
	t.Parallel()
	url := newFixture(t, assisted).serve(t)
	broken := newFixture(t, assisted, func(c *Config) {
		c.Tasks = chores{"me": {{ID: "1", Title: "First"}}, "down": {}}
	}).serve(t)
	for path, want := range map[string]string{
		url + "/v1/people/me/tasks":                       `"more":false,"problems":[]`,
		url + "/v1/people/MIA@example.com/tasks":          `"tags":["a"]`,
		url + "/v1/people/me/tasks?limit=1":               `"more":true`,
		url + "/v1/people/al/tasks":                       `"tasks":[]`,
		url + "/v1/people/me/tasks/export?format=ics":     `ics2`,
		broken + "/v1/people/me/tasks":                    `"problems":["Some tasks could not be read."]`,
		broken + "/v1/people/me/tasks/export?format=json": `"status":500`, // not a part of them
	} {
		if a := do(t, "GET", path, ""); !strings.Contains(a.body, want) {
			t.Errorf("%s: %d %s, want %s", path, a.status, a.body, want)
		}
	}
	if a := do(t, "GET", url+"/v1/people/me/tasks", ""); strings.Index(a.body, "First") > strings.Index(a.body, "Later") {
		t.Errorf("not the oldest first: %s", a.body)
	}
}
