package redisstore

import (
	"cmp"
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
	// defaultHold is the life of a hold that sets none.
	defaultHold = 30 * time.Second
	// maxHoldPause bounds the pause between two tries while others hold the people.
	maxHoldPause = 100 * time.Millisecond
)

// Holds allows each person one confirmation at a time.
type Holds struct{ store *Store }

// Holds returns the locks on people.
func (s *Store) Holds() Holds { return Holds{s} }

// holdScript takes all keys or none. It returns 0 if the caller has them, otherwise the milliseconds until the last of
// the others' holds expires. A hold that the caller already has counts as taken: the first reply may have been lost.
var holdScript = redis.NewScript(`
local wait = 0
for _, key in ipairs(KEYS) do
	local holder = redis.call('GET', key)
	if holder and holder ~= ARGV[1] then wait = math.max(wait, redis.call('PTTL', key), 1) end
end
if wait > 0 then return wait end
for _, key in ipairs(KEYS) do redis.call('SET', key, ARGV[1], 'PX', ARGV[2]) end
return 0`)

// releaseScript releases the keys that the caller still has.
var releaseScript = redis.NewScript(`
for _, key in ipairs(KEYS) do
	if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 0`)

// renewLockScript restarts the life of a hold or claim, if the caller has all its keys.
var renewLockScript = redis.NewScript(`
for _, key in ipairs(KEYS) do
	if redis.call('GET', key) ~= ARGV[1] then return 0 end
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[2]) end
return 1`)

// Hold takes all these people or none. While another hold has one of them it waits, until ctx ends and no longer than
// Config.HoldWait; after that it is a retryable fault.Conflict. It skips people without an id. A caller with a hold's
// token can take the hold over, and take it again after it has expired.
//
// The hold expires after its life, by default 30 s, unless it is renewed; Events.Book is safe even then.
func (h Holds) Hold(ctx context.Context, hold booking.Hold) error {
	keys := h.store.own(ctx).holds(hold.People)
	if len(keys) == 0 {
		return nil
	}
	return h.lock(ctx, keys, hold.Token, holdLife(hold))
}

func (h Holds) lock(ctx context.Context, keys []string, token string, life time.Duration) error {
	err := h.take(ctx, keys, token, life)
	if err != nil {
		// Redis may have set the keys even so. If this does not reach it either, they expire.
		_ = h.store.once(context.WithoutCancel(ctx), "release hold", h.releasing(keys, token))
	}
	return err
}

// Renew restarts the hold's life. If it has expired for any of the people, even if no other hold has them, it is a
// fault.Conflict.
func (h Holds) Renew(ctx context.Context, hold booking.Hold) error {
	keys := h.store.own(ctx).holds(hold.People)
	if len(keys) == 0 {
		return nil
	}
	return h.store.once(ctx, "renew hold", func(ctx context.Context) error {
		renewed, err := renewLockScript.Run(ctx, h.store.client, keys, hold.Token, holdLife(hold).Milliseconds()).Bool()
		if err == nil && !renewed {
			return fault.New(fault.Conflict, "The booking took too long, and others may have come first.")
		}
		return err
	})
}

// Release ends the hold. It may be called at any time and repeatedly: people that the hold no longer has stay as they
// are.
func (h Holds) Release(ctx context.Context, hold booking.Hold) error {
	keys := h.store.own(ctx).holds(hold.People)
	if len(keys) == 0 {
		return nil
	}
	return h.store.do(ctx, "release hold", h.releasing(keys, hold.Token))
}

func (h Holds) releasing(keys []string, token string) func(context.Context) error {
	return func(ctx context.Context) error { return releaseScript.Run(ctx, h.store.client, keys, token).Err() }
}

func holdLife(hold booking.Hold) time.Duration { return cmp.Or(max(hold.For, 0), defaultHold) }

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

// try returns 0 if it took the hold, and otherwise how long the others' holds can last.
func (h Holds) try(ctx context.Context, keys []string, token string, ttl time.Duration) (time.Duration, error) {
	ms, err := h.store.reply(ctx, h.store.do, "hold", call{holdScript, keys, []any{token, ttl.Milliseconds()}}).Int64()
	return time.Duration(ms) * time.Millisecond, err
}

// waitEnded distinguishes a caller that ran out of time from one that went away.
func waitEnded(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return heldByOthers()
	}
	return fmt.Errorf("hold: %w", ctx.Err())
}

func heldByOthers() error {
	return fault.New(fault.Conflict,
		"Time with the same people is being booked right now; please try again in a moment.").Later(time.Second)
}
