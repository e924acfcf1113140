package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEvalSaysWhatAPhraseOfTimeMeans(t *testing.T) {
	t.Parallel()
	// A Wednesday.
	now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.FixedZone("", -3*60*60))
	for _, c := range []struct {
		phrase, language string
		want             evalTime
	}{
		{"next Tuesday at 4pm", "en", evalTime{Start: "2026-03-10T16:00", Grain: "minute"}},
		{"from 2 to 4 on Monday", "en", evalTime{Start: "2026-03-09T14:00", End: "2026-03-09T16:00", Grain: "minute", Seconds: 7200}},
		{"from 11pm to 1am", "en", evalTime{Start: "2026-03-04T23:00", End: "2026-03-05T01:00", Grain: "minute", TimeOnly: true, Seconds: 7200}},
		{"at 7", "en", evalTime{Start: "2026-03-05T07:00", Grain: "minute", TimeOnly: true}},
		{"this week", "en", evalTime{Start: "2026-03-02", End: "2026-03-08", Grain: "day"}},
		{"before Friday", "en", evalTime{End: "2026-03-06", Grain: "day"}},
		{"around 5pm today", "en", evalTime{Start: "2026-03-04T17:00", Grain: "minute"}},
		{"for 3 days", "en", evalTime{Seconds: 3 * 24 * 60 * 60}},
		{"in 2 minutes", "en", evalTime{Start: "2026-03-04T09:02", Grain: "minute"}},
		{"5/4", "es", evalTime{Start: "2026-04-05", Grain: "day"}},
		{"מחר בבוקר", "he", evalTime{Start: "2026-03-05T08:00", End: "2026-03-05T12:00", Grain: "minute"}},
		{"nothing at all", "en", evalTime{}},
	} {
		got := timeOf(evalItem{Utterance: c.phrase, Lang: c.language, Reference: now})
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.phrase, diff)
		}
	}
}

// What does not say when it was said is said now, and not in the year 1.
func TestEvalReadsASentenceAsOfNow(t *testing.T) {
	t.Parallel()
	items := filepath.Join(t.TempDir(), "items.jsonl")
	if err := os.WriteFile(items, []byte(`{"id": "1", "utterance": "coffee with Al tomorrow at 3", "timezone": "Europe/Berlin"}`), 0o600); err != nil {
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
