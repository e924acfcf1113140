package turn

import (
	"context"
	"strconv"
	"sync"
)

// Journal keeps the results of one turn's finished steps, so that a process that takes the turn over continues after
// the last stored step: no model is asked again. Steps are stored while the next ones run; what must not happen in two
// different ways, or be seen outside, waits for Settle. A step is known by its path; see Enter.
type Journal interface {
	// Begin returns the step's result, if it has finished before.
	Begin(path string) (result []byte, finished bool)
	// Finish stores a step's result, with the next update or before.
	Finish(path string, result []byte)
	// Settle returns when the results of all finished steps are stored. Its error ends the turn: another process may have
	// it.
	Settle() error
}

// scope is a step under way, or the whole turn, whose path is empty.
type scope struct {
	path string

	mu sync.Mutex
	// entered counts the steps inside it, by name.
	entered map[string]int
}

type scopeKey struct{}

// WithSteps returns the context with which an attempt at a turn begins: it counts the turn's steps.
func WithSteps(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{})
}

// Enter returns the context of a step inside the step of ctx. Its path is the outer path and its name, with its ordinal
// if there was a step of that name before: "template", "plan/find", "plan/find.2". So a step has the same path in each
// attempt at the turn, provided that steps of one name inside one step are entered in the same order.
func Enter(ctx context.Context, name string) context.Context {
	outer := scopeOf(ctx)
	outer.mu.Lock()
	defer outer.mu.Unlock()
	if outer.entered == nil {
		outer.entered = map[string]int{}
	}
	outer.entered[name]++
	if n := outer.entered[name]; n > 1 {
		name += "." + strconv.Itoa(n)
	}
	if outer.path != "" {
		name = outer.path + "/" + name
	}
	return context.WithValue(ctx, scopeKey{}, &scope{path: name})
}

// PathOf is the path of the step that ctx is in, "" outside of any.
func PathOf(ctx context.Context) string { return scopeOf(ctx).path }

func scopeOf(ctx context.Context) *scope {
	if s, ok := ctx.Value(scopeKey{}).(*scope); ok {
		return s
	}
	return &scope{}
}
