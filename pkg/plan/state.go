package plan

import (
	"encoding/json"
	"slices"
)

// Status is how far a step has come.
type Status string

// The statuses. Blocked is a step that needs one which failed, and Skipped one that was not needed.
const (
	Pending   Status = "pending"
	Ready     Status = "ready"
	Running   Status = "running"
	Completed Status = "completed"
	Failed    Status = "failed"
	Waiting   Status = "waiting_for_user"
	Blocked   Status = "blocked"
	Skipped   Status = "skipped"
)

// State is a plan that is being carried out. It can be kept as JSON, and continued by another process.
type State struct {
	Plan  Plan      `json:"plan"`
	Steps []Outcome `json:"steps"`

	order   []int
	changes []bool
	needs   [][]string
}

// Outcome is how far a step has come, and what it gave.
type Outcome struct {
	Status Status `json:"status"`
	// Gave is the data of the step's result; null if there is none.
	Gave json.RawMessage `json:"gave,omitempty"`
	// Why says, for the user, why the step failed or was left out; empty if it is plain.
	Why string `json:"why,omitempty"`
	// Milliseconds is how long the step took.
	Milliseconds float64 `json:"milliseconds,omitempty"`
}

// NewState begins a plan that Check has let pass.
func NewState(p Plan, tools Catalogue) *State {
	s := &State{Plan: p, Steps: make([]Outcome, len(p.Steps))}
	for i := range s.Steps {
		s.Steps[i].Status = Pending
	}
	s.Continue(tools)
	return s
}

// Continue makes a state that was kept one that can go on.
func (s *State) Continue(tools Catalogue) {
	s.needs, s.changes = make([][]string, len(s.Plan.Steps)), make([]bool, len(s.Plan.Steps))
	for i, step := range s.Plan.Steps {
		t, _ := tools(step.Tool)
		s.changes[i], s.needs[i] = t.Changes, step.Needs()
	}
	s.order = order(s.Plan, s.needs)
}

// Needs are the ids of the steps that must end before a step; see Step.Needs.
func (s *State) Needs(i int) []string { return s.needs[i] }

// Order are the indices of the steps in the order in which their changes are made.
func (s *State) Order() []int { return s.order }

// Ready are the steps to run next, by their indices: all steps that only read and have what they need, side by side, or
// a single one that changes something. A step sees the changes of the steps that are listed before it, and no others;
// so a change waits for what is before it, and what is after it waits for the change. None is ready while a step waits
// for the user, and after the end.
func (s *State) Ready() (ready []int) {
	s.settle()
	earlier := false // an earlier step has not ended
	for _, i := range s.order {
		switch status := s.Steps[i].Status; {
		case status == Waiting:
			return nil
		case status != Pending && status != Ready:
			continue
		case s.changes[i]:
			if !earlier && status == Ready {
				return []int{i}
			}
			return ready
		case status == Ready:
			ready = append(ready, i)
		}
		earlier = true
	}
	return ready
}

// settle gives each step whose needs have ended its status.
func (s *State) settle() {
	for _, i := range s.order { // what a step needs comes before it
		step, is := s.Plan.Steps[i], &s.Steps[i]
		if is.Status != Pending {
			continue
		}
		ended := true
		for _, id := range s.needs[i] {
			switch s.of(id).Status {
			case Failed, Blocked:
				is.Status = Blocked
			case Completed, Skipped:
			default:
				ended = false
			}
		}
		if is.Status == Blocked || !ended {
			continue
		}
		is.Status = Ready
		if step.Condition == nil {
			continue
		}
		switch of := s.of(step.Condition.From).Gave; {
		case Unread(of):
			is.Status, is.Why = Blocked, NotAllRead
		case !step.Condition.holds(Count(of)):
			is.Status = Skipped
		}
	}
}

// NotAllRead is why a step with a condition is blocked: what the condition is about could not all be read, so that
// nobody knows whether it holds.
const NotAllRead = "not all read"

// of is how far the step with an id has come.
func (s *State) of(id string) Outcome {
	i := slices.IndexFunc(s.Plan.Steps, func(step Step) bool { return step.ID == id })
	if i < 0 {
		return Outcome{}
	}
	return s.Steps[i]
}

// Waits is the step that waits for the user; false if none does.
func (s *State) Waits() (i int, ok bool) {
	i = slices.IndexFunc(s.Steps, func(o Outcome) bool { return o.Status == Waiting })
	return i, i >= 0
}

// Before are the indices of the steps that come before a step because it needs them, or they are needed by those.
func (s *State) Before(i int) (before []int) {
	seen := map[string]bool{}
	var collect func(int)
	collect = func(i int) {
		for _, id := range s.needs[i] {
			if !seen[id] {
				seen[id] = true
				collect(slices.IndexFunc(s.Plan.Steps, func(o Step) bool { return o.ID == id }))
			}
		}
	}
	collect(i)
	for j, step := range s.Plan.Steps {
		if seen[step.ID] {
			before = append(before, j)
		}
	}
	return before
}

// Used reports whether another step needs what a step gives.
func (s *State) Used(i int) bool {
	return slices.ContainsFunc(s.needs, func(needs []string) bool { return slices.Contains(needs, s.Plan.Steps[i].ID) })
}

// holds reports whether the condition is true of so many things.
func (c Condition) holds(n int) bool {
	switch c.Is {
	case Empty:
		return n == 0
	case NotEmpty:
		return n > 0
	default:
		return n > c.N
	}
}
