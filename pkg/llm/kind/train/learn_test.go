package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

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
	var models [2][]byte
	for i := range models {
		out := filepath.Join(dir, "weights.gz")
		var report bytes.Buffer
		if err := run(f, out, &report); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(report.Bytes(), []byte(fmt.Appendf(nil, "%d learned", 5+own))) {
			t.Errorf("the report is %q, want 5 sentences learned from", report.String())
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
	m, err := kind.Decode(bytes.NewReader(models[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Predict("schedule a meeting").Kind; got != kind.Create {
		t.Errorf("it is %s, want %s", got, kind.Create)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
