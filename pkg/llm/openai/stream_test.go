package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
)

// usual is a client of the default settings.
var usual = &Client{cfg: withDefaults(Config{})}

// longCall is a stream of 61 chunks, as a message of some 50 words makes it.
func longCall(tb testing.TB) ([]byte, llm.Request) {
	tb.Helper()
	answer := llmtest.Call("generateEvent", `{"message":"`+strings.Repeat("x", 16*57-len(`{"message":""}`))+`"}`)
	if answer.Pieces() != 61 {
		tb.Fatalf("%d chunks, want 61", answer.Pieces())
	}
	server := llmtest.New(tb)
	server.Script(answer)
	record := httptest.NewRecorder()
	server.ServeHTTP(record, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader("{}")))
	return record.Body.Bytes(), llm.Request{Tools: []llm.Tool{{Name: "generateEvent", Parameters: json.RawMessage("{}")}}}
}

// BenchmarkRead decodes one call of 61 chunks; it should stay below 0.4 ms.
func BenchmarkRead(b *testing.B) {
	stream, req := longCall(b)
	b.SetBytes(int64(len(stream)))
	b.ReportAllocs()
	var buffer readBuffer
	for b.Loop() {
		reply, err := usual.newAnswer(req, Tools, func(string) error { return nil }).read(bytes.NewReader(stream), buffer[:])
		if err != nil || len(reply.Calls) != 1 {
			b.Fatalf("read = %d calls, %v", len(reply.Calls), err)
		}
	}
}

// BenchmarkComplete is a whole call without a network: request, transport of the SDK, decoding.
func BenchmarkComplete(b *testing.B) {
	stream, req := longCall(b)
	client, err := New(Config{BaseURL: "http://model.test/v1", HTTPClient: &http.Client{Transport: canned(stream)}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Complete(b.Context(), req, func(string) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// pieces gives one piece for each Read.
type pieces []string

func (p *pieces) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	*p = (*p)[1:]
	return n, nil
}

// What arrives together is handed out together, and nothing waits for what has not arrived.
func TestDeltasAreAsTheyArrive(t *testing.T) {
	t.Parallel()
	event := func(arguments string) string {
		return `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"` +
			arguments + `"}}]}}]}` + "\n\n"
	}
	end := `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
	whole := event("ab") + event("cd") + event("ef") + end
	for name, tt := range map[string]struct {
		arrives pieces
		want    []string
	}{
		"one by one":   {pieces{event("ab"), event("cd"), event("ef"), end}, []string{"ab", "cd", "ef"}},
		"two together": {pieces{event("ab"), event("cd") + event("ef"), end}, []string{"ab", "cdef"}},
		"all at once":  {pieces{whole}, []string{"abcdef"}},
		"a comment does not hold back": {pieces{
			event("ab") + ": working\n\n", event("cd") + event("ef"), end,
		}, []string{"ab", "cdef"}},
		"half an event does not hold back": {pieces{
			event("ab") + event("cd")[:20], event("cd")[20:], event("ef") + end,
		}, []string{"ab", "cd", "ef"}},
		"an event without its end of block": {pieces{
			event("ab") + strings.TrimSuffix(event("cd"), "\n"), "\n", event("ef") + end,
		}, []string{"ab", "cd", "ef"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			reply, err := usual.newAnswer(llm.Request{}, Tools, func(s string) error {
				got = append(got, s)
				return nil
			}).read(&tt.arrives, nil)
			if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Arguments != "abcdef" {
				t.Fatalf("reply = %+v, %v", reply, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("deltas (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzChunk reads whatever a service may send as encoding/json does.
func FuzzChunk(f *testing.F) {
	for _, seed := range []string{
		`{"id":"x","choices":[{"index":0,"delta":{"content":"a\u00e9\ud83d\ude00\n","tool_calls":[{"index":1,"id":"c",` +
			`"function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"stop","logprobs":null}]}`,
		`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}}`,
		`{"error":{"message":"no","code":null,"deep":[[1,-2.5e+7,true,false]]}}`,
		`{"choices":[{"delta":{"content":"\ud800x\udc00\ud83d\ud83d"}}]}`,
		`{"choices":null} x`, `[]`, `{"choices":[{"index":01}]}`, "{\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got chunk
		err := got.read(data)
		if !json.Valid(data) {
			if err == nil {
				t.Fatalf("%q is no JSON and was read", data)
			}
			return
		}
		if err != nil {
			return // JSON of another kind
		}
		var want struct {
			Choices []struct {
				Delta struct{ Content string }
			}
		}
		if json.Unmarshal(data, &want) != nil || ambiguous(data) {
			return
		}
		for i, c := range want.Choices {
			if c.Delta.Content != string(got.choices[i].content) {
				t.Errorf("content %d of %q = %q, want %q", i, data, got.choices[i].content, c.Delta.Content)
			}
		}
	})
}

// What a chunk tells does not depend on the one before it, however alike they are.
func FuzzChunkAfterChunk(f *testing.F) {
	frame := func(choices string) []byte {
		return []byte(`{"id":"x","choices":[` + choices + `],"usage":null}`)
	}
	arguments := func(a string) []byte {
		return frame(`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` +
			a + `}}]},"finish_reason":null}`)
	}
	for _, pair := range [][2][]byte{
		{arguments(`"a"`), arguments(`"b"`)},
		{arguments(`"a"`), arguments(`"\"\u00e9"`)},
		{arguments(`"a"`), arguments(`null`)},
		{arguments(`null`), arguments(`"a"`)},
		{arguments(`"a"`), arguments(`"b","name":"f"`)},
		{arguments(`"a","name":"f"`), arguments(`"b","name":"f"`)},
		{arguments(`"a","arguments":"b"`), arguments(`"a","arguments":"c"`)},
		{arguments(`"a"`), arguments(`"b`)},
		{arguments(`"a"`), frame(`{"index":0,"delta":{},"finish_reason":"stop"}`)},
		{arguments(`"a"`), append(arguments(`"b"`), ' ', 'x')},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var got, want chunk
		_ = got.read(first) // what came before may be anything
		gotErr, wantErr := got.read(second), want.read(second)
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%q behind %q: %v, alone: %v", second, first, gotErr, wantErr)
		}
		if wantErr != nil {
			return
		}
		told := cmp.Options{
			cmp.AllowUnexported(choice{}, fragment{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(fragment{}, "from", "to"),
		}
		if diff := cmp.Diff(want.choices, got.choices, told); diff != "" {
			t.Errorf("%q behind %q (-alone +behind):\n%s", second, first, diff)
		}
		if diff := cmp.Diff(want.usage, got.usage); diff != "" || !bytes.Equal(want.failure, got.failure) {
			t.Errorf("%q behind %q: failure %q, alone %q; usage (-alone +behind):\n%s", second, first, got.failure, want.failure,
				diff)
		}
	})
}

// ambiguous is a text with a name twice, or in other letters than ours: there encoding/json has rules of its own.
func ambiguous(data []byte) bool {
	for _, name := range []string{"choices", "delta", "content"} {
		if bytes.Count(bytes.ToLower(data), []byte(name)) != bytes.Count(data, []byte(`"`+name+`":`)) ||
			bytes.Count(data, []byte(name)) > 1 {
			return true
		}
	}
	return bytes.Contains(data, []byte(`\u`)) && bytes.Contains(bytes.ToLower(data), []byte(`\u00`))
}

type canned []byte

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK,
		Header:     http.Header{"Content-Type": {"text/event-stream"}},
		Body:       io.NopCloser(bytes.NewReader(c)),
		Request:    r,
	}, nil
}

// Whatever a server sends, the answer is whole or a fault; never a panic, never half a call.
func FuzzRead(f *testing.F) {
	stream, req := longCall(f)
	f.Add(stream, false)
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"{}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"),
		true)
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1}]}}]}\n\n"), false)
	client, err := New(Config{BaseURL: "http://model.test/v1"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, stream []byte, schema bool) {
		mode := Tools
		if schema {
			mode = JSONSchema
		}
		var streamed strings.Builder
		a := usual.newAnswer(req, mode, func(s string) error {
			streamed.WriteString(s)
			return nil
		})
		reply, err := a.read(bytes.NewReader(stream), nil)
		if err != nil {
			switch code := fault.CodeOf(client.asFault(t.Context(), t.Context(), err)); code {
			case fault.ModelAnswer, fault.ModelUnavailable:
			default:
				t.Errorf("fault %s for %v", code, err)
			}
			return
		}
		if len(reply.Calls) == 0 || reply.Calls[0].Name == "" {
			t.Fatalf("calls = %+v without an error", reply.Calls)
		}
		if len(a.calls) > 0 && !schema && streamed.String() != reply.Calls[0].Arguments {
			t.Errorf("streamed %q, but the call has %q", streamed.String(), reply.Calls[0].Arguments)
		}
	})
}
