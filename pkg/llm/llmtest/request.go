package llmtest

import (
	"encoding/json"
	"net/http"
)

// Request is a client's request.
type Request struct {
	Header http.Header `json:"-"`
	// Raw is the body as it came.
	Raw []byte `json:"-"`

	Model          string          `json:"model"`
	Messages       []Message       `json:"messages"`
	Tools          []Tool          `json:"tools"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	ParallelCalls  *bool           `json:"parallel_tool_calls"`
	ResponseFormat *ResponseFormat `json:"response_format"`
	Effort         string          `json:"reasoning_effort"`
	MaxTokens      int             `json:"max_completion_tokens"`
	CacheKey       string          `json:"prompt_cache_key"`
	Stream         bool            `json:"stream"`
	StreamOptions  struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// Message is one of a request.
type Message struct {
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// Tool is a function that a request offers.
type Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Strict      bool            `json:"strict"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// ResponseFormat is the format of the text that a request asks for.
type ResponseFormat struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// ToolNames returns the names of the offered functions, in order.
func (r Request) ToolNames() []string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Function.Name)
	}
	return names
}

// Forced returns the function that tool_choice names, empty if it names none.
func (r Request) Forced() string {
	var choice struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	}
	if json.Unmarshal(r.ToolChoice, &choice) != nil {
		return "" // "required", "auto", or absent
	}
	return choice.Function.Name
}
