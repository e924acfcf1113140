package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
)

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
	for b.Loop() {
		reply, err := newAnswer(req, Tools, func(string) error { return nil }).read(bytes.NewReader(stream))
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
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"{}\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"), true)
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
		a := newAnswer(req, mode, func(s string) error {
			streamed.WriteString(s)
			return nil
		})
		reply, err := a.read(bytes.NewReader(stream))
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
