package redisstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestHoldKeepsOthersOut(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{HoldWait: 50 * time.Millisecond})
		ctx := t.Context()
		release := must(one.Holds().Hold(ctx, []meet.PersonID{"me", "al", "me", ""}, time.Minute))(t)
		wantLife(t, one, one.keys.hold("al"), time.Minute)
		if _, err := other.Holds().Hold(ctx, []meet.PersonID{"bo", "al"}, time.Minute); fault.CodeOf(err) != fault.Conflict || !fault.As(err).Retryable {
			t.Errorf("Hold of somebody who is held = %v, want a fault.Conflict to try again", err)
		}
		// All or none: the vain attempt did not take Bo.
		free := must(other.Holds().Hold(ctx, []meet.PersonID{"bo"}, 0))(t)
		check(t, free(ctx))
		check(t, release(ctx))
		again := must(other.Holds().Hold(ctx, []meet.PersonID{"al", "me"}, time.Minute))(t)
		// A release that comes late leaves the next holder alone.
		check(t, release(ctx))
		if _, err := other.Holds().Hold(ctx, []meet.PersonID{"me"}, time.Minute); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Hold after a stranger's release = %v, want a fault.Conflict", err)
		}
		check(t, again(ctx))
		nobody := must(one.Holds().Hold(ctx, []meet.PersonID{""}, time.Minute))(t)
		check(t, nobody(ctx))
	})
}

func TestHoldEndsByItself(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		h := t.open(Config{}).Holds()
		must(h.Hold(t.Context(), []meet.PersonID{"me"}, 300*time.Millisecond))(t)
		must(h.Hold(t.Context(), []meet.PersonID{"me"}, time.Minute))(t)
	})
}

func TestHoldWaitIsBoundedByItsContext(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		h := t.open(Config{HoldWait: time.Hour}).Holds()
		must(h.Hold(t.Context(), []meet.PersonID{"me"}, time.Hour))(t)
		late, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := h.Hold(late, []meet.PersonID{"me"}, time.Minute); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Hold until a deadline = %v, want a fault.Conflict", err)
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, leave)
		if _, err := h.Hold(gone, []meet.PersonID{"me"}, time.Minute); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold of a caller who went away = %v, want context.Canceled", err)
		}
	})
}

// TestHoldOfACallerWhoLeftIsGivenBack ends the caller's time while Redis has taken the hold and not answered yet.
func TestHoldOfACallerWhoLeftIsGivenBack(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		direct := t.open(Config{HoldWait: 3 * time.Second})
		network, address := behindProxy(t, direct.config.URL)
		h := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Holds()
		warm := must(h.Hold(t.Context(), []meet.PersonID{"al"}, time.Minute))(t)
		check(t, warm(t.Context()))
		ctx, leave := context.WithCancel(t.Context())
		network.loseNextAnd(leave)
		if _, err := h.Hold(ctx, []meet.PersonID{"me"}, time.Minute); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold of a caller who left = %v, want context.Canceled", err)
		}
		must(direct.Holds().Hold(t.Context(), []meet.PersonID{"me"}, time.Minute))(t)
	})
}

// TestHoldsExclude has many hold overlapping groups, named in different orders: never two of them hold the same
// person, and all get their turn.
func TestHoldsExclude(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		stores := []Holds{t.open(Config{HoldWait: time.Minute}).Holds(), t.open(Config{HoldWait: time.Minute}).Holds()}
		groups := [][]meet.PersonID{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "a"}}
		var holders atomic.Int32
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				release, err := stores[i%2].Hold(t.Context(), groups[i%4], time.Minute)
				if err != nil {
					t.Errorf("Hold: %v", err)
					return
				}
				// Any two of the groups share somebody.
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold at once", n)
				}
				holders.Add(-1)
				if err := release(t.Context()); err != nil {
					t.Errorf("release: %v", err)
				}
			})
		}
		all.Wait()
	})
}

func TestHoldSurvivesALostAnswer(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := behindProxy(t, direct.config.URL)
		h := openStore(t, Config{URL: address, Prefix: direct.config.Prefix, HoldWait: 100 * time.Millisecond}).Holds()
		release := must(h.Hold(t.Context(), []meet.PersonID{"al"}, time.Minute))(t)
		network.loseNext()
		must(h.Hold(t.Context(), []meet.PersonID{"me"}, time.Minute))(t)
		network.loseNext()
		check(t, release(t.Context()))
		must(direct.Holds().Hold(t.Context(), []meet.PersonID{"al"}, time.Minute))(t)
		if got := network.answersLost(); got != 2 {
			t.Errorf("%d answers got lost, want 2", got)
		}
	})
}
