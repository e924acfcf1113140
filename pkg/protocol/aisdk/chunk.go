package aisdk

import "convene/pkg/meet"

// The chunks of the protocol that a turn needs.
type (
	startChunk struct {
		Type      string          `json:"type"`
		MessageID meet.TurnID     `json:"messageId"`
		Metadata  meet.TurnUpdate `json:"messageMetadata"`
	}
	textChunk struct {
		Type     string    `json:"type"`
		ID       string    `json:"id"`
		Delta    string    `json:"delta,omitempty"`
		Provider *provider `json:"providerMetadata,omitempty"`
	}
	dataChunk struct {
		Type string `json:"type"`
		ID   string `json:"id,omitempty"`
		Data any    `json:"data"`
	}
	errorChunk struct {
		Type string `json:"type"`
		Text string `json:"errorText"`
	}
	abortChunk struct {
		Type string `json:"type"`
	}
	finishChunk struct {
		Type     string          `json:"type"`
		Reason   string          `json:"finishReason"`
		Metadata meet.DoneUpdate `json:"messageMetadata"`
	}
)

// provider is the protocol's place for vendor data.
type provider struct {
	Convene origin `json:"convene"`
}

// origin says which update a text part is, with the update's other members.
type origin struct {
	Update     string      `json:"update"`
	Intent     meet.Intent `json:"intent,omitempty"`
	Language   string      `json:"language,omitempty"`
	ComposedBy meet.Author `json:"composedBy,omitempty"`
}

// previewChunk is the part data-preview with the message so far.
func previewChunk(text string) any {
	return dataChunk{Type: "data-preview", ID: "preview", Data: meet.MessageDeltaUpdate{Text: text}}
}
