package turn

import (
	"context"

	"convene/pkg/meet"
)

// Observer is told of turns while they run, for metrics and traces. It must not block, and nothing that a person sees
// depends on it. Work goes on with the context that it gives.
type Observer interface {
	// Accepted is told of a turn before it is queued, with the context of the request.
	Accepted(ctx context.Context, turn meet.TurnID)
	// Turn begins an attempt at a turn. At its end ended is told the turn's outcome, empty if it did not end here, and
	// what went wrong.
	Turn(ctx context.Context, job Job) (observed context.Context, ended func(meet.OutcomeKind, error))
}

// unobserved is the observer of turns that nobody watches.
type unobserved struct{}

func (unobserved) Accepted(context.Context, meet.TurnID) {}

func (unobserved) Turn(ctx context.Context, _ Job) (context.Context, func(meet.OutcomeKind, error)) {
	return ctx, func(meet.OutcomeKind, error) {}
}
