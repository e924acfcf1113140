// Package stagestest has fakes for tests of the stages: a model with a script, and a small world of people, calendars
// and places that behaves like the real one.
package stagestest

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/llm"
)

// Answer is one scripted answer.
type Answer struct {
	Function  string
	Arguments any
	// Raw replaces Arguments, with invalid JSON, say.
	Raw string
	// More are further calls in the same reply.
	More []llm.Call
	// Err ends the call, after so many bytes of the arguments.
	Err   error
	After int
	// None answers without any call.
	None bool
}

// Model answers each stage's calls in the order of its script. A call beyond the script fails the test.
type Model struct {
	tb testing.TB
	mu sync.Mutex
	// Piece is the size of the streamed pieces in bytes. Defaults to 7.
	Piece    int
	script   map[llm.Stage][]Answer
	requests []llm.Request
}

// NewModel returns a model without a script.
func NewModel(tb testing.TB) *Model {
	tb.Helper()
	return &Model{tb: tb, Piece: 7, script: map[llm.Stage][]Answer{}}
}

// Say adds answers to a stage's script.
func (m *Model) Say(stage llm.Stage, answers ...Answer) *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.script[stage] = append(m.script[stage], answers...)
	return m
}

// Requests are all calls so far.
func (m *Model) Requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Complete answers from the script.
func (m *Model) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	answer, ok := m.next(req)
	if !ok {
		m.tb.Errorf("a call to stage %s that the script does not have", req.Stage)
		return llm.Reply{}, fault.New(fault.ModelUnavailable, "no script")
	}
	arguments := answer.Raw
	if arguments == "" && !answer.None {
		raw, err := json.Marshal(answer.Arguments)
		if err != nil {
			m.tb.Errorf("script of stage %s: %v", req.Stage, err)
		}
		arguments = string(raw)
	}
	streamed := arguments
	if answer.Err != nil {
		streamed = arguments[:min(answer.After, len(arguments))]
	}
	if err := m.stream(ctx, streamed, onDelta); err != nil {
		return llm.Reply{}, err
	}
	if answer.Err != nil {
		return llm.Reply{}, answer.Err
	}
	reply := llm.Reply{Usage: llm.Usage{Input: 100, Cached: 50, Output: 20}}
	if !answer.None {
		reply.Calls = append([]llm.Call{{ID: "call", Name: answer.Function, Arguments: arguments}}, answer.More...)
	}
	return reply, nil
}

func (m *Model) next(req llm.Request) (Answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, req)
	left := m.script[req.Stage]
	if len(left) == 0 {
		return Answer{}, false
	}
	m.script[req.Stage] = left[1:]
	return left[0], true
}

func (m *Model) stream(ctx context.Context, text string, onDelta func(string) error) error {
	for text != "" && onDelta != nil {
		n := min(m.Piece, len(text))
		if err := onDelta(text[:n]); err != nil {
			return err
		}
		text = text[n:]
	}
	return ctx.Err()
}

// Unavailable is the error of a model that cannot be reached.
func Unavailable() error {
	return fault.New(fault.ModelUnavailable, "The model cannot be reached.").Later(0)
}
