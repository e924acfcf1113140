package workflow

import (
	"context"
	"encoding/json"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Run is a plan that was carried out, or waits for an answer, as its owner sees it.
type Run struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Workflow is the name of the saved workflow that was run; empty for a message of its own.
	Workflow string `json:"workflow,omitempty"`
	// Words are the owner's.
	Words  string          `json:"words"`
	Status Status          `json:"status" enum:"running,waiting_for_user,proposed,completed,partly,failed,cancelled,lapsed,undone"`
	Steps  []meet.PlanStep `json:"steps"`
	// Question is what it waits for, until a time.
	Question *meet.Choices `json:"question,omitempty"`
	Until    *time.Time    `json:"until,omitempty"`
	// Changes is the set that came of it.
	Changes      meet.ChangesID      `json:"changesId,omitempty"`
	Conversation meet.ConversationID `json:"conversationId"`
	// Turn is the latest turn that went on with it.
	Turn    meet.TurnID `json:"turnId"`
	Started time.Time   `json:"startedAt"`
	Updated time.Time   `json:"updatedAt"`
}

// Status is how far a run has come.
type Status string

// The statuses. The changes of a proposed run wait for a confirmation; what becomes of them becomes of the run. A run
// that waited for too long has lapsed; one whose turn was cut short has failed.
const (
	Running   Status = "running"
	Waiting   Status = "waiting_for_user"
	Proposed  Status = "proposed"
	Completed Status = "completed"
	Partly    Status = "partly"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
	Lapsed    Status = "lapsed"
	Undone    Status = "undone"
)

// Life is how long a run is kept.
const Life = 30 * 24 * time.Hour

// Record is a run as it is kept.
type Record struct {
	Run
	Owner    meet.PersonID `json:"owner"`
	Language string        `json:"language"`
	// Step is the index of the step that asks, and State how far the plan has come, as the stage that carries it out keeps
	// it. Both are of a run that waits.
	Step  int             `json:"step,omitempty"`
	State json.RawMessage `json:"state,omitempty"`
	// Tries counts the turns that took the run and failed.
	Tries int `json:"tries,omitempty"`
}

// Take lets a turn go on with the run, which must wait for the answer to that question. The turn itself may take it
// again. Of several turns one gets it; the others, and those that come too late, get a fault.Conflict.
func (r *Record) Take(question string, turn meet.TurnID, now time.Time) error {
	taken := r.Status == Running && r.Turn == turn
	if r.Question == nil || r.Question.ID != question || !taken && r.Status != Waiting {
		return fault.New(fault.Conflict, "This run no longer waits for an answer to that question.")
	}
	if r.Late(now) {
		return fault.New(fault.Conflict, "This run has waited for too long and has lapsed; start it anew.")
	}
	r.Status, r.Turn, r.Updated = Running, turn, now
	return nil
}

// Release lets the run wait again after a turn that took it and failed. A run that the turn began has failed too.
func (r *Record) Release(turn meet.TurnID, now time.Time) {
	switch {
	case r.Status != Running || r.Turn != turn:
	case r.Question == nil:
		r.end(Failed, now)
	default:
		r.Status = Waiting
		r.Tries++
	}
}

// Cancel ends a run that waits for an answer.
func (r *Record) Cancel(now time.Time) error {
	if r.Status != Waiting {
		return fault.New(fault.Conflict, "This run does not wait for an answer, so that there is nothing to call off.")
	}
	r.end(Cancelled, now)
	return nil
}

// Become makes the record what a turn left of the run. A question that it has asked already, and that has been answered
// since, is not asked again: the turn only runs once more.
func (r *Record) Become(next Record) {
	if next.Status == Running && r.ID != "" {
		return
	}
	again := next.Status == Waiting && r.Question != nil && r.Question.ID == next.Question.ID
	if again && r.Turn != next.Turn {
		return
	}
	*r = next
	if r.Status != Waiting {
		r.end(r.Status, r.Updated)
	}
}

func (r *Record) end(as Status, now time.Time) {
	r.Status, r.Updated = as, now
	r.Question, r.Until, r.State, r.Step, r.Tries = nil, nil, nil, 0, 0
}

// Late reports whether the run waits, and has waited for too long.
func (r *Record) Late(now time.Time) bool {
	return r.Until != nil && r.Status == Waiting && now.After(*r.Until)
}

// Seen is the run as its owner sees it, with what has become of its changes; nil if that is not known.
func (r *Record) Seen(now time.Time, set *meet.ChangeSet) Run {
	seen := r.Run
	if r.Late(now) {
		seen.Status, seen.Question = Lapsed, nil
	}
	if set != nil && seen.Status == Proposed && set.Status != meet.ChangesPending {
		seen.Status = became(set.Status)
	}
	return seen
}

// Settle notes what has become of the changes of the run.
func (r *Record) Settle(set meet.ChangeSet) {
	over := set.Status != meet.ChangesPending && set.Status != meet.ChangesApplying
	if over && (r.Changes == set.ID || r.Changes == "") {
		r.Changes, r.Status = set.ID, became(set.Status)
	}
}

// became is what a run is whose changes have a status.
func became(status meet.ChangeSetStatus) Status {
	return map[meet.ChangeSetStatus]Status{
		meet.ChangesPending: Proposed, meet.ChangesApplying: Running, meet.ChangesApplied: Completed,
		meet.ChangesPartly: Partly, meet.ChangesCancelled: Cancelled, meet.ChangesExpired: Lapsed,
		meet.ChangesReplaced: Cancelled, meet.ChangesUndone: Undone,
	}[status]
}

// Store keeps runs; its suite is in package workflowtest.
type Store interface {
	// Keep makes the stored run what a turn left of it; see Record.Become.
	Keep(ctx context.Context, next Record) error
	// Change changes a run that is there, and returns what is stored. An unknown one is fault.NotFound. The function may
	// be called several times; its error ends the change, and nothing is written.
	Change(ctx context.Context, id string, change func(*Record) error) (Record, error)
	Run(ctx context.Context, id string) (Record, error)
	// Runs are the latest of a person, at most so many, the newest first.
	Runs(ctx context.Context, person meet.PersonID, most int) ([]Record, error)
}
