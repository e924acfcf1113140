package turn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// threeOfEach are three updates of each type that a pipeline may emit.
func threeOfEach() []meet.Update {
	var all []meet.Update
	for i := range 3 {
		n := fmt.Sprint(i)
		all = append(all, meet.AcknowledgmentUpdate{Text: n}, meet.ProgressUpdate{Text: n},
			meet.TemplateUpdate{Mode: meet.Mode(n)},
			meet.CandidatesUpdate{Slots: i, Preliminary: true},
			meet.CandidatesUpdate{Slots: i}, meet.MessageDeltaUpdate{Text: n},
			meet.MessageUpdate{Text: n}, meet.EventUpdate{Event: meet.Event{ID: meet.ProposalID(n)}},
			meet.AlternativesUpdate{Slots: []meet.Slot{}},
			meet.ActivitiesUpdate{}, meet.NavigateUpdate{URL: n})
	}
	return all
}

// emitting is a pipeline that emits three of each type outside of any step, and in each of two steps of the same name.
// When so many were emitted, its process dies; 0 never.
func emitting(queue *turntest.Queue, after int) turner {
	var attempts atomic.Int32
	return func(ctx context.Context, _ meet.Turn, emit turn.Emit) (meet.Outcome, error) {
		dies := attempts.Add(1) == 1
		emitted := 0
		for _, step := range []string{"", "step", "step"} {
			in := ctx
			if step != "" {
				in = turn.Enter(ctx, step)
			}
			for _, u := range threeOfEach() {
				if err := emit(in, u); err != nil {
					return meet.Outcome{}, err
				}
				if emitted++; dies && emitted == after {
					synctest.Wait() // all of it is stored
					queue.StealAll()
					<-ctx.Done()
				}
			}
		}
		return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
	}
}

// streamed is what a turn streams, and what of it another update replaces, if its process dies after so many updates.
func streamed(t *testing.T, after int) (lasting, interim []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		store := &turntest.Store{}
		queue := &turntest.Queue{Log: store}
		answers := emitting(queue, after)
		first, second := working(t, answers, store, turn.Config{}, queue), working(t, answers, store, turn.Config{}, queue)
		started, err := first.Start(t.Context(), meet.Turn{})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := store.Entries(t.Context(), started.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries[1:] {
			var u struct {
				Type        string
				Preliminary bool
			}
			if err := json.Unmarshal(e.Data, &u); err != nil {
				t.Fatal(err)
			}
			if u.Preliminary || u.Type == "message_delta" {
				interim = append(interim, string(e.Data))
			} else {
				lasting = append(lasting, string(e.Data))
			}
		}
		first.Stop(t.Context())
		second.Stop(t.Context())
	})
	return lasting, interim
}

// A turn may emit many updates of one type. Wherever its process dies, the next one writes those that are missing, each
// once and in order, and of what is only interim nothing that would not fit the rest.
func TestATakenOverTurnLosesAndRepeatsNoUpdate(t *testing.T) {
	t.Parallel()
	whole, pieces := streamed(t, 0)
	const steps = 3
	each := steps * len(threeOfEach())
	if len(whole)+len(pieces) != each+1 { // done is one more
		t.Fatalf("%d lasting and %d interim updates, want %d in all", len(whole), len(pieces), each+1)
	}
	for after := 1; after <= each; after++ {
		lasting, interim := streamed(t, after)
		if diff := cmp.Diff(whole, lasting); diff != "" {
			t.Errorf("dead after %d updates (-want +got):\n%s", after, diff)
		}
		known := func(piece string) bool { return slices.Contains(pieces, piece) }
		if len(interim) > len(pieces) || !slices.ContainsFunc(interim, known) {
			t.Errorf("dead after %d updates: interim %q of %q", after, interim, pieces)
		}
	}
}
