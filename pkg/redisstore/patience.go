package redisstore

import (
	"context"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
)

// longestBreath bounds the pause between two tries of an operation, and so how long it lies idle when Redis is back.
const longestBreath = 250 * time.Millisecond

// do runs one operation, and again while Redis is away: until the deadline of ctx or, where ctx has none, for
// Config.Patience; one last try may take another Config.CommandTimeout. So a turn pauses and goes on, and a request is
// refused before its client loses patience. Whatever is done here must bear being done several times.
//
// Whoever would rather know at once, because they ask again anyhow or there is something better to do, uses once.
func (s *Store) do(ctx context.Context, operation string, run func(context.Context) error) error {
	until, bounded := ctx.Deadline()
	if !bounded {
		until = time.Now().Add(s.config.Patience)
	}
	for pause := firstPause; ; pause = min(2*pause, longestBreath) {
		err := s.once(ctx, operation, run)
		if !passing(err) || time.Now().Add(pause).After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ended(ctx, operation)
		case <-s.closed:
			return err
		case <-time.After(pause/2 + mathrand.N(pause/2)):
		}
	}
}

// passing reports whether an operation failed for a reason that may go away: Redis is not heard, or what it said passes.
func passing(err error) bool {
	if fault.CodeOf(err) != fault.Unavailable {
		return false
	}
	said, ok := answerOf(err)
	return !ok || passes(said)
}

// passes reports whether Redis may say something else a moment later: it is starting, is not the master or not any more,
// cannot write to its disk, is busy or crowded, or has no memory left.
func passes(said redis.Error) bool {
	reason, _, _ := strings.Cut(strings.TrimPrefix(said.Error(), "ERR max number of "), " ")
	switch reason {
	case "LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "OOM", "MISCONF", "NOREPLICAS", "BUSY", "clients":
		return true
	default:
		return false
	}
}

func ended(ctx context.Context, operation string) error {
	return fmt.Errorf("%s: %w", operation, ctx.Err())
}
