package turn

import (
	"context"
	"strconv"
	"sync"
)

// Journal keeps the results of one turn's finished steps, so that a process that takes the turn over goes on after the
// last step that is kept: no model is asked again. Steps are kept while the next ones are done already; what must not
// be done twice in two ways, or be seen by others, waits for Settle. A step is known by its path; see Enter.
type Journal interface {
	// Begin gives the step's result, if it has finished before.
	Begin(path string) (result []byte, finished bool)
	// Finish keeps a step's result, with the next update that is written or before.
	Finish(path string, result []byte)
	// Settle returns when the results of all finished steps are kept. Its error ends the turn: another process may have
	// it.
	Settle() error
}

// scope is a step that is being done, or the whole turn, whose path is empty.
type scope struct {
	path string

	mu sync.Mutex
	// entered counts the steps inside it, by their names.
	entered map[string]int
}

type scopeKey struct{}

// WithSteps returns a context in which a turn's steps are counted from the first: an attempt at a turn begins with it.
func WithSteps(ctx context.Context) context.Context {
	return context.WithValue(ctx, scopeKey{}, &scope{})
}

// Enter returns the context of a step inside the one that ctx is in. Its path is that one's with its own name, and with
// its ordinal if there was a step of that name before: "template", "plan/find", "plan/find.2". So a step has the same
// path in each attempt at the turn, provided that steps of the same name inside one step are entered in the same order.
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
