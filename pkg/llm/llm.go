// Package llm has the request and the reply of a language model, independent of vendors.
package llm

import (
	"context"
	"encoding/json"
)

// Stage identifies the pipeline's call. Configuration gives each its model, reasoning effort, deadline and tool mode.
type Stage string

// The calls that a turn can make: Classify, and then Template and Select for an event, or Plan for anything else.
const (
	Classify Stage = "classify"
	Template Stage = "template"
	Select   Stage = "select"
	Plan     Stage = "plan"
)

// Request is one call. A model answers it with exactly one function call.
type Request struct {
	Stage Stage
	// System is the static instruction. It is byte-identical for all turns, so that a provider can cache it.
	System string
	// Data is the variable part: one JSON document. Everything from people, calendars and places is in it, as strings, and
	// none of it is an instruction.
	Data string
	// Tools are the functions offered. Force names the one that must be called; empty leaves the choice.
	Tools []Tool
	Force string
	// CacheKey groups requests that share their static part (prompt_cache_key of the OpenAI API).
	CacheKey string
	// Repair, if set, is a call that did not fit its schema, and why; the model gets one more try.
	Repair *Repair
}

// Tool is a function the model may call. Parameters is a strict JSON Schema.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// Repair is the problem of the first answer.
type Repair struct {
	Call    Call
	Problem string
}

// Call is a function call as the model wrote it. Arguments is unchecked JSON.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

// Usage counts tokens. Cached ones are part of Input.
type Usage struct {
	Input  int `json:"input"`
	Cached int `json:"cached"`
	Output int `json:"output"`
}

// Reply is a finished answer.
type Reply struct {
	// Calls are the function calls in order. A well-behaved answer has one.
	Calls []Call
	// Text is the text beside the calls; usually empty.
	Text  string
	Usage Usage
	// Degraded, if not empty, says why another model than the configured one answered.
	Degraded string
}

// Model completes one request. onDelta, which may be nil, gets the arguments of the first call piece by piece while
// they are written; its error ends the call. A stream that is cut before its end is an error, never a short answer.
// Errors are faults: ModelUnavailable (retryable) if the provider cannot be reached, is overloaded, times out or does
// not end its answer; ModelAnswer if the answer is not a function call.
type Model interface {
	Complete(ctx context.Context, req Request, onDelta func(string) error) (Reply, error)
}
