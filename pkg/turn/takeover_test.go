package turn_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// stepping is a pipeline of three steps, each kept in the journal; stop is called before each.
func stepping(stop func(attempt)) turn.Turner {
	return stepper{stop}
}

type attempt struct {
	step string
	ctx  context.Context //nolint:containedctx // a test's way to wait for the attempt's end
}

type stepper struct{ stop func(attempt) }

func (s stepper) Run(
	ctx context.Context, turn meet.Turn, journal turn.Journal, emit turn.Emit,
) (meet.Outcome, error) {
	for _, step := range []string{"one", "two", "three"} {
		if _, finished := journal.Begin(step); !finished {
			s.stop(attempt{step, ctx})
			journal.Finish(step, []byte(turn.Message))
		}
		if err := emit(ctx, meet.ProgressUpdate{Text: step, Stage: step}); err != nil {
			return meet.Outcome{}, err
		}
	}
	return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
}

// mortal is the store as a process sees it that may die: what it writes then is not stored.
type mortal struct {
	*turntest.Store
	dead atomic.Bool
}

func (m *mortal) Write(ctx context.Context, turn meet.TurnID, r turn.Record) error {
	if m.dead.Load() {
		<-ctx.Done() // it would try for as long as it may
		return fault.New(fault.Unavailable, "The process is dead.")
	}
	return m.Store.Write(ctx, turn, r)
}

// A turn whose process dies at any step is taken over by another, goes on after the last step that is kept, and is
// streamed as if nothing had happened. What is under way to the log when the process dies is done again.
func TestATurnIsTakenOver(t *testing.T) {
	t.Parallel()
	type death struct {
		at       string
		unstored bool
	}
	for _, dies := range []death{{"one", false}, {"two", false}, {"three", false}, {"two", true}, {"three", true}} {
		t.Run(fmt.Sprintf("%+v", dies), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &turntest.Store{}
				queue := &turntest.Queue{Log: store}
				dying := &mortal{Store: store}
				var mu sync.Mutex
				done := map[string]int{}
				count := func(a attempt) {
					mu.Lock()
					defer mu.Unlock()
					done[a.step]++
				}
				died := make(chan struct{})
				die := func(a attempt) {
					count(a)
					if a.step != dies.at {
						return
					}
					if !dies.unstored {
						synctest.Wait()
					}
					dying.dead.Store(true)
					close(died)
					<-a.ctx.Done() // the lease is lost
				}
				first := working(t, stepping(die), dying, turn.Config{Most: 1}, queue)
				started, err := first.Start(t.Context(), meet.Turn{Message: "m"})
				if err != nil {
					t.Fatal(err)
				}
				<-died
				queue.StealAll()
				second := working(t, stepping(count), store, turn.Config{}, queue)
				kinds, outcome := types(t, store, started.ID)
				if want := []string{"turn", "progress", "progress", "progress", "done"}; !slices.Equal(kinds, want) ||
					outcome != "answered" {
					t.Errorf("got %v %s, want %v", kinds, outcome, want)
				}
				first.Stop(t.Context())
				second.Stop(t.Context())
				for step, n := range done {
					if most := 2; n > most || !dies.unstored && step != dies.at && n > 1 {
						t.Errorf("step %s was begun %d times", step, n)
					}
				}
			})
		})
	}
}

// At shutdown a turn that does not end in time is left to the others.
func TestATurnIsHandedOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &turntest.Store{}
		queue := &turntest.Queue{Log: store}
		slow := func(a attempt) { <-a.ctx.Done() }
		first := working(t, stepping(slow), store, turn.Config{Handover: true}, queue)
		started, err := first.Start(t.Context(), meet.Turn{Message: "m"})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		second := working(t, stepping(func(attempt) {}), store, turn.Config{}, queue)
		now, cancel := context.WithCancel(t.Context())
		cancel()
		first.Stop(now)
		if _, outcome := types(t, store, started.ID); outcome != "answered" {
			t.Errorf("outcome %s", outcome)
		}
		second.Stop(t.Context())
	})
}

// A turn that no process can finish ends with an error instead of being tried for ever.
func TestATurnIsNotTriedForEver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &turntest.Store{}
		queue := &turntest.Queue{Log: store}
		r := working(t, stepping(func(a attempt) {
			queue.StealAll()
			<-a.ctx.Done()
		}), store, turn.Config{Attempts: 3}, queue)
		started, err := r.Start(t.Context(), meet.Turn{})
		if err != nil {
			t.Fatal(err)
		}
		if kinds, outcome := types(t, store, started.ID); outcome != "failed" {
			t.Errorf("got %v %s", kinds, outcome)
		}
		r.Stop(t.Context())
	})
}
