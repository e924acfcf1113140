package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// defaultHold is the life of a hold for which the caller names none.
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

// Hold takes all these people or none, and waits while anybody else holds one of them: at most until ctx ends and no
// longer than Config.HoldWait; after that it is a retryable fault.Conflict. People without an id cannot be held and
// are passed over.
//
// The hold ends by itself after ttl, 30 s where ttl is 0, so ttl must outlast the work; Events.Book is right even
// where it does not. release may be called at any time and more than once: what is no longer ours is left alone.
func (h Holds) Hold(
	ctx context.Context, people []meet.PersonID, ttl time.Duration,
) (release func(context.Context) error, err error) {
	keys, token := h.store.keys.holds(people), rand.Text()
	if ttl <= 0 {
		ttl = defaultHold
	}
	if len(keys) == 0 {
		return func(context.Context) error { return nil }, nil
	}
	letGo := func(ctx context.Context) error { return releaseScript.Run(ctx, h.store.client, keys, token).Err() }
	if err := h.take(ctx, keys, token, ttl); err != nil {
		// Redis may have heard us all the same; where not even this gets through, the hold ends by itself.
		_ = h.store.once(context.WithoutCancel(ctx), "release hold", letGo)
		return nil, err
	}
	return func(ctx context.Context) error { return h.store.do(ctx, "release hold", letGo) }, nil
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
