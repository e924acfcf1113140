package telemetry

import (
	"context"
	"net/http"
	"sync"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"convene/pkg/meet"
)

// Continue makes a request part of its caller's trace (W3C Trace Context), if there are traces.
func (t *Telemetry) Continue(next http.Handler) http.Handler {
	if t.provider == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// mostCallers bounds the remembered turns that were accepted here and have not begun. Those that another process runs
// are never looked up.
const mostCallers = 4096

// callers remembers the trace of the request of each turn, until the turn begins on this process. The zero value is
// ready for use.
type callers struct {
	mu     sync.Mutex
	traces map[meet.TurnID]trace.SpanContext
	// order is a ring of the newest turns.
	order []meet.TurnID
	next  int
}

func (c *callers) remember(turn meet.TurnID, caller trace.SpanContext) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.traces == nil {
		c.traces = map[meet.TurnID]trace.SpanContext{}
		c.order = make([]meet.TurnID, mostCallers)
	}
	delete(c.traces, c.order[c.next])
	c.traces[turn], c.order[c.next] = caller, turn
	c.next = (c.next + 1) % mostCallers
}

// join returns ctx in the trace of the turn's request.
func (c *callers) join(ctx context.Context, turn meet.TurnID) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	caller, ok := c.traces[turn]
	if !ok {
		return ctx
	}
	delete(c.traces, turn)
	return trace.ContextWithRemoteSpanContext(ctx, caller)
}
