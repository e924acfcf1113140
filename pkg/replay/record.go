package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"convene/pkg/sse"
)

// recordWithin bounds the recording of a turn.
const recordWithin = 2 * time.Minute

// Recorder records the turns of one conversation, one after the other.
//
// The random ids that the server gives are replaced: those of turns by t_NAME.1, t_NAME.2 …, that of the conversation
// by c_NAME, those of proposals by p_NAME.1, p_NAME.2 …, likewise those of plans (pl), change sets (ch, and sha256
// for their digests), questions (q) and refused requests (r). Unless Measured is set, measurements are replaced too, so
// that each recording of the same turn has the same bytes: milliseconds and the tokens of the receipt are 0, a change
// set has fixed time limits, and blocks come at a model's pace. The rest of a stream is kept byte by byte.
type Recorder struct {
	// Measured keeps times and token counts.
	Measured bool

	server       caller
	name         string
	names        namer
	turns        int
	conversation string
	proposal     string
}

// NewRecorder records turns of the server under names that begin with name.
func NewRecorder(server, name string) *Recorder {
	names := namer{conversation: name, names: rename{}, counts: map[string]int{}}
	return &Recorder{server: newCaller(server, 1), name: name, names: names}
}

// Close ends the connections to the server.
func (r *Recorder) Close() { r.server.close() }

// Turn sends the body of a turn and reads the response to its end. Later turns continue the conversation of the first,
// unless the body names another.
func (r *Recorder) Turn(ctx context.Context, body json.RawMessage) (Recording, error) {
	ctx, cancel := context.WithTimeout(ctx, recordWithin)
	defer cancel()
	sent, err := within(body, r.conversation)
	if err != nil {
		return Recording{}, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, sent); err != nil {
		return Recording{}, fmt.Errorf("the request is not JSON: %w", err)
	}
	sent = compact.Bytes()
	r.turns++
	rec := Recording{
		Name: fmt.Sprintf("%s.%d", r.name, r.turns),
		Request: Request{
			Method: http.MethodPost, Path: turnsPath,
			Header: map[string]string{"Accept": sse.ContentType, "Content-Type": "application/json"},
			Body:   sent,
		},
	}
	start := time.Now()
	resp, err := r.server.post(ctx, turnsPath, sse.ContentType, sent)
	if err != nil {
		return Recording{}, fmt.Errorf("record %s: %w", rec.Name, err)
	}
	defer resp.Body.Close()
	rec.Response = Response{resp.StatusCode, map[string]string{"Content-Type": resp.Header.Get("Content-Type")}}
	if isStream(resp) {
		rec.Blocks, err = recordStream(resp.Body, start)
	} else {
		rec.Blocks, err = recordBody(resp.Body, start)
	}
	if err != nil {
		return Recording{}, fmt.Errorf("record %s: %w", rec.Name, err)
	}
	return r.named(rec)
}

func recordStream(body io.Reader, start time.Time) ([]Block, error) {
	var blocks []Block
	whole := &transcript{}
	for in := newBlockReader(body); ; {
		raw, err := in.next()
		at := time.Since(start)
		if errors.Is(err, io.EOF) && !whole.done() {
			return nil, failure(NoDone, "the stream ended after %d updates", whole.last())
		}
		if errors.Is(err, io.EOF) {
			return blocks, nil
		}
		if err != nil {
			return nil, err
		}
		u, err := parseBlock(raw)
		if err != nil {
			return nil, err
		}
		if err := whole.add(u); err != nil {
			return nil, err
		}
		blocks = append(blocks, Block{at, string(raw)})
	}
}

func recordBody(body io.Reader, start time.Time) ([]Block, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxBlock))
	return []Block{{time.Since(start), string(raw)}}, err
}

// named replaces the recording's ids by stable names.
func (r *Recorder) named(rec Recording) (Recording, error) {
	if rec.streamed() {
		updates, err := rec.updates()
		if err != nil {
			return Recording{}, err
		}
		var asked struct{ ConversationID string }
		if err := json.Unmarshal(rec.Request.Body, &asked); err != nil {
			return Recording{}, fmt.Errorf("record %s: %w", rec.Name, err)
		}
		r.names.learn(r.turns, asked.ConversationID, updates)
		r.remember(updates)
	}
	if !rec.streamed() {
		r.names.learnRequest(r.turns, rec.Blocks)
	}
	replacer := r.names.names.replacer()
	rec.Request.Body = json.RawMessage(replacer.Replace(string(rec.Request.Body)))
	for i := range rec.Blocks {
		rec.Blocks[i].Bytes = replacer.Replace(rec.Blocks[i].Bytes)
	}
	if !r.Measured {
		level(rec.Blocks)
	}
	return rec, nil
}

// What differs each time, by the type of the update: the measurements of a receipt and of steps, and the time
// limits of a change set, which are in real time.
var (
	measured = regexp.MustCompile(`("(?:ms|input|cached|output)":)[0-9.eE+-]+`)
	lasted   = regexp.MustCompile(`("(?:executionTime|milliseconds)":)[0-9.eE+-]+`)
	limited  = regexp.MustCompile(`("(?:expiresAt|undoUntil)":")[^"]*`)

	levels = map[string]struct {
		find *regexp.Regexp
		with string
	}{
		"done": {measured, "${1}0"}, "plan": {lasted, "${1}0"}, "result": {lasted, "${1}0"},
		"changes": {limited, "${1}2000-01-01T00:00:00Z"}, "applied": {limited, "${1}2000-01-01T00:00:00Z"},
	}
)

// level removes from blocks how fast the machine was, and with that its heartbeats, and how long the prompts were.
func level(blocks []Block) {
	var at time.Duration
	before := ""
	for i, b := range blocks {
		blocks[i].Bytes = strings.TrimPrefix(b.Bytes, sse.Heartbeat)
		u, err := parseBlock([]byte(blocks[i].Bytes))
		if varies, ok := levels[u.content.Type]; err == nil && ok {
			blocks[i].Bytes = varies.find.ReplaceAllString(blocks[i].Bytes, varies.with)
		}
		at += pause(u, before)
		blocks[i].At, before = at, u.content.Type
	}
}

// pause is the time between an update and the one before, about as with small models: longer if a model begins an
// answer, and by the length of its text.
func pause(u update, before string) time.Duration {
	switch {
	case u.content.Type == "acknowledgment", u.content.Type == "message_delta" && before != u.content.Type:
		return 350 * time.Millisecond
	case u.content.Type == "template", u.content.Type == "navigate":
		return 650 * time.Millisecond
	case u.content.Type == "message_delta":
		return time.Duration(len(u.bytes)) * time.Millisecond / 2
	default:
		return time.Millisecond
	}
}

func (r *Recorder) remember(updates []update) {
	for _, u := range updates {
		if u.content.ConversationID != "" {
			r.conversation = u.content.ConversationID
		}
		if u.content.Event.ID != "" {
			r.proposal = u.content.Event.ID
		}
	}
}

// Settle confirms or cancels the last proposal, on which later turns may depend, without recording it.
func (r *Recorder) Settle(ctx context.Context, what string, body json.RawMessage) error {
	ctx, cancel := context.WithTimeout(ctx, recordWithin)
	defer cancel()
	if r.proposal == "" {
		return fmt.Errorf("%s: nothing has been proposed yet", what)
	}
	resp, err := r.server.post(ctx, "/v1/proposals/"+url.PathEscape(r.proposal)+"/"+what, "application/json", body)
	if err != nil {
		return fmt.Errorf("%s the proposal: %w", what, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s the proposal: %w", what, refusal(resp))
	}
	return nil
}
