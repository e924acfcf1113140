package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"convene/pkg/llm"
	"convene/stages"
)

// countedModel counts how often it is asked.
type countedModel struct {
	llm.Model
	calls *atomic.Int64
}

func (m countedModel) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	m.calls.Add(1)
	return m.Model.Complete(ctx, req, onDelta)
}

// startCounted serves a scenario and counts what the model is asked.
func startCounted(t *testing.T, s scenario) (server string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	a, err := wire(t.Context(), parseSettings(t, s.settings...), io.Discard, func(p *stages.Ports) {
		p.Model = countedModel{p.Model, calls}
		if s.broken == "places" {
			p.Places = brokenPlaces{}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	serving, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := serving.stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return serving.url(), calls
}

// Each turn of every scenario, resumed behind each of its updates: the rest is the same to the byte, and no model is
// asked again.
func TestResumeAtEveryUpdateOfEveryScenario(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			server, calls := startCounted(t, s)
			c := &client{t: t, server: server, conversation: "c-" + s.name}
			for _, step := range s.steps {
				id, ok := lookup(c.take(step), "turn.turnId")
				if !ok {
					continue // a confirmation, or a request that is refused
				}
				asked := calls.Load()
				checkTails(t, fmt.Sprintf("%s/v1/turns/%s/events", server, id))
				if again := calls.Load() - asked; again != 0 {
					t.Errorf("turn %d: resuming asked the model %d times", step.n, again)
				}
			}
		})
	}
}

// checkTails reads a stream that has ended from behind each of its updates.
func checkTails(t *testing.T, stream string) {
	t.Helper()
	blocks := blocksOf(t, stream, 0)
	if len(blocks) < 2 {
		t.Errorf("%s has %d updates, want turn and done at least", stream, len(blocks))
	}
	for after := 1; after < len(blocks); after++ {
		got, want := bytes.Join(blocksOf(t, stream, after), nil), bytes.Join(blocks[after:], nil)
		if !bytes.Equal(got, want) {
			t.Fatalf("behind update %d of %s:\n%s\nwant\n%s", after, stream, got, want)
		}
	}
	if status, _, _ := get(t, stream, "Last-Event-ID", fmt.Sprint(len(blocks))); status != http.StatusNoContent {
		t.Errorf("status %d behind the last update, want 204", status)
	}
}

// blocksOf is a stream behind an update, without the line that belongs to the connection.
func blocksOf(t *testing.T, stream string, after int) [][]byte {
	t.Helper()
	status, body, _ := get(t, stream, "Last-Event-ID", fmt.Sprint(after))
	retry, updates, ok := bytes.Cut(body, []byte("retry: 2000\n"))
	if status != http.StatusOK || !ok || len(retry) > 0 {
		t.Fatalf("behind update %d: status %d, want 200 and a first block that begins with retry: %.200s", after, status,
			body)
	}
	blocks := bytes.SplitAfter(updates, []byte("\n\n"))
	return blocks[:len(blocks)-1]
}
