package writer_test

import (
	"encoding/json"
	"testing"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/task"
	"convene/pkg/task/own"
	"convene/pkg/task/tasktest"
	"convene/pkg/task/writer"
)

// opened is a writer over one task.
func opened() (writer.Writer, task.Task) {
	call := task.Task{ID: "1", Title: "Call", Status: task.Backlog, Provider: own.Name}
	return writer.Writer{Tasks: own.Provider{Book: record.Book{
		Store: &tasktest.Shelf{}, Given: func(meet.PersonID) record.Values { return tasktest.Values(call) },
	}}}, call
}

// change is one from a task to what set makes of it.
func changed(t *testing.T, key string, from task.Task, set func(*task.Task)) meet.Change {
	t.Helper()
	to := from
	set(&to)
	return made(t, task.Amendment{Key: key, From: &from, To: &to})
}

func made(t *testing.T, a task.Amendment) meet.Change {
	t.Helper()
	c, err := a.Change(tasktest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, w writer.Writer, c meet.Change) change.Written {
	t.Helper()
	written, err := w.Write(t.Context(), tasktest.Owner(), c)
	if err != nil {
		t.Fatal(err)
	}
	return written
}

func now(t *testing.T, w writer.Writer) []task.Task {
	t.Helper()
	all, err := w.Tasks.Tasks(t.Context(), tasktest.Owner())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func urgent(t *task.Task) { t.Priority = task.High }

func renamed(t *task.Task) { t.Title = "Call Al" }

func TestWhatChangedMeanwhileIsShownAnew(t *testing.T) {
	t.Parallel()
	w, call := opened()
	c := changed(t, "mine", call, urgent)
	if fresh, err := w.Standing(t.Context(), tasktest.Owner(), c); fresh != nil || err != nil {
		t.Errorf("Standing of a fresh one: %v, %v", fresh, err)
	}
	write(t, w, changed(t, "other", call, renamed))
	fresh, err := w.Standing(t.Context(), tasktest.Owner(), c)
	if err != nil || fresh == nil || fresh.Title != "Call Al" {
		t.Fatalf("Standing: %+v, %v; want it on the task as it stands", fresh, err)
	}
	if _, err := w.Write(t.Context(), tasktest.Owner(), c); fault.CodeOf(err) != change.Changed {
		t.Errorf("the stale one: %v, want changed", err)
	}
	for range 2 {
		write(t, w, *fresh) // a repeat does nothing
	}
	if got := now(t, w)[0]; got.Title != "Call Al" || got.Priority != task.High {
		t.Errorf("%+v, want both changes", got)
	}
	write(t, w, made(t, task.Amendment{Key: "gone", From: new(now(t, w)[0])}))
	if _, err := w.Standing(t.Context(), tasktest.Owner(), c); fault.CodeOf(err) != change.Changed {
		t.Errorf("Standing of a deleted task: %v, want changed", err)
	}
}

// What others changed since stays; the same member, changed again, is not taken back.
func TestUndo(t *testing.T) {
	t.Parallel()
	w, call := opened()
	c := changed(t, "mine", call, urgent)
	written := write(t, w, c)
	write(t, w, changed(t, "other", now(t, w)[0], renamed))
	back, err := w.Inverse(t.Context(), tasktest.Owner(), c, written)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, back)
	if got := now(t, w)[0]; got.Title != "Call Al" || got.Priority != "" {
		t.Errorf("%+v, want the new title and the former priority", got)
	}
	again := changed(t, "again", now(t, w)[0], urgent)
	written = write(t, w, again)
	write(t, w, changed(t, "low", now(t, w)[0], func(t *task.Task) { t.Priority = task.Low }))
	if _, err := w.Inverse(t.Context(), tasktest.Owner(), again, written); fault.CodeOf(err) != change.Changed {
		t.Errorf("undo of what was changed since: %v, want changed", err)
	}
}

func TestUndoOfACreationAndOfADeletion(t *testing.T) {
	t.Parallel()
	w, call := opened()
	gone := made(t, task.Amendment{Key: "gone", From: &call})
	written := write(t, w, gone)
	back, err := w.Inverse(t.Context(), tasktest.Owner(), gone, written)
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, back)
	if got := now(t, w); len(got) != 1 || !task.Same(got[0], call) {
		t.Errorf("%+v, want the task as it was", got)
	}
	if _, err := w.Inverse(t.Context(), tasktest.Owner(), gone, written); fault.CodeOf(err) != change.Changed {
		t.Errorf("a second undo: %v, want changed", err)
	}
	create := made(t, task.Amendment{Key: "new", To: &task.Task{ID: "2", Title: "New", Status: task.Backlog}})
	written = write(t, w, create)
	if back, err = w.Inverse(t.Context(), tasktest.Owner(), create, written); err != nil {
		t.Fatal(err)
	}
	write(t, w, back)
	if got := now(t, w); len(got) != 1 {
		t.Errorf("%d tasks after the undo of a creation, want 1", len(got))
	}
}

func TestTwoChangesOfOneTaskFollowEachOther(t *testing.T) {
	t.Parallel()
	w, call := opened()
	first := changed(t, "first", call, urgent)
	second := changed(t, "second", call, renamed)
	planned, err := w.Onto(tasktest.Owner(), second, first, nil)
	if err != nil {
		t.Fatal(err)
	}
	written := write(t, w, first)
	real, err := w.Onto(tasktest.Owner(), second, first, &written)
	if err != nil || string(real.Deed) != string(planned.Deed) {
		t.Errorf("%s and %s, %v", real.Deed, planned.Deed, err)
	}
	write(t, w, real)
	if got := now(t, w)[0]; got.Title != "Call Al" || got.Priority != task.High {
		t.Errorf("%+v, want both", got)
	}
	gone := made(t, task.Amendment{Key: "gone", From: &call})
	if _, err := w.Onto(tasktest.Owner(), second, gone, nil); fault.CodeOf(err) != change.Changed {
		t.Errorf("a change of a deleted task: %v, want changed", err)
	}
}

func TestADeedNeedsATask(t *testing.T) {
	t.Parallel()
	w, _ := opened()
	for _, deed := range []string{`{}`, `no`} {
		if _, err := w.Write(t.Context(), tasktest.Owner(), meet.Change{Deed: json.RawMessage(deed)}); err == nil {
			t.Errorf("%s was written", deed)
		}
	}
}
