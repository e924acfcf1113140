package agui

import (
	"encoding/json"

	"convene/pkg/meet"
)

// The events of the protocol that a turn needs.
type (
	runEvent struct {
		Type    string              `json:"type"`
		Thread  meet.ConversationID `json:"threadId"`
		Run     string              `json:"runId"`
		Version string              `json:"protocolVersion"`
	}
	stepEvent struct {
		Type string `json:"type"`
		Step string `json:"stepName"`
	}
	textEvent struct {
		Type      string    `json:"type"`
		MessageID string    `json:"messageId"`
		Role      string    `json:"role,omitempty"`
		Delta     string    `json:"delta,omitempty"`
		Metadata  *metadata `json:"metadata,omitempty"`
	}
	stateEvent struct {
		Type  string  `json:"type"`
		Delta []patch `json:"delta"`
	}
	activityEvent struct {
		Type         string          `json:"type"`
		MessageID    string          `json:"messageId"`
		ActivityType string          `json:"activityType"`
		Content      json.RawMessage `json:"content"`
	}
	customEvent struct {
		Type  string          `json:"type"`
		Name  string          `json:"name"`
		Value json.RawMessage `json:"value"`
	}
	errorEvent struct {
		Type    string `json:"type"`
		Message string `json:"message"`
		Code    string `json:"code,omitempty"`
	}
	finishedEvent struct {
		Type    string              `json:"type"`
		Thread  meet.ConversationID `json:"threadId"`
		Run     string              `json:"runId"`
		Result  json.RawMessage     `json:"result,omitempty"`
		Outcome outcome             `json:"outcome"`
		Usage   []tokenUsage        `json:"usage,omitempty"`
	}
)

// patch is an operation of RFC 6902.
type patch struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

type outcome struct {
	Type string `json:"type"`
}

type tokenUsage struct {
	Input  int `json:"inputTokens"`
	Cached int `json:"cachedInputTokens"`
	Output int `json:"outputTokens"`
	Total  int `json:"totalTokens"`
}

// metadata is the protocol's place for vendor data.
type metadata struct {
	Convene origin `json:"convene"`
}

// origin says which update a text message is, with the update's other members.
type origin struct {
	Update     string      `json:"update"`
	Intent     meet.Intent `json:"intent,omitempty"`
	Language   string      `json:"language,omitempty"`
	ComposedBy meet.Author `json:"composedBy,omitempty"`
}
