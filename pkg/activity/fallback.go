package activity

import (
	"context"
	"errors"
	"time"

	"convene/pkg/meet"
)

// reserve is how much of the caller's time a Fallback keeps for its second finder.
const reserve = time.Second

// Fallback asks Primary, and then Secondary if that fails or finds nothing.
type Fallback struct {
	Primary, Secondary Finder
	// Notify, if set, receives the error of Primary, for the log.
	Notify func(ctx context.Context, err error)
}

var _ Finder = (*Fallback)(nil)

// Suggest answers as Finder promises, and calls q.Degraded if Secondary answers. If Primary failed and Secondary finds
// nothing, it fails, because something may be on after all. It does not continue for a caller that has gone.
func (f *Fallback) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	found, failed := f.primary(ctx, q)
	if ctx.Err() != nil && failed != nil || failed == nil && len(found) > 0 {
		return found, failed
	}
	if failed != nil && f.Notify != nil {
		f.Notify(ctx, failed)
	}
	found, err := f.Secondary.Suggest(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0 && !errors.Is(failed, ErrNoSearch):
		return found, failed
	}
	if q.Degraded != nil {
		q.Degraded(because(failed))
	}
	return found, nil
}

func because(failed error) string {
	switch {
	case errors.Is(failed, ErrNoSearch):
		return "the model provider has no search for activities; the built-in catalogue answered"
	case failed != nil:
		return "the search for activities failed; the built-in catalogue answered"
	default:
		return "the search for activities found nothing; the built-in catalogue answered"
	}
}

func (f *Fallback) primary(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return f.Primary.Suggest(ctx, q)
	}
	left := time.Until(deadline)
	ctx, cancel := context.WithTimeout(ctx, left-min(reserve, left/2))
	defer cancel()
	return f.Primary.Suggest(ctx, q)
}
