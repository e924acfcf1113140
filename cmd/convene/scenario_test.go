package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"convene/pkg/meet"
	"convene/pkg/sse"
	"convene/stages"
)

// A scenario is a txtar file under testdata/scenarios or, with requests of several steps, under testdata/plans. Its
// files:
//
//	settings      lines "flag: value" for serve; "break: places" makes that part fail
//	people.json   calendars/*.ics   mail/*   places.geojson   instead of the demo's
//	N.say         the message of turn N, or N.json: the whole body
//	N.confirm     instead of a turn: confirm the last proposal, with this body; N.cancel likewise
//	N.want        a line per expectation: PATH OP VALUE
//
// PATH leads into what the turn streamed: types (their order, repeated ones once), progress, outcome, calls, steps (the
// tools of a plan), effects (what a set of changes would do), or the name of an update and its members, as
// event.place.name. OP is one of = != ~ (contains) !~ < > (numbers, times). A
// VALUE that begins with $ is a path after the number of an earlier turn: $1.event.start. "-" means absent or empty.
type scenario struct {
	folder   string
	name     string
	settings []string
	broken   string
	steps    []step
}

type step struct {
	n     int
	kind  string
	body  string
	wants []string
}

func readScenario(t *testing.T, file string) scenario {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	folder, name := filepath.Split(strings.TrimSuffix(file, scenarioExtension))
	s := scenario{folder: filepath.Base(folder), name: name}
	dir := t.TempDir()
	steps := map[int]*step{}
	for _, f := range archive.Files {
		text := strings.TrimSpace(string(f.Data))
		number, kind, _ := strings.Cut(f.Name, ".")
		n, err := strconv.Atoi(number)
		switch {
		case f.Name == "settings":
			s.read(text)
		case err != nil:
			s.settings = append(s.settings, extract(t, dir, f)...)
		case kind == "want":
			steps[n].wants = strings.Split(text, "\n")
		default:
			steps[n] = &step{n: n, kind: kind, body: text}
		}
	}
	for _, n := range slices.Sorted(mapsKeys(steps)) {
		s.steps = append(s.steps, *steps[n])
	}
	if len(s.steps) == 0 {
		t.Fatalf("%s has no turns", file)
	}
	return s
}

func mapsKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (s *scenario) read(text string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if key == "break" {
			s.broken = value
			continue
		}
		s.settings = append(s.settings, "--"+key+"="+value)
	}
}

// extract writes a file of the scenario's world and gives the flag that uses it.
func extract(t *testing.T, dir string, f txtar.File) []string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(f.Data, []byte("\n"), []byte("\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	switch top, _, _ := strings.Cut(f.Name, "/"); top {
	case "people.json":
		return []string{"--people=" + path}
	case "places.geojson":
		return []string{"--places=" + path}
	case "calendars", "mail":
		return []string{"--" + top + "=" + filepath.Join(dir, top)}
	default:
		t.Fatalf("scenario file %s is not known", f.Name)
		return nil
	}
}

func scenarios(t *testing.T, folders ...string) (all []scenario) {
	t.Helper()
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, "*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no scenarios in %s: %v", folder, err)
		}
		for _, file := range files {
			all = append(all, readScenario(t, file))
		}
	}
	return all
}

// Every scenario, through the real wiring on a real port: by the terminal command, or by requests where a terminal has
// no such thing. What it streams meets the expectations, is the same when it is read again, and is to the byte what
// testdata/streams has of it, which has nothing else.
func TestScenarios(t *testing.T) {
	t.Parallel()
	recorded := t.TempDir()
	t.Run("each", func(t *testing.T) {
		for _, s := range scenarios(t, "scenarios", "plans") {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				server := startServer(t, s.broken, s.settings...)
				heard := listenIn(t, server)
				seen := heard.converse(t, s)
				for i, step := range s.steps {
					check(t, step, seen[:i+1])
					if id, ok := lookup(seen[i], "turn.turnId"); ok { // no confirmation, and no request that is refused
						resumes(t, server, id)
					}
				}
				if s.folder == "scenarios" {
					heard.record(t, s, recorded)
				}
			})
		}
	})
	isFresh(t, recorded)
}

// startServer serves on a free port with a clock that stands on a Friday morning, unless the settings say otherwise.
func startServer(t *testing.T, broken string, args ...string) string {
	t.Helper()
	return wired(t, parseSettings(t, args...), func(p *stages.Ports) {
		if p.Reader == nil {
			p.Reader = p.Model // whose own reading is never in doubt; see check
		}
		if broken == "places" {
			p.Places = brokenPlaces{}
		}
	}).url()
}

// wired serves an app of the settings on a free port for as long as the test runs.
func wired(t *testing.T, s settings, with ...func(*stages.Ports)) *running {
	t.Helper()
	a, err := wire(t.Context(), s, io.Discard, with...)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, a)
}

// serve serves an app on a free port for as long as the test runs.
func serve(t *testing.T, a *app) *running {
	t.Helper()
	server, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		a.close()
		t.Fatal(err)
	}
	served := server
	t.Cleanup(func() {
		if err := served.stop(t.Context()); err != nil {
			t.Error(err)
		}
		served.app.close()
		served = nil // the testing package keeps this function until the tests around this one have ended
	})
	return server
}

type brokenPlaces struct{}

func (brokenPlaces) Search(context.Context, meet.PlaceQuery) ([]meet.Place, error) {
	return nil, errors.New("the place search is down")
}

// client is one conversation over HTTP.
type client struct {
	t            *testing.T
	server       string
	conversation string
	proposal     string
}

func (c *client) take(s step) any {
	c.t.Helper()
	switch s.kind {
	case "say":
		body, err := json.Marshal(map[string]any{"message": s.body, "organizer": "me", "conversationId": c.conversation})
		if err != nil {
			c.t.Fatal(err)
		}
		return c.turn(string(body))
	case "json":
		if strings.Contains(s.body, "conversationId") {
			return c.turn(s.body)
		}
		return c.turn(strings.Replace(s.body, "{", `{"conversationId":"`+c.conversation+`",`, 1))
	case "confirm", "cancel":
		return c.settle(s.kind, cmp.Or(s.body, "{}"))
	default:
		c.t.Fatalf("step %d: %s is not known", s.n, s.kind)
		return nil
	}
}

func (c *client) post(path, accept, body string) (status int, answer []byte) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.server+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func (c *client) turn(body string) any {
	c.t.Helper()
	status, answer := c.post("/v1/turns", sse.ContentType, body)
	if status != http.StatusOK {
		return problem(c.t, answer)
	}
	got := collect(c.t, readStream(c.t, bytes.NewReader(answer)))
	if id, ok := lookup(got, "event.id"); ok {
		c.proposal = fmt.Sprint(id)
	}
	return got
}

func (c *client) settle(what, body string) any {
	c.t.Helper()
	status, answer := c.post("/v1/proposals/"+c.proposal+"/"+what, "application/json", body)
	if status != http.StatusOK {
		return problem(c.t, answer)
	}
	var event any
	if err := json.Unmarshal(answer, &event); err != nil {
		c.t.Fatal(err)
	}
	return map[string]any{"event": event}
}

func problem(t *testing.T, answer []byte) any {
	t.Helper()
	var p any
	if err := json.Unmarshal(answer, &p); err != nil {
		t.Fatalf("no problem but %q: %v", answer, err)
	}
	return map[string]any{"problem": p}
}

// readStream reads a stream to its end, and checks that the ids count up from 1.
func readStream(t *testing.T, body io.Reader) [][]byte {
	t.Helper()
	var updates [][]byte
	decoder := sse.NewDecoder(body)
	for {
		event, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			return updates
		}
		if err != nil {
			t.Fatal(err)
		}
		updates = append(updates, bytes.Clone(event.Data))
		if want := strconv.Itoa(len(updates)); event.ID != want {
			t.Errorf("update %s has the id %s", want, event.ID)
		}
	}
}

// collect turns the updates of a turn into one document.
// noteEffects notes the tools of a plan's steps, and what a set of changes would do.
func noteEffects(t *testing.T, raw []byte, got map[string]any) {
	t.Helper()
	var u struct {
		Type    string
		Steps   []meet.PlanStep
		Changes json.RawMessage
	}
	if err := json.Unmarshal(raw, &u); err != nil || u.Type != "plan" && u.Type != "changes" {
		return
	}
	var list []string
	if u.Type == "plan" {
		for _, s := range u.Steps {
			list = append(list, s.Tool)
		}
		got["steps"] = strings.Join(list, " ")
		return
	}
	var set meet.ChangeSet
	if err := json.Unmarshal(u.Changes, &set); err != nil {
		t.Fatal(err)
	}
	for _, c := range set.Changes {
		list = append(list, effect(t, c))
	}
	got["effects"] = strings.Join(list, " | ")
}

// effect is a change in a line: what becomes of which thing, when it is then, and who is written to.
func effect(t *testing.T, c meet.Change) string {
	t.Helper()
	var is struct {
		Start, Reminder string
		To              []struct{ Email string }
	}
	for _, side := range []json.RawMessage{c.Before, c.After} { // what it will be goes before what it was
		if err := json.Unmarshal(side, &is); err != nil && len(side) > 0 {
			t.Fatal(err)
		}
	}
	line := fmt.Sprint(c.Kind, " ", c.Title)
	if at := cmp.Or(is.Start, is.Reminder); len(at) > len("2026-11-03T10:00") {
		line += " " + strings.Replace(at[len("2026-"):len("2026-11-03T10:00")], "T", " ", 1)
	}
	for _, to := range is.To {
		line += " to " + to.Email
	}
	return line
}

func collect(t *testing.T, updates [][]byte) any {
	t.Helper()
	got := map[string]any{}
	var types, progress []string
	done := 0
	for _, raw := range updates {
		var u map[string]any
		if err := json.Unmarshal(raw, &u); err != nil {
			t.Fatalf("update %q: %v", raw, err)
		}
		kind := fmt.Sprint(u["type"])
		if len(types) == 0 || types[len(types)-1] != kind {
			types = append(types, kind)
		}
		switch kind {
		case "progress":
			progress = append(progress, fmt.Sprint(u["text"]))
		case "event":
			got["event"] = u["event"]
		case "done":
			done++
			got["outcome"] = u["outcome"]
			got["calls"], _ = lookup(u, "receipt.modelCalls")
			got["done"] = u
		case "message_delta":
			got["preview"] = fmt.Sprint(cmp.Or(got["preview"], any(""))) + fmt.Sprint(u["text"])
		default:
			got[kind] = u
		}
		noteEffects(t, raw, got)
	}
	if done != 1 || types[0] != "turn" || types[len(types)-1] != "done" {
		t.Errorf("updates %v with %d done: want one, at the end, and turn at the start", types, done)
	}
	got["types"], got["progress"] = strings.Join(types, " "), strings.Join(progress, " | ")
	return got
}
