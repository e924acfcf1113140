package turn_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// The candidates that count are in the log once, wherever the process died that wrote the preliminary ones.
func TestAPreliminaryUpdateDoesNotReplaceTheFinalOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &turntest.Store{}
		queue := &turntest.Queue{Log: store}
		var attempts atomic.Int32
		waiting := turner(func(ctx context.Context, _ meet.Turn, emit turn.Emit) (meet.Outcome, error) {
			if err := emit(ctx, meet.CandidatesUpdate{Preliminary: true, Slots: 9}); err != nil {
				return meet.Outcome{}, err
			}
			if attempts.Add(1) == 1 {
				synctest.Wait() // the update is stored
				queue.StealAll()
				<-ctx.Done() // the lease is lost
			}
			return meet.Outcome{Kind: meet.OutcomeAnswered}, emit(ctx, meet.CandidatesUpdate{Slots: 5})
		})
		first := working(t, waiting, store, turn.Config{}, queue)
		second := working(t, waiting, store, turn.Config{}, queue)
		started, err := first.Start(t.Context(), meet.Turn{Message: "m"})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := store.Entries(t.Context(), started.ID)
		if err != nil {
			t.Fatal(err)
		}
		var slots []int
		for _, e := range entries {
			var u struct {
				Type  string
				Slots int
			}
			if err := json.Unmarshal(e.Data, &u); err != nil {
				t.Fatal(err)
			}
			if u.Type == "candidates" {
				slots = append(slots, u.Slots)
			}
		}
		if diff := cmp.Diff([]int{9, 5}, slots); diff != "" {
			t.Errorf("counts in the log (-want +got):\n%s", diff)
		}
		first.Stop(t.Context())
		second.Stop(t.Context())
	})
}
