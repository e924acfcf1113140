package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/tools/txtar"

	"convene/pkg/meet"
	playback "convene/pkg/replay"
	"convene/stages"
)

const scenarioExtension = ".txtar"

// recorded is a conversation to record or replay: a scenario of testdata/scenarios without its expectations, or
// sentences of the command line.
type recorded struct {
	name     string
	settings []string
	// files are the scenario's people, calendars and places, by name.
	files  map[string][]byte
	broken string
	turns  []recordedTurn
}

// recordedTurn is a body to send: as a turn, or to confirm or cancel the proposal.
type recordedTurn struct {
	n       int
	kind    string
	body    json.RawMessage
	refused bool
}

// sentences are turns of one conversation. Without a name, the first sentence gives it.
func sentences(name, organizer string, messages []string) (recorded, error) {
	slug := strings.FieldsFunc(strings.ToLower(messages[0]), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if len(slug) > 6 {
		slug = slug[:6]
	}
	s := recorded{name: cmp.Or(name, strings.Join(slug, "-"), "turn")}
	if filepath.Base(s.name) != s.name {
		return recorded{}, misuse{fmt.Errorf("--name %q cannot name a file", s.name)}
	}
	script, err := playback.NewScript(s.name, organizer, messages...)
	for i, body := range script.Turns {
		s.turns = append(s.turns, recordedTurn{n: i + 1, kind: "say", body: body})
	}
	return s, err
}

// readRecorded reads a scenario.
func readRecorded(path string) (recorded, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return recorded{}, fmt.Errorf("read a scenario: %w", err)
	}
	s := recorded{name: strings.TrimSuffix(filepath.Base(path), scenarioExtension), files: map[string][]byte{}}
	wants := map[int]string{}
	for _, f := range archive.Files {
		number, kind, _ := strings.Cut(f.Name, ".")
		n, err := strconv.Atoi(number)
		switch {
		case f.Name == "settings":
			s.set(string(f.Data))
		case err != nil:
			s.files[filepath.FromSlash(f.Name)] = f.Data
		case kind == "want":
			wants[n] = string(f.Data)
		default:
			if err := s.add(n, kind, strings.TrimSpace(string(f.Data))); err != nil {
				return recorded{}, fmt.Errorf("scenario %s: %w", path, err)
			}
		}
	}
	for i := range s.turns {
		s.turns[i].refused = strings.HasPrefix(strings.TrimSpace(wants[s.turns[i].n]), "problem.")
	}
	slices.SortFunc(s.turns, func(a, b recordedTurn) int { return cmp.Compare(a.n, b.n) })
	if len(s.turns) == 0 {
		return recorded{}, fmt.Errorf("scenario %s has no turns", path)
	}
	return s, nil
}

func (s *recorded) set(lines string) {
	for line := range strings.Lines(lines) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case key == "break":
			s.broken = value
		case ok:
			s.settings = append(s.settings, "--"+key+"="+value)
		}
	}
}

func (s *recorded) add(n int, kind, text string) error {
	body := json.RawMessage(text)
	switch kind {
	case "say":
		said, err := playback.NewScript(s.name, "me", text)
		if err != nil {
			return err
		}
		body = said.Turns[0]
	case "confirm", "cancel":
		body = json.RawMessage(cmp.Or(text, "{}"))
	case "json":
	default:
		return fmt.Errorf("%d.%s is not known", n, kind)
	}
	s.turns = append(s.turns, recordedTurn{n: n, kind: kind, body: body})
	return nil
}

// script has the turns for clients of the load tool, without those that the server must refuse; ok says that there are
// any.
func (s recorded) script() (script playback.Script, ok bool) {
	script.Name = s.name
	for _, t := range s.turns {
		if !t.refused && (t.kind == "say" || t.kind == "json") {
			script.Turns = append(script.Turns, t.body)
		}
	}
	return script, len(script.Turns) > 0
}

// run has the conversation with the server.
func (s recorded) run(ctx context.Context, recorder *playback.Recorder) ([]playback.Recording, error) {
	defer recorder.Close()
	var all []playback.Recording
	for _, t := range s.turns {
		if t.kind == "confirm" || t.kind == "cancel" {
			if err := recorder.Settle(ctx, t.kind, t.body); err != nil {
				return nil, err
			}
			continue
		}
		r, err := recorder.Turn(ctx, t.body)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// start serves with the scenario's settings, or with those of the command line if it has none.
func (c *recordCommand) start(
	ctx context.Context, s recorded, dir string, std streams,
) (url string, stop func() error, err error) {
	own, err := c.settingsFor(s, dir)
	if err != nil {
		return "", nil, err
	}
	own.Grace = time.Minute // a recording is the same on a slow machine
	return own.serveAside(ctx, std.err, func(p *stages.Ports) {
		if s.broken == "places" {
			p.Places = noPlaces{}
		}
	})
}

// settingsFor are the settings of the scenario.
func (c *recordCommand) settingsFor(s recorded, dir string) (settings, error) {
	if s.settings == nil && len(s.files) == 0 {
		return c.settings, nil
	}
	args := append([]string{"--log-level=" + c.LogLevel}, s.settings...)
	for name, content := range s.files {
		flag, err := extractTo(dir, name, content)
		if err != nil {
			return settings{}, err
		}
		args = append(args, flag)
	}
	var own struct {
		settings `embed:""`
	}
	parser, err := kong.New(&own, kong.Exit(func(int) {}), kong.Writers(io.Discard, io.Discard))
	if err != nil {
		return settings{}, fmt.Errorf("read the scenario's settings: %w", err)
	}
	if _, err := parser.Parse(args); err != nil {
		return settings{}, misuse{fmt.Errorf("the scenario's settings: %w", err)}
	}
	if own.Now.IsZero() {
		own.Now = c.Now
	}
	return own.settings, nil
}

// extractTo writes a file of the scenario into the folder and returns the flag that uses it.
func extractTo(dir, name string, content []byte) (string, error) {
	if !filepath.IsLocal(name) {
		return "", misuse{fmt.Errorf("the scenario's file %q is outside its folder", name)}
	}
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return "", fmt.Errorf("unpack the scenario: %w", err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return "", fmt.Errorf("unpack the scenario: %w", err)
	}
	top, _, _ := strings.Cut(filepath.ToSlash(filepath.Dir(name)), "/")
	switch top + "/" + filepath.Ext(name) {
	case "calendars/.ics": // also those of one person, in a folder
		return "--calendars=" + filepath.Join(dir, top), nil
	case "./.geojson":
		return "--places=" + path, nil
	case "./.json":
		return "--people=" + path, nil
	default:
		return "", misuse{fmt.Errorf("the scenario's file %q is not known", name)}
	}
}

// noPlaces is a place search that is down, for scenarios that show such a turn.
type noPlaces struct{}

func (noPlaces) Search(context.Context, meet.PlaceQuery) ([]meet.Place, error) {
	return nil, errors.New("the place search is down")
}
