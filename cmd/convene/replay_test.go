package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	playback "convene/pkg/replay"
	"convene/pkg/sse"
)

var streamsFolder = filepath.Join("..", "..", "testdata", "streams")

// runReplay runs the command as from a shell.
func runReplay(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), append([]string{"replay"}, args...), streams{strings.NewReader(""), &o, &e})
	return status, o.String(), e.String()
}

// seen is what a person sees of a recording: the types of its updates, repeated ones once, and the texts.
func seen(t *testing.T, path string) []string {
	t.Helper()
	recordings, err := playback.ReadFiles(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range recordings[0].Blocks {
		event, err := sse.NewDecoder(strings.NewReader(b.Bytes)).Next()
		if err != nil {
			t.Fatal(err)
		}
		var u struct{ Type, Text string }
		if err := json.Unmarshal(event.Data, &u); err != nil {
			t.Fatal(err)
		}
		last := len(got) - 1
		if u.Type == "message_delta" && last >= 0 && strings.HasPrefix(got[last], u.Type) {
			got[last] += u.Text
			continue
		}
		got = append(got, u.Type+" "+u.Text)
	}
	return got
}

// Recording the scenarios again gives what is in the repository.
func TestTheCheckedInRecordingsAreCurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scenario := func(name string) string { return filepath.Join("..", "..", "testdata", "scenarios", name+".txtar") }
	status, out, errs := runReplay(t, "record", "--out", dir, scenario("coffee-next-week"), "--from", scenario("lunch-instead"))
	if status != exitDone {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	for _, name := range []string{"coffee-next-week.1", "lunch-instead.1", "lunch-instead.2"} {
		if !strings.Contains(out, name+"\n") {
			t.Errorf("%s is not told: %q", name, out)
		}
		file := name + playback.Extension
		if diff := cmp.Diff(seen(t, filepath.Join(streamsFolder, file)), seen(t, filepath.Join(dir, file))); diff != "" {
			t.Errorf("%s differs; record the scenarios again (README, Load and replay):\n%s", name, diff)
		}
	}
	if _, out, _ := runReplay(t, "record", "--out", dir, "--from", scenario("lunch-instead")); strings.Count(out, "(unchanged)") != 2 {
		t.Errorf("recorded again: %q", out)
	}
}

// Every turn of every scenario has its recording, which ends as the scenario wants it to.
func TestEveryScenarioIsRecorded(t *testing.T) {
	t.Parallel()
	all, err := playback.ReadFiles(streamsFolder)
	if err != nil {
		t.Fatal(err)
	}
	recorded, ends := map[string]int{}, map[string]string{}
	for _, r := range all {
		recorded[r.Name[:strings.LastIndexByte(r.Name, '.')]]++
		ends[r.Name] = r.Blocks[len(r.Blocks)-1].Bytes
	}
	for _, s := range scenarios(t) {
		turns := 0
		for _, step := range s.steps {
			if step.kind != "say" && step.kind != "json" {
				continue
			}
			turns++
			for _, want := range step.wants {
				outcome, said := strings.CutPrefix(want, "outcome = ")
				end := ends[s.name+"."+strconv.Itoa(turns)]
				if said && !strings.Contains(end, `"outcome":"`+outcome+`"`) {
					t.Errorf("turn %d of %s is to end with %q; its recording ends with %s", turns, s.name, outcome, end)
				}
			}
		}
		if recorded[s.name] != turns {
			t.Errorf("%s has %d turns and %d recordings", s.name, turns, recorded[s.name])
		}
	}
}

func TestSentencesAreRecordedAsOneConversation(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), startServer(t, "")
	status, out, errs := runReplay(t, "record", "--out", dir, "--server", server, "Let's grab coffee with Al next week", "Can we do lunch instead?")
	if status != exitDone || out != "let-s-grab-coffee-with-al.1\nlet-s-grab-coffee-with-al.2\n" {
		t.Fatalf("exit status %d: %q %s", status, out, errs)
	}
	got := seen(t, filepath.Join(dir, "let-s-grab-coffee-with-al.2.jsonl"))
	if text := strings.Join(got, "\n"); !strings.Contains(text, "Lunch with Al") {
		t.Errorf("the second turn does not go on with the first:\n%s", text)
	}
}

// The real server under load, with connections cut anywhere: every stream is whole, and the same when read again.
func TestLoadOnTheRealServer(t *testing.T) {
	t.Parallel()
	status, out, errs := runReplay(t, "load", "--server", startServer(t, ""), "--turns=60", "--clients=8", "--cut=0.5", "--json")
	var summary playback.Summary
	if err := json.Unmarshal([]byte(out), &summary); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if status != exitDone || !summary.OK() || summary.Turns != 60 || summary.Cuts == 0 {
		t.Errorf("exit status %d: %s\n%s", status, errs, summary.Report())
	}
	for _, mode := range []string{"new", "edit"} {
		if summary.Modes[mode] == 0 {
			t.Errorf("no turn was %s: %v", mode, summary.Modes)
		}
	}
}

// Load and replay, as the README has them: from scenarios and from recordings, over two connections a turn.
func TestLoadFromScenariosAndRecordings(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	status, out, errs := runReplay(t, "load", "--server", server, "--turns=20", "--duplicate", "--arrival=open", "--rate=200",
		"--scenarios", filepath.Join("..", "..", "testdata", "scenarios", "show-more.txtar"), filepath.Join(streamsFolder, "lunch-instead.1.jsonl"))
	if status != exitDone || !strings.Contains(out, "20 turns by 8 clients") || !strings.Contains(out, "errors    none") {
		t.Errorf("exit status %d: %s\n%s", status, errs, out)
	}
}

func TestMisuseOfReplay(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"nothing to record":    {"record", "--out", t.TempDir()},
		"no such scenario":     {"record", "--out", t.TempDir(), "--from", "none.txtar"},
		"a name with a path":   {"record", "--out", t.TempDir(), "--name", "../x", "hello"},
		"no folder":            {"record", "hello"},
		"another machine":      {"load", "--server", "http://example.org"},
		"no turns":             {"load", "--turns=0"},
		"a share above 1":      {"load", "--cut=2"},
		"an unknown arrival":   {"load", "--arrival=sudden"},
		"no such recordings":   {"load", "--scenarios", "none.jsonl"},
		"nothing to play":      {"serve", t.TempDir()},
		"an address for all":   {"serve", streamsFolder, "--listen", "0.0.0.0:0"},
		"a speed that is none": {"serve", streamsFolder, "--speed=-1"},
	} {
		if status, _, errs := runReplay(t, args...); status != exitMisuse || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit status %d, %q", name, status, errs)
		}
	}
}
