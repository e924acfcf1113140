// Package agui encodes the updates of a turn as events of AG-UI, the Agent-User Interaction Protocol, version 1.0, so
// that its HttpAgent and the front ends built on it can show a turn without knowing Convene.
//
// A turn is a run, and its conversation the thread. The acknowledgment and the message are text messages, each whole
// and once; the turn's results, as the proposal, are activity messages, which keep their place in the conversation; the
// turn's progress is in the state, below "turn", which each turn replaces without changing the rest of the state. The
// pieces of a message are only a preview of it: they gather in "turn.preview", which is emptied when the message comes,
// or at the end if none does. Stages that take time are steps. Any other update is a custom event.
package agui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"convene/pkg/meet"
)

// version is the protocol's.
const version = "1.0"

// vendor is the prefix of Convene's own names.
const vendor = "convene."

// Encoder encodes the updates of one turn, in order from the first. The events of an update depend only on it and those
// before. The zero value is ready.
type Encoder struct {
	// Run is the client's id of the run. Defaults to the turn's id.
	Run string

	turn    meet.TurnUpdate
	preview strings.Builder
	// step is the open step.
	step string
	// failed is true if the run has ended in an error, after which nothing may follow.
	failed bool
}

// Encode returns the data of the events of an update, one line of JSON, in order. There may be none.
func (e *Encoder) Encode(update []byte) ([][]byte, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(update, &head); err != nil {
		return nil, fmt.Errorf("update: %w", err)
	}
	if e.failed {
		return nil, nil
	}
	events, err := e.events(head.Type, update)
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", head.Type, err)
	}
	lines := make([][]byte, 0, len(events))
	for _, event := range events {
		line, err := meet.MarshalLine(event)
		if err != nil {
			return nil, fmt.Errorf("update %s: %w", head.Type, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func (e *Encoder) events(kind string, update []byte) ([]any, error) {
	switch kind {
	case "turn":
		return with(update, e.begin)
	case "acknowledgment":
		return with(update, func(u meet.AcknowledgmentUpdate) []any {
			return e.text(kind, u.Text, origin{Update: kind, Intent: u.Intent, Language: u.Language})
		})
	case "progress":
		return with(update, func(u meet.ProgressUpdate) []any {
			return append(e.enter(u.Stage), e.state(kind, json.RawMessage(update)))
		})
	case "template", "candidates":
		return []any{e.state(kind, json.RawMessage(update))}, nil
	case "message_delta":
		return with(update, func(u meet.MessageDeltaUpdate) []any {
			e.preview.WriteString(u.Text)
			return []any{e.state("preview", e.preview.String())}
		})
	case "message":
		return with(update, func(u meet.MessageUpdate) []any {
			return append(e.withdraw(), e.text(kind, u.Text, origin{Update: kind, ComposedBy: u.ComposedBy})...)
		})
	case "event", "alternatives", "activities", "navigate", "plan":
		return e.activity(kind, "", update), nil
	case "result":
		return with(update, func(u meet.ResultUpdate) []any { return e.activity(kind, u.Step, update) })
	case "changes":
		return with(update, func(u meet.ChangesUpdate) []any { return e.activity(kind, string(u.Changes.ID), update) })
	case "choices":
		return with(update, func(u meet.ChoicesUpdate) []any { return e.activity(kind, u.ID, update) })
	case "applied":
		return with(update, func(u meet.AppliedUpdate) []any { return e.activity(kind, string(u.ChangesID), update) })
	case "error":
		return with(update, func(u meet.ErrorUpdate) []any { return e.fail(u, e.state(kind, json.RawMessage(update))) })
	case "done":
		return with(update, func(u meet.DoneUpdate) []any { return e.finish(u, update) })
	default:
		return []any{customEvent{Type: "CUSTOM", Name: vendor + kind, Value: update}}, nil
	}
}

// begin opens the run, and replaces the last turn in the state.
func (e *Encoder) begin(u meet.TurnUpdate) []any {
	e.turn = u
	return []any{
		runEvent{Type: "RUN_STARTED", Thread: u.ConversationID, Run: e.run(), Version: version},
		stateEvent{Type: "STATE_DELTA", Delta: []patch{{Op: "add", Path: "/turn", Value: u}}},
	}
}

func (e *Encoder) run() string {
	if e.Run != "" {
		return e.Run
	}
	return string(e.turn.TurnID)
}

// message returns the id of one of the turn's messages, unique in the conversation.
func (e *Encoder) message(kind string) string { return string(e.turn.TurnID) + ":" + kind }

func (e *Encoder) text(kind, content string, from origin) []any {
	if content == "" {
		return nil
	}
	id := e.message(kind)
	return []any{
		textEvent{Type: "TEXT_MESSAGE_START", MessageID: id, Role: "assistant", Metadata: &metadata{from}},
		textEvent{Type: "TEXT_MESSAGE_CONTENT", MessageID: id, Delta: content},
		textEvent{Type: "TEXT_MESSAGE_END", MessageID: id},
	}
}

// activity is an update as an activity message, which replaces the one of the same type and name.
func (e *Encoder) activity(kind, name string, update json.RawMessage) []any {
	id := e.message(kind)
	if name != "" {
		id += ":" + name
	}
	return []any{activityEvent{Type: "ACTIVITY_SNAPSHOT", MessageID: id, ActivityType: vendor + kind, Content: update}}
}

// state replaces a member of "turn" in the state.
func (e *Encoder) state(name string, value any) any {
	return stateEvent{Type: "STATE_DELTA", Delta: []patch{{Op: "add", Path: "/turn/" + name, Value: value}}}
}

// withdraw empties the preview, if there is one.
func (e *Encoder) withdraw() []any {
	if e.preview.Len() == 0 {
		return nil
	}
	e.preview.Reset()
	return []any{e.state("preview", "")}
}

// enter closes the open step, if any, and opens the next, unless step is empty.
func (e *Encoder) enter(step string) []any {
	var events []any
	if e.step != "" {
		events = append(events, stepEvent{Type: "STEP_FINISHED", Step: e.step})
	}
	if step != "" {
		events = append(events, stepEvent{Type: "STEP_STARTED", Step: step})
	}
	e.step = step
	return events
}

// fail ends the run, with stands, the last change of the state. Before a run has begun, only an error is allowed.
func (e *Encoder) fail(u meet.ErrorUpdate, stands any) []any {
	e.failed = true
	end := errorEvent{Type: "RUN_ERROR", Message: u.Message, Code: u.Code}
	if e.turn.TurnID == "" {
		return []any{end}
	}
	return append(e.withdraw(), stands, end)
}

// finish closes what is open and ends the run with its result.
func (e *Encoder) finish(u meet.DoneUpdate, update json.RawMessage) []any {
	stands := e.state("done", update)
	if u.Outcome == meet.OutcomeFailed {
		return e.fail(meet.ErrorUpdate{Code: "internal", Message: "This request could not be answered."}, stands)
	}
	end := finishedEvent{
		Type: "RUN_FINISHED", Thread: e.turn.ConversationID, Run: e.run(),
		Result: update, Outcome: outcome{Type: "success"}, Usage: usage(u.Receipt),
	}
	if u.Outcome == meet.OutcomeCancelled {
		end.Outcome.Type, end.Result = "cancelled", nil
	}
	return append(slices.Concat(e.enter(""), e.withdraw()), stands, end)
}

// usage returns the models' tokens; cached ones are part of the input, as in the receipt.
func usage(r meet.Receipt) []tokenUsage {
	if r.Tokens == (meet.Tokens{}) {
		return nil
	}
	return []tokenUsage{{
		Input: r.Tokens.Input, Cached: r.Tokens.Cached, Output: r.Tokens.Output, Total: r.Tokens.Input + r.Tokens.Output,
	}}
}

// with decodes the update as a U.
func with[U meet.Update](update []byte, events func(U) []any) ([]any, error) {
	var u U
	if err := json.Unmarshal(update, &u); err != nil {
		return nil, err
	}
	return events(u), nil
}
