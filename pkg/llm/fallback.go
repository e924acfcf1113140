package llm

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"convene/pkg/fault"
)

// reserve is the part of the caller's time that a Fallback keeps for Secondary.
const reserve = 2 * time.Second

// FellBack is what a reply of Secondary is Degraded by.
const FellBack = "the model could not be reached; the built-in model answered"

// Fallback asks Primary and, if that cannot be reached, Secondary, but only before the first delta, because a message
// that changes its author in mid-sentence is worse than an error. It keeps a wrong answer: the stage decides about it.
type Fallback struct {
	Primary, Secondary Model
	// Notify, if set, gets the error of Primary, for the log.
	Notify func(ctx context.Context, err error)

	failing atomic.Bool
}

// Failing reports whether Primary could not be reached at the last call.
func (f *Fallback) Failing() bool { return f.failing.Load() }

// Complete asks Primary, then Secondary, whose reply has Degraded set. If the caller has a deadline, Primary gets all
// but two seconds of it, or half of a short one. If ctx has ended, Secondary is not asked.
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
	reply.Degraded = FellBack
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

// unreachable includes a deadline that a model reports without a fault.
func unreachable(err error) bool {
	return fault.CodeOf(err) == fault.ModelUnavailable || errors.Is(err, context.DeadlineExceeded)
}
