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

// turnLife is how long a turn's state and the claim of its idempotent request are kept. It is longer than the log's
// life: a repeated request still gets the outcome of the first.
const turnLife = 24 * time.Hour

// Turns keeps the states of turns, and the turns of idempotent requests.
type Turns struct{ store *Store }

// Turns returns the states of turns.
func (s *Store) Turns() Turns { return Turns{s} }

// PutState replaces the turn's state, and keeps it for 24 hours. State returns the same bytes.
func (t Turns) PutState(ctx context.Context, turn meet.TurnID, state []byte) error {
	return t.store.do(ctx, "put turn state", func(ctx context.Context) error {
		return t.store.shared.Set(ctx, t.store.own(ctx).state(turn), state, turnLife).Err()
	})
}

// State returns the turn's newest state. An unknown or expired turn is a fault.NotFound.
func (t Turns) State(ctx context.Context, turn meet.TurnID) ([]byte, error) {
	state, err := ask(ctx, t.store.do, "turn state", func(ctx context.Context) ([]byte, error) {
		return t.store.shared.Get(ctx, t.store.own(ctx).state(turn)).Bytes()
	})
	if errors.Is(err, redis.Nil) {
		return nil, unknownTurn()
	}
	return state, err
}

// Claim returns the turn that answers the request with this key: the first one that claimed it, for 24 hours. A key
// that was claimed with another digest, so for another request, is a fault.InvalidRequest. Keys of different callers
// must differ; any text will do.
func (t Turns) Claim(ctx context.Context, key, digest string, turn meet.TurnID) (winner meet.TurnID, err error) {
	claim, err := ask(ctx, t.store.do, "claim turn", func(ctx context.Context) (string, error) {
		var first *redis.StringCmd
		_, err := t.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			name := t.store.own(ctx).claim(key)
			tx.SetArgs(ctx, name, string(turn)+" "+digest, redis.SetArgs{Mode: "NX", TTL: turnLife})
			first = tx.Get(ctx, name)
			return nil
		})
		if err != nil && !errors.Is(err, redis.Nil) {
			return "", err
		}
		return first.Result()
	})
	if err != nil {
		return "", err
	}
	id, claimed, _ := strings.Cut(claim, " ")
	if claimed != digest {
		return "", fault.Invalid(meet.IdempotencyKeyField,
			"was used for another request already; take a new key for a new request")
	}
	return meet.TurnID(id), nil
}

// unclaimScript frees a claim, "turn digest", if the turn holds it.
var unclaimScript = redis.NewScript(`
local claim = redis.call('GET', KEYS[1])
if claim and string.match(claim, '^[^ ]*') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`)

// Release frees the key of a turn that was never accepted, so that the request can be repeated. A key that the turn
// does not hold stays as it is.
func (t Turns) Release(ctx context.Context, key string, turn meet.TurnID) error {
	return t.store.do(ctx, "release claim", func(ctx context.Context) error {
		return unclaimScript.Run(ctx, t.store.client, []string{t.store.own(ctx).claim(key)}, string(turn)).Err()
	})
}

func unknownTurn() error {
	return fault.New(fault.NotFound, "There is no such turn, or it is too long ago.")
}
