// Package aisdk encodes the updates of a turn in the UI message stream protocol, version 1, of the Vercel AI SDK, so
// that its useChat and everything built on it can show a turn without knowing Convene.
//
// A turn becomes one assistant message, whose id is the turn's. The acknowledgment and the message are its text parts,
// each whole and once; all other updates are data parts, data-<type>, with the update as their data and the type as
// their id, so that a later update replaces an earlier one of its type. Results, change sets, choices and what came of
// changes have the ids of their step, set and question, because a turn may have several. The protocol cannot take text
// back, and the pieces of a message are only a preview of it: they gather in the part data-preview, which is emptied
// when the message comes, or at the end if none does.
package aisdk

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"convene/pkg/meet"
)

// The header by which clients recognize the protocol, and its value.
const (
	Header  = "X-Vercel-Ai-Ui-Message-Stream"
	Version = "v1"
)

// done follows the last chunk; it is not JSON.
const done = "[DONE]"

// Encoder encodes the updates of one turn, in order from the first. The chunks of an update depend only on it and those
// before. The zero value is ready.
type Encoder struct {
	preview strings.Builder
}

// Encode returns the data of the events of an update, one line of JSON, in order. There may be none.
func (e *Encoder) Encode(update []byte) ([][]byte, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(update, &head); err != nil {
		return nil, fmt.Errorf("update: %w", err)
	}
	chunks, err := e.chunks(head.Type, update)
	if err != nil {
		return nil, fmt.Errorf("update %s: %w", head.Type, err)
	}
	var events [][]byte
	for _, c := range chunks {
		line, err := meet.MarshalLine(c)
		if err != nil {
			return nil, fmt.Errorf("update %s: %w", head.Type, err)
		}
		events = append(events, line)
	}
	if head.Type == meet.TypeOf(meet.DoneUpdate{}) {
		events = append(events, []byte(done))
	}
	return events, nil
}

func (e *Encoder) chunks(kind string, update []byte) ([]any, error) {
	switch kind {
	case "turn":
		return with(update, func(u meet.TurnUpdate) []any {
			return []any{startChunk{Type: "start", MessageID: u.TurnID, Metadata: u}}
		})
	case "acknowledgment":
		return with(update, func(u meet.AcknowledgmentUpdate) []any {
			return text(kind, u.Text, origin{Update: kind, Intent: u.Intent, Language: u.Language})
		})
	case "message_delta":
		return with(update, func(u meet.MessageDeltaUpdate) []any {
			e.preview.WriteString(u.Text)
			return []any{previewChunk(e.preview.String())}
		})
	case "message":
		return with(update, func(u meet.MessageUpdate) []any {
			return slices.Concat(e.withdraw(), text(kind, u.Text, origin{Update: kind, ComposedBy: u.ComposedBy}))
		})
	case "result":
		return with(update, func(u meet.ResultUpdate) []any { return named(kind, u.Step, update) })
	case "changes":
		return with(update, func(u meet.ChangesUpdate) []any { return named(kind, string(u.Changes.ID), update) })
	case "choices":
		return with(update, func(u meet.ChoicesUpdate) []any { return named(kind, u.ID, update) })
	case "applied":
		return with(update, func(u meet.AppliedUpdate) []any { return named(kind, string(u.ChangesID), update) })
	case "error":
		return with(update, func(u meet.ErrorUpdate) []any {
			return append(e.withdraw(), data(kind, update), errorChunk{Type: "error", Text: u.Message})
		})
	case "done":
		return with(update, func(u meet.DoneUpdate) []any { return append(e.withdraw(), finish(u)...) })
	default:
		return []any{data(kind, update)}, nil
	}
}

// withdraw empties the preview, if there is one.
func (e *Encoder) withdraw() []any {
	if e.preview.Len() == 0 {
		return nil
	}
	e.preview.Reset()
	return []any{previewChunk("")}
}

// with decodes the update as a U.
func with[U meet.Update](update []byte, chunks func(U) []any) ([]any, error) {
	var u U
	if err := json.Unmarshal(update, &u); err != nil {
		return nil, err
	}
	return chunks(u), nil
}

// text is a whole text part, with its origin, because it has no id once it is in a message.
func text(id, content string, from origin) []any {
	if content == "" {
		return nil
	}
	return []any{
		textChunk{Type: "text-start", ID: id, Provider: &provider{from}},
		textChunk{Type: "text-delta", ID: id, Delta: content},
		textChunk{Type: "text-end", ID: id},
	}
}

// data is the update itself as a data part. Updates of unknown types get no id, so that none replaces another.
func data(kind string, update []byte) dataChunk {
	part := dataChunk{Type: "data-" + kind, Data: json.RawMessage(update)}
	switch kind {
	case "progress", "template", "candidates", "event", "alternatives", "activities", "navigate", "plan", "error":
		part.ID = kind
	}
	return part
}

// named is an update as the data part of that id.
func named(kind, id string, update []byte) []any {
	return []any{dataChunk{Type: "data-" + kind, ID: id, Data: json.RawMessage(update)}}
}

// finish ends the message, and marks a cancelled one as aborted.
func finish(u meet.DoneUpdate) []any {
	end := finishChunk{Type: "finish", Reason: "stop", Metadata: u}
	if u.Outcome == meet.OutcomeFailed {
		end.Reason = "error"
	}
	if u.Outcome == meet.OutcomeCancelled {
		end.Reason = "other"
		return []any{abortChunk{Type: "abort"}, end}
	}
	return []any{end}
}
