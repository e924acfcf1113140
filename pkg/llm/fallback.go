package llm

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"convene/pkg/fault"
)

// reserve is the part of the caller's time that a Fallback keeps for its second model.
const reserve = 2 * time.Second

// Fallback asks Primary and, where that cannot be reached, Secondary. It does so only before the first delta was
// handed out, because a message that changes its author in mid-sentence is worse than an error. A wrong answer is no
// reason: the stage that asked decides about it.
type Fallback struct {
	Primary, Secondary Model
	// Notify, where set, is told why Primary was given up, for the log.
	Notify func(ctx context.Context, err error)

	failing atomic.Bool
}

// Failing reports whether Primary could not be reached when it was asked last.
func (f *Fallback) Failing() bool { return f.failing.Load() }

// Complete answers with one of the two models; Reply.Degraded says so where it was Secondary. Where the caller has a
// deadline, Primary gets all of it but two seconds, or half of it where it is short. A caller that has gone is not
// answered.
func (f *Fallback) Complete(ctx context.Context, req Request, onDelta func(string) error) (Reply, error) {
	begun := false
	counted := onDelta
	if onDelta != nil {
		counted = func(s string) error {
			begun = true
			return onDelta(s)
		}
	}
	reply, err := f.primary(ctx, req, counted)
	if ctx.Err() == nil {
		f.failing.Store(err != nil && unreachable(err))
	}
	if err == nil || begun || ctx.Err() != nil || !unreachable(err) {
		return reply, err
	}
	if f.Notify != nil {
		f.Notify(ctx, err)
	}
	reply, second := f.Secondary.Complete(ctx, req, onDelta)
	if second != nil {
		return Reply{}, errors.Join(second, err)
	}
	reply.Degraded = "the model could not be reached; the built-in model answered"
	return reply, nil
}

func (f *Fallback) primary(ctx context.Context, req Request, onDelta func(string) error) (Reply, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return f.Primary.Complete(ctx, req, onDelta)
	}
	left := time.Until(deadline)
	ctx, cancel := context.WithTimeout(ctx, left-min(reserve, left/2))
	defer cancel()
	return f.Primary.Complete(ctx, req, onDelta)
}

// unreachable includes a deadline that a model reports without words of its own.
func unreachable(err error) bool {
	return fault.CodeOf(err) == fault.ModelUnavailable || errors.Is(err, context.DeadlineExceeded)
}
