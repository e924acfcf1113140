package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
	"convene/pkg/llm/openai"
)

const (
	key       = "topsecret-0123456789"
	arguments = `{"rankedSlotIndices":[2,0],"message":"Schön — see you at **2:00 PM** <here>"}`
)

func request() llm.Request {
	return llm.Request{
		Stage:  llm.Select,
		System: "You rank.",
		Data:   `{"slots":["<a> & b"]}`,
		Tools: []llm.Tool{{
			Name:        "generateEvent",
			Description: "Ranks.",
			Parameters:  json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`),
		}},
		Force:    "generateEvent",
		CacheKey: "select-1",
	}
}

func choices() llm.Request {
	req := request()
	req.Stage, req.Force = llm.Template, ""
	req.Tools = append(req.Tools, llm.Tool{
		Name: "navigate", Description: "Opens.", Parameters: json.RawMessage(`{"type":"object"}`),
	})
	return req
}

func newClient(t *testing.T, s *llmtest.Server, change func(*openai.Config)) *openai.Client {
	t.Helper()
	cfg := openai.Config{BaseURL: s.URL, APIKey: key, HTTPClient: s.Client(), Backoff: time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return c
}

func TestComplete(t *testing.T) {
	t.Parallel()
	want := llm.Reply{
		Calls: []llm.Call{{ID: "call_1", Name: "generateEvent", Arguments: arguments}},
		Usage: llm.Usage{Input: 100, Cached: 64, Output: 20},
	}
	for name, answer := range map[string]llmtest.Answer{
		"a call":                           llmtest.Call("generateEvent", arguments),
		"a forced call ends with stop":     llmtest.Call("generateEvent", arguments).Finished("stop"),
		"comments and empty blocks within": llmtest.Call("generateEvent", arguments).Commented(),
		"another choice is not ours": llmtest.Call("generateEvent", arguments).
			Then(2, `{"choices":[{"index":1,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"x"}}]}}]}`),
		"null where nothing is": llmtest.Call("generateEvent", arguments).
			Then(2, `{"choices":null,"usage":null,"error":null}`).
			Then(2, `{"choices":[{"index":0,"delta":{"content":null,"tool_calls":null},"finish_reason":null}]}`),
		"id repeated in every piece": llmtest.Call("generateEvent", arguments).
			Then(2, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1",`+
				`"function":{"name":"generateEvent"}}]}}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(answer)
			var deltas []string
			got, err := newClient(t, server, nil).Complete(t.Context(), request(), func(s string) error {
				deltas = append(deltas, s)
				return nil
			})
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("reply (-want +got):\n%s", diff)
			}
			if joined := strings.Join(deltas, ""); joined != arguments {
				t.Errorf("deltas: together %q, want %q", joined, arguments)
			}
		})
	}
}

func TestSeveralCallsAreKeptAndOnlyTheFirstStreams(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]llmtest.Answer{
		"numbered": llmtest.Calls(llm.Call{ID: "a", Name: "one", Arguments: `{"n":1}`}, llm.Call{
			ID: "b", Name: "two", Arguments: `{"n":2}`,
		}),
		"all numbered 0, told apart by id": llmtest.Chunks(
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one",`+
				`"arguments":"{\"n\":1}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"two",`+
				`"arguments":"{\"n\":2}"}}]}}]}`,
			`{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(answer)
			var streamed string
			got, err := newClient(t, server, nil).Complete(t.Context(), choices(), func(s string) error {
				streamed += s
				return nil
			})
			if err != nil {
				t.Fatalf("Complete: %v", err)
			}
			want := []llm.Call{{ID: "a", Name: "one", Arguments: `{"n":1}`}, {ID: "b", Name: "two", Arguments: `{"n":2}`}}
			if diff := cmp.Diff(want, got.Calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if streamed != `{"n":1}` {
				t.Errorf("streamed %q, want the first call's arguments", streamed)
			}
		})
	}
}

// Every wrong answer, with no retries: what the caller is told and what the person may read.
func TestFailures(t *testing.T) {
	t.Parallel()
	good := llmtest.Call("generateEvent", arguments)
	for name, tc := range map[string]struct {
		answer    llmtest.Answer
		code      fault.Code
		retryable bool
		cause     string
	}{
		"cut":                   {good.CutAfter(3), fault.ModelUnavailable, true, "cut before its end"},
		"cut behind its finish": {good.CutAfter(good.Pieces()), fault.ModelUnavailable, true, "cut before its end"},
		"cut before anything":   {good.CutAfter(0), fault.ModelUnavailable, true, "cut before its end"},
		"connection broken":     {good.AbortAfter(3), fault.ModelUnavailable, true, "EOF"},
		"done without a finish": {llmtest.Chunks(`{"choices":[{"index":0,"delta":{"content":"x"}}]}`), fault.ModelUnavailable,
			true, "finish reason"},
		"no JSON":              {good.Then(2, "{nonsense"), fault.ModelUnavailable, true, "not the expected JSON"},
		"another kind of JSON": {good.Then(2, `{"choices":"x"}`), fault.ModelUnavailable, true, "not the expected JSON"},
		"error within": {good.Then(2, `{"error":{"message":"overloaded"}}`), fault.ModelUnavailable, true,
			"overloaded"},
		"error within, as text": {good.Then(2, `{"error":"out of memory"}`), fault.ModelUnavailable, true, "out of memory"},
		"500":                   {llmtest.ServerError(), fault.ModelUnavailable, true, "status 500"},
		"503":                   {llmtest.Status(503, ""), fault.ModelUnavailable, true, "status 503"},
		"502 as HTML":           {llmtest.BadGateway(), fault.ModelUnavailable, true, `status 502, "text/html": <html>`},
		"200 as HTML":           {llmtest.Status(200, "<html>Sign in</html>"), fault.ModelUnavailable, true, "Sign in"},
		"200 as JSON":           {llmtest.Status(200, `{"choices":[]}`), fault.ModelUnavailable, true, "application/json"},
		"429":                   {llmtest.RateLimited("7"), fault.ModelUnavailable, true, "status 429"},
		"quota spent": {llmtest.Status(429, `{"error":{"code":"insufficient_quota"}}`), fault.ModelUnavailable,
			false, "insufficient_quota"},
		"wrong key, which it repeats": {llmtest.Status(401, `{"error":{"message":"Incorrect API key `+key+
			`, sk-proj-abc*d"}}`), fault.ModelUnavailable, false, "Incorrect API key [key], [key]"},
		"request refused": {llmtest.Status(400, `{"error":{"message":"unknown model"}}`), fault.ModelUnavailable,
			false, "unknown model"},
		"redirect to nowhere": {llmtest.Status(304, ""), fault.ModelUnavailable, false, "status 304"},
		"refusal":             {llmtest.Refusal("I cannot"), fault.ModelAnswer, false, "refusal"},
		"content filter":      {good.Finished("content_filter"), fault.ModelAnswer, false, "content_filter"},
		"length":              {good.Finished("length"), fault.ModelUnavailable, true, "20 written"},
		"no choices":          {llmtest.EmptyChoices(), fault.ModelAnswer, false, "no choices"},
		"text":                {llmtest.Text("Sure, I will."), fault.ModelAnswer, false, "13 bytes of text"},
		"an index of no call": {
			good.Then(2, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":5,"function":{"arguments":"x"}}]}}]}`),
			fault.ModelAnswer, false, "index 5",
		},
		"a negative index": {
			good.Then(2, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":-1,"id":"x","function":{"name":"x"}}]}}]}`),
			fault.ModelAnswer, false, "index -1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(tc.answer)
			client := newClient(t, server, func(c *openai.Config) { c.Attempts = 1 })
			reply, err := client.Complete(t.Context(), request(), nil)
			f := fault.As(err)
			if f.Code != tc.code || f.Retryable != tc.retryable {
				t.Errorf("fault %s, retryable %v (%v); want %s, %v", f.Code, f.Retryable, err, tc.code, tc.retryable)
			}
			if !strings.Contains(err.Error(), tc.cause) {
				t.Errorf("cause %q, want it to say %q", err, tc.cause)
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("the error tells the key: %v", err)
			}
			for _, internal := range []string{key, "127.0.0.1", "http", "status", "html"} {
				if strings.Contains(f.Message, internal) {
					t.Errorf("message for a person tells %q: %q", internal, f.Message)
				}
			}
			if diff := cmp.Diff(llm.Reply{}, reply); diff != "" {
				t.Errorf("reply beside the error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	refused := errors.New("connect: connection refused")
	calls := 0
	client, err := openai.New(openai.Config{
		BaseURL: "http://localhost:1/v1", Backoff: time.Millisecond,
		HTTPClient: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
			calls++
			return nil, refused
		})},
	})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	_, err = client.Complete(t.Context(), request(), nil)
	if fault.CodeOf(err) != fault.ModelUnavailable || !fault.As(err).Retryable || !errors.Is(err, refused) {
		t.Errorf("Complete = %v, want a retryable ModelUnavailable because of %v", err, refused)
	}
	if calls != 3 {
		t.Errorf("%d attempts, want 3", calls)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cfg  openai.Config
		want string
	}{
		"the public service without a key":           {openai.Config{}, "OPENAI_API_KEY"},
		"the public service, spelled, without a key": {openai.Config{BaseURL: "https://API.openai.com/v1"}, "OPENAI_API_KEY"},
		"an address without a host":                  {openai.Config{BaseURL: "localhost:8080"}, "absolute"},
		"another scheme":                             {openai.Config{BaseURL: "ftp://example.com"}, "absolute"},
		"an address that is none": {openai.Config{
			BaseURL: "http://user:" + key + "@ex ample",
		}, "absolute"},
		"an unknown tool mode": {openai.Config{
			APIKey: key, Stages: map[llm.Stage]openai.StageConfig{llm.Select: {ToolMode: "magic"}},
		}, "magic"},
		"a negative deadline": {openai.Config{
			APIKey: key, Stages: map[llm.Stage]openai.StageConfig{llm.Select: {Deadline: -1}},
		}, "negative"},
		"a negative number of attempts": {openai.Config{APIKey: key, Attempts: -1}, "negative"},
		"a negative size":               {openai.Config{APIKey: key, MaxStream: -1}, "negative"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := openai.New(tc.cfg)
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), key) {
				t.Errorf("New = %v, want an error that says %q and no key", err, tc.want)
			}
		})
	}
	for name, cfg := range map[string]openai.Config{
		"a compatible server without a key": {BaseURL: "http://localhost:11434/v1"},
		"the public service with a key":     {APIKey: key},
	} {
		if _, err := openai.New(cfg); err != nil {
			t.Errorf("New, %s: %v", name, err)
		}
	}
}

func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "org")
	server := llmtest.New(t)
	server.Script(llmtest.Call("generateEvent", arguments))
	client := newClient(t, server, func(c *openai.Config) { c.APIKey = "" })
	if _, err := client.Complete(t.Context(), request(), nil); err != nil {
		t.Fatalf("Complete: %v", err)
	}
	header := server.Requests()[0].Header
	if got := header.Get("Authorization") + header.Get("OpenAI-Organization"); got != "" {
		t.Errorf("sent %q, want nothing that the settings do not say", got)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Otherwise(func(r llmtest.Request) llmtest.Answer {
		return llmtest.Call("generateEvent", r.Messages[1].Content)
	})
	client := newClient(t, server, nil)
	errs := make(chan error)
	const n = 16
	for i := range n {
		go func() {
			req := request()
			req.Data = fmt.Sprintf(`{"n":%d}`, i)
			reply, err := client.Complete(t.Context(), req, func(string) error { return nil })
			if err == nil && reply.Calls[0].Arguments != req.Data {
				err = fmt.Errorf("arguments %q, want %q", reply.Calls[0].Arguments, req.Data)
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
