package openai_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"convene/pkg/embedding"
	"convene/pkg/llm/openai"
)

// embedder asks a server that answers with that status and body.
func embedder(t *testing.T, answer http.HandlerFunc) *openai.Embedder {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	e, err := openai.NewEmbedder(openai.EmbedderConfig{BaseURL: server.URL + "/v1/", APIKey: "key"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Each text gets its own vector, in whatever order the service lists them.
func TestEmbedder(t *testing.T) {
	t.Parallel()
	e := embedder(t, func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Model      string
			Input      []string
			Dimensions int
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/embeddings" ||
			asked.Model != "text-embedding-3-small" || asked.Dimensions != embedding.Dimensions ||
			!slices.Equal(asked.Input, []string{"a", "b"}) || r.Header.Get("Authorization") != "Bearer key" {
			t.Errorf("%s %+v, %v", r.URL.Path, asked, err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"object":"list","model":"m","data":[
			{"object":"embedding","index":1,"embedding":[0,1]},{"object":"embedding","index":0,"embedding":[1,0]}]}`))
	})
	got, err := e.Embed(t.Context(), []string{"a", "b"})
	want := []embedding.Vector{embedding.Quantize([]float32{1, 0}), embedding.Quantize([]float32{0, 1})}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

// An answer that is not one vector a text is an error, and so is a service that refuses.
func TestEmbedderFails(t *testing.T) {
	t.Parallel()
	for body, status := range map[string]int{
		`{"data":[]}`:                            200,
		`{"data":[{"index":3,"embedding":[1]}]}`: 200,
		`{"data":[{"index":0,"embedding":[]}]}`:  200,
		`{"error":{"message":"no"}}`:             400,
		`<html>`:                                 200,
	} {
		e := embedder(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
		if got, err := e.Embed(t.Context(), []string{"a"}); err == nil {
			t.Errorf("%d %s: %d vectors", status, body, len(got))
		}
	}
	if _, err := openai.NewEmbedder(openai.EmbedderConfig{}); err == nil {
		t.Error("the public service without a key is accepted")
	}
}
