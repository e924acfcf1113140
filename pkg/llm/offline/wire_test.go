package offline_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/llm/offline"
)

const classifyDocument = `{"message":"coffee with Al next ` +
	`week","recentTurns":[],"hasEvent":false,"hasActivities":false}`

const wantArguments = `{"intent":"handle_event","acknowledgment":"Let me find a good time for coffee with Al next ` +
	`week.","language":"en"}`

// body is a request for classifyIntent with more members put in at the end.
func body(more string) string {
	document, err := json.Marshal(classifyDocument)
	if err != nil {
		return err.Error()
	}
	return `{"model":"nano","messages":[{"role":"system","content":"rules"},{"role":"user","content":` + string(document) +
		`}],` +
		`"tools":[{"type":"function","function":{"name":"classifyIntent","parameters":{}}}],` +
		`"tool_choice":{"type":"function","function":{"name":"classifyIntent"}}` + more + `}`
}

// reply is an answer read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
	// err is what ended the reading, nil for a regular end; firstByte is when the header came.
	err       error
	firstByte time.Time
}

func (r reply) stream() io.Reader { return bytes.NewReader(r.body) }

// exchange sends a request and reads the answer; an error is one of getting the header.
func exchange(ctx context.Context, via http.RoundTripper, url, body string) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	res, err := via.RoundTrip(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	r := reply{status: res.StatusCode, header: res.Header, firstByte: time.Now()}
	r.body, r.err = io.ReadAll(res.Body)
	return r, nil
}

const inProcess = "http://model/v1/chat/completions"

func ask(t *testing.T, via http.RoundTripper, body string) reply {
	t.Helper()
	r, err := exchange(t.Context(), via, inProcess, body)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type answer struct {
	Model   string
	Object  string
	Created int64
	Choices []struct {
		Message, Delta struct {
			Role      string
			Content   *string
			Refusal   *string
			ToolCalls []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		FinishReason *string `json:"finish_reason"`
	}
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		TotalTokens      int `json:"total_tokens"`
	}
	Error struct{ Message, Type string }
}

func decoded(t *testing.T, r io.Reader) (a answer) {
	t.Helper()
	if err := json.NewDecoder(r).Decode(&a); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnswerAtOnce(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Unix(1_772_640_000, 0) }
	got := decoded(t, ask(t, offline.New(offline.Options{Now: now}).Transport(), body("")).stream())
	if got.Object != "chat.completion" || got.Model != "nano" || got.Created != 1_772_640_000 || len(got.Choices) != 1 {
		t.Fatalf("answer %+v", got)
	}
	call := got.Choices[0].Message.ToolCalls[0]
	if call.Function.Name != "classifyIntent" || call.Type != "function" || call.ID == "" ||
		*got.Choices[0].FinishReason != "tool_calls" {
		t.Errorf("call %+v, finished %s", call, *got.Choices[0].FinishReason)
	}
	if diff := cmp.Diff(wantArguments, call.Function.Arguments); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if u := got.Usage; u == nil || u.PromptTokens < 50 || u.CompletionTokens < 20 ||
		u.TotalTokens != u.PromptTokens+u.CompletionTokens {
		t.Errorf("usage %+v", got.Usage)
	}
}

// chunks are the data of a stream's events, without the end mark; ended says whether that was there.
func chunks(t *testing.T, r io.Reader) (list []answer, ended bool) {
	t.Helper()
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		switch {
		case lines.Text() == "":
		case !ok:
			t.Fatalf("line %q of a stream", lines.Text())
		case data == "[DONE]":
			return list, true
		default:
			list = append(list, decoded(t, strings.NewReader(data)))
		}
	}
	return list, false
}

func TestStreamOverTCP(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(offline.New(offline.Options{}))
	t.Cleanup(server.Close)
	res, err := exchange(t.Context(), http.DefaultTransport, server.URL+"/chat/completions",
		body(`,"stream":true,"stream_options":{"include_usage":true}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := res.header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	list, ended := chunks(t, res.stream())
	if !ended || len(list) < 10 {
		t.Fatalf("%d chunks, ended %v", len(list), ended)
	}
	if first := list[0].Choices[0].Delta; first.Role != "assistant" || len(first.ToolCalls) != 0 {
		t.Errorf("first chunk %+v, want the role alone", first)
	}
	if second := list[1].Choices[0].Delta.ToolCalls[0]; second.ID == "" || second.Function.Name != "classifyIntent" ||
		second.Function.Arguments != "" {
		t.Errorf("second chunk %+v, want id and name", second)
	}
	var arguments strings.Builder
	for _, c := range list[2 : len(list)-2] {
		piece := c.Choices[0].Delta.ToolCalls[0].Function.Arguments
		if n := len(piece); n == 0 || n > 40 || c.Choices[0].FinishReason != nil {
			t.Errorf("fragment %q", piece)
		}
		arguments.WriteString(piece)
	}
	if diff := cmp.Diff(wantArguments, arguments.String()); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
	if last := list[len(list)-2].Choices[0]; last.FinishReason == nil || *last.FinishReason != "tool_calls" {
		t.Errorf("finish reason %v", last.FinishReason)
	}
	if usage := list[len(list)-1]; len(usage.Choices) != 0 || usage.Usage == nil {
		t.Errorf("last chunk %+v, want the usage", usage)
	}
}

func TestJSONSchemaInsteadOfTools(t *testing.T) {
	t.Parallel()
	document, _ := json.Marshal(classifyDocument)
	for name, c := range map[string]struct{ format, want string }{
		"bare arguments": {`{"name":"classifyIntent","schema":{}}`, wantArguments},
		"a choice": {`{"name":"choice","schema":{"enum":["classifyIntent"]}}`,
			`{"function":"classifyIntent","arguments":` + wantArguments + `}`},
		"a nested choice": {
			`{"name":"functionCall","schema":{"properties":{"call":{"enum":["classifyIntent"]}}}}`,
			`{"call":{"function":"classifyIntent","arguments":` + wantArguments + `}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := `{"messages":[{"role":"user","content":[{"type":"text","text":` + string(document) + `}]},` +
				`{"role":"assistant","content":"{}"},{"role":"user","content":"acknowledgment must not be empty"}],` +
				`"response_format":{"type":"json_schema","json_schema":` + c.format + `}}`
			got := decoded(t, ask(t, offline.New(offline.Options{}).Transport(), request).stream())
			if diff := cmp.Diff(c.want, *got.Choices[0].Message.Content); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
			if got.Model != offline.Name || *got.Choices[0].FinishReason != "stop" {
				t.Errorf("model %s, finished %s", got.Model, *got.Choices[0].FinishReason)
			}
		})
	}
}

func TestARepairGetsTheSameAnswer(t *testing.T) {
	t.Parallel()
	document, _ := json.Marshal(classifyDocument)
	request := strings.Replace(body(""), `{"role":"user","content":`+string(document)+`}`,
		`{"role":"user","content":`+string(document)+`},{"role":"assistant","tool_calls":[{"id":"x","type":"function",`+
			`"function":{"name":"classifyIntent","arguments":"{}"}}]},`+
			`{"role":"tool","tool_call_id":"x","content":"intent is missing"}`, 1)
	got := decoded(t, ask(t, offline.New(offline.Options{}).Transport(), request).stream())
	if diff := cmp.Diff(wantArguments, got.Choices[0].Message.ToolCalls[0].Function.Arguments); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

func TestPlainChatSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	got := decoded(t, ask(t, offline.New(offline.Options{}).Transport(),
		`{"messages":[{"role":"user","content":"hello"}]}`).stream())
	if text := got.Choices[0].Message.Content; text == nil || !strings.HasPrefix(*text, "Hello!") {
		t.Errorf("answer %v, want a greeting", text)
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	t.Parallel()
	via := offline.New(offline.Options{}).Transport()
	for request, want := range map[string]int{
		"not json": http.StatusBadRequest, `{"messages":[]}`: http.StatusBadRequest,
		`{"messages":[{"role":"user","content":5}]}`:        http.StatusBadRequest,
		`{"messages":[{"content":["text"]}]}`:               http.StatusBadRequest,
		`{"messages":[{"content":[{"text":5}]}]}`:           http.StatusBadRequest,
		`{"messages":"` + strings.Repeat("x", 9<<20) + `"}`: http.StatusRequestEntityTooLarge,
	} {
		res := ask(t, via, request)
		if got := decoded(t, res.stream()); res.status != want || got.Error.Message == "" {
			t.Errorf("%.20q: status %d, %q, want %d", request, res.status, got.Error.Message, want)
		}
	}
	res, err := exchange(t.Context(), via, "http://model/v1/images", "{}")
	if err != nil || res.status != http.StatusNotFound {
		t.Errorf("another path: %d, %v", res.status, err)
	}
}

func TestListOfModels(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	offline.New(offline.Options{}).ServeHTTP(rec,
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/models", http.NoBody))
	if !strings.Contains(rec.Body.String(), `"id":"`+offline.Name+`"`) {
		t.Errorf("models %s", rec.Body)
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	via := offline.New(offline.Options{}).Transport()
	results := make(chan []byte)
	for range 32 {
		go func() {
			r, err := exchange(t.Context(), via, inProcess, body(""))
			if err != nil {
				r.body = []byte(err.Error())
			}
			results <- r.body
		}()
	}
	for range 32 {
		if all := <-results; !bytes.Contains(all, []byte("coffee with Al next week")) {
			t.Errorf("answer %s", all)
		}
	}
}
