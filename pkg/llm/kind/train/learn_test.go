package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"convene/pkg/linear"
	"convene/pkg/llm/kind"
)

// The same files give the same weights, learned from the train partitions alone.
func TestTrainingIsDeterministic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := ""
	for i, r := range [][3]string{
		{"train", "calendar_set", "set up a meeting"}, {"train", "calendar_set", "schedule a call"},
		{"train", "weather_query", "is it raining"}, {"train", "weather_query", "will it snow"},
		{"dev", "weather_query", "is it snowing"}, {"test", "weather_query", "schedule a meeting"},
	} {
		line, err := json.Marshal(map[string]string{
			"id": string(rune('0' + i)), "locale": "en-US", "partition": r[0], "intent": r[1], "utt": r[2],
		})
		if err != nil {
			t.Fatal(err)
		}
		rows += string(line) + "\n"
	}
	f := files{massive: filepath.Join(dir, "en-US.jsonl"), clinc: filepath.Join(dir, "data_full.json")}
	write(t, f.massive, rows)
	write(t, f.clinc, `{"train": [["book a table", "restaurant_reservation"], ["of several kinds", "calendar_update"]]}`)
	classes, err := readClasses()
	if err != nil {
		t.Fatal(err)
	}
	own := 0
	if err := readWishes(classes, func(string, string, string, int) { own++ }); err != nil {
		t.Fatal(err)
	}
	var models [2][]byte
	for i := range models {
		out := filepath.Join(dir, "weights.gz")
		var report bytes.Buffer
		if err := run(f, out, &report); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(report.Bytes(), fmt.Appendf(nil, "%d learned", 5+own)) {
			t.Errorf("the report is %q, want %d sentences learned from", report.String(), 5+own)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		models[i] = data
	}
	if !bytes.Equal(models[0], models[1]) {
		t.Error("two trainings differ")
	}
	read, err := linear.Decode[kind.Class](bytes.NewReader(models[0]))
	if err != nil {
		t.Fatal(err)
	}
	m := kind.Model{Model: read}
	if got := m.Predict("coffee with ann tomorrow").Kind; got != kind.Create {
		t.Errorf("it is %s, want %s", got, kind.Create)
	}
}

// An example stands for as many sentences as its choices make.
func TestExample(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1)) //nolint:gosec // the choice of examples is no secret
	lists := map[string][]string{"friend": {"ann", "bo"}}
	seen := map[string]bool{}
	for range 100 {
		seen[example("{tea|a {long|} walk} with {friend}", lists, random)] = true
	}
	if !seen["tea with ann"] || !seen["a long walk with bo"] || !seen["a walk with ann"] || len(seen) != 6 {
		t.Errorf("got %v", slices.Sorted(maps.Keys(seen)))
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
