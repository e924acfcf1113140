package stages_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turnlog"
	"convene/stages"
	"convene/stages/stagestest"
)

// unreadable is a log that cannot be read for the first times. A turn's lease ends meanwhile.
type unreadable struct {
	*stagestest.Store
	queue *stagestest.Queue
	times atomic.Int64
	// unbounded counts the reads that had no deadline.
	unbounded atomic.Int64
}

func (u *unreadable) Written(ctx context.Context, turn meet.TurnID) ([]turnlog.Entry, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		u.unbounded.Add(1)
	}
	if u.times.Add(-1) >= 0 {
		u.queue.StealAll()
		return nil, fault.New(fault.Unavailable, "Not now.")
	}
	return u.Store.Written(ctx, turn)
}

// mute is a ledger that does not answer.
type mute struct{ *stagestest.Store }

func (mute) PutState(ctx context.Context, _ meet.TurnID, _ []byte) error {
	<-ctx.Done()
	return ctx.Err()
}

// Whoever asks while nothing can be stored is told soon, and when to come back.
func TestAStoreThatDoesNotAnswerIsUnavailable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, queue := &stagestest.Store{}, &stagestest.Queue{}
		r := stages.NewRunner(stages.RunnerPorts{
			Turner: turner(answering), Log: store, Ledger: mute{store}, Queue: queue, Leases: queue, Checkpoints: queue, Now: time.Now,
		}, stages.RunnerConfig{})
		begun := time.Now()
		_, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
		if f := fault.As(err); f.Code != fault.Unavailable || f.RetryAfter == 0 || time.Since(begun) > 10*time.Second {
			t.Errorf("after %v: %v, want unavailable within ten seconds, with a time to come back", time.Since(begun), err)
		}
	})
}

// While nobody knows what a turn has written, nothing is written; it goes on when its log can be read.
func TestATurnWhoseLogCannotBeReadWaits(t *testing.T) {
	t.Parallel()
	for name, times := range map[string]int64{"once": 1, "until the last attempt": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, queue := &stagestest.Store{}, &stagestest.Queue{}
			log := &unreadable{Store: store, queue: queue}
			log.times.Store(times)
			r := stages.NewRunner(stages.RunnerPorts{
				Turner: turner(answering), Log: log, Ledger: store, Queue: queue, Leases: queue, Checkpoints: queue, Now: time.Now,
			}, stages.RunnerConfig{})
			go r.Work(t.Context())
			started, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
			if err != nil {
				t.Fatal(err)
			}
			kinds, outcome := types(t, store, started.ID)
			if want := []string{"turn", "acknowledgment", "done"}; !slices.Equal(kinds, want) || outcome != "answered" {
				t.Errorf("got %v %s, want %v answered", kinds, outcome, want)
			}
			r.Stop(t.Context())
			if n := log.unbounded.Load(); n > 0 {
				t.Errorf("%d reads of the log had no deadline", n)
			}
		})
	}
}
