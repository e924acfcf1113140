package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"convene/pkg/llm"
)

// The body of a request. The SDK's type has schemas as maps, which lose the order of properties, in which the model
// writes them.
type (
	completionRequest struct {
		Model          string           `json:"model"`
		Messages       []requestMessage `json:"messages"`
		ToolChoice     any              `json:"tool_choice,omitempty"`
		ParallelCalls  *bool            `json:"parallel_tool_calls,omitempty"`
		ResponseFormat *responseFormat  `json:"response_format,omitempty"`
		Effort         string           `json:"reasoning_effort,omitempty"`
		MaxTokens      int              `json:"max_completion_tokens"`
		CacheKey       string           `json:"prompt_cache_key,omitempty"`
		Stream         bool             `json:"stream"`
		StreamOptions  streamOptions    `json:"stream_options"`
	}
	requestMessage struct {
		Role       string        `json:"role"`
		Content    string        `json:"content"`
		ToolCalls  []requestCall `json:"tool_calls,omitempty"`
		ToolCallID string        `json:"tool_call_id,omitempty"`
	}
	// requestCall is a call to repair or, without id and arguments, the function that is forced.
	requestCall struct {
		ID       string       `json:"id,omitempty"`
		Type     string       `json:"type"`
		Function callFunction `json:"function"`
	}
	callFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments,omitempty"`
	}
	requestTool struct {
		Type     string       `json:"type"`
		Function toolFunction `json:"function"`
	}
	toolFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Strict      bool            `json:"strict"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	responseFormat struct {
		Type   string      `json:"type"`
		Schema namedSchema `json:"json_schema"`
	}
	namedSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	streamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
)

// requestBody returns the request as JSON. The parts that are the same for all turns come first: the functions, then
// the system message; the variable data is the user's message; a repair comes last.
func requestBody(req llm.Request, stage StageConfig, known *toolTexts) ([]byte, error) {
	if _, offered := onlyTool(req); req.Force != "" && !offered || len(req.Tools) == 0 {
		return nil, fmt.Errorf("no function %q among the %d offered", req.Force, len(req.Tools))
	}
	body := completionRequest{
		Model:         stage.Model,
		MaxTokens:     stage.MaxTokens,
		CacheKey:      req.CacheKey,
		Stream:        true,
		StreamOptions: streamOptions{IncludeUsage: true},
		Messages: []requestMessage{
			{Role: "system", Content: req.System},
			{Role: "user", Content: req.Data},
		},
	}
	if stage.Effort != EffortOmitted {
		body.Effort = stage.Effort
	}
	var tools []json.RawMessage
	if stage.ToolMode == JSONSchema {
		body.ResponseFormat = schemaFormat(req)
		body.Messages[0].Content += schemaInstruction(req)
	} else {
		var err error
		if tools, err = offerTools(&body, req, known); err != nil {
			return nil, err
		}
	}
	if req.Repair != nil {
		body.Messages = append(body.Messages, repairMessages(req, stage.ToolMode)...)
	}
	return withTools(tools, body)
}

// withTools returns the body as JSON with the tools, if any, as its first member.
func withTools(tools []json.RawMessage, body completionRequest) ([]byte, error) {
	size := 1 << 10
	for _, t := range tools {
		size += len(t)
	}
	for _, m := range body.Messages {
		size += len(m.Content) * 5 / 4 // some of it is escaped
	}
	var whole bytes.Buffer
	whole.Grow(size)
	before := `{"tools":[`
	for _, t := range tools {
		whole.WriteString(before)
		whole.Write(t)
		before = ","
	}
	if len(tools) == 0 {
		return encode(&whole, body)
	}
	whole.WriteString("]")
	rest := whole.Len()
	encoded, err := encode(&whole, body)
	if err == nil {
		encoded[rest] = ',' // the brace that began the rest
	}
	return encoded, err
}

// marshal does not escape <, > and &, for fewer tokens and a readable prompt.
func marshal(v any) ([]byte, error) { return encode(new(bytes.Buffer), v) }

// encode appends the JSON of v to the buffer.
func encode(buf *bytes.Buffer, v any) ([]byte, error) {
	encoder := json.NewEncoder(buf)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// onlyTool returns the function that must be called, if there is no choice.
func onlyTool(req llm.Request) (llm.Tool, bool) {
	if req.Force == "" && len(req.Tools) == 1 {
		return req.Tools[0], true
	}
	i := slices.IndexFunc(req.Tools, func(t llm.Tool) bool { return t.Name == req.Force })
	if i < 0 {
		return llm.Tool{}, false
	}
	return req.Tools[i], true
}

// offerTools sets how to choose among the tools, and returns them as JSON.
func offerTools(body *completionRequest, req llm.Request, known *toolTexts) ([]json.RawMessage, error) {
	texts := make([]json.RawMessage, len(req.Tools))
	for i, t := range req.Tools {
		text, err := known.of(t)
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	body.ParallelCalls = new(bool)
	body.ToolChoice = "required"
	if req.Force != "" {
		body.ToolChoice = requestCall{Type: "function", Function: callFunction{Name: req.Force}}
	}
	return texts, nil
}

// toolTexts caches the JSON of tools: a schema is the largest part of a request, and the same in each. The zero value
// is ready for use.
type toolTexts struct{ texts sync.Map }

// toolKey identifies a tool by its name and the address of its schema, which never changes.
type toolKey struct {
	name   string
	schema *byte
}

func (t *toolTexts) of(tool llm.Tool) ([]byte, error) {
	if len(tool.Parameters) == 0 {
		return nil, fmt.Errorf("function %q has no schema", tool.Name)
	}
	key := toolKey{tool.Name, &tool.Parameters[0]}
	if text, ok := t.texts.Load(key); ok {
		return text.(json.RawMessage), nil
	}
	text, err := marshal(requestTool{
		Type: "function",
		Function: toolFunction{
			Name: tool.Name, Description: tool.Description, Strict: true, Parameters: tool.Parameters,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("function %q: %w", tool.Name, err)
	}
	t.texts.Store(key, json.RawMessage(text))
	return text, nil
}

// repairMessages show the model its own call and its problem. A call of an unknown function, or without a JSON object
// as arguments, is shown as text, because the API would refuse it as a call.
func repairMessages(req llm.Request, mode ToolMode) []requestMessage {
	call, problem := req.Repair.Call, req.Repair.Problem
	if mode == JSONSchema || !carriable(req, call) {
		said := call.Arguments
		if _, only := onlyTool(req); !only || mode == Tools {
			said = call.Name + " " + call.Arguments
		}
		return []requestMessage{
			{Role: "assistant", Content: said},
			{Role: "user", Content: problem},
		}
	}
	id := cmp.Or(call.ID, "call_1")
	asked := requestCall{ID: id, Type: "function", Function: callFunction{Name: call.Name, Arguments: call.Arguments}}
	return []requestMessage{
		{Role: "assistant", ToolCalls: []requestCall{asked}},
		{Role: "tool", ToolCallID: id, Content: problem},
	}
}

func carriable(req llm.Request, call llm.Call) bool {
	offered := slices.ContainsFunc(req.Tools, func(t llm.Tool) bool { return t.Name == call.Name })
	var arguments map[string]json.RawMessage
	return offered && json.Unmarshal([]byte(call.Arguments), &arguments) == nil
}
