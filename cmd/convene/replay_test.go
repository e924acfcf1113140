package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// isFresh checks that the folder's recordings are those that are in the repository, to the byte, and no others are
// there. Recordings of scenarios that were not run are left out.
func isFresh(t *testing.T, folder string) {
	t.Helper()
	kept, recorded := contents(t, streamsFolder), contents(t, folder)
	for name := range recorded {
		kept[name] += "" // one that is not there yet differs, too
	}
	for name, text := range kept {
		scenario, _, _ := strings.Cut(name, ".")
		_, ran := recorded[scenario+".1"+playback.Extension]
		_, err := os.Stat(filepath.Join("..", "..", "testdata", "scenarios", scenario+scenarioExtension))
		if text != recorded[name] && (ran || err != nil) {
			t.Errorf("%s is not fresh; go tool task streams records all anew:\n%s", name, difference(text, recorded[name]))
		}
	}
}

// contents are the files of a folder by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(text)
	}
	return all
}

// difference is where two texts begin to differ, with what stands around it.
func difference(want, got string) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(text string) string { return text[max(0, min(at, len(text))-80):min(len(text), at+200)] }
	return fmt.Sprintf("- %q\n+ %q", around(want), around(got))
}

// What is there is left alone when it is recorded again, and the command says so.
func TestRecordingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, want := range []string{"lunch-instead.1\nlunch-instead.2\n",
		"lunch-instead.1 (unchanged)\nlunch-instead.2 (unchanged)\n"} {
		scenario := filepath.Join("..", "..", "testdata", "scenarios", "lunch-instead"+scenarioExtension)
		if _, out, errs := runReplay(t, "record", "--out", dir, "--from", scenario); out != want {
			t.Errorf("told %q, want %q: %s", out, want, errs)
		}
	}
}

func TestSentencesAreRecordedAsOneConversation(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), startServer(t, "")
	status, out, errs := runReplay(t, "record", "--out", dir, "--server", server, "Let's grab coffee with Al next week",
		"Can we do lunch instead?")
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
	status, out, errs := runReplay(t, "load", "--server", startServer(t, "", patientTurns...), "--turns=60", "--clients=8",
		"--cut=0.5",
		"--duration=1h", "--json")
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
	status, out, errs := runReplay(t, "load", "--server", server, "--turns=20", "--duplicate", "--arrival=open",
		"--rate=200", "--duration=1h",
		"--scenarios", filepath.Join("..", "..", "testdata", "scenarios", "show-more.txtar"),
		filepath.Join(streamsFolder, "lunch-instead.1.jsonl"))
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
