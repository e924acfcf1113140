package workflow_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	all := []workflow.Workflow{
		{ID: "w1", Name: "Friday clean-up"}, {ID: "w2", Name: "Friday mail"}, {ID: "w3", Name: "סגירת שבוע"},
	}
	for words, want := range map[string]string{
		"friday cleanup": "w1", "Friday clean up": "w1", "w2": "w2", "mail": "w2", "Friday": "w1 w2", "סגירת שבוע": "w3",
		"Monday": "", "Friday mail sorting": "", "": "",
	} {
		var got []string
		for _, w := range workflow.Named(words, all) {
			got = append(got, w.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q means %v, want %s", words, got, want)
		}
	}
}

func TestWhatCannotBeKept(t *testing.T) {
	t.Parallel()
	for field, w := range map[string]workflow.Workflow{
		"":      {Name: "Month end", Words: "file the expenses"},
		"name":  {Name: "two\nlines", Words: "x"},
		"words": {Name: "Month end", Words: " "},
	} {
		raw, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		err = workflow.Kind.Validate("w", raw)
		if (err == nil) != (field == "") || err != nil && fault.As(err).Field != field {
			t.Errorf("%+v: %v, want a fault of %q", w, err, field)
		}
	}
	long, err := json.Marshal(workflow.Workflow{Name: strings.Repeat("a", workflow.LongestName+1), Words: "x"})
	if err != nil || workflow.Kind.Validate("w", long) == nil {
		t.Errorf("%v, a name without end is kept", err)
	}
}

// What has become of the changes of a run becomes of the run, and stays when the set is forgotten.
func TestWhatBecomesOfARun(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	for status, want := range map[meet.ChangeSetStatus]workflow.Status{
		meet.ChangesPending: workflow.Proposed, meet.ChangesApplied: workflow.Completed, meet.ChangesPartly: workflow.Partly,
		meet.ChangesCancelled: workflow.Cancelled, meet.ChangesExpired: workflow.Lapsed, meet.ChangesUndone: workflow.Undone,
	} {
		r := workflow.Record{Run: workflow.Run{ID: "pl_1", Status: workflow.Proposed, Changes: "ch_1"}}
		set := meet.ChangeSet{ID: "ch_1", Status: status}
		if got := r.Seen(now, &set).Status; got != want {
			t.Errorf("%s is seen as %s, want %s", status, got, want)
		}
		if r.Settle(set); r.Status != want {
			t.Errorf("%s is kept as %s, want %s", status, r.Status, want)
		}
		r.Settle(meet.ChangeSet{ID: "ch_other", Status: meet.ChangesApplied})
		if r.Status != want {
			t.Errorf("another set makes it %s", r.Status)
		}
	}
}

// A run is taken for its question, in time, and once; one whose turn failed waits again.
func TestTake(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	waits := func() *workflow.Record {
		until := now.Add(time.Hour)
		return &workflow.Record{Run: workflow.Run{
			ID: "pl_1", Status: workflow.Waiting, Turn: "t_1", Question: &meet.Choices{ID: "q_1"}, Until: &until,
		}}
	}
	r := waits()
	if err := r.Take("q_0", "t_2", now); err == nil {
		t.Error("the answer to another question goes on with it")
	}
	late := now.Add(2 * time.Hour)
	if err := r.Take("q_1", "t_2", late); err == nil || r.Seen(late, nil).Status != workflow.Lapsed {
		t.Errorf("%v, a run that has lapsed goes on", err)
	}
	if err := r.Take("q_1", "t_2", now); err != nil {
		t.Fatal(err)
	}
	if err := r.Take("q_1", "t_2", now); err != nil {
		t.Errorf("the same turn cannot go on after a crash: %v", err)
	}
	if err := r.Take("q_1", "t_3", now); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a second turn: %v", err)
	}
	if err := r.Cancel(now); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("a run that goes on is called off: %v", err)
	}
	r.Release("t_3", now)
	if r.Status != workflow.Running {
		t.Error("another turn lets it wait again")
	}
	if r.Release("t_2", now); r.Status != workflow.Waiting || r.Tries != 1 {
		t.Errorf("after its turn failed it is %s, tries %d", r.Status, r.Tries)
	}
	begun := workflow.Record{Run: workflow.Run{ID: "pl_2", Status: workflow.Running, Turn: "t_9"}}
	if begun.Release("t_9", now); begun.Status != workflow.Failed {
		t.Errorf("a run whose first turn failed is %s", begun.Status)
	}
	if err := r.Cancel(now); err != nil || r.Status != workflow.Cancelled || r.Question != nil {
		t.Errorf("%v, called off it is %+v", err, r.Run)
	}
}
