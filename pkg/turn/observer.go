package turn

import (
	"context"

	"convene/pkg/meet"
)

// Observer measures and traces turns while they run. It must not block, and nothing that a user sees depends on it. The
// turn goes on with the context that it returns.
type Observer interface {
	// Accepted is called before a turn is queued, with the context of the request.
	Accepted(ctx context.Context, turn meet.TurnID)
	// Turn begins an attempt at a turn. At its end, ended gets the turn's outcome, empty if it did not end here, and its
	// error.
	Turn(ctx context.Context, job Job) (observed context.Context, ended func(meet.OutcomeKind, error))
}

// unobserved is the default Observer.
type unobserved struct{}

func (unobserved) Accepted(context.Context, meet.TurnID) {}

func (unobserved) Turn(ctx context.Context, _ Job) (context.Context, func(meet.OutcomeKind, error)) {
	return ctx, func(meet.OutcomeKind, error) {}
}
