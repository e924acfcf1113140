package redisstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/turn"
)

const (
	// releasedOwner is the consumer that owns released turns in the group.
	releasedOwner = "-"
	// releasedIdle is how long ago a released turn seems to have been renewed: longer than any lease.
	releasedIdle = 24 * time.Hour
)

// ownership starts the scripts that only a turn's owner may run: the entry is pending for this process and this
// attempt. The first of KEYS is the queue; ARGV are the group, the process, the entry and the attempt.
const ownership = `
local function mine()
	local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
	return pending and pending[2] == ARGV[2] and pending[4] == tonumber(ARGV[4])
end`

// heartbeat starts the scripts that note when the process was last seen. The second of KEYS has these times.
const heartbeat = `
local function sighted(process)
	local t = redis.call('TIME')
	local now = t[1] * 1000 + math.floor(t[2] / 1000)
	redis.call('ZADD', KEYS[2], string.format('%.0f', now), process)
	return now
end
`

// process names this process among those seen.
func (q *Queue) process() string { return fmt.Sprintf("%s:%d", q.cfg.name, q.cfg.Places) }

// renewScript restarts the lease and returns a turn.Lease. It passes the attempt to XCLAIM, because some servers would
// count one more.
var renewScript = redis.NewScript(ownership + heartbeat + `
if not mine() then return 1 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'RETRYCOUNT', ARGV[4], 'JUSTID')
sighted(ARGV[6])
if redis.call('GET', KEYS[3]) == ARGV[5] then return 3 end
return 2`)

// Renew keeps the turn for another Lease if it is still the caller's, even if the lease has lapsed and no process has
// taken the turn over. Call it every quarter of a Lease: it also reports a cancellation. After an error the turn's
// owner is unknown, and the caller may try again.
func (q *Queue) Renew(ctx context.Context, job turn.Job) (turn.Lease, error) {
	k := q.store.keys
	names := []string{k.queue(), k.seen(), k.mark(job.Turn.ID)}
	args := append(q.ownerArgs(job), markCancelled, q.process())
	return ask(ctx, q.store.once, "renew", func(ctx context.Context) (turn.Lease, error) {
		state, err := renewScript.Run(ctx, q.store.client, names, args...).Int()
		if noGroup(err) {
			return turn.Lost, nil
		}
		return turn.Lease(state), err
	})
}

// releaseJobScript lets the lease lapse at once.
var releaseJobScript = redis.NewScript(ownership + `
if not mine() then return 0 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[5], 0, ARGV[3], 'IDLE', ARGV[6], 'RETRYCOUNT', ARGV[7], 'JUSTID')
return 1`)

// Release hands the turn back, for any process to take over at once, this one included. The turn keeps its place in its
// lane and its steps. A turn that is no longer the caller's stays as it is.
func (q *Queue) Release(ctx context.Context, job turn.Job) error {
	return q.release(ctx, job, job.Attempt)
}

// release hands the turn back and sets its number of attempts.
func (q *Queue) release(ctx context.Context, job turn.Job, attempts int) error {
	args := append(q.ownerArgs(job), releasedOwner, releasedIdle.Milliseconds(), attempts)
	return q.store.do(ctx, "release", func(ctx context.Context) error {
		err := releaseJobScript.Run(ctx, q.store.client, []string{q.store.keys.queue()}, args...).Err()
		if noGroup(err) {
			return nil
		}
		return err
	})
}

// ownerArgs is the ARGV that the scripts with ownership start with.
func (q *Queue) ownerArgs(job turn.Job) []any {
	return []any{queueGroup, q.cfg.name, job.Entry, job.Attempt}
}

// noGroup reports whether Redis has no queue, because it is new or lost it.
func noGroup(err error) bool { return err != nil && strings.Contains(err.Error(), "NOGROUP") }
