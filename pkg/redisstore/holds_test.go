package redisstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// held is a hold for a minute.
func held(token string, people ...meet.PersonID) booking.Hold {
	return booking.Hold{Token: token, People: people, For: time.Minute}
}

func TestHoldKeepsOthersOut(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{HoldWait: 50 * time.Millisecond})
		ctx := t.Context()
		mine := booking.Hold{Token: "mine", People: []meet.PersonID{"me", "al", "me", ""}, For: time.Minute}
		check(t, one.Holds().Hold(ctx, mine))
		wantLife(t, one, one.keys.of("").hold("al"), time.Minute)
		err := other.Holds().Hold(ctx, held("other", "bo", "al"))
		if fault.CodeOf(err) != fault.Conflict || !fault.As(err).Retryable {
			t.Errorf("Hold of a held person = %v, want a fault.Conflict to try again", err)
		}
		// All or none: the vain attempt did not take Bo.
		free := booking.Hold{Token: "third", People: []meet.PersonID{"bo"}}
		check(t, other.Holds().Hold(ctx, free))
		check(t, other.Holds().Release(ctx, free))
		check(t, one.Holds().Release(ctx, mine))
		check(t, other.Holds().Hold(ctx, held("other", "al", "me")))
		// A release that comes late leaves the next holder alone.
		check(t, one.Holds().Release(ctx, mine))
		if err := other.Holds().Hold(ctx, held("fourth", "me")); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Hold after a stranger's release = %v, want a fault.Conflict", err)
		}
		check(t, other.Holds().Release(ctx, held("other", "al", "me")))
		empty := held("none", "")
		check(t, one.Holds().Hold(ctx, empty))
		check(t, one.Holds().Renew(ctx, empty))
		check(t, one.Holds().Release(ctx, empty))
	})
}

func TestHoldExpires(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		h := t.open(Config{}).Holds()
		short := booking.Hold{Token: "short", People: []meet.PersonID{"me"}, For: 300 * time.Millisecond}
		check(t, h.Hold(t.Context(), short))
		check(t, h.Hold(t.Context(), held("next", "me")))
		if err := h.Renew(t.Context(), short); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Renew of what has ended = %v, want a fault.Conflict", err)
		}
	})
}

func TestHoldWaitIsBoundedByItsContext(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		h := t.open(Config{HoldWait: time.Hour}).Holds()
		check(t, h.Hold(t.Context(), held("first", "me")))
		late, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if err := h.Hold(late, held("late", "me")); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Hold until a deadline = %v, want a fault.Conflict", err)
		}
		gone, leave := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, leave)
		if err := h.Hold(gone, held("gone", "me")); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold of a caller who went away = %v, want context.Canceled", err)
		}
	})
}

// The caller's context ends after Redis has taken the hold, and before its reply.
func TestTheHoldOfACallerThatLeftIsReleased(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{HoldWait: 3 * time.Second})
		network, address := startProxy(t, direct.config.URL)
		h := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Holds()
		check(t, h.Hold(t.Context(), held("warm", "al")))
		check(t, h.Release(t.Context(), held("warm", "al")))
		ctx, leave := context.WithCancel(t.Context())
		network.loseNextAnd(leave)
		if err := h.Hold(ctx, held("left", "me")); !errors.Is(err, context.Canceled) {
			t.Errorf("Hold of a caller who left = %v, want context.Canceled", err)
		}
		check(t, direct.Holds().Hold(t.Context(), held("next", "me")))
	})
}

// Many callers hold overlapping groups, in different orders: never do two hold the same person, and all succeed.
func TestHoldsExclude(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		stores := []Holds{t.open(Config{HoldWait: time.Minute}).Holds(), t.open(Config{HoldWait: time.Minute}).Holds()}
		groups := [][]meet.PersonID{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "a"}}
		var holders atomic.Int32
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				hold := held(fmt.Sprint("holder ", i), groups[i%4]...)
				if err := stores[i%2].Hold(t.Context(), hold); err != nil {
					t.Errorf("Hold: %v", err)
					return
				}
				// Any two of the groups share a person.
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold at once", n)
				}
				holders.Add(-1)
				if err := stores[i%2].Release(t.Context(), hold); err != nil {
					t.Errorf("release: %v", err)
				}
			})
		}
		all.Wait()
	})
}

func TestHoldSurvivesALostReply(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		h := openStore(t, Config{URL: address, Prefix: direct.config.Prefix, HoldWait: 100 * time.Millisecond}).Holds()
		check(t, h.Hold(t.Context(), held("first", "al")))
		network.loseNext()
		check(t, h.Hold(t.Context(), held("second", "me")))
		network.loseNext()
		check(t, h.Release(t.Context(), held("first", "al")))
		check(t, direct.Holds().Hold(t.Context(), held("third", "al")))
		if got := network.repliesLost(); got != 2 {
			t.Errorf("%d answers got lost, want 2", got)
		}
	})
}

// A process that continues another's work takes its hold over with the token, even after it has expired.
func TestAHoldIsTakenOverByItsToken(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		dead, heir := t.open(Config{}).Holds(), t.open(Config{HoldWait: 50 * time.Millisecond}).Holds()
		hold := held("shared", "me", "al")
		check(t, dead.Hold(t.Context(), hold))
		check(t, heir.Hold(t.Context(), hold))
		check(t, heir.Renew(t.Context(), hold))
		check(t, heir.Release(t.Context(), hold))
		if err := dead.Renew(t.Context(), hold); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Renew of what was released = %v, want a fault.Conflict", err)
		}
		check(t, dead.Hold(t.Context(), held("other", "al")))
		if err := heir.Renew(t.Context(), hold); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("Renew of what another holds = %v, want a fault.Conflict", err)
		}
	})
}
