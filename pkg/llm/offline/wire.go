package offline

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// completionRequest is what of a Chat Completions request matters here; the rest is accepted and ignored.
type completionRequest struct {
	Model          string          `json:"model"`
	Messages       []message       `json:"messages"`
	Tools          []tool          `json:"tools"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
	ResponseFormat *responseFormat `json:"response_format"`
	Stream         bool            `json:"stream"`
	StreamOptions  struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type message struct {
	Role string `json:"role"`
	// Content is a text, or a list of parts.
	Content any `json:"content"`
}

// text is what a message says; parts that are no text are left out. It is not ok where the content has neither form.
func (m message) text() (text string, ok bool) {
	switch c := m.Content.(type) {
	case nil:
		return "", true
	case string:
		return c, true
	case []any:
		return textOf(c)
	default:
		return "", false
	}
}

func textOf(parts []any) (all string, ok bool) {
	var b strings.Builder
	for _, p := range parts {
		part, isPart := p.(map[string]any)
		text, isText := part["text"].(string)
		if p != nil && !isPart || part["text"] != nil && !isText {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

type tool struct {
	Function functionName `json:"function"`
}

type functionName struct {
	Name       string          `json:"name"`
	Parameters json.RawMessage `json:"parameters"`
}

type responseFormat struct {
	Type       string `json:"type"`
	JSONSchema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// legible reports whether all messages have a content that says something, or none.
func (r *completionRequest) legible() bool {
	return !slices.ContainsFunc(r.Messages, func(m message) bool {
		_, ok := m.text()
		return !ok
	})
}

// lastUser is the text of the last message that the user wrote.
func (r *completionRequest) lastUser() string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			text, _ := m.text()
			return text
		}
	}
	return ""
}

// demand is which functions a request allows, and in which form the answer has to come.
type demand struct {
	names []string
	// asContent asks for JSON in the content instead of a tool call; wrapped, for the function's name around it.
	asContent bool
	wrapped   bool
	// nested puts the wrapped call into a member named call.
	nested bool
}

// demand reads tools, tool_choice and response_format. No names means that plain text was asked for.
func (r *completionRequest) demand() demand {
	if r.ResponseFormat != nil && r.ResponseFormat.Type == "json_schema" {
		name := r.ResponseFormat.JSONSchema.Name
		if slices.Contains(functionNames, name) {
			return demand{names: []string{name}, asContent: true}
		}
		schema := string(r.ResponseFormat.JSONSchema.Schema)
		var named []string
		for _, f := range functionNames {
			if strings.Contains(schema, `"`+f+`"`) {
				named = append(named, f)
			}
		}
		return demand{names: named, asContent: true, wrapped: true, nested: strings.Contains(schema, `"call"`)}
	}
	var d demand
	for _, t := range r.Tools {
		if slices.Contains(functionNames, t.Function.Name) || isTool(t.Function.Name) {
			d.names = append(d.names, t.Function.Name)
		}
	}
	var mode string
	if json.Unmarshal(r.ToolChoice, &mode) == nil && mode == "none" {
		return demand{}
	}
	var forced tool
	if json.Unmarshal(r.ToolChoice, &forced) == nil && forced.Function.Name != "" {
		d.names = slices.DeleteFunc(d.names, func(n string) bool { return n != forced.Function.Name })
	}
	return d
}

// tokens estimates how many tokens a text is: four characters each, and no fewer than its words.
func tokens(text []byte) int {
	characters := utf8.RuneCount(text)
	estimate := (characters + 3) / 4
	// There are more words than that only where there are as many spaces, which are quicker to count. At most every
	// character of several bytes is one of them.
	spaces := len(text) - characters
	for _, space := range []byte("\t\n\v\f\r ") {
		spaces += bytes.Count(text, []byte{space})
	}
	if spaces < estimate {
		return estimate
	}
	words := 0
	for range bytes.FieldsSeq(text) {
		words++
	}
	return max(estimate, words)
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int     `json:"index"`
	Message      *answer `json:"message,omitempty"`
	Delta        *answer `json:"delta,omitempty"`
	FinishReason *string `json:"finish_reason"`
}

// answer is a message or, in a stream, a piece of one.
type answer struct {
	Role      string     `json:"role,omitempty"`
	Content   *string    `json:"content,omitempty"`
	Refusal   *string    `json:"refusal,omitempty"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
}

type toolCall struct {
	// Index is there in streams only.
	Index    *int         `json:"index,omitempty"`
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type usage struct {
	PromptTokens        int `json:"prompt_tokens"`
	CompletionTokens    int `json:"completion_tokens"`
	TotalTokens         int `json:"total_tokens"`
	PromptTokensDetails struct {
		CachedTokens int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

type modelList struct {
	Object string      `json:"object"`
	Data   []modelCard `json:"data"`
}

type modelCard struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

type failure struct {
	Error failureDetail `json:"error"`
}

type failureDetail struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

func refuse(w http.ResponseWriter, status int, kind, text string) {
	writeJSON(w, status, failure{failureDetail{Message: text, Type: kind}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The client is gone if this fails, and there is nobody else to tell.
	_ = json.NewEncoder(w).Encode(v)
}
