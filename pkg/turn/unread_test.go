package turn_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// unreadable is a log that cannot be read for the first times. A turn's lease ends meanwhile.
type unreadable struct {
	*turntest.Store
	queue *turntest.Queue
	times atomic.Int64
	// unbounded counts the reads that had no deadline.
	unbounded atomic.Int64
}

func (u *unreadable) Written(ctx context.Context, turn meet.TurnID) ([]turn.Entry, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		u.unbounded.Add(1)
	}
	if u.times.Add(-1) >= 0 {
		u.queue.StealAll()
		return nil, fault.New(fault.Unavailable, "Not now.")
	}
	return u.Store.Written(ctx, turn)
}

// mute is a log that does not answer.
type mute struct{ *turntest.Store }

func (mute) Write(ctx context.Context, _ meet.TurnID, _ turn.Record) error {
	<-ctx.Done()
	return ctx.Err()
}

// A caller learns soon that nothing can be stored, and when to try again.
func TestAStoreThatDoesNotAnswerIsUnavailable(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := mute{&turntest.Store{}}
		queue := &turntest.Queue{Log: store}
		r := turn.NewRunner(turn.Ports{
			Turner: turner(answering), Log: store, Ledger: store, Queue: queue, Leases: queue, Now: time.Now,
		}, turn.Config{})
		begun := time.Now()
		_, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
		if f := fault.As(err); f.Code != fault.Unavailable || f.RetryAfter == 0 || time.Since(begun) > 10*time.Second {
			t.Errorf("after %v: %v, want unavailable within ten seconds, with a time to come back", time.Since(begun), err)
		}
	})
}

// While a turn's log cannot be read, nothing is written; the turn goes on when it can.
func TestATurnWhoseLogCannotBeReadWaits(t *testing.T) {
	t.Parallel()
	for name, times := range map[string]int64{"once": 1, "until the last attempt": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &turntest.Store{}
			queue := &turntest.Queue{Log: store}
			log := &unreadable{Store: store, queue: queue}
			log.times.Store(times)
			var died atomic.Bool
			dying := func(ctx context.Context, turn meet.Turn, emit turn.Emit) (meet.Outcome, error) {
				if died.CompareAndSwap(false, true) {
					queue.StealAll()
					<-ctx.Done() // the lease is lost
				}
				return answering(ctx, turn, emit)
			}
			r := turn.NewRunner(turn.Ports{
				Turner: turner(dying), Log: log, Ledger: store, Queue: queue, Leases: queue, Now: time.Now,
			}, turn.Config{Renewal: time.Millisecond})
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
			if left := log.times.Load(); left >= 0 {
				t.Errorf("the log was read %d times too seldom", left+1)
			}
			if n := log.unbounded.Load(); n > 0 {
				t.Errorf("%d reads of the log had no deadline", n)
			}
		})
	}
}
