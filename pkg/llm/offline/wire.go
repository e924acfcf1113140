package offline

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"unicode/utf8"
)

// completionRequest is what of a Chat Completions request matters here; the rest is accepted and ignored.
type completionRequest struct {
	model    string
	messages []message
	// tools are the names of the functions on offer. toolChoice is how free the choice among them is, as it is written.
	tools      []string
	toolChoice raw
	// format is asked for instead of a tool call; nil where none is.
	format *responseFormat
	// stream asks for chunks, wantsUsage for one with the usage at their end.
	stream, wantsUsage bool
}

// message is a message with its content as it is written.
type message struct {
	role    string
	content raw
}

// responseFormat is a JSON schema that the answer has to follow, as it is written.
type responseFormat struct {
	name   string
	schema raw
}

// readRequest reads the body of a request. It has no messages where it is no such request.
func readRequest(body []byte) (r completionRequest) {
	for key, value := range raw(bytes.TrimSpace(body)).members() {
		switch key {
		case "model":
			r.model = value.text()
		case "messages":
			for m := range value.elements() {
				r.messages = append(r.messages, message{m.member("role").text(), m.member("content")})
			}
		case "tools":
			for t := range value.elements() {
				r.tools = append(r.tools, t.member("function").member("name").text())
			}
		case "tool_choice":
			r.toolChoice = value
		case "response_format":
			if value.member("type").text() == "json_schema" {
				asked := value.member("json_schema")
				r.format = &responseFormat{asked.member("name").text(), asked.member("schema")}
			}
		case "stream":
			r.stream = value.holds()
		case "stream_options":
			r.wantsUsage = value.member("include_usage").holds()
		}
	}
	return r
}

// text is what the message says, which the wire writes as a string or as a list of parts; those that are no text are left
// out.
func (m message) text() string {
	text := m.content.text()
	for part := range m.content.elements() {
		text += part.member("text").text()
	}
	return text
}

// lastUser is the text of the last message that the user wrote.
func (r *completionRequest) lastUser() string {
	for _, m := range slices.Backward(r.messages) {
		if m.role == "user" {
			return m.text()
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
	if r.format != nil {
		return r.format.demand()
	}
	if r.toolChoice.text() == "none" {
		return demand{}
	}
	forced := r.toolChoice.member("function").member("name").text()
	var d demand
	for _, name := range r.tools {
		if slices.Contains(functionNames, name) && (forced == "" || name == forced) {
			d.names = append(d.names, name)
		}
	}
	return d
}

func (f *responseFormat) demand() demand {
	if slices.Contains(functionNames, f.name) {
		return demand{names: []string{f.name}, asContent: true}
	}
	var named []string
	for _, name := range functionNames {
		if bytes.Contains(f.schema, []byte(`"`+name+`"`)) {
			named = append(named, name)
		}
	}
	return demand{names: named, asContent: true, wrapped: true, nested: bytes.Contains(f.schema, []byte(`"call"`))}
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
