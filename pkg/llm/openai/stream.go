package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"convene/pkg/llm"
	"convene/pkg/sse"
)

// Bounds of one answer, far above those of any good one.
const (
	maxCalls = 8
	maxChunk = 256 << 10
)

// readSize is how much of a stream is read at once.
const readSize = 16 << 10

type readBuffer [readSize]byte

// answer collects the chunks of one stream.
type answer struct {
	onDelta func(string) error
	// stall is how long no byte may come.
	stall time.Duration
	// textIs is set in JSONSchema mode, in which the text is the call.
	textIs *textCall

	calls   []*call
	text    strings.Builder
	refused bool
	chosen  bool // a choice has been seen
	finish  string
	usage   llm.Usage
	// size counts the bytes of text and arguments; most is how many there may be.
	size, most int
	begun      bool // a delta has been handed out
	chunk      chunk
	// ready is the part that has arrived and was not handed out.
	ready []byte
}

type call struct {
	index     int
	id, name  string
	arguments strings.Builder
}

// textCall is the function that a text calls; if its name is empty, the text names it.
type textCall struct{ name string }

// deltaError is an error of the caller's onDelta.
type deltaError struct{ error }

func (e deltaError) Unwrap() error { return e.error }

func (c *Client) newAnswer(req llm.Request, mode ToolMode, onDelta func(string) error) *answer {
	a := &answer{onDelta: onDelta, most: c.cfg.MaxAnswer}
	if mode == JSONSchema {
		tool, _ := onlyTool(req)
		a.textIs = &textCall{name: tool.Name}
	}
	return a
}

// read reads the stream to its end, through the buffer. An answer is whole only with a finish reason and "[DONE]" after
// it.
func (a *answer) read(body io.Reader, buffer []byte) (llm.Reply, error) {
	events := sse.NewDecoder(body)
	events.MaxLine, events.MaxEvent, events.Buffer, events.Lend = maxChunk, maxChunk, buffer, true
	for {
		event, err := events.Next()
		if errors.Is(err, io.EOF) {
			return llm.Reply{}, outage(errors.New("the stream was cut before its end"))
		}
		if errors.Is(err, sse.ErrTooLong) || errors.Is(err, errFlood) {
			return llm.Reply{}, endless("stream: %w", err)
		}
		if err != nil {
			return llm.Reply{}, outage(fmt.Errorf("stream: %w", err))
		}
		if string(event.Data) == "[DONE]" {
			if err := a.flush(); err != nil {
				return llm.Reply{}, err
			}
			return a.reply()
		}
		if err := a.add(event.Data); err != nil {
			return llm.Reply{}, errors.Join(err, a.flush())
		}
		if !events.Ready() {
			if err := a.flush(); err != nil {
				return llm.Reply{}, err
			}
		}
	}
}

func (a *answer) add(data []byte) error {
	c := &a.chunk
	if err := c.read(data); err != nil {
		return outage(err)
	}
	if c.failure != nil {
		return outage(fmt.Errorf("error within the stream: %s", excerpt(c.failure)))
	}
	if c.usage != nil {
		a.usage = *c.usage
	}
	for i := range c.choices {
		if c.choices[i].index != 0 {
			continue
		}
		if err := a.addChoice(&c.choices[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) addChoice(c *choice) error {
	a.chosen = true
	if len(c.finish) > 0 {
		a.finish = string(c.finish)
	}
	a.refused = a.refused || c.refused
	if err := a.addText(c.content); err != nil {
		return err
	}
	for i := range c.calls {
		if err := a.addFragment(&c.calls[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *answer) addText(s []byte) error {
	if err := a.grow(len(s)); err != nil {
		return err
	}
	a.text.Write(s)
	if a.textIs != nil && a.textIs.name != "" {
		a.hand(s)
	}
	return nil
}

func (a *answer) addFragment(f *fragment) error {
	if err := a.grow(len(f.arguments)); err != nil {
		return err
	}
	c := a.find(f)
	if c == nil {
		switch {
		case len(f.name) == 0 || f.index < 0:
			return unusable("a fragment belongs to no call (index %d of %d)", f.index, len(a.calls))
		case len(a.calls) == maxCalls:
			return endless("an answer of more than %d calls", maxCalls)
		}
		c = &call{index: f.index, id: string(f.id), name: string(f.name)}
		a.calls = append(a.calls, c)
	}
	c.arguments.Write(f.arguments)
	if c == a.calls[0] {
		a.hand(f.arguments)
	}
	return nil
}

// find returns the call that a fragment continues. Some servers give all calls the index 0 and different ids; some
// repeat id and name in every fragment.
func (a *answer) find(f *fragment) *call {
	for _, c := range slices.Backward(a.calls) {
		if c.index == f.index && (len(f.id) == 0 || c.id == "" || string(f.id) == c.id) {
			return c
		}
	}
	return nil
}

func (a *answer) grow(n int) error {
	if a.size += n; a.size > a.most {
		return endless("an answer of more than %d bytes", a.most)
	}
	return nil
}

// hand appends s to ready: pieces that arrive together are handed out together.
func (a *answer) hand(s []byte) {
	if a.onDelta != nil {
		a.ready = append(a.ready, s...)
	}
}

func (a *answer) flush() error {
	if len(a.ready) == 0 {
		return nil
	}
	s := string(a.ready)
	a.ready, a.begun = a.ready[:0], true
	if err := a.onDelta(s); err != nil {
		return deltaError{err}
	}
	return nil
}

// reply returns the whole answer, or why it is unusable.
func (a *answer) reply() (llm.Reply, error) {
	switch {
	case !a.chosen:
		return llm.Reply{}, unusable("no choices")
	case a.refused || a.finish == "content_filter":
		return llm.Reply{}, declined("refusal or content filter (finish reason %q)", a.finish)
	case a.finish == "length":
		return llm.Reply{}, endless("cut off at its token limit, %d written", a.usage.Output)
	case a.finish == "":
		return llm.Reply{}, outage(errors.New("the stream ended without a finish reason"))
	}
	reply := llm.Reply{Text: a.text.String(), Usage: a.usage}
	for _, c := range a.calls {
		reply.Calls = append(reply.Calls, llm.Call{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	if len(reply.Calls) == 0 && a.textIs != nil {
		return a.fromText(reply)
	}
	if len(reply.Calls) == 0 {
		return llm.Reply{}, unusable("%d bytes of text instead of a function call", len(reply.Text))
	}
	return reply, nil
}

// fromText turns the text of JSONSchema mode into a call.
func (a *answer) fromText(reply llm.Reply) (llm.Reply, error) {
	made := llm.Call{Name: a.textIs.name, Arguments: strings.TrimSpace(reply.Text)}
	if made.Name == "" {
		var chosen chosenCall
		if err := json.Unmarshal([]byte(reply.Text), &chosen); err != nil || chosen.Call.Function == "" {
			return llm.Reply{}, unusable("%d bytes of text that choose no function", len(reply.Text))
		}
		made = llm.Call{Name: chosen.Call.Function, Arguments: string(chosen.Call.Arguments)}
	}
	if made.Arguments == "" {
		return llm.Reply{}, unusable("an empty text instead of arguments")
	}
	reply.Calls, reply.Text = []llm.Call{made}, ""
	if a.textIs.name == "" {
		a.hand([]byte(made.Arguments))
	}
	return reply, a.flush()
}
