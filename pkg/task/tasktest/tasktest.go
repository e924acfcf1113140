// Package tasktest is the suite that every task.Provider passes.
package tasktest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
)

// Opener opens a provider at which the owner has these tasks, and no others. A provider with ids of its own may give
// them others.
type Opener func(t *testing.T, owner meet.Person, tasks ...task.Task) task.Provider

// Owner is whose tasks the suite reads and changes.
func Owner() meet.Person {
	return meet.Person{ID: "dana", Name: "Dana Levi", Email: "dana@example.com", Timezone: "Europe/Berlin"}
}

// Full is a task with every member that its owner can set. The provider sets its own name.
func Full() task.Task {
	return task.Task{
		ID: "full", Title: "Send Al the deck; review, \\ first", Description: "Two pages.\nNo \"numbers\"; see notes, please",
		Assignee: "al@example.com", Board: "Sales", Column: "In Review", Due: "2026-11-27T17:00:00+01:00",
		Reminder: "2026-11-27T09:00:00+01:00", Status: task.InProgress, Priority: task.High, EstimatedMinutes: 45,
		Tags: []string{"deck", "Q4, later"}, Dependencies: []string{"numbers"}, BlockID: "block-1", Source: "email",
		Created: "2026-11-20T10:00:00+01:00", Recurrence: "FREQ=WEEKLY;BYDAY=FR",
	}
}

// plain is a task with nothing but a title.
func plain(id, title string) task.Task {
	return task.Task{ID: id, Title: title, Status: task.Backlog}
}

// Run runs the suite.
func Run(t *testing.T, open Opener) {
	t.Helper()
	s := suite{open}
	for name, test := range map[string]func(*testing.T){
		"empty":     s.empty,
		"reading":   s.reading,
		"creation":  s.creation,
		"members":   s.members,
		"deletion":  s.deletion,
		"repeats":   s.repeats,
		"stale":     s.stale,
		"strangers": s.strangers,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

type suite struct{ open Opener }

func (s suite) empty(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner())
	if p.Name() == "" {
		t.Error("the provider has no name")
	}
	if got := all(t, p); len(got) != 0 {
		t.Errorf("tasks of an empty account: %+v", got)
	}
}

// Every member is read as it was written.
func (s suite) reading(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Full(), plain("p", "Call the dentist"))
	want := []task.Task{plain("p", "Call the dentist"), Full()}
	got := all(t, p)
	if len(got) != len(want) {
		t.Fatalf("%d tasks, want %d", len(got), len(want))
	}
	for i := range got {
		same(t, want[i], got[i])
		if got[i].ID == "" || got[i].Provider != p.Name() {
			t.Errorf("the task %q of the provider %q", got[i].ID, got[i].Provider)
		}
	}
}

func (s suite) creation(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner())
	for _, want := range []task.Task{Full(), plain("p", "Call the dentist")} {
		made := apply(t, p, task.Amendment{Key: "create-" + want.ID, To: &want})
		same(t, want, made)
		same(t, want, standing(t, p, made.ID))
	}
	if got := all(t, p); len(got) != 2 {
		t.Errorf("%d tasks after two creations", len(got))
	}
}

// Each member changes alone, and can be taken back.
func (s suite) members(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Full())
	was := all(t, p)[0]
	for name, set := range map[string]func(*task.Task){
		"title":        func(t *task.Task) { t.Title = "Send Al nothing" },
		"description":  func(t *task.Task) { t.Description = "" },
		"assignee":     func(t *task.Task) { t.Assignee = "Nia Johnson" },
		"nobody":       func(t *task.Task) { t.Assignee = "" },
		"board":        func(t *task.Task) { t.Board = "" },
		"column":       func(t *task.Task) { t.Column = "Backlog" },
		"due date":     func(t *task.Task) { t.Due = "2026-12-01" },
		"due time":     func(t *task.Task) { t.Due = "2026-11-27T18:30:00+01:00" },
		"no due date":  func(t *task.Task) { t.Due, t.Recurrence = "", "" },
		"reminder":     func(t *task.Task) { t.Reminder = "" },
		"scheduled":    func(t *task.Task) { t.Status = task.Scheduled },
		"backlog":      func(t *task.Task) { t.Status = task.Backlog },
		"completed":    func(t *task.Task) { t.Status, t.Completed = task.Completed, "2026-11-26T12:00:00+01:00" },
		"priority":     func(t *task.Task) { t.Priority = task.Low },
		"no priority":  func(t *task.Task) { t.Priority = "" },
		"effort":       func(t *task.Task) { t.EstimatedMinutes = 0 },
		"tags":         func(t *task.Task) { t.Tags = []string{"other"} },
		"no tags":      func(t *task.Task) { t.Tags = nil },
		"dependencies": func(t *task.Task) { t.Dependencies = nil },
		"block":        func(t *task.Task) { t.BlockID = "" },
		"repeats":      func(t *task.Task) { t.Recurrence = "" },
	} {
		becomes := was
		set(&becomes)
		a := task.Amendment{Key: "set-" + name, From: &was, To: &becomes}
		same(t, becomes, apply(t, p, a))
		got := standing(t, p, was.ID)
		if diff := cmp.Diff(becomes, got, lists); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		back := a.Back()
		back.From = &got
		was = apply(t, p, back)
	}
	same(t, Full(), was)
}

func (s suite) deletion(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), Full(), plain("p", "Call the dentist"))
	list := all(t, p)
	if left := apply(t, p, task.Amendment{Key: "delete", From: &list[1]}); left.ID != "" {
		t.Errorf("a deletion left %+v", left)
	}
	got := all(t, p)
	if len(got) != 1 {
		t.Fatalf("%d tasks, want 1", len(got))
	}
	same(t, list[0], got[0])
}

// A repeat after a crash does nothing, whatever happened in between.
func (s suite) repeats(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), plain("p", "Call the dentist"))
	was := all(t, p)[0]
	urgent := was
	urgent.Priority = task.High
	first := task.Amendment{Key: "first", From: &was, To: &urgent}
	back := task.Amendment{Key: "back", From: &urgent, To: &was}
	for _, a := range []task.Amendment{first, first, back, first} {
		apply(t, p, a)
	}
	same(t, was, standing(t, p, was.ID))
	made := plain("made", "Buy stamps")
	one := apply(t, p, task.Amendment{Key: "make", To: &made})
	two := apply(t, p, task.Amendment{Key: "make", To: &made})
	if one.ID != two.ID || len(all(t, p)) != 2 {
		t.Errorf("a creation was repeated: %s and %s, %d tasks", one.ID, two.ID, len(all(t, p)))
	}
	for range 2 {
		apply(t, p, task.Amendment{Key: "delete", From: &one})
	}
	if got := all(t, p); len(got) != 1 {
		t.Errorf("%d tasks after a repeated deletion, want 1", len(got))
	}
}

// What was changed meanwhile is not overwritten.
func (s suite) stale(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), plain("p", "Call the dentist"))
	read := all(t, p)[0]
	now, late := read, read
	now.Title, late.Priority = "Call the new dentist", task.High
	now = apply(t, p, task.Amendment{Key: "other", From: &read, To: &now})
	refused := func(name string, a task.Amendment) {
		t.Helper()
		if _, err := p.Apply(t.Context(), Owner(), a); fault.CodeOf(err) != task.ChangedCode {
			t.Errorf("%s: %v, want changed", name, err)
		}
	}
	refused("a stale update", task.Amendment{Key: "late", From: &read, To: &late})
	refused("a stale deletion", task.Amendment{Key: "gone", From: &read})
	same(t, now, standing(t, p, read.ID))
	apply(t, p, task.Amendment{Key: "delete", From: &now})
	refused("an update of a deleted task", task.Amendment{Key: "later", From: &now, To: &late})
}

// A stranger sees nothing of the owner's.
func (s suite) strangers(t *testing.T) {
	t.Helper()
	p := s.open(t, Owner(), plain("p", "Call the dentist"))
	got, err := p.Tasks(t.Context(), meet.Person{ID: "stranger"})
	if err != nil && !errors.Is(err, task.ErrNotConnected) || len(got) > 0 {
		t.Errorf("tasks of a stranger: %+v, %v", got, err)
	}
}

// lists compares empty lists as equal.
var lists = cmp.Transformer("list", func(s []string) string { return strings.Join(s, "\x00") })

// same compares two tasks but for the ids, which a provider may choose, and its name.
func same(t *testing.T, want, got task.Task) {
	t.Helper()
	want.ID, want.Provider = got.ID, got.Provider
	if diff := cmp.Diff(want, got, lists); diff != "" {
		t.Errorf("task (-want +got):\n%s", diff)
	}
}

// all are the owner's tasks by title.
func all(t *testing.T, p task.Provider) []task.Task {
	t.Helper()
	tasks, err := p.Tasks(t.Context(), Owner())
	if err != nil {
		t.Fatalf("Tasks: %v", err)
	}
	slices.SortFunc(tasks, func(a, b task.Task) int { return strings.Compare(a.Title, b.Title) })
	return tasks
}

func standing(t *testing.T, p task.Provider, id string) task.Task {
	t.Helper()
	tasks := all(t, p)
	i := slices.IndexFunc(tasks, func(is task.Task) bool { return is.ID == id })
	if i < 0 {
		t.Fatalf("there is no task %q", id)
	}
	return tasks[i]
}

func apply(t *testing.T, p task.Provider, a task.Amendment) task.Task {
	t.Helper()
	done, err := p.Apply(t.Context(), Owner(), a)
	if err != nil {
		t.Fatalf("Apply %s: %v", a.Key, err)
	}
	return done
}
