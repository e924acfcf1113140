package meet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Update is something that the user sees. Each type is one struct here; adding a field or a type is compatible,
// renaming or removing one is not.
type Update interface{ updateType() string }

// TypeOf is the update's type in the stream.
func TypeOf(u Update) string { return u.updateType() }

// Interim reports whether a later update of the same turn replaces this one: a piece of a message that follows whole,
// candidates while some calendars are still being read, or a plan whose steps are running.
func Interim(u Update) bool {
	switch u := u.(type) {
	case MessageDeltaUpdate:
		return true
	case CandidatesUpdate:
		return u.Preliminary
	case PlanUpdate:
		return slices.ContainsFunc(u.Steps, func(s PlanStep) bool { return s.Status == "running" })
	default:
		return false
	}
}

// MarshalUpdate encodes the update as one line of JSON, with its type as the first member.
func MarshalUpdate(u Update) ([]byte, error) {
	if e, ok := u.(EventUpdate); ok {
		e.ProposalID = e.Event.ID
		if u = e; e.JSON != nil {
			head := `{"type":"event","proposalId":"` + string(e.ProposalID) + `","event":`
			return slices.Concat([]byte(head), e.JSON, []byte("}")), nil
		}
	}
	head := `{"type":"` + u.updateType() + `"`
	line, err := marshalLine(head, u)
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", u.updateType(), err)
	}
	if string(line[len(head):]) == "{}" {
		return append(line[:len(head)], '}'), nil
	}
	line[len(head)] = ',' // the other members follow the type
	return line, nil
}

// MarshalLine encodes v as one line of JSON without HTML escapes, so that "times & places" stays readable.
func MarshalLine(v any) ([]byte, error) { return marshalLine("", v) }

// Member is a member of an object, its value already encoded.
type Member struct {
	Name string
	JSON []byte
}

// AppendWith appends the struct v as JSON with more members, so that shared values are encoded once. Fields of v with
// the same names must be empty and omitempty.
func AppendWith(to []byte, v any, more ...Member) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	size := len(raw) + 1
	for _, m := range more {
		size += len(m.Name) + len(m.JSON) + len(`"":,`)
	}
	to = append(slices.Grow(to, size), raw[:len(raw)-1]...)
	comma := len(raw) > len("{}")
	for _, m := range more {
		if comma {
			to = append(to, ',')
		}
		to = append(append(append(append(to, '"'), m.Name...), `":`...), m.JSON...)
		comma = true
	}
	return append(to, '}'), nil
}

var lines = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func marshalLine(head string, v any) ([]byte, error) {
	line, _ := lines.Get().(*bytes.Buffer)
	defer lines.Put(line)
	line.Reset()
	line.WriteString(head)
	encoder := json.NewEncoder(line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(line.Bytes()[:line.Len()-1]), nil // without the line break
}

// TurnUpdate is the first update.
type TurnUpdate struct {
	TurnID         TurnID         `json:"turnId"`
	ConversationID ConversationID `json:"conversationId"`
}

// AcknowledgmentUpdate follows stage 1.
type AcknowledgmentUpdate struct {
	Text     string `json:"text"`
	Intent   Intent `json:"intent"`
	Language string `json:"language"`
}

// ProgressUpdate describes the current step. Step counts from 1; Of is the number of stages.
type ProgressUpdate struct {
	Text  string `json:"text"`
	Stage string `json:"stage"`
	Step  int    `json:"step"`
	Of    int    `json:"of"`
}

// TemplateUpdate is the request as understood.
type TemplateUpdate struct {
	Template Template `json:"template"`
	Mode     Mode     `json:"mode"`
}

// CandidatesUpdate follows stage 4. Slots and Places are counts.
type CandidatesUpdate struct {
	// Preliminary says that some calendars are still being read, and that another update replaces this one.
	Preliminary             bool             `json:"preliminary,omitempty"`
	Slots                   int              `json:"slots"`
	Places                  int              `json:"places"`
	Calendars               []CalendarStatus `json:"calendars"`
	HasNoCommonTime         bool             `json:"hasNoCommonTime"`
	HasExplicitTimeConflict bool             `json:"hasExplicitTimeConflict"`
	Reasons                 []Reason         `json:"reasons"`
	// Apart is set if people live too far apart to meet.
	Apart *Apart `json:"apart,omitempty"`
}

// MessageDeltaUpdate previews the message as plain text while it is written.
type MessageDeltaUpdate struct {
	Text string `json:"text"`
}

// Author is the author of a message.
type Author string

// A message is the model's if it passed its check, and composed by code otherwise.
const (
	ByModel Author = "model"
	ByCode  Author = "code"
)

// MessageUpdate is the final message in Markdown; it replaces the deltas.
type MessageUpdate struct {
	Text string `json:"text"`
	// HTML is safe to show in a page as it is; empty if the service renders none.
	HTML       string `json:"html,omitempty"`
	ComposedBy Author `json:"composedBy"`
}

// EventUpdate is the proposal.
type EventUpdate struct {
	// ProposalID is the event's id, with which the proposal is confirmed. MarshalUpdate sets it.
	ProposalID ProposalID `json:"proposalId,omitempty"`
	Event      Event      `json:"event"`
	// JSON, if not nil, is the encoded event, shared by everything that keeps it.
	JSON []byte `json:"-"`
}

// AlternativesUpdate lists other times and places without a new proposal.
type AlternativesUpdate struct {
	Slots   []Slot   `json:"slots"`
	Places  []Place  `json:"places,omitempty"`
	Reasons []Reason `json:"reasons"`
}

// ActivitiesUpdate answers "what is happening".
type ActivitiesUpdate struct {
	Activities []Suggestion `json:"activities"`
}

// NavigateUpdate is a booking page to open.
type NavigateUpdate struct {
	URL string `json:"url"`
}

// PlanUpdate is a plan with the statuses of its steps; a later one replaces it.
type PlanUpdate struct {
	PlanID string     `json:"planId"`
	Name   string     `json:"name"`
	Steps  []PlanStep `json:"steps"`
}

// ResultUpdate is the result of a step.
type ResultUpdate struct {
	Step     string   `json:"step"`
	Response Response `json:"response"`
}

// ChangesUpdate is a change set: pending, or applied at once.
type ChangesUpdate struct {
	Changes ChangeSet `json:"changes"`
}

// ChoicesUpdate asks a question with answers to choose from. The next message answers it, or a turn with the option.
type ChoicesUpdate struct {
	Choices
}

// AppliedUpdate is what came of a change set.
type AppliedUpdate struct {
	Applied
}

// ErrorUpdate is for the user and reveals nothing internal. RetryAfterSeconds is set if it is known.
type ErrorUpdate struct {
	Code              string `json:"code"`
	Message           string `json:"message"`
	Retryable         bool   `json:"retryable"`
	RetryAfterSeconds int    `json:"retryAfterSeconds,omitempty"`
}

// DoneUpdate is the last update, always and exactly once.
type DoneUpdate struct {
	Outcome OutcomeKind `json:"outcome"`
	Receipt Receipt     `json:"receipt"`
}

func (TurnUpdate) updateType() string           { return "turn" }
func (AcknowledgmentUpdate) updateType() string { return "acknowledgment" }
func (ProgressUpdate) updateType() string       { return "progress" }
func (TemplateUpdate) updateType() string       { return "template" }
func (CandidatesUpdate) updateType() string     { return "candidates" }
func (MessageDeltaUpdate) updateType() string   { return "message_delta" }
func (MessageUpdate) updateType() string        { return "message" }
func (EventUpdate) updateType() string          { return "event" }
func (AlternativesUpdate) updateType() string   { return "alternatives" }
func (ActivitiesUpdate) updateType() string     { return "activities" }
func (NavigateUpdate) updateType() string       { return "navigate" }
func (PlanUpdate) updateType() string           { return "plan" }
func (ResultUpdate) updateType() string         { return "result" }
func (ChangesUpdate) updateType() string        { return "changes" }
func (ChoicesUpdate) updateType() string        { return "choices" }
func (AppliedUpdate) updateType() string        { return "applied" }
func (ErrorUpdate) updateType() string          { return "error" }
func (DoneUpdate) updateType() string           { return "done" }

// OutcomeKind is how a turn ended.
type OutcomeKind string

// The ends that a turn can come to.
const (
	OutcomeProposed     OutcomeKind = "proposed"
	OutcomeConfirmed    OutcomeKind = "confirmed"
	OutcomeAlternatives OutcomeKind = "alternatives"
	OutcomeActivities   OutcomeKind = "activities"
	OutcomeNavigate     OutcomeKind = "navigate"
	OutcomeQuestion     OutcomeKind = "question"
	OutcomeAnswered     OutcomeKind = "answered"
	// OutcomeChanged means that changes were made, OutcomeWaiting that a question or a change set waits for the user, and
	// OutcomePartly that not all could be done.
	OutcomeChanged   OutcomeKind = "changed"
	OutcomeWaiting   OutcomeKind = "waiting"
	OutcomePartly    OutcomeKind = "partly"
	OutcomeCancelled OutcomeKind = "cancelled"
	OutcomeFailed    OutcomeKind = "failed"
)

// Outcome is the result of a turn.
type Outcome struct {
	Kind OutcomeKind
	// Event is the proposal, if there is one.
	Event *Event
	// Message is the last message to the user.
	Message string
	// Memo, if not empty, is what the conversation remembers instead: Message quotes what others wrote, which no model
	// reads.
	Memo    string
	Receipt Receipt
}

// Receipt says what a turn cost and what the checks removed from it.
type Receipt struct {
	Stages     []StageTime `json:"stages"`
	ModelCalls int         `json:"modelCalls"`
	Tokens     Tokens      `json:"tokens"`
	// Removed counts what the checks refused, by reason.
	Removed map[string]int `json:"removed,omitempty"`
	// Degraded lists what did not work as it should, in words for a person.
	Degraded []string `json:"degraded,omitempty"`
}

// StageTime is how long a stage took, in milliseconds.
type StageTime struct {
	Name string  `json:"name"`
	Ms   float64 `json:"ms"`
}

// Tokens count what the models read and wrote. Cached ones are part of Input.
type Tokens struct {
	Input  int `json:"input"`
	Cached int `json:"cached"`
	Output int `json:"output"`
}
