package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"convene/pkg/llm"
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

// resumes reads a stream that has ended from behind each of its updates: the rest is the same to the byte, and no model
// is asked again.
func resumes(t *testing.T, stream string, calls *atomic.Int64) {
	t.Helper()
	asked := calls.Load()
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
	if again := calls.Load() - asked; again != 0 {
		t.Errorf("resuming %s asked the model %d times", stream, again)
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
