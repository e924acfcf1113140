package api

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// chatRequest is the request of useChat of the Vercel AI SDK. Its other members are ignored.
type chatRequest struct {
	TurnOptions
	ID       string        `json:"id" doc:"The chat's id, which is the conversation's."`
	Messages []chatMessage `json:"messages" doc:"The chat so far. Only the last message is read, which is the user's; the server remembers the conversation."`
}

type chatMessage struct {
	Role  string     `json:"role"`
	Parts []textPart `json:"parts"`
}

// agentRequest is a RunAgentInput of AG-UI. Its other members are ignored.
type agentRequest struct {
	ThreadID string         `json:"threadId" doc:"The thread's id, which is the conversation's."`
	RunID    string         `json:"runId" doc:"The run's id; events carry it."`
	Messages []agentMessage `json:"messages" doc:"The thread so far. Only the last message is read, which is the user's; the server remembers the conversation."`
	Props    TurnOptions    `json:"forwardedProps,omitzero" doc:"The turn's options."`
}

type agentMessage struct {
	Role    string       `json:"role"`
	Content agentContent `json:"content" doc:"Text, or parts; only texts are read."`
}

// textPart is a part of a message. Only texts are read.
type textPart struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
}

// agentContent is a text, or a list of parts.
type agentContent []textPart

// UnmarshalJSON accepts both. Anything else, as the object of an activity, is empty.
func (c *agentContent) UnmarshalJSON(data []byte) error {
	var text string
	var parts []textPart
	if json.Unmarshal(data, &text) == nil {
		*c = agentContent{{Type: "text", Text: text}}
	} else if json.Unmarshal(data, &parts) == nil {
		*c = parts
	}
	return nil
}

// Schema allows both.
func (agentContent) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeString}, {Type: huma.TypeArray, Items: r.Schema(reflect.TypeFor[textPart](), true, "")},
	}}
}

// textOf joins the texts of the parts.
func textOf(parts []textPart) string {
	var texts []string
	for _, p := range parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// lastOfUser returns the text of the user's message that has no answer yet. Messages of other roles after it, as a
// front end's instructions, do not count.
func lastOfUser[M any](messages []M, read func(M) (role, text string)) (string, error) {
	for _, m := range slices.Backward(messages) {
		role, text := read(m)
		if role == "user" {
			return text, nil
		}
		if role == "assistant" || role == "tool" {
			break
		}
	}
	return "", fault.Invalid("messages", "must end with a message of the user's")
}

// looseBodyOf reads the body of another protocol as a T and ignores unknown members.
func looseBodyOf[T any](body []byte) (v T, err error) {
	if err := json.Unmarshal(body, &v); err != nil {
		return v, malformed(err, "")
	}
	return v, nil
}

// checkChatID checks an id that the client gave a conversation.
func checkChatID(field, id string) error {
	if id != "" && !meet.IsID(id) {
		return fault.Invalid(field, "must be letters, digits and . _ @ : + - only, at most 128 of them, and begin with a "+
			"letter or a digit")
	}
	return nil
}

// within moves the field of a fault to its place in the request of another protocol, whose options are at place.
func within(err error, place string) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Field == "" || f.Field == meet.IdempotencyKeyField {
		return err
	}
	moved := *f
	moved.Field = join(place, f.Field)
	if f.Field == "message" {
		moved.Field = "messages"
	}
	return &moved
}
