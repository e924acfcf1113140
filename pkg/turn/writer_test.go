package turn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// underWay is how long a record takes to the log and back.
const underWay = time.Millisecond

// ledgered notes what each record holds: "1" is how many updates, "+a" a step, "=" a state.
type ledgered struct {
	*turntest.Store
	mu      sync.Mutex
	records []string
}

func (l *ledgered) Write(ctx context.Context, turn meet.TurnID, r turn.Record) error {
	var held strings.Builder
	if n := len(r.Entries); n > 0 {
		fmt.Fprint(&held, n)
	}
	for _, s := range r.Steps {
		held.WriteString("+" + s.Path)
	}
	if len(r.State) > 0 {
		held.WriteByte('=')
	}
	l.mu.Lock()
	l.records = append(l.records, held.String())
	l.mu.Unlock()
	<-time.After(underWay)
	return l.Store.Write(ctx, turn, r)
}

// journaled is a pipeline that gets the journal.
type journaled func(ctx context.Context, journal turn.Journal, emit turn.Emit) error

func (j journaled) Run(
	ctx context.Context, _ meet.Turn, journal turn.Journal, emit turn.Emit,
) (meet.Outcome, error) {
	return meet.Outcome{Kind: meet.OutcomeAnswered}, j(ctx, journal, emit)
}

// The result of a step is stored with the update about it: no reader sees a result that a dying process could lose. One
// record is written at a time; updates and results meanwhile form the next one.
func TestAStepIsStoredWithItsUpdate(t *testing.T) {
	t.Parallel()
	tell := meet.AcknowledgmentUpdate{Text: "hello"}
	for _, tc := range []struct {
		name string
		run  journaled
		want []string
	}{
		{"with its update", func(ctx context.Context, j turn.Journal, emit turn.Emit) error {
			j.Finish("a", []byte("1"))
			err := emit(ctx, tell)
			synctest.Wait()
			return err
		}, []string{"1=", "=", "1+a", "1="}},
		{"with all of them", func(ctx context.Context, j turn.Journal, emit turn.Emit) error {
			j.Finish("a", []byte("1"))
			err := emit(ctx, tell, meet.ProgressUpdate{Text: "one moment", Stage: "template"})
			synctest.Wait()
			return err
		}, []string{"1=", "=", "2+a", "1="}},
		{"before what must not be done in two ways", func(ctx context.Context, j turn.Journal, emit turn.Emit) error {
			j.Finish("a", []byte("1"))
			if err := j.Settle(); err != nil {
				return err
			}
			j.Finish("b", []byte("2"))
			err := emit(ctx, tell)
			synctest.Wait()
			return err
		}, []string{"1=", "=", "+a", "1+b", "1="}},
		{"with others, while a record is under way", func(ctx context.Context, j turn.Journal, emit turn.Emit) error {
			err := emit(ctx, tell)
			synctest.Wait()
			for _, step := range []string{"a", "b"} {
				j.Finish(step, []byte("1"))
				err = errors.Join(err, emit(ctx, meet.ProgressUpdate{Stage: step}))
			}
			return errors.Join(err, j.Settle())
		}, []string{"1=", "=", "1", "2+a+b", "1="}},
		{"with the end", func(_ context.Context, j turn.Journal, _ turn.Emit) error {
			j.Finish("a", []byte("1"))
			return nil
		}, []string{"1=", "=", "1+a="}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				log := &ledgered{Store: &turntest.Store{}}
				queue := &turntest.Queue{Log: log}
				r := turn.NewRunner(turn.Ports{
					Turner: journaled(func(ctx context.Context, j turn.Journal, emit turn.Emit) error {
						<-time.After(2 * underWay)
						return tc.run(ctx, j, emit)
					}), Log: log, Ledger: log, Queue: queue, Leases: queue, Now: time.Now,
				}, turn.Config{})
				go r.Work(t.Context())
				started, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
				if err != nil {
					t.Fatal(err)
				}
				types(t, log.Store, started.ID)
				r.Stop(t.Context())
				if diff := cmp.Diff(tc.want, log.records); diff != "" {
					t.Errorf("records (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A turn that is handed over keeps the result of its last step.
func TestAHandedOverTurnRepeatsNoStep(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	queue := &turntest.Queue{Log: store}
	finished, again := make(chan struct{}), make(chan bool, 1)
	first := func(ctx context.Context, j turn.Journal, _ turn.Emit) error {
		j.Finish("a", []byte("1"))
		close(finished)
		<-ctx.Done()
		return context.Cause(ctx)
	}
	second := func(ctx context.Context, j turn.Journal, _ turn.Emit) error {
		_, done := j.Begin("a")
		again <- !done
		return nil
	}
	r := working(t, journaled(first), store, turn.Config{Handover: true}, queue)
	started, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
	if err != nil {
		t.Fatal(err)
	}
	<-finished
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	r.Stop(stopped)
	working(t, journaled(second), store, turn.Config{}, queue)
	types(t, store, started.ID)
	if <-again {
		t.Error("the step is done again")
	}
}
