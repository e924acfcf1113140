// Package workflowtest has the suite of stores of runs, and a store in memory.
package workflowtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

// Shelf keeps runs in memory. The zero value is empty.
type Shelf struct {
	mu   sync.Mutex
	runs map[string]workflow.Record
}

// Keep makes the stored run what a turn left of it.
func (s *Shelf) Keep(_ context.Context, next workflow.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == nil {
		s.runs = map[string]workflow.Record{}
	}
	known := s.runs[next.ID]
	known.Become(next)
	s.runs[next.ID] = known
	return nil
}

// Change changes a run that is there.
func (s *Shelf) Change(
	_ context.Context, id string, change func(*workflow.Record) error,
) (workflow.Record, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.runs[id]
	if !ok {
		return known, fault.New(fault.NotFound, "There is no run with this id.")
	}
	if err := change(&known); err != nil {
		return workflow.Record{}, err
	}
	s.runs[id] = known
	return known, nil
}

// Run is a run by its id.
func (s *Shelf) Run(ctx context.Context, id string) (workflow.Record, error) {
	return s.Change(ctx, id, func(*workflow.Record) error { return nil })
}

// Runs are the latest of a person.
func (s *Shelf) Runs(_ context.Context, person meet.PersonID, most int) (list []workflow.Record, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.Owner == person {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b workflow.Record) int {
		return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID))
	})
	return list[:min(most, len(list))], nil
}

// waiting is a run that waits for the answer to a question.
func waiting(id, question string, began time.Time) workflow.Record {
	until := began.Add(24 * time.Hour)
	return workflow.Record{Owner: "dana", Step: 1, State: []byte(`{"plan":1}`), Run: workflow.Run{
		ID: id, Words: "clear Friday", Status: workflow.Waiting, Turn: "t_1", Started: began, Updated: began,
		Question: &meet.Choices{ID: question, Options: []meet.Option{}}, Until: &until, Steps: []meet.PlanStep{},
	}}
}

// Test holds a store to its contract.
func Test(ctx context.Context, t testing.TB, store workflow.Store) {
	t.Helper()
	began := time.Now().UTC().Truncate(time.Millisecond)
	if _, err := store.Run(ctx, "pl_1"); fault.CodeOf(err) != fault.NotFound {
		t.Fatalf("an unknown run: %v", err)
	}
	stays := func(*workflow.Record) error { return nil }
	if _, err := store.Change(ctx, "pl_1", stays); fault.CodeOf(err) != fault.NotFound {
		t.Fatalf("a change of an unknown run: %v", err)
	}
	for i, id := range []string{"pl_1", "pl_2", "pl_3"} {
		if err := store.Keep(ctx, waiting(id, "q_"+id, began.Add(time.Duration(i)*time.Minute))); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := store.Runs(ctx, "dana", 2)
	if err != nil || len(runs) != 2 || runs[0].ID != "pl_3" || runs[1].ID != "pl_2" {
		t.Fatalf("%v, runs %+v; want the two newest", err, runs)
	}
	if others, err := store.Runs(ctx, "noa", 9); err != nil || len(others) != 0 {
		t.Errorf("%v, another person sees %+v", err, others)
	}
	answeredOnce(ctx, t, store, began)
	// The turn that asked runs once more: the question is not asked again.
	if err := store.Keep(ctx, waiting("pl_1", "q_pl_1", began)); err != nil {
		t.Fatal(err)
	}
	if r, err := store.Run(ctx, "pl_1"); err != nil || r.Status != workflow.Running {
		t.Errorf("%v, the answered run is %s", err, r.Status)
	}
	done := waiting("pl_1", "q_pl_1", began)
	done.Status, done.Turn, done.Changes = workflow.Completed, "t_5", "ch_1"
	if err := store.Keep(ctx, done); err != nil {
		t.Fatal(err)
	}
	r, err := store.Run(ctx, "pl_1")
	if err != nil || r.Status != workflow.Completed || r.State != nil || r.Question != nil {
		t.Errorf("%v, the run that is over is %+v", err, r)
	}
}

// answeredOnce lets a hundred turns answer at once: one of them goes on.
func answeredOnce(ctx context.Context, t testing.TB, store workflow.Store, now time.Time) {
	t.Helper()
	var all sync.WaitGroup
	var took, late atomic.Int32
	for i := range 100 {
		all.Go(func() {
			_, err := store.Change(ctx, "pl_1", func(r *workflow.Record) error {
				return r.Take("q_pl_1", meet.TurnID(fmt.Sprint("t_a", i)), now)
			})
			switch fault.CodeOf(err) {
			case "":
				took.Add(1)
			case fault.Conflict:
				late.Add(1)
			default:
				t.Errorf("turn %d: %v", i, err)
			}
		})
	}
	all.Wait()
	if took.Load() != 1 || late.Load() != 99 {
		t.Errorf("%d turns go on, %d are late; want 1 and 99", took.Load(), late.Load())
	}
}
