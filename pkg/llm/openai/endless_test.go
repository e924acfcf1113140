package openai_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
	"convene/pkg/llm/openai"
)

// patient waits so long that nothing but the size of an answer ends it.
func patient(c *openai.Config) {
	c.Stall, c.Stages = time.Hour, map[llm.Stage]openai.StageConfig{llm.Select: {Deadline: time.Hour}}
	c.MaxStream = 1 << 20
}

// In each of these ways an answer never ends. It is cut at the sizes of the settings, and not asked for again.
func TestAnEndlessAnswerIsCut(t *testing.T) {
	t.Parallel()
	begun := llmtest.Chunks(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a",` +
		`"function":{"name":"generateEvent","arguments":"{"}}]}}]}`)
	chunk := func(delta string) string { return `data: {"choices":[{"index":0,"delta":` + delta + "}]}\n\n" }
	two := begun.Then(1, `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"f",`+
		`"arguments":"{"}}]}}]}`)
	calls := llmtest.Chunks()
	for i := range 20 {
		calls = calls.Then(i, fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d",`+
			`"function":{"name":"f","arguments":"{}"}}]}}]}`, i, i))
	}
	for name, tc := range map[string]struct {
		answer llmtest.Answer
		cause  string
	}{
		"arguments": {begun.Endless(chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"` + strings.Repeat(" ", 100) +
			`"}}]}`)), "more than 131072 bytes"},
		"arguments of a later": {two.Endless(chunk(`{"tool_calls":[{"index":1,"function":{"arguments":"` +
			strings.Repeat(" ", 100) + `"}}]}`)), "more than 131072 bytes"},
		"text":                    {begun.Endless(chunk(`{"content":"and so on "}`)), "more than 131072 bytes"},
		"calls":                   {calls, "more than 8 calls"},
		"reasoning":               {begun.Endless(chunk(`{"reasoning_content":"hmm "}`)), "more bytes"},
		"a refusal":               {begun.Endless(chunk(`{"refusal":"never "}`)), "more bytes"},
		"chunks without a choice": {begun.Endless(`data: {"choices":[]}` + "\n\n"), "more bytes"},
		"another's choice": {begun.Endless(`data: {"choices":[{"index":1,"delta":{"content":"x"}}]}` + "\n\n"),
			"more bytes"},
		"usage":               {begun.Endless(`data: {"choices":[],"usage":{"prompt_tokens":1}}` + "\n\n"), "more bytes"},
		"comments":            {begun.Endless(": still here\n\n"), "more bytes"},
		"comments at once":    {llmtest.Chunks().Endless(": still here\n\n"), "more bytes"},
		"empty lines":         {begun.Endless("\r\n"), "more bytes"},
		"fields without data": {begun.Endless("event: ping\nid: 1\nretry: 5\n\n"), "more bytes"},
		"lines of one event":  {begun.Endless("data: " + strings.Repeat("{", 100) + "\n"), "too long"},
		"one line":            {begun.Endless("data: {\"choices\":[["), "too long"},
		"one comment":         {begun.Endless(": still here"), "too long"},
		"no tokens left":      {llmtest.Call("generateEvent", arguments).Finished("length"), "token limit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(tc.answer)
			_, err := newClient(t, server, patient).Complete(t.Context(), request(), nil)
			if f := fault.As(err); f.Code != fault.ModelUnavailable || !f.Retryable ||
				!strings.Contains(f.Message, "come to an end") {
				t.Errorf("fault %s, %q; want that the model did not come to an end", f.Code, f.Message)
			}
			if err == nil || !strings.Contains(err.Error(), tc.cause) {
				t.Errorf("Complete = %v, want it to say %q", err, tc.cause)
			}
			if n := len(server.Requests()); n != 1 {
				t.Errorf("%d attempts, want 1", n)
			}
		})
	}
}

func TestAnEndlessHeaderIsCut(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"header":        "X-More: and so on\r\n",
		"interim":       "\r\nHTTP/1.1 103 Early Hints\r\nLink: </>\r\n",
		"one long line": "and so on",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			server := &httptest.Server{Listener: listener, Config: &http.Server{ReadHeaderTimeout: time.Minute,
				Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					conn, _, err := http.NewResponseController(w).Hijack()
					if err != nil {
						t.Error(err)
						return
					}
					defer conn.Close()
					_, err = io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\nX-First: ")
					for err == nil {
						_, err = io.WriteString(conn, line)
					}
				})}}
			server.Start()
			t.Cleanup(server.Close)
			client, err := openai.New(openai.Config{
				BaseURL: server.URL, Attempts: 1, Stall: time.Hour, Stages: map[llm.Stage]openai.StageConfig{
					llm.Select: {Deadline: time.Hour},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Complete(t.Context(), request(), nil); fault.CodeOf(err) != fault.ModelUnavailable {
				t.Errorf("Complete = %v, want ModelUnavailable", err)
			}
		})
	}
}

// An endless answer counts against the service as an outage does, and the second model answers.
func TestAnEndlessAnswerDegrades(t *testing.T) {
	t.Parallel()
	endless, good := llmtest.New(t), llmtest.New(t)
	endless.Otherwise(func(llmtest.Request) llmtest.Answer { return llmtest.Chunks().Endless(": still here\n\n") })
	good.Otherwise(func(llmtest.Request) llmtest.Answer { return llmtest.Call("generateEvent", arguments) })
	both := &llm.Fallback{
		Primary: newClient(t, endless, func(c *openai.Config) {
			patient(c)
			c.BreakerFailures, c.BreakerPause = 3, time.Hour
		}),
		Secondary: newClient(t, good, nil),
	}
	for range 5 {
		reply, err := both.Complete(t.Context(), request(), nil)
		if err != nil || reply.Degraded == "" || len(reply.Calls) != 1 {
			t.Fatalf("Complete = %+v, %v; want the second model's call", reply, err)
		}
	}
	if !both.Failing() || len(endless.Requests()) != 3 {
		t.Errorf("failing is %t after %d requests, want true and an open breaker after 3", both.Failing(),
			len(endless.Requests()))
	}
}
