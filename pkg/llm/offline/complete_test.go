package offline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/llm"
	"convene/pkg/llm/offline"
)

// Who asks the model directly gets what it answers over the wire.
func TestAskedDirectly(t *testing.T) {
	t.Parallel()
	model := offline.New(offline.Options{})
	for _, body := range turn(t) {
		got, err := model.Complete(t.Context(), requestOf(t, body), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(overTheWire(t, model, body), got.Calls); diff != "" {
			t.Errorf("calls (-wire +direct):\n%s", diff)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := model.Complete(ended, llm.Request{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// requestOf is the request whose body the stages' client made.
func requestOf(t *testing.T, body []byte) (req llm.Request) {
	t.Helper()
	type function struct {
		Name string `json:"name"`
	}
	var sent struct {
		Messages []struct{ Role, Content string }
		Tools    []struct{ Function function }
		Choice   struct{ Function function } `json:"tool_choice"`
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	for _, tool := range sent.Tools {
		req.Tools = append(req.Tools, llm.Tool{Name: tool.Function.Name})
	}
	req.System, req.Data, req.Force = sent.Messages[0].Content, sent.Messages[1].Content, sent.Choice.Function.Name
	return req
}

func overTheWire(t *testing.T, model http.Handler, body []byte) (calls []llm.Call) {
	t.Helper()
	w := httptest.NewRecorder()
	body = bytes.Replace(body, []byte(`"stream":true`), []byte(`"stream":false`), 1)
	model.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/chat/completions",
		bytes.NewReader(body)))
	var answer struct {
		Choices []struct {
			Message struct {
				ToolCalls []struct {
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Choices) != 1 {
		t.Fatalf("status %d, %v: %s", w.Code, err, w.Body)
	}
	for _, c := range answer.Choices[0].Message.ToolCalls {
		calls = append(calls, llm.Call{Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return calls
}
