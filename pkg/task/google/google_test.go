package google_test

import (
	"errors"
	"testing"

	"convene/pkg/account"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/task"
	taskgoogle "convene/pkg/task/google"
	"convene/pkg/task/overlay"
	"convene/pkg/task/remote"
	"convene/pkg/task/remote/remotetest"
	"convene/pkg/task/tasktest"
)

// world is the owner's account, with an overlay over it.
type world struct {
	overlay.Provider
	server   *remotetest.Server
	accounts *calendartest.Connections
}

func connect(t *testing.T, tokens ...string) *world {
	t.Helper()
	w := &world{server: remotetest.Start(t, vendor), accounts: &calendartest.Connections{}}
	w.accounts.Connect(account.Account{
		ID: "a1", Person: tasktest.Owner().ID, Provider: account.Google, Address: "dana@example.com", Tasks: true,
	}, append(tokens, token)...)
	workspace := google.New(google.Config{Accounts: w.accounts, Endpoint: w.server.URL})
	w.Provider = overlay.Provider{
		Inner: remote.Provider{Server: taskgoogle.Server{Calendar: workspace}}, Store: &tasktest.Shelf{},
	}
	return w
}

func (w *world) tasks(t *testing.T) []task.Task {
	t.Helper()
	tasks, err := w.Tasks(t.Context(), tasktest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

func (w *world) apply(t *testing.T, a task.Amendment) task.Task {
	t.Helper()
	done, err := w.Apply(t.Context(), tasktest.Owner(), a)
	if err != nil {
		t.Fatalf("%s: %v", a.Key, err)
	}
	return done
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, func(t *testing.T, _ meet.Person, tasks ...task.Task) task.Provider {
		t.Helper()
		w := connect(t)
		for _, one := range tasks {
			w.apply(t, task.Amendment{Key: "seed-" + one.ID, To: &one})
		}
		return w.Provider
	})
}

// What the owner does in the app is seen here, over several pages, with a token that has expired.
func TestTasksOfTheApp(t *testing.T) {
	t.Parallel()
	w := connect(t, "expired")
	w.server.Put("l1", map[string]any{"title": "Pay rent", "notes": "Half of it", "parent": "MTIz0"})
	w.server.Put("l2", map[string]any{"title": "Prune", "due": "2026-11-27T00:00:00.000Z"})
	for range 3 {
		w.server.Put("l2", map[string]any{"title": "Weed", "status": "completed"})
	}
	tasks := w.tasks(t)
	if len(tasks) != 5 || w.accounts.TimesRefused() == 0 {
		t.Fatalf("%d tasks, %d refusals", len(tasks), w.accounts.TimesRefused())
	}
	rent, prune, weed := tasks[0], tasks[1], tasks[2]
	if rent.Title != "Pay rent" || rent.Description != "Half of it" || rent.Status != task.Backlog || rent.Board != "" {
		t.Errorf("%+v", rent)
	}
	if prune.Due != "2026-11-27" || prune.Board != "Garden" {
		t.Errorf("%+v", prune)
	}
	if weed.Open() || weed.Completed != "2026-11-26T11:59:00+01:00" {
		t.Errorf("%+v", weed)
	}
	to := rent
	to.EstimatedMinutes, to.Recurrence, to.Due = 10, "FREQ=MONTHLY", "2026-12-01T09:00:00+01:00"
	if got := w.apply(t, task.Amendment{Key: "set", From: &rent, To: &to}); !task.Same(got, to) {
		t.Errorf("got %+v, want %+v", got, to)
	}
	theirs := w.server.Tasks("l1")[0]
	if theirs["due"] != "2026-12-01T00:00:00.000Z" || theirs["notes"] != "Half of it" || theirs["parent"] != "MTIz0" {
		t.Errorf("Google has %v", theirs)
	}
}

// A change whose answer is lost is made once; a new task of a list's name is made in that list.
func TestALostAnswer(t *testing.T) {
	t.Parallel()
	w := connect(t)
	standing := task.Task{ID: "1", Title: "Prune", Board: "garden", Status: task.Backlog, Due: "2026-11-27T10:00:00+01:00"}
	next := task.Amendment{Key: "make", To: &standing}
	for i, title := range []string{"Prune the roses", "", "end"} {
		w.server.Lose()
		if _, err := w.Apply(t.Context(), tasktest.Owner(), next); err == nil && w.server.Writes() == i {
			t.Fatalf("%s: nothing was made", next.Key)
		}
		standing = w.apply(t, next)
		if next.To != nil && (standing.Title != next.To.Title || standing.Due != next.To.Due) || w.server.Writes() != i+1 {
			t.Errorf("%s: %+v after %d writes", next.Key, standing, w.server.Writes())
		}
		if i == 0 && len(w.server.Tasks("l2")) != 1 {
			t.Error("it stands in another list")
		}
		was, to := standing, standing
		to.Title = title
		next = task.Amendment{Key: "set", From: &was, To: &to}
		if title == "" {
			next = task.Amendment{Key: "delete", From: &was}
		}
	}
	if got := w.tasks(t); len(got) != 0 {
		t.Errorf("tasks are left: %+v", got)
	}
}

// A list that cannot be read is an error beside the tasks of the others, and nothing is made twice.
func TestAListThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := connect(t)
	w.server.Put("l1", map[string]any{"title": "Pay rent"})
	w.server.Break("l2")
	tasks, err := w.Tasks(t.Context(), tasktest.Owner())
	if len(tasks) != 1 || fault.CodeOf(err) != fault.CalendarFailed {
		t.Errorf("%d tasks, %v", len(tasks), err)
	}
	one := task.Task{ID: "1", Title: "Prune", Status: task.Backlog}
	if _, err := w.Apply(t.Context(), tasktest.Owner(), task.Amendment{Key: "make", To: &one}); err == nil {
		t.Error("a task was made that may stand in the other list")
	}
	if n := w.server.Writes(); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// An account that is connected for calendars only is no home of tasks, and is not asked for any.
func TestAnAccountWithoutTasks(t *testing.T) {
	t.Parallel()
	w := connect(t)
	w.accounts.Change("a1", func(a *account.Account) { a.Tasks = false })
	w.server.Break("tasks")
	_, err := w.Tasks(t.Context(), tasktest.Owner())
	if !errors.Is(err, task.ErrNotConnected) || w.Connected(t.Context(), tasktest.Owner()) {
		t.Errorf("Tasks: %v", err)
	}
}
