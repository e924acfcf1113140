package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestARecordingIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	want := shortTurn("coffee.1")
	want.Blocks[1].Bytes = ": \n" + strings.Replace(want.Blocks[1].Bytes, "Coffee", "Café & <bar> \u2028", 1)
	var file bytes.Buffer
	if err := want.Write(&file); err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(file.Bytes(), []byte("\n")); lines != 2+len(want.Blocks) {
		t.Errorf("%d lines for %d blocks", lines, len(want.Blocks))
	}
	got, err := Read("coffee.1", &file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestADamagedRecordingIsRefusedWithItsLine(t *testing.T) {
	t.Parallel()
	const request = `{"request":{"method":"POST","path":"/v1/turns","body":{}}}` + "\n"
	const response = `{"response":{"status":200}}` + "\n"
	for content, want := range map[string]string{
		"":                                  "no answer",
		request + response:                  "no answer",
		"hello\n":                           "line 1",
		response:                            "line 1",
		request + request:                   "line 2",
		request + `{"response":{}}`:         "line 2",
		request + response + `{"bytes":""}`: "line 3",
		request + response + `{"ms":1,"bytes":"","more":1}`: "line 3",
	} {
		if _, err := Read("x", strings.NewReader(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", content, err, want)
		}
	}
}

func TestSaveTellsWhatHasChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, other := shortTurn("coffee.1"), shortTurn("coffee.1")
	other.Blocks[1].Bytes = strings.Replace(other.Blocks[1].Bytes, "Coffee", "Tea", 1)
	for i, step := range []struct {
		r    Recording
		want bool
	}{{first, true}, {first, false}, {other, true}} {
		changed, err := step.r.Save(dir)
		if err != nil || changed != step.want {
			t.Errorf("save %d: changed %t, %v; want %t", i+1, changed, err, step.want)
		}
	}
}

// A turn that took longer, of longer prompts, is recorded the same; and as it was where that is wanted.
func TestRecordingsAreLevel(t *testing.T) {
	t.Parallel()
	const receipt = `"receipt":{"stages":[{"name":"classify","ms":1.5}],"modelCalls":3,"tokens":{"input":4739,` +
		`"cached":12,"output":34}}}`
	turn := func(r *Recorder, times int, receipt string) Recording {
		rec := shortTurn("coffee.1")
		for i := range rec.Blocks {
			rec.Blocks[i].At = time.Duration(times * int(rec.Blocks[i].At))
			rec.Blocks[i].Bytes = regexp.MustCompile(`"receipt":.*`).ReplaceAllString(rec.Blocks[i].Bytes, receipt)
		}
		got, err := r.named(rec)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	slower := strings.NewReplacer("1.5", "2e-3", "4739", "5000", "34}", "35}").Replace(receipt)
	once, again := turn(NewRecorder("", "coffee"), 1, receipt), turn(NewRecorder("", "coffee"), 3, slower)
	if diff := cmp.Diff(once, again); diff != "" {
		t.Errorf("recorded again:\n%s", diff)
	}
	last := once.Blocks[len(once.Blocks)-1]
	if !strings.Contains(last.Bytes, `"ms":0}],"modelCalls":3,"tokens":{"input":0,"cached":0,"output":0}`) ||
		last.At == 0 {
		t.Errorf("the end is %+v", last)
	}
	keeper := NewRecorder("", "coffee")
	keeper.Measured = true
	kept := turn(keeper, 3, slower)
	if end := kept.Blocks[len(kept.Blocks)-1]; !strings.Contains(end.Bytes, slower) ||
		end.At != 3*shortTurn("coffee.1").Blocks[len(kept.Blocks)-1].At {
		t.Errorf("measured, the end is %+v", end)
	}
}

// The same plan and the same changes are recorded the same, whatever the server calls them and whenever it runs.
func TestRecordingsOfTheAssistantAreLevel(t *testing.T) {
	t.Parallel()
	turn := func(plan, set, question, digest, at, ms string) Recording {
		rec := shortTurn("clear.1")
		begin, end := rec.Blocks[0], rec.Blocks[len(rec.Blocks)-1]
		rec.Blocks = []Block{begin}
		for i, line := range []string{
			`{"type":"plan","planId":"` + plan + `","steps":[{"id":"find","milliseconds":` + ms + `}]}`,
			`{"type":"result","response":{"metadata":{"executionTime":` + ms + `},"ui":{"confirmationId":"` + set + `"}}}`,
			`{"type":"changes","changes":{"id":"` + set + `","digest":"` + digest + `","planId":"` + plan + `","expiresAt":"` +
				at + `","changes":[{"id":"1"}]}}`,
			`{"type":"applied","changesId":"` + set + `","undoUntil":"` + at + `","changes":[{"id":"1","outcome":"done"}]}`,
			`{"type":"choices","id":"` + question + `","options":[{"id":"1"}]}`,
		} {
			rec.Blocks = append(rec.Blocks, Block{Bytes: fmt.Sprintf("data: %s\nid: %d\n\n", line, i+2)})
		}
		end.Bytes = regexp.MustCompile(`id: \d+`).ReplaceAllString(end.Bytes, "id: 7")
		rec.Blocks = append(rec.Blocks, end)
		got, err := NewRecorder("", "clear").named(rec)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	once := turn("pl_aaaa", "ch_aaaa", "q_aaaa", "sha256:12", "2031-05-06T10:00:00Z", "0.5")
	again := turn("pl_bbbb", "ch_bbbb", "q_bbbb", "sha256:34", "2032-05-06T10:00:00.5Z", "7")
	if diff := cmp.Diff(once, again); diff != "" {
		t.Errorf("recorded again:\n%s", diff)
	}
	set := once.Blocks[3].Bytes
	if !strings.Contains(set, `"id":"ch_clear.1","digest":"sha256_clear.1"`) || !strings.Contains(set, `"id":"1"`) {
		t.Errorf("the set is %s", set)
	}
}

func TestRecordingsAreReadInTheOrderOfTheirTurns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"b.10", "b.2", "a.1", "b.1"} {
		if _, err := shortTurn(name).Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no recording"), 0o600); err != nil {
		t.Fatal(err)
	}
	all, err := ReadFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"a.1", "b.1", "b.2", "b.10"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWithinNamesTheConversation(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"message":"hi"}`:         `{"message":"hi","conversationId":"c\"1"}`,
		"{ \"message\": \"}\" }\n": `{ "message": "}","conversationId":"c\"1"}`,
		`{}`:                       `{"conversationId":"c\"1"}`,
		`{"conversationId":"own"}`: `{"conversationId":"own"}`,
	} {
		got, err := within(json.RawMessage(body), `c"1`)
		if err != nil || string(got) != want || !json.Valid(got) {
			t.Errorf("within(%s) = %s, %v; want %s", body, got, err, want)
		}
	}
	if _, err := within(json.RawMessage(`[1]`), "c"); err == nil {
		t.Error("an array was taken for a request")
	}
}

func TestOnlyServersOfThisMachineArePutUnderLoad(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:1": true, "http://[::1]:8080": true, "https://127.9.9.9": true,
		"http://192.168.0.1:8080": false, "http://example.org": false, "http://127.0.0.1.example.org": false,
		"http://localhost@example.org": false, "127.0.0.1:8080": false, "ftp://127.0.0.1": false, "": false,
	} {
		if err := CheckLocal(server); (err == nil) != want {
			t.Errorf("CheckLocal(%q) = %v, want it allowed: %t", server, err, want)
		}
	}
}

func TestQuantiles(t *testing.T) {
	t.Parallel()
	upTo := func(n int) (times []time.Duration) {
		for i := n; i > 0; i-- {
			times = append(times, time.Duration(i)*time.Millisecond)
		}
		return times
	}
	for n, want := range map[int]Quantiles{
		0:   {},
		1:   {Count: 1, P50: 1, P90: 1, P99: 1, Max: 1},
		10:  {Count: 10, P50: 5, P90: 9, P99: 10, Max: 10},
		200: {Count: 200, P50: 100, P90: 180, P99: 198, Max: 200},
	} {
		if diff := cmp.Diff(want, quantiles(upTo(n))); diff != "" {
			t.Errorf("of %d: %s", n, diff)
		}
	}
}

func TestHistogram(t *testing.T) {
	t.Parallel()
	times := []time.Duration{
		1500 * time.Microsecond, 1900 * time.Microsecond, 4 * time.Millisecond, 5 * time.Millisecond, 60 * time.Millisecond,
	}
	want := []Bucket{{2, 2}, {5, 1}, {10, 1}, {20, 0}, {50, 0}, {100, 1}}
	if diff := cmp.Diff(want, histogram(times)); diff != "" {
		t.Error(diff)
	}
}
