package turn_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// observed records the calls of an observer.
type observed struct {
	mu    sync.Mutex
	lines []string
}

func (o *observed) note(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = append(o.lines, fmt.Sprintf(format, args...))
}

func (o *observed) Accepted(context.Context, meet.TurnID) { o.note("accepted") }

type turnKey struct{}

func (o *observed) Turn(ctx context.Context, job turn.Job) (context.Context, func(meet.OutcomeKind, error)) {
	o.note("attempt %d", job.Attempt)
	return context.WithValue(ctx, turnKey{}, "the turn"), func(outcome meet.OutcomeKind, err error) {
		o.note("came to %q, %q", outcome, fault.CodeOf(err))
	}
}

func TestTurnsAreObserved(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer error
		want   string
	}{
		{"answered", nil, `came to "answered", ""`},
		{"failed", errors.New("broken"), `came to "failed", "internal"`},
		{"refused by the model", fault.New(fault.ModelUnavailable, "Not now."), `came to "failed", "model_unavailable"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var seen observed
				store := &turntest.Store{}
				queue := &turntest.Queue{Log: store}
				r := turn.NewRunner(turn.Ports{
					Turner: turner(func(ctx context.Context, _ meet.Turn, _ turn.Emit) (meet.Outcome, error) {
						seen.note("runs in %v", ctx.Value(turnKey{}))
						return meet.Outcome{Kind: meet.OutcomeAnswered}, tt.answer
					}),
					Log: store, Ledger: store, Queue: queue, Leases: queue, Observer: &seen, Now: time.Now,
				}, turn.Config{})
				go r.Work(t.Context())
				if _, err := r.Start(t.Context(), meet.Turn{Message: "hello"}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				r.Stop(t.Context())
				want := []string{"accepted", "attempt 1", "runs in the turn", tt.want}
				if diff := cmp.Diff(want, seen.lines); diff != "" {
					t.Errorf("observed (-want +got):\n%s", diff)
				}
			})
		})
	}
}
