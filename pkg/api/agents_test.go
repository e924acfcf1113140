package api

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// The message reaches the handler for agents as it was sent, and the answer streams.
func TestAgentsAreSpokenWith(t *testing.T) {
	t.Parallel()
	more := make(chan struct{})
	f := newFixture(t, func(cfg *Config) {
		cfg.MCP = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			_, _ = w.Write(body) // a client that has gone shows below
			_ = http.NewResponseController(w).Flush()
			select {
			case <-more:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, " and more")
		})
	})
	url := f.serve(t)
	res := open(t, "POST", url+"/mcp", `{"hello": 1}`)
	defer res.Body.Close()
	first := make([]byte, len(`{"hello": 1}`))
	if _, err := io.ReadFull(res.Body, first); err != nil || string(first) != `{"hello": 1}` {
		t.Fatalf("%q, %v", first, err)
	}
	close(more)
	if rest := readAll(t, res); rest != " and more" {
		t.Errorf("then %q", rest)
	}
	if a := do(t, "POST", url+"/mcp", `{}`, "Origin", "https://evil.example"); a.status != http.StatusForbidden {
		t.Errorf("another site: status %d", a.status)
	}
	if a := do(t, "GET", url+"/openapi.json", ""); !strings.Contains(a.body, `"/mcp"`) {
		t.Error("the route is not described")
	}
	if a := do(t, "POST", newFixture(t).serve(t)+"/mcp", `{}`); a.status != http.StatusNotFound {
		t.Errorf("without agents: status %d", a.status)
	}
}

// Other ways to start a turn read as POST /v1/turns does.
func TestReadTurn(t *testing.T) {
	t.Parallel()
	s := newFixture(t).server
	const body = `{"message": " coffee with Al ", "organizer": "me", "participants": ["al"]}`
	ctx := auth.Calling(t.Context(), auth.Everybody(t.Context()))
	got, err := s.ReadTurn(ctx, []byte(body), "key")
	if err != nil {
		t.Fatal(err)
	}
	digest, err := digest([]byte(`{"participants":["al"],"organizer":"me","message":" coffee with Al "}`))
	if err != nil {
		t.Fatal(err)
	}
	want := meet.Turn{
		Message: "coffee with Al", Organizer: meet.Person{ID: "me", Name: "Mia", Email: "mia@example.com"},
		Participants: []meet.Person{{ID: "al", Name: "Al Chen"}},
		ReceivedAt:   noon, IdempotencyKey: "key", RequestDigest: digest,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turn (-want +got):\n%s", diff)
	}
	for field, request := range map[string][2]string{
		"organizer":              {`{"message": "hi"}`, ""},
		"":                       {`{"message": "hi", "organizer": "me"}`, ""},
		"participants[0]":        {`{"message": "hi", "organizer": "me", "participants": ["zed"]}`, ""},
		meet.IdempotencyKeyField: {body, "no spaces"},
	} {
		_, err := s.ReadTurn(ctx, []byte(request[0]), request[1])
		if f := fault.As(err); (err != nil) != (field != "") || field != "" && f.Field != field {
			t.Errorf("%s: %v, want the field %q", request, err, field)
		}
	}
}
