package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What does not say when it was said is said now, and not in the year 1.
func TestEvalReadsASentenceAsOfNow(t *testing.T) {
	t.Parallel()
	items := filepath.Join(t.TempDir(), "items.jsonl")
	if err := os.WriteFile(items, []byte(`{"id": "1", "utterance": "coffee with Al tomorrow at 3", "timezone": `+
		`"Europe/Berlin"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"eval", "--now", "2026-03-04T09:00:00Z", items}
	if status := run(t.Context(), args, streams{strings.NewReader(""), &out, &errs}); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	if want := `"exact_start":"2026-03-05T15:00:00+01:00"`; !strings.Contains(out.String(), want) {
		t.Errorf("%s\nlacks %s", &out, want)
	}
}
