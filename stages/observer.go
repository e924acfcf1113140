package stages

import "context"

// Observer is told of stages while they run, for metrics and traces. It must not block, and nothing that a person sees
// depends on it. Work goes on with the context that it gives.
type Observer interface {
	// Stage begins a stage of a turn; one whose result was kept is not done again.
	Stage(ctx context.Context, name string) (observed context.Context, ended func(error))
}

// unobserved is the observer of stages that nobody watches.
type unobserved struct{}

func (unobserved) Stage(ctx context.Context, _ string) (context.Context, func(error)) {
	return ctx, func(error) {}
}

// perform does one stage of the turn, unless it has been done before, timed and observed.
func perform[T any](ctx context.Context, r *run, name string, do func(context.Context) (T, error)) (T, error) {
	return once(ctx, r, name, func(ctx context.Context) (result T, err error) {
		observed, ended := r.observer.Stage(ctx, name)
		defer func() { ended(err) }()
		defer r.receipt.stage(name)()
		return do(observed)
	})
}
