package turn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

// turner is a pipeline that does what the test says.
type turner func(ctx context.Context, turn meet.Turn, emit turn.Emit) (meet.Outcome, error)

func (t turner) Run(
	ctx context.Context, turn meet.Turn, _ turn.Journal, emit turn.Emit,
) (meet.Outcome, error) {
	return t(ctx, turn, emit)
}

// memory is a log and a ledger.
type memory interface {
	turn.Log
	turn.Ledger
}

// working is a runner that works, alone on its queue unless it is given one.
func working(t *testing.T, turner turn.Turner, store memory, cfg turn.Config, shared ...*turntest.Queue) *turn.Runner {
	t.Helper()
	queue := &turntest.Queue{Log: store}
	if len(shared) > 0 {
		queue = shared[0]
	}
	r := turn.NewRunner(turn.Ports{
		Turner: turner, Log: store, Ledger: store, Queue: queue, Leases: queue, Now: time.Now,
	}, cfg)
	go r.Work(t.Context())
	return r
}

func answering(ctx context.Context, _ meet.Turn, emit turn.Emit) (meet.Outcome, error) {
	err := emit(ctx, meet.AcknowledgmentUpdate{Text: "hello"})
	return meet.Outcome{Kind: meet.OutcomeAnswered}, err
}

// types are the updates of a turn from its start to its end, and the outcome. None of them has null for a list, which
// clients go through without looking.
func types(t *testing.T, store *turntest.Store, id meet.TurnID) (kinds []string, outcome string) {
	t.Helper()
	entries, err := store.Entries(t.Context(), id)
	if err != nil {
		t.Fatalf("turn %s has no end: %v, %d entries", id, err, len(entries))
	}
	for i, e := range entries {
		var u struct{ Type, Outcome string }
		if err := json.Unmarshal(e.Data, &u); err != nil {
			t.Fatal(err)
		}
		if e.ID != i+1 {
			t.Errorf("entry %d has the id %d", i+1, e.ID)
		}
		if bytes.Contains(e.Data, []byte(":null")) {
			t.Errorf("an update has null: %s", e.Data)
		}
		kinds, outcome = append(kinds, u.Type), u.Outcome
	}
	return kinds, outcome
}

func TestRunnerStreamsATurn(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	r := working(t, turner(answering), store, turn.Config{})
	started, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
	if err != nil || started.ID == "" || started.Conversation == "" {
		t.Fatalf("started %+v, %v", started, err)
	}
	kinds, outcome := types(t, store, started.ID)
	if want := []string{"turn", "acknowledgment", "done"}; !slices.Equal(kinds, want) || outcome != "answered" {
		t.Errorf("got %v %s, want %v answered", kinds, outcome, want)
	}
	r.Stop(t.Context())
	state, err := r.State(t.Context(), started.ID)
	if err != nil || !state.Ended() || state.LastUpdate != 3 {
		t.Errorf("state %+v, %v", state, err)
	}
	if _, err := r.Start(t.Context(), meet.Turn{}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a stopped runner: %v", err)
	}
}

// However a turn ends, it ends with one done.
func TestEveryTurnEndsWithDone(t *testing.T) {
	t.Parallel()
	waiting := func(ctx context.Context, _ meet.Turn, _ turn.Emit) (meet.Outcome, error) {
		<-ctx.Done()
		return meet.Outcome{}, ctx.Err()
	}
	for name, tt := range map[string]struct {
		turner turner
		after  func(context.Context, *turn.Runner, meet.TurnID)
		kinds  []string
		want   string
	}{
		"a fault": {turner: func(context.Context, meet.Turn, turn.Emit) (meet.Outcome, error) {
			return meet.Outcome{}, fault.New(fault.Unavailable, "No.")
		}, kinds: []string{"turn", "error", "done"}, want: "failed"},
		"a panic": {turner: func(context.Context, meet.Turn, turn.Emit) (meet.Outcome, error) { panic("oh") },
			kinds: []string{"turn", "error", "done"}, want: "failed"},
		"cancelled": {turner: waiting, after: func(ctx context.Context, r *turn.Runner, id meet.TurnID) {
			if err := r.Cancel(ctx, id); err != nil {
				t.Error(err)
			}
		}, kinds: []string{"turn", "done"}, want: "cancelled"},
		"too slow": {turner: waiting, kinds: []string{"turn", "error", "done"}, want: "failed"},
		"stopped": {turner: waiting, after: func(ctx context.Context, r *turn.Runner, _ meet.TurnID) {
			ctx, cancel := context.WithCancel(ctx)
			cancel()
			r.Stop(ctx)
		}, kinds: []string{"turn", "error", "done"}, want: "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &turntest.Store{}
				r := working(t, tt.turner, store, turn.Config{Deadline: time.Minute})
				started, err := r.Start(t.Context(), meet.Turn{})
				if err != nil {
					t.Fatal(err)
				}
				if tt.after != nil {
					synctest.Wait()
					tt.after(t.Context(), r, started.ID)
				}
				if kinds, outcome := types(t, store, started.ID); !slices.Equal(kinds, tt.kinds) || outcome != tt.want {
					t.Errorf("got %v %s, want %v %s", kinds, outcome, tt.kinds, tt.want)
				}
				r.Stop(t.Context())
			})
		})
	}
}

// A store that is away for too long costs the turn its answer and not its end, and no update stands twice.
func TestATurnEndsAlthoughAnAppendFailed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*turntest.Store){
		"lost":    func(s *turntest.Store) { s.Lose(1) },
		"refused": func(s *turntest.Store) { s.Refuse(1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &turntest.Store{}
				r := working(t, turner(func(ctx context.Context, turn meet.Turn, emit turn.Emit) (meet.Outcome, error) {
					spoil(store)
					if _, err := answering(ctx, turn, emit); err != nil {
						t.Error(err)
					}
					<-ctx.Done()
					return meet.Outcome{}, ctx.Err()
				}), store, turn.Config{})
				started, err := r.Start(t.Context(), meet.Turn{})
				if err != nil {
					t.Fatal(err)
				}
				kinds, outcome := types(t, store, started.ID)
				if want := []string{"turn", "acknowledgment", "error", "done"}; !slices.Equal(kinds, want) || outcome != "failed" {
					t.Errorf("got %v %s, want %v failed", kinds, outcome, want)
				}
				r.Stop(t.Context())
			})
		})
	}
}

// nowhere is a log in which nothing is stored.
type nowhere struct{}

func (nowhere) Write(context.Context, meet.TurnID, turn.Record) error { return nil }

// A turn that stands in the queue, and whose first update was not stored, begins with it all the same.
func TestATurnWithoutAFirstUpdateBeginsWithIt(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	r := working(t, turner(answering), store, turn.Config{}, &turntest.Queue{Log: nowhere{}})
	started, err := r.Start(t.Context(), meet.Turn{Message: "hi"})
	if err != nil {
		t.Fatal(err)
	}
	kinds, outcome := types(t, store, started.ID)
	if want := []string{"turn", "acknowledgment", "done"}; !slices.Equal(kinds, want) || outcome != "answered" {
		t.Errorf("got %v %s, want %v answered", kinds, outcome, want)
	}
	r.Stop(t.Context())
}

func TestTheTurnsOfAConversationRunInOrder(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var order []string
	running := 0
	store := &turntest.Store{}
	r := working(t, turner(func(ctx context.Context, turn meet.Turn, emit turn.Emit) (meet.Outcome, error) {
		mu.Lock()
		running++
		if order = append(order, turn.Message); running > 1 {
			t.Error("two turns of the conversation ran at the same time")
		}
		mu.Unlock()
		outcome, err := answering(ctx, turn, emit)
		mu.Lock()
		defer mu.Unlock()
		running--
		return outcome, err
	}), store, turn.Config{})
	var want []string
	var ids []meet.TurnID
	for i := range 20 {
		want = append(want, fmt.Sprint(i))
		started, err := r.Start(t.Context(), meet.Turn{Conversation: "c", Message: fmt.Sprint(i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, started.ID)
	}
	for _, id := range ids {
		types(t, store, id)
	}
	r.Stop(t.Context())
	if !slices.Equal(order, want) {
		t.Errorf("order %v", order)
	}
}

// A turn that is cancelled while it waits does not let the next one overtake the one before it.
func TestACancelledTurnKeepsTheOrder(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	store := &turntest.Store{}
	var mu sync.Mutex
	var ran []string
	r := working(t, turner(func(_ context.Context, turn meet.Turn, _ turn.Emit) (meet.Outcome, error) {
		if turn.Message == "first" {
			<-release
		}
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, turn.Message)
		return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
	}), store, turn.Config{})
	var ids []meet.TurnID
	for _, message := range []string{"first", "second", "third"} {
		started, err := r.Start(t.Context(), meet.Turn{Conversation: "c", Message: message})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, started.ID)
	}
	if err := r.Cancel(t.Context(), ids[1]); err != nil {
		t.Fatal(err)
	}
	if _, outcome := types(t, store, ids[1]); outcome != "cancelled" {
		t.Errorf("the second ended %s", outcome)
	}
	close(release)
	types(t, store, ids[2])
	r.Stop(t.Context())
	if want := []string{"first", "third"}; !slices.Equal(ran, want) {
		t.Errorf("ran %v, want %v", ran, want)
	}
}

func TestARepeatedRequestGetsTheFirstTurn(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	r := working(t, turner(answering), store, turn.Config{})
	turn := meet.Turn{Message: "hi", IdempotencyKey: "k", RequestDigest: "d"}
	first, err := r.Start(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.Start(t.Context(), turn)
	if err != nil || again.ID != first.ID || again.Conversation != first.Conversation {
		t.Errorf("the second time %s of %s (%v), want %s of %s", again.ID, again.Conversation, err, first.ID,
			first.Conversation)
	}
	turn.RequestDigest = "another"
	if _, err := r.Start(t.Context(), turn); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("the key with another request: %v", err)
	}
	r.Stop(t.Context())
}

// A turn that was not accepted leaves its key free, so that the client's retry is a new turn.
func TestARefusedTurnFreesItsKey(t *testing.T) {
	t.Parallel()
	store := &turntest.Store{}
	r := working(t, turner(answering), store, turn.Config{Most: 1})
	turn := meet.Turn{IdempotencyKey: "k"}
	store.Refuse(1)
	if _, err := r.Start(t.Context(), turn); err == nil {
		t.Fatal("accepted although nothing could be written")
	}
	started, err := r.Start(t.Context(), turn)
	if err != nil {
		t.Fatal(err)
	}
	if kinds, _ := types(t, store, started.ID); kinds[0] != "turn" {
		t.Errorf("got %v", kinds)
	}
	r.Stop(t.Context())
}

// A full queue refuses at the door, with a time to come back, and frees the key.
func TestTooManyTurnsAreRefusedAtTheDoor(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	store := &turntest.Store{}
	queue := &turntest.Queue{Most: 2, Log: store}
	r := working(t, turner(func(context.Context, meet.Turn, turn.Emit) (meet.Outcome, error) {
		<-release
		return meet.Outcome{Kind: meet.OutcomeAnswered}, nil
	}), store, turn.Config{}, queue)
	for range 2 {
		if _, err := r.Start(t.Context(), meet.Turn{}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := r.Start(t.Context(), meet.Turn{IdempotencyKey: "k"})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.Overloaded || f.RetryAfter == 0 {
		t.Errorf("the third: %v, want overloaded with a time to come back", err)
	}
	close(release)
	r.Stop(t.Context())
	if winner, err := store.Claim(t.Context(), "k", "", "another"); err != nil || winner != "another" {
		t.Errorf("the refused turn keeps its key: %s, %v", winner, err)
	}
}
