package redisstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/turn"
)

// nobody owns, in the group, what was handed back.
const nobody = "-"

// handedBack is for how long nobody seems to have renewed a turn that was handed back: longer than any lease.
const handedBack = 24 * time.Hour

// owned starts the scripts that only a turn's owner may run: the entry is pending for this process and this attempt.
// The first of KEYS is the queue; ARGV are the group, the process, the entry and the attempt.
const owned = `
local function mine()
	local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
	return pending and pending[2] == ARGV[2] and pending[4] == tonumber(ARGV[4])
end`

// sighting starts the scripts by which a process tells that it is there. The second of KEYS is when processes were seen.
const sighting = `
local function sighted(process)
	local t = redis.call('TIME')
	local now = t[1] * 1000 + math.floor(t[2] / 1000)
	redis.call('ZADD', KEYS[2], string.format('%.0f', now), process)
	return now
end
`

// process is how this one is seen.
func (q *Queue) process() string { return fmt.Sprintf("%s:%d", q.cfg.Name, q.cfg.Places) }

// renewScript starts the lease anew. It answers a turn.Lease. XCLAIM would count one more attempt on some servers, so
// it is told the number.
var renewScript = redis.NewScript(owned + sighting + `
if not mine() then return 1 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'RETRYCOUNT', ARGV[4], 'JUSTID')
sighted(ARGV[6])
if redis.call('GET', KEYS[3]) == ARGV[5] then return 3 end
return 2`)

// Renew keeps the turn for another Lease, if it is still the caller's, even where the lease has lapsed and nobody was
// there to take over. Called every quarter of a Lease it also tells soon enough of a cancellation. The state is to be
// read only where there is no error; with one, it is not known who has the turn, and the caller may try again.
func (q *Queue) Renew(ctx context.Context, job turn.Job) (state turn.Lease, err error) {
	k := q.store.keys
	names := []string{k.queue(), k.seen(), k.mark(job.Turn.ID)}
	args := append(q.proof(job), markCancelled, q.process())
	err = q.store.once(ctx, "renew", func(ctx context.Context) error {
		answer, err := renewScript.Run(ctx, q.store.client, names, args...).Int()
		if noGroup(err) {
			state = turn.Lost
			return nil
		}
		state = turn.Lease(answer)
		return err
	})
	return state, err
}

// releaseJobScript lets the lease lapse at once.
var releaseJobScript = redis.NewScript(owned + `
if not mine() then return 0 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[5], 0, ARGV[3], 'IDLE', ARGV[6], 'RETRYCOUNT', ARGV[7], 'JUSTID')
return 1`)

// Release hands the turn back, to be taken over by any process at once, this one included. It keeps its place in its
// lane and its steps. A turn that is not the caller's any more stays as it is.
func (q *Queue) Release(ctx context.Context, job turn.Job) error {
	return q.release(ctx, job, job.Attempt)
}

// release hands the turn back with the number of attempts that it has had.
func (q *Queue) release(ctx context.Context, job turn.Job, attempts int) error {
	args := append(q.proof(job), nobody, handedBack.Milliseconds(), attempts)
	return q.store.do(ctx, "release", func(ctx context.Context) error {
		err := releaseJobScript.Run(ctx, q.store.client, []string{q.store.keys.queue()}, args...).Err()
		if noGroup(err) {
			return nil
		}
		return err
	})
}

func (q *Queue) proof(job turn.Job) []any {
	return []any{queueGroup, q.cfg.Name, job.Entry, job.Attempt}
}

// noGroup reports whether Redis has lost the queue, or never had one.
func noGroup(err error) bool { return err != nil && strings.Contains(err.Error(), "NOGROUP") }

func takenOver(operation string, job turn.Job) error {
	return fault.New(fault.Conflict, "This message is being answered elsewhere.").
		Because(fmt.Errorf("%s: turn %s is not attempt %d of this process any more", operation, job.Turn.ID, job.Attempt))
}
