package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
	"convene/pkg/llm/openai"
)

// sent is the one request that a call makes.
func sent(t *testing.T, req llm.Request, change func(*openai.Config)) llmtest.Request {
	t.Helper()
	server := llmtest.New(t)
	server.Script(llmtest.Call("generateEvent", "{}"))
	if _, err := newClient(t, server, change).Complete(t.Context(), req, nil); err != nil {
		t.Fatalf("Complete: %v", err)
	}
	return server.Requests()[0]
}

func inSchemaMode(c *openai.Config) {
	c.Stages = map[llm.Stage]openai.StageConfig{
		llm.Select:   {ToolMode: openai.JSONSchema},
		llm.Template: {ToolMode: openai.JSONSchema},
	}
}

// The whole body, byte for byte: the order of fields and of schema properties is part of what a provider caches and
// of the order in which the model writes.
func TestRequestBody(t *testing.T) {
	t.Parallel()
	got := sent(t, request(), nil)
	want := `{"tools":[{"type":"function","function":{"name":"generateEvent","description":"Ranks.","strict":true,` +
		`"parameters":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}}}],` +
		`"model":"gpt-5.4-mini",` +
		`"messages":[{"role":"system","content":"You rank."},{"role":"user","content":"{\"slots\":[\"<a> & b\"]}"}],` +
		`"tool_choice":{"type":"function","function":{"name":"generateEvent"}},"parallel_tool_calls":false,` +
		`"reasoning_effort":"none","max_completion_tokens":2048,"prompt_cache_key":"select-1",` +
		`"stream":true,"stream_options":{"include_usage":true}}`
	if diff := cmp.Diff(want, string(got.Raw)); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer " + key,
		"Accept":        "text/event-stream",
		"Content-Type":  "application/json",
	} {
		if got := got.Header.Get(name); got != value {
			t.Errorf("%s = %q, want %q", name, got, value)
		}
	}
}

func TestStages(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		stage  llm.Stage
		set    openai.StageConfig
		model  string
		effort string
		tokens int
	}{
		"classify":    {llm.Classify, openai.StageConfig{}, "gpt-5.4-nano", "none", 512},
		"template":    {llm.Template, openai.StageConfig{}, "gpt-5.4-mini", "none", 2048},
		"select":      {llm.Select, openai.StageConfig{}, "gpt-5.4-mini", "none", 2048},
		"any other":   {"plan", openai.StageConfig{}, "gpt-5.4-mini", "none", 2048},
		"what is set": {llm.Select, openai.StageConfig{Model: "m", Effort: "low", MaxTokens: 9}, "m", "low", 9},
		"a model of a later": {llm.Select, openai.StageConfig{
			Model: "openai/gpt-6-mini",
		}, "openai/gpt-6-mini", "none", 2048},
		"gpt-5.1":             {llm.Select, openai.StageConfig{Model: "gpt-5.1"}, "gpt-5.1", "none", 2048},
		"gpt-5 takes no none": {llm.Select, openai.StageConfig{Model: "gpt-5-mini"}, "gpt-5-mini", "", 2048},
		"nor an older one":    {llm.Select, openai.StageConfig{Model: "gpt-4.1-mini"}, "gpt-4.1-mini", "", 2048},
		"nor a letter":        {llm.Select, openai.StageConfig{Model: "gpt-4o"}, "gpt-4o", "", 2048},
		"nor another family":  {llm.Select, openai.StageConfig{Model: "llama3.3:70b"}, "llama3.3:70b", "", 2048},
		"omitted":             {llm.Select, openai.StageConfig{Effort: openai.EffortOmitted}, "gpt-5.4-mini", "", 2048},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := request()
			req.Stage = tc.stage
			got := sent(t, req, func(c *openai.Config) { c.Stages = map[llm.Stage]openai.StageConfig{tc.stage: tc.set} })
			if got.Model != tc.model || got.Effort != tc.effort || got.MaxTokens != tc.tokens {
				t.Errorf("model %q, effort %q, tokens %d; want %q, %q, %d", got.Model, got.Effort, got.MaxTokens, tc.model,
					tc.effort, tc.tokens)
			}
		})
	}
}

func TestAChoiceOfFunctions(t *testing.T) {
	t.Parallel()
	got := sent(t, choices(), nil)
	if diff := cmp.Diff([]string{"generateEvent", "navigate"}, got.ToolNames()); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if string(got.ToolChoice) != `"required"` || got.ParallelCalls == nil || *got.ParallelCalls {
		t.Errorf("tool_choice %s, parallel %v; want \"required\", false", got.ToolChoice, got.ParallelCalls)
	}
	for _, tool := range got.Tools {
		if !tool.Function.Strict {
			t.Errorf("%s is not strict", tool.Function.Name)
		}
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	type said struct{ Role, Content, Call, CallID string }
	const problem = "rankedSlotIndices: 9 is not one of 0 to 3"
	for name, tc := range map[string]struct {
		call   llm.Call
		change func(*openai.Config)
		want   []said
	}{
		"a call": {
			llm.Call{ID: "call_7", Name: "generateEvent", Arguments: `{"a":1}`}, nil,
			[]said{{"assistant", "", `generateEvent {"a":1}`, "call_7"}, {"tool", problem, "", "call_7"}},
		},
		"a call without id": {
			llm.Call{Name: "generateEvent", Arguments: `{"a":1}`}, nil,
			[]said{{"assistant", "", `generateEvent {"a":1}`, "call_1"}, {"tool", problem, "", "call_1"}},
		},
		"an unknown function": {
			llm.Call{ID: "call_7", Name: "make coffee", Arguments: `{}`}, nil,
			[]said{{"assistant", "make coffee {}", "", ""}, {"user", problem, "", ""}},
		},
		"arguments that are no JSON": {
			llm.Call{ID: "call_7", Name: "generateEvent", Arguments: `{"a":`}, nil,
			[]said{{"assistant", `generateEvent {"a":`, "", ""}, {"user", problem, "", ""}},
		},
		"a text": {
			llm.Call{Name: "generateEvent", Arguments: `{"a":1}`}, inSchemaMode,
			[]said{{"assistant", `{"a":1}`, "", ""}, {"user", problem, "", ""}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := request()
			req.Repair = &llm.Repair{Call: tc.call, Problem: problem}
			got := sent(t, req, tc.change)
			var tail []said
			for _, m := range got.Messages[2:] {
				s := said{Role: m.Role, Content: m.Content, CallID: m.ToolCallID}
				for _, c := range m.ToolCalls {
					s.Call, s.CallID = c.Function.Name+" "+c.Function.Arguments, c.ID
				}
				tail = append(tail, s)
			}
			if diff := cmp.Diff(tc.want, tail); diff != "" {
				t.Errorf("messages behind the data (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSchemaMode(t *testing.T) {
	t.Parallel()
	t.Run("one function", func(t *testing.T) {
		t.Parallel()
		got := sent(t, request(), inSchemaMode)
		if len(got.Tools) != 0 || len(got.ToolChoice) != 0 || got.ParallelCalls != nil {
			t.Errorf("tools are offered: %s", got.Raw)
		}
		format := got.ResponseFormat
		want := `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}`
		if format == nil || format.Type != "json_schema" || format.Schema.Name != "generateEvent" || !format.Schema.Strict ||
			string(format.Schema.Schema) != want {
			t.Errorf("response_format = %+v, want the function's own schema", format)
		}
		system := got.Messages[0].Content
		if !strings.HasPrefix(system, "You rank.\n\nAnswer with the arguments") ||
			!strings.Contains(system, "generateEvent: Ranks.") {
			t.Errorf("system message %q", system)
		}
	})
	t.Run("a choice", func(t *testing.T) {
		t.Parallel()
		got := sent(t, choices(), inSchemaMode)
		want := `{"type":"object","properties":{"call":{"anyOf":[` +
			`{"type":"object","properties":{"function":{"type":"string","enum":["generateEvent"]},"arguments":` +
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}},` +
			`"required":["function","arguments"],"additionalProperties":false},` +
			`{"type":"object","properties":{"function":{"type":"string","enum":["navigate"]},"arguments":{"type":"object"}},` +
			`"required":["function","arguments"],"additionalProperties":false}]}},` +
			`"required":["call"],"additionalProperties":false}`
		if schema := string(got.ResponseFormat.Schema.Schema); schema != want {
			t.Errorf("schema (-want +got):\n%s", cmp.Diff(want, schema))
		}
		for _, words := range []string{`{"call": {"function"`, "generateEvent: Ranks.", "navigate: Opens."} {
			if !strings.Contains(got.Messages[0].Content, words) {
				t.Errorf("system message lacks %q: %q", words, got.Messages[0].Content)
			}
		}
	})
}

func TestSchemaModeAnswers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		req      llm.Request
		answer   llmtest.Answer
		want     llm.Call
		streamed string
		code     fault.Code
	}{
		"the arguments": {
			request(), llmtest.Text(arguments),
			llm.Call{Name: "generateEvent", Arguments: arguments}, arguments, "",
		},
		"a choice": {
			choices(), llmtest.Text(`{"call": {"function": "navigate", "arguments": {"url": "https://example.com"}}}`),
			llm.Call{Name: "navigate", Arguments: `{"url": "https://example.com"}`}, `{"url": "https://example.com"}`, "",
		},
		"a real call all the same": {
			request(), llmtest.Call("generateEvent", arguments),
			llm.Call{ID: "call_1", Name: "generateEvent", Arguments: arguments}, arguments, "",
		},
		"words":               {choices(), llmtest.Text("Sure!"), llm.Call{}, "", fault.ModelAnswer},
		"a choice of nothing": {choices(), llmtest.Text(`{"call": {}}`), llm.Call{}, "", fault.ModelAnswer},
		"a choice without arguments": {choices(), llmtest.Text(`{"call": {"function": "navigate"}}`), llm.Call{}, "",
			fault.ModelAnswer},
		"nothing": {request(), llmtest.Text(" \n"), llm.Call{}, " \n", fault.ModelAnswer},
		"cut after some of the answer": {request(), llmtest.Text(arguments).CutAfter(2), llm.Call{}, arguments[:16],
			fault.ModelUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(tc.answer)
			var streamed string
			reply, err := newClient(t, server, inSchemaMode).Complete(t.Context(), tc.req, func(s string) error {
				streamed += s
				return nil
			})
			if got := fault.CodeOf(err); got != tc.code {
				t.Fatalf("Complete = %v, want code %q", err, tc.code)
			}
			if streamed != tc.streamed {
				t.Errorf("streamed %q, want %q", streamed, tc.streamed)
			}
			if err != nil {
				return
			}
			if diff := cmp.Diff([]llm.Call{tc.want}, reply.Calls); diff != "" || reply.Text != "" {
				t.Errorf("text %q, calls (-want +got):\n%s", reply.Text, diff)
			}
		})
	}
}

func TestRequestsThatCannotBeMade(t *testing.T) {
	t.Parallel()
	noTools, unknown, broken := request(), request(), request()
	noTools.Tools, noTools.Force = nil, ""
	unknown.Force = "somethingElse"
	broken.Tools[0].Parameters = json.RawMessage(`{"type":`)
	for name, req := range map[string]llm.Request{
		"no functions":               noTools,
		"a function nobody offered":  unknown,
		"a schema that is no schema": broken,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			_, err := newClient(t, server, nil).Complete(t.Context(), req, nil)
			if fault.CodeOf(err) != fault.Internal || len(server.Requests()) != 0 {
				t.Errorf("Complete = %v, %d requests; want Internal and none", err, len(server.Requests()))
			}
		})
	}
}
