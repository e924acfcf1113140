package stages

import (
	"context"

	"convene/pkg/meet"
	"convene/pkg/turnqueue"
)

// Observer is told of turns and stages while they run, for metrics and traces. It must not block, and nothing that a
// person sees depends on it. Work goes on with the context that it gives.
type Observer interface {
	// Accepted is told of a turn before it is queued, with the context of the request.
	Accepted(ctx context.Context, turn meet.TurnID)
	// Turn begins an attempt at a turn. At its end ended is told what the turn came to, nothing where it did not end
	// here, and what went wrong.
	Turn(ctx context.Context, job turnqueue.Job) (observed context.Context, ended func(meet.OutcomeKind, error))
	// Stage begins a stage of a turn; one whose result was kept is not done again.
	Stage(ctx context.Context, name string) (observed context.Context, ended func(error))
}

// unobserved is for those who do not want to know.
type unobserved struct{}

func (unobserved) Accepted(context.Context, meet.TurnID) {}

func (unobserved) Turn(ctx context.Context, _ turnqueue.Job) (context.Context, func(meet.OutcomeKind, error)) {
	return ctx, func(meet.OutcomeKind, error) {}
}

func (unobserved) Stage(ctx context.Context, _ string) (context.Context, func(error)) {
	return ctx, func(error) {}
}

// perform does one stage of the turn, unless it has been done before, timed and observed.
func perform[T any](ctx context.Context, r *run, name string, do func(context.Context) (T, error)) (T, error) {
	return once(ctx, r, name, func() (result T, err error) {
		observed, ended := r.observer.Stage(ctx, name)
		defer func() { ended(err) }()
		defer r.receipt.stage(name)()
		return do(observed)
	})
}
