package redisstore

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/booking"
	"convene/pkg/fault"
)

const (
	// defaultHold is the life of a hold that names none.
	defaultHold = 30 * time.Second
	// maxHoldPause bounds the pause between two looks at somebody else's hold.
	maxHoldPause = 100 * time.Millisecond
)

// Holds keep people to one confirmation at a time.
type Holds struct{ store *Store }

// Holds is the locks on people.
func (s *Store) Holds() Holds { return Holds{s} }

// holdScript takes all keys or none. It answers 0 where they are the caller's, otherwise after how many milliseconds
// the last of the others' holds ends. A hold that is already the caller's counts as taken: the first answer may have
// got lost.
var holdScript = redis.NewScript(`
local wait = 0
for _, key in ipairs(KEYS) do
	local holder = redis.call('GET', key)
	if holder and holder ~= ARGV[1] then wait = math.max(wait, redis.call('PTTL', key), 1) end
end
if wait > 0 then return wait end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
return 0`)

// releaseScript gives back what is still the caller's.
var releaseScript = redis.NewScript(`
for _, key in ipairs(KEYS) do
	if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 0`)

// renewHoldScript has the hold last from now, if none of its keys has lapsed or is another's.
var renewHoldScript = redis.NewScript(`
for _, key in ipairs(KEYS) do
	if redis.call('GET', key) ~= ARGV[1] then return 0 end
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
return 1`)

// Hold takes all these people or none, and waits while anybody else holds one of them: at most until ctx ends and no
// longer than Config.HoldWait; after that it is a retryable fault.Conflict. People without an id cannot be held and
// are passed over. Whoever knows the token of a hold can take it over, and take it again after it has lapsed.
//
// The hold ends by itself after its time, 30 s where none is named, so it must be renewed by then; Events.Book is right
// even where it was not.
func (h Holds) Hold(ctx context.Context, hold booking.Hold) error {
	keys, ttl := h.store.own(ctx).holds(hold.People), holdLife(hold)
	if len(keys) == 0 {
		return nil
	}
	if err := h.take(ctx, keys, hold.Token, ttl); err != nil {
		// Redis may have heard us all the same; where not even this gets through, the hold ends by itself.
		_ = h.store.once(context.WithoutCancel(ctx), "release hold", h.letGo(keys, hold.Token))
		return err
	}
	return nil
}

// Renew has the hold last from now. It is a fault.Conflict where it has ended for any of the people, even if nobody
// holds them now.
func (h Holds) Renew(ctx context.Context, hold booking.Hold) error {
	keys, ttl := h.store.own(ctx).holds(hold.People), holdLife(hold)
	if len(keys) == 0 {
		return nil
	}
	return h.store.once(ctx, "renew hold", func(ctx context.Context) error {
		renewed, err := renewHoldScript.Run(ctx, h.store.client, keys, hold.Token, ttl.Milliseconds()).Bool()
		if err == nil && !renewed {
			return fault.New(fault.Conflict, "The booking took too long, and others may have come first.")
		}
		return err
	})
}

// Release may be called at any time and more than once: what is no longer ours is left alone.
func (h Holds) Release(ctx context.Context, hold booking.Hold) error {
	keys := h.store.own(ctx).holds(hold.People)
	if len(keys) == 0 {
		return nil
	}
	return h.store.do(ctx, "release hold", h.letGo(keys, hold.Token))
}

func (h Holds) letGo(keys []string, token string) func(context.Context) error {
	return func(ctx context.Context) error { return releaseScript.Run(ctx, h.store.client, keys, token).Err() }
}

func holdLife(hold booking.Hold) time.Duration {
	if hold.For <= 0 {
		return defaultHold
	}
	return hold.For
}

func (h Holds) take(ctx context.Context, keys []string, token string, ttl time.Duration) error {
	deadline := time.NewTimer(h.store.config.HoldWait)
	defer deadline.Stop()
	held := false
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, maxHoldPause) {
		wait, err := h.try(ctx, keys, token, ttl)
		if held && ctx.Err() != nil {
			return waitEnded(ctx)
		}
		if err != nil || wait == 0 {
			return err
		}
		held = true
		select {
		case <-ctx.Done():
			return waitEnded(ctx)
		case <-deadline.C:
			return heldByOthers()
		case <-time.After(min(wait, pause/2+mathrand.N(pause))):
		}
	}
}

// try answers 0 where the hold was taken, and otherwise how long the others' will last at most.
func (h Holds) try(ctx context.Context, keys []string, token string, ttl time.Duration) (wait time.Duration, err error) {
	err = h.store.do(ctx, "hold", func(ctx context.Context) error {
		ms, err := holdScript.Run(ctx, h.store.client, keys, token, ttl.Milliseconds()).Int64()
		wait = time.Duration(ms) * time.Millisecond
		return err
	})
	return wait, err
}

// waitEnded tells a caller who ran out of time from one who went away.
func waitEnded(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return heldByOthers()
	}
	return fmt.Errorf("hold: %w", ctx.Err())
}

func heldByOthers() error {
	return fault.New(fault.Conflict, "Somebody is booking time with the same people right now; please try again in a moment.").
		Later(time.Second)
}
