package redisstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/turnqueue"
)

// nobody owns, in the group, what was handed back.
const nobody = "-"

// handedBack is for how long nobody seems to have renewed a turn that was handed back: longer than any lease.
const handedBack = 24 * time.Hour

// owned starts the scripts that only a turn's owner may run: the entry is pending for this process and this attempt.
// KEYS are the queue and the turn's mark; ARGV the group, the process, the entry and the attempt.
const owned = `
local function mine()
	local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
	return pending and pending[2] == ARGV[2] and pending[4] == tonumber(ARGV[4])
end`

// renewScript starts the lease anew. It answers a turnqueue.Lease. XCLAIM would count one more attempt on some servers, so
// it is told the number.
var renewScript = redis.NewScript(owned + `
if not mine() then return 1 end
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'RETRYCOUNT', ARGV[4], 'JUSTID')
if redis.call('GET', KEYS[2]) == ARGV[5] then return 3 end
return 2`)

// Renew keeps the turn for another Lease, if it is still the caller's, even where the lease has lapsed and nobody was
// there to take over. Called every quarter of a Lease it also tells soon enough of a cancellation. The state is to be
// read only where there is no error; with one, it is not known who has the turn, and the caller may try again.
func (q *Queue) Renew(ctx context.Context, job turnqueue.Job) (state turnqueue.Lease, err error) {
	args := append(q.proof(job), markCancelled)
	err = q.store.once(ctx, "renew", func(ctx context.Context) error {
		answer, err := renewScript.Run(ctx, q.store.client, q.leaseKeys(job), args...).Int()
		if noGroup(err) {
			state = turnqueue.Lost
			return nil
		}
		state = turnqueue.Lease(answer)
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
func (q *Queue) Release(ctx context.Context, job turnqueue.Job) error {
	return q.release(ctx, job, job.Attempt)
}

// release hands the turn back with the number of attempts that it has had.
func (q *Queue) release(ctx context.Context, job turnqueue.Job, attempts int) error {
	args := append(q.proof(job), nobody, handedBack.Milliseconds(), attempts)
	return q.store.do(ctx, "release", func(ctx context.Context) error {
		err := releaseJobScript.Run(ctx, q.store.client, q.leaseKeys(job), args...).Err()
		if noGroup(err) {
			return nil
		}
		return err
	})
}

func (q *Queue) leaseKeys(job turnqueue.Job) []string {
	return []string{q.store.keys.queue(), q.store.keys.mark(job.Turn.ID)}
}

func (q *Queue) proof(job turnqueue.Job) []any {
	return []any{queueGroup, q.cfg.Name, job.Entry, job.Attempt}
}

// noGroup reports whether Redis has lost the queue, or never had one.
func noGroup(err error) bool { return err != nil && strings.Contains(err.Error(), "NOGROUP") }

func takenOver(operation string, job turnqueue.Job) error {
	return fault.New(fault.Conflict, "This message is being answered elsewhere.").
		Because(fmt.Errorf("%s: turn %s is not attempt %d of this process any more", operation, job.Turn.ID, job.Attempt))
}
