// Package llm is what a stage asks of a language model and what comes back, with no vendor in it.
package llm

import (
	"context"
	"encoding/json"
)

// Stage says which of the pipeline's calls this is. Configuration gives each its model, reasoning effort,
// deadline and tool mode.
type Stage string

// The three calls a turn can make.
const (
	Classify Stage = "classify"
	Template Stage = "template"
	Select   Stage = "select"
)

// Request is one call. A model answers it with exactly one function call.
type Request struct {
	Stage Stage
	// System is the static instruction. It is byte-identical for all turns, so that a provider can cache it.
	System string
	// Data is what changes: one JSON document. All that people, calendars and places say is in here, as strings,
	// and none of it is an instruction.
	Data string
	// Tools are the functions offered. Force names the one that must be called; empty leaves the choice.
	Tools []Tool
	Force string
	// CacheKey groups requests that share their static part (prompt_cache_key of the OpenAI API).
	CacheKey string
	// Repair, where set, is a call that did not fit its schema and why; the model gets one more try.
	Repair *Repair
}

// Tool is a function the model may call. Parameters is a strict JSON Schema.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// Repair is what went wrong with the first answer.
type Repair struct {
	Call    Call
	Problem string
}

// Call is a function call as the model wrote it. Arguments is JSON that nobody has checked yet.
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
	// Text is what the model wrote beside its calls; usually empty.
	Text  string
	Usage Usage
	// Degraded, where not empty, says that another model than the configured one answered, and why.
	Degraded string
}

// Model completes one request. onDelta, which may be nil, gets the arguments of the first call piece by piece while
// they are written; its error ends the call. A stream that is cut before its end is an error, never a short answer.
// Errors are faults: ModelUnavailable (retryable) where the provider cannot be reached, refuses for load, times out or
// does not come to an end, ModelAnswer where it answered with something that is no function call.
type Model interface {
	Complete(ctx context.Context, req Request, onDelta func(string) error) (Reply, error)
}
