package meet

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// Waiting is what the last turns of a conversation about the user's day left open.
type Waiting struct {
	// Language is that of the conversation.
	Language string `json:"language"`
	// Changes are the pending change sets, the one shown last at the end. Fresh says that the previous turn showed it.
	Changes []ChangesID `json:"changes,omitempty"`
	Fresh   bool        `json:"fresh,omitempty"`
	// Choices is a question of the previous turn, and Call what its answer completes.
	Choices *Choices `json:"choices,omitempty"`
	// Said are the user's words that Choices came of.
	Said string `json:"said,omitempty"`
	// Call is the call of the previous turn, which the next message may change.
	Call *PlannedCall `json:"call,omitempty"`
	// Unheard says that code does not find the call in the user's own words: what it changes is asked for. Argument is
	// where the call has the name of several people ("people[0]"), if the choices are these.
	Unheard  bool   `json:"unheard,omitempty"`
	Argument string `json:"argument,omitempty"`
	// Means says what each of the choices does, in their order. Without it they complete the call.
	Means []Meaning `json:"means,omitempty"`
	// Applied is the set that was applied last: "undo". Earlier are those before it, the latest at the end.
	Applied ChangesID   `json:"applied,omitempty"`
	Earlier []ChangesID `json:"earlier,omitempty"`
	// Done says that the previous turn applied it at once.
	Done bool `json:"done,omitempty"`
	// Beside says that the previous turn applied it beside the set that waits, so that "undo" means it and no set.
	Beside bool `json:"beside,omitempty"`
	// Shown are the ids of what was listed last, in that order, and their type.
	Shown     []string `json:"shown,omitempty"`
	ShownType string   `json:"shownType,omitempty"`
	// Day is that of what was shown last, if all of it is on one day: "what else is on that day?".
	Day interval.Date `json:"day,omitzero"`
	// Listed are the ids of the list that was looked at last, whose numbers count once a single thing was shown.
	Listed []string `json:"listed,omitempty"`
	// Plan is a plan that waits for an answer; nil if there is none.
	Plan *WaitingPlan `json:"plan,omitempty"`
	// Request is what was carried out last, which can be saved as a workflow; nil if there is nothing.
	Request *Request `json:"request,omitempty"`
	// Offer is what the previous turn offers to do with what it listed; nil if it offers nothing.
	Offer *PlannedCall `json:"offer,omitempty"`
	// Times are the gaps or times that were listed last, in that order.
	Times []interval.Span `json:"times,omitempty"`
	Aside
}

// Aside is what the conversation went on from before it was answered.
type Aside struct {
	// Left are events and requests, the latest at the end; sets are in Changes. Back is the id of the one that the
	// previous turn asked about once more; empty if there is none.
	Left []Left `json:"left,omitempty"`
	Back string `json:"back,omitempty"`
	// Named is the id of the set or the proposal of which the message of the previous turn says that it still waits; empty
	// if there is none. Asked are those that were asked about once more.
	Named string   `json:"named,omitempty"`
	Asked []string `json:"asked,omitempty"`
}

// Left is something that waits: a change set, a proposed event, or a request that a question was asked about.
type Left struct {
	Set   *ChangeSet `json:"set,omitempty"`
	Event *Search    `json:"event,omitempty"`
	// Words are those of the request.
	Words string `json:"words,omitempty"`
}

// ID tells it from others; empty if it is nothing.
func (l Left) ID() string {
	switch {
	case l.Set != nil:
		return string(l.Set.ID)
	case l.Event != nil:
		return string(l.Event.Event.ID)
	}
	return l.Words
}

// Title is what it is called.
func (l Left) Title() string {
	switch {
	case l.Set != nil:
		titles := make([]string, len(l.Set.Changes))
		for i, c := range l.Set.Changes {
			titles[i] = c.Title
		}
		return strings.Join(titles, ", ")
	case l.Event != nil:
		return l.Event.Event.Title
	}
	return l.Words
}

// WaitingPlan is a run of a plan that an answer continues. It is kept longer than the rest of a conversation.
type WaitingPlan struct {
	// ID is the run's, and Choices its question.
	ID      string  `json:"id"`
	Choices Choices `json:"choices"`
	// Language is that of the question.
	Language string `json:"language"`
	// Until is the end of the time for an answer, and Keep how long that is in all.
	Until time.Time     `json:"until"`
	Keep  time.Duration `json:"keep"`
	// Fresh says that the previous turn asked.
	Fresh bool `json:"fresh,omitempty"`
}

// Request is a message that was carried out.
type Request struct {
	// Words are the user's, and Name what they are about.
	Words string        `json:"words"`
	Name  string        `json:"name"`
	Steps []RequestStep `json:"steps"`
	// Depends says that the words mean nothing without what was shown or said before.
	Depends bool `json:"depends,omitempty"`
}

// RequestStep is a call of a tool that a request became, with what it is for in the user's language.
type RequestStep struct {
	Tool    string `json:"tool"`
	Summary string `json:"summary"`
}

// Meaning is what a choice does: it makes the call, confirms the change set, or arranges a new event by the message or,
// if that is read anew, does what it says; none of them does nothing.
type Meaning struct {
	Call    *PlannedCall `json:"call,omitempty"`
	Changes ChangesID    `json:"changes,omitempty"`
	Message string       `json:"message,omitempty"`
	Anew    bool         `json:"anew,omitempty"`
}

// PlannedCall is a call of a tool that a message became.
type PlannedCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// Pending is the set that was shown last of those that wait; empty if there is none.
func (w *Waiting) Pending() ChangesID {
	if w == nil || len(w.Changes) == 0 {
		return ""
	}
	return w.Changes[len(w.Changes)-1]
}

// Numbered are the things that "the second one" is one of.
func (w *Waiting) Numbered() []string {
	if len(w.Shown) > 1 || len(w.Listed) == 0 {
		return w.Shown
	}
	return w.Listed
}

// With is what waits once the set does too, as the one shown last.
func (w Waiting) With(id ChangesID) Waiting {
	w = w.Without(id)
	w.Changes, w.Fresh = append(w.Changes, id), true
	return w
}

// Having is what waits once the set is applied.
func (w Waiting) Having(id ChangesID) Waiting {
	if w.Applied != "" && w.Applied != id {
		w.Earlier = append(slices.Clone(w.Earlier), w.Applied)
	}
	w.Applied = id
	return w
}

// Undone is what waits once the set that was applied last is not applied any more.
func (w Waiting) Undone() Waiting {
	w = w.Without(w.Applied)
	w.Applied = ""
	if last := len(w.Earlier) - 1; last >= 0 {
		w.Applied, w.Earlier = w.Earlier[last], w.Earlier[:last]
	}
	return w
}

// Without is what waits once the set no longer does. Those before it were not shown by the previous turn.
func (w Waiting) Without(id ChangesID) Waiting {
	w.Fresh = w.Fresh && w.Pending() != id
	w.Changes = slices.DeleteFunc(slices.Clone(w.Changes), func(one ChangesID) bool { return one == id })
	return w
}
