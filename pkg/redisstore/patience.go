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

const (
	// firstRetryPause is the pause before the first retry of an operation; the following ones double.
	firstRetryPause = 20 * time.Millisecond
	// maxRetryPause bounds that pause, and so how long an operation idles after Redis is back.
	maxRetryPause = 250 * time.Millisecond
)

// do runs an operation, and again while Redis is away: until the deadline of ctx or, without one, for Config.Patience;
// the last try may take another Config.CommandTimeout. So a turn pauses and goes on, and a request fails before its
// client gives up. Every operation must be safe to repeat.
//
// Callers that ask again anyway, or have an alternative, use once.
func (s *Store) do(ctx context.Context, operation string, run func(context.Context) error) error {
	until, bounded := ctx.Deadline()
	if !bounded {
		until = time.Now().Add(s.config.Patience)
	}
	for pause := firstRetryPause; ; pause = min(2*pause, maxRetryPause) {
		err := s.once(ctx, operation, run)
		if !transient(err) || time.Now().Add(pause).After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", operation, ctx.Err())
		case <-s.closed:
			return err
		case <-time.After(pause/2 + mathrand.N(pause/2)):
		}
	}
}

// transient reports whether a retry may succeed: Redis does not answer, or its reply is transient.
func transient(err error) bool {
	if fault.CodeOf(err) != fault.Unavailable {
		return false
	}
	reply, ok := errorReply(err)
	return !ok || transientReply(reply)
}

// transientReply reports whether Redis may reply otherwise a moment later: it is starting, is not the master, cannot
// write to its disk, is busy, or is out of connections or memory.
func transientReply(reply redis.Error) bool {
	reason, _, _ := strings.Cut(strings.TrimPrefix(reply.Error(), "ERR max number of "), " ")
	switch reason {
	case "LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "OOM", "MISCONF", "NOREPLICAS", "BUSY", "clients":
		return true
	default:
		return false
	}
}
