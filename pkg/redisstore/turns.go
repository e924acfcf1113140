package redisstore

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// turnLife is how long a turn's outcome, and the claim of an idempotent request on it, are kept. It is longer than
// the log's life: a request that is repeated later still learns what became of the first.
const turnLife = 24 * time.Hour

// Turns keep what became of turns, and which turn answers a repeated request.
type Turns struct{ store *Store }

// Turns is the state of turns.
func (s *Store) Turns() Turns { return Turns{s} }

// PutState replaces the turn's state, and keeps it for 24 hours. It is the bytes that State gives back.
func (t Turns) PutState(ctx context.Context, turn meet.TurnID, state []byte) error {
	return t.store.do(ctx, "put turn state", func(ctx context.Context) error {
		return t.store.shared.Set(ctx, t.store.own(ctx).state(turn), state, turnLife).Err()
	})
}

// State is what PutState kept last. An unknown or expired turn is a fault.NotFound.
func (t Turns) State(ctx context.Context, turn meet.TurnID) (state []byte, err error) {
	err = t.store.do(ctx, "turn state", func(ctx context.Context) error {
		state, err = t.store.shared.Get(ctx, t.store.own(ctx).state(turn)).Bytes()
		return err
	})
	if errors.Is(err, redis.Nil) {
		return nil, unknownTurn()
	}
	return state, err
}

// Claim says which turn answers the request with this key: the first one that claimed it, for 24 hours. The
// caller has won where winner is its own turn. digest tells requests apart: where the key was claimed with another one,
// the answer is a fault.InvalidRequest. Keys of different callers must differ; what they look like does not matter.
func (t Turns) Claim(ctx context.Context, key, digest string, turn meet.TurnID) (winner meet.TurnID, err error) {
	var claim string
	err = t.store.do(ctx, "claim turn", func(ctx context.Context) error {
		var first *redis.StringCmd
		_, err := t.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			name := t.store.own(ctx).claim(key)
			tx.SetArgs(ctx, name, string(turn)+" "+digest, redis.SetArgs{Mode: "NX", TTL: turnLife})
			first = tx.Get(ctx, name)
			return nil
		})
		if err != nil && !errors.Is(err, redis.Nil) {
			return err
		}
		claim = first.Val()
		return first.Err()
	})
	if err != nil {
		return "", err
	}
	id, claimed, _ := strings.Cut(claim, " ")
	if claimed != digest {
		return "", fault.Invalid(meet.IdempotencyKeyField, "was used for another request already; take a new key for a new request")
	}
	return meet.TurnID(id), nil
}

// unclaimScript frees a claim, "turn digest", where it is the turn's own.
var unclaimScript = redis.NewScript(`
local claim = redis.call('GET', KEYS[1])
if claim and string.match(claim, '^[^ ]*') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`)

// Release frees the claim of a turn that was never accepted, so that the request can be made again. A key that another
// turn holds, or nobody, stays as it is.
func (t Turns) Release(ctx context.Context, key string, turn meet.TurnID) error {
	return t.store.do(ctx, "release claim", func(ctx context.Context) error {
		return unclaimScript.Run(ctx, t.store.client, []string{t.store.own(ctx).claim(key)}, string(turn)).Err()
	})
}

func unknownTurn() error {
	return fault.New(fault.NotFound, "There is no such turn, or it is too long ago.")
}
