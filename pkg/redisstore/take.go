package redisstore

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

const (
	// maxTakePause bounds the pause between two tries while Redis is away.
	maxTakePause = time.Second
	// minTakeOver is the least timeout of a search for overdue turns, however short the lease.
	minTakeOver = 250 * time.Millisecond
)

// scan is the state of the search for turns. It belongs to the Take that holds Queue.taking.
type scan struct {
	// overdueAt is when to search next for turns whose lease has lapsed.
	overdueAt time.Time
	// downSince is when Redis stopped answering; zero while it answers.
	downSince time.Time
	pause     time.Duration
	pruned    bool
	// overdue says that the last search for overdue turns found one.
	overdue bool
	// noLine says that there was no line at the last read.
	noLine bool
}

// taken is the result of a Take.
type taken struct {
	job turn.Job
	err error
}

// Take waits for a turn to run: one that any process has just accepted, or one that another process has stopped
// renewing. While Redis is away it keeps trying. It ends with ctx, or with a fault.Unavailable when the store is
// closed; a turn that arrives after that is handed back.
//
// If a turn cannot be decoded, because another version stored it, the error comes with a Job that has only the ids of
// the turn and its conversation: the caller reports the error in the turn's log and finishes the job.
func (q *Queue) Take(ctx context.Context) (turn.Job, error) {
	if ctx.Err() != nil {
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
	select {
	case q.taking <- struct{}{}:
	case <-q.store.closed:
		return turn.Job{}, unavailable("take", errClosed)
	case <-ctx.Done():
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
	// Nothing interrupts a blocking read. It has its own goroutine, which outlives ctx by one block at most and then
	// releases taking.
	found := make(chan taken)
	go q.seek(ctx, found)
	select {
	case t := <-found:
		if errors.Is(t.err, redis.ErrClosed) {
			return turn.Job{}, unavailable("take", errClosed)
		}
		return t.job, t.err
	case <-q.store.closed:
		return turn.Job{}, unavailable("take", errClosed)
	case <-ctx.Done():
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
}

// seek sends one turn to found, or hands it back if its Take has ended.
func (q *Queue) seek(ctx context.Context, found chan<- taken) {
	defer func() { <-q.taking }()
	commands := context.WithoutCancel(ctx)
	for !q.over(ctx) {
		job, err := q.next(commands)
		if job.Entry == "" && !errors.Is(err, redis.ErrClosed) {
			q.rest(ctx, err)
			continue
		}
		select {
		case found <- taken{job, err}:
		case <-ctx.Done():
			q.putBack(commands, job)
		case <-q.store.closed:
			q.putBack(commands, job)
		}
		return
	}
}

func (q *Queue) over(ctx context.Context) bool {
	select {
	case <-q.store.closed:
		return true
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// putBack hands back a turn that no Take waits for, without counting an attempt. If that fails, the lease lapses.
func (q *Queue) putBack(ctx context.Context, job turn.Job) {
	if job.Entry == "" {
		return
	}
	_ = q.release(ctx, job, job.Attempt-1)
	q.scan.overdueAt = time.Time{}
}

// rest pauses after an error, longer each time, and logs the first.
func (q *Queue) rest(ctx context.Context, err error) {
	if err == nil || q.over(ctx) {
		return
	}
	if q.scan.pause == 0 {
		q.scan.pause = firstRetryPause
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the queue cannot be read; trying again")
	}
	pause := q.scan.pause/2 + mathrand.N(q.scan.pause)
	q.scan.pause = min(2*q.scan.pause, maxTakePause)
	select {
	case <-q.store.closed:
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// next searches the queue once, for one block at most. Without a turn the job is empty.
func (q *Queue) next(ctx context.Context) (turn.Job, error) {
	begun := time.Now()
	if err := q.checkRecovery(ctx); err != nil {
		return turn.Job{}, err
	}
	job, err := q.search(ctx)
	if noGroup(err) {
		err = q.createGroup(ctx)
	}
	if err != nil && job.Entry == "" {
		q.scan.downSince = begun // so that owners are spared when Redis is back
	} else {
		q.spareOwners(time.Since(begun) - q.block())
	}
	return job, err
}

// search looks for overdue and new turns in parallel, so that a new one is read at once. After an overdue one it looks
// for another, without waiting for new ones.
func (q *Queue) search(ctx context.Context) (turn.Job, error) {
	if q.scan.overdue {
		if job, err := q.takeOver(ctx); err != nil || job.Entry != "" {
			return job, err
		}
	}
	var overdue turn.Job
	var overdueErr error
	var both sync.WaitGroup
	both.Go(func() { overdue, overdueErr = q.takeOver(ctx) })
	job, err := q.readNew(ctx)
	both.Wait()
	if job.Entry != "" && overdue.Entry != "" {
		q.putBack(ctx, overdue)
	}
	if job.Entry == "" && (overdue.Entry != "" || err == nil) {
		return overdue, overdueErr
	}
	return job, err
}

// checkRecovery checks, after Redis was away, that it accepts writes: a read-only Redis answers, but no owner can
// renew.
func (q *Queue) checkRecovery(ctx context.Context) error {
	if q.scan.downSince.IsZero() {
		return nil
	}
	if err := q.store.Ping(ctx); err != nil {
		return err
	}
	away := time.Since(q.scan.downSince)
	q.spareOwners(away)
	q.scan.downSince, q.scan.pause = time.Time{}, 0
	zerolog.Ctx(ctx).Info().Dur("away", away).Msg("the queue can be read again")
	return nil
}

// spareOwners gives owners one Lease to renew before any turn is taken over, if Redis was away for so long that leases
// of live processes have lapsed. It does not extend that time, so a Redis that is always slow cannot prevent taking
// over.
func (q *Queue) spareOwners(away time.Duration) {
	sparing := time.Until(q.scan.overdueAt) > q.block()
	if away > max(q.cfg.Lease/2, minTakeOver) && !sparing {
		q.scan.overdueAt = time.Now().Add(q.cfg.Lease)
	}
}

// createGroup creates the queue, at the first start or after Redis has lost it. Turns that are already accepted are
// delivered too.
func (q *Queue) createGroup(ctx context.Context) error {
	return q.store.once(ctx, "create queue", func(ctx context.Context) error {
		err := q.store.client.XGroupCreateMkStream(ctx, q.store.keys.queue(), queueGroup, "0").Err()
		if err != nil && strings.HasPrefix(err.Error(), "BUSYGROUP") {
			return nil
		}
		return err
	})
}

// block is how long one search waits for new turns, and the interval between searches for overdue ones.
func (q *Queue) block() time.Duration {
	return min(max(q.cfg.Lease/8, 5*time.Millisecond), 500*time.Millisecond, q.store.config.CommandTimeout/2)
}

func (q *Queue) readNew(ctx context.Context) (turn.Job, error) {
	bounded, cancel := context.WithTimeout(ctx, q.block()+q.store.config.CommandTimeout)
	defer cancel()
	streams, err := q.readStream(bounded)
	if errors.Is(err, redis.Nil) {
		return turn.Job{}, nil
	}
	if err != nil && !noGroup(err) {
		q.store.config.OnError("take")
	}
	if err != nil || len(streams) == 0 || len(streams[0].Messages) == 0 {
		return turn.Job{}, err
	}
	m := streams[0].Messages[0]
	return jobOf(m.ID, 1, m.Values)
}

// readStream waits for a turn to join the stream. If there was a line at the last read, it serves the line first. So no
// process waits while there is a line: every process that takes a turn has served the line before.
func (q *Queue) readStream(ctx context.Context) ([]redis.XStream, error) {
	served := &redis.Cmd{}
	var read *redis.XStreamSliceCmd
	var inLine *redis.IntCmd
	_, _ = q.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error { // each command has its own error
		if !q.scan.noLine {
			served = serveScript.Eval(ctx, pipe, q.lineKeys(), q.lineArgs()...)
		}
		read = pipe.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: queueGroup, Consumer: q.cfg.name, Streams: []string{q.store.keys.queue(), ">"}, Count: 1, Block: q.block(),
		})
		inLine = pipe.ZCard(ctx, q.store.keys.since())
		return nil
	})
	n, err := inLine.Result()
	q.scan.noLine = n == 0 && err == nil
	if served.Err() != nil && errors.Is(read.Err(), redis.Nil) {
		return nil, served.Err()
	}
	return read.Result()
}

// takeOverScript makes the caller the owner of the first turn whose lease has lapsed. It returns the entry, the attempt
// and the turn's fields, or nothing. It restarts the count of tenants' turns if that is more than there are.
//
// KEYS are the queue, the times processes were seen, and the turns held by tenants.
var takeOverScript = redis.NewScript(heartbeat + `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', sighted(ARGV[4]) - ARGV[5])
local counted = 0
for _, n in ipairs(redis.call('HVALS', KEYS[3])) do counted = counted + n end
if counted > redis.call('XLEN', KEYS[1]) then redis.call('DEL', KEYS[3]) end
local pending = redis.call('XPENDING', KEYS[1], ARGV[1], 'IDLE', ARGV[3], '-', '+', 1)[1]
if not pending then return {} end
local entry = redis.call('XRANGE', KEYS[1], pending[1], pending[1])[1]
if not entry then
	redis.call('XACK', KEYS[1], ARGV[1], pending[1])
	return {}
end
local attempt = pending[4] + 1
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, pending[1], 'RETRYCOUNT', attempt, 'JUSTID')
return {pending[1], attempt, entry[2]}`)

// takeOver takes the first overdue turn, if it is time to search for one.
func (q *Queue) takeOver(ctx context.Context) (turn.Job, error) {
	if time.Now().Before(q.scan.overdueAt) {
		return turn.Job{}, nil
	}
	// A command that is delayed until Redis is back would come before the owners' renewals.
	bounded, cancel := context.WithTimeout(ctx, max(q.cfg.Lease/4, minTakeOver))
	defer cancel()
	fields, err := ask(bounded, q.store.once, "take over", func(ctx context.Context) ([]any, error) {
		names := []string{q.store.keys.queue(), q.store.keys.seen(), q.store.keys.held()}
		args := []any{queueGroup, q.cfg.name, q.cfg.Lease.Milliseconds(), q.process(), q.silent()}
		return takeOverScript.Run(ctx, q.store.client, names, args...).Slice()
	})
	q.scan.overdue = len(fields) >= 3
	if err != nil {
		return turn.Job{}, err
	}
	if !q.scan.overdue {
		// If one turn is overdue there may be more, so the next search is only put off when there is none.
		q.scan.overdueAt = time.Now().Add(q.block())
		return turn.Job{}, q.pruneGroup(ctx)
	}
	entry, _ := fields[0].(string)
	attempt, _ := fields[1].(int64)
	listed, _ := fields[2].([]any)
	values := make(map[string]any, len(listed)/2)
	for pair := range slices.Chunk(listed, 2) {
		if name, ok := pair[0].(string); ok && len(pair) == 2 {
			values[name] = pair[1]
		}
	}
	return jobOf(entry, int(attempt), values)
}

// jobOf decodes an entry of the queue. With an error, the job still has the ids of the turn, its conversation and
// tenant.
func jobOf(entry string, attempt int, values map[string]any) (turn.Job, error) {
	value := func(field string) string {
		text, _ := values[field].(string)
		return text
	}
	job := turn.Job{
		Tenant: meet.Tenant(value(jobTenant)), AcceptedAt: acceptedAt(entry, value(jobSince)), Attempt: attempt, Entry: entry,
		First: value(jobFirst) != "",
	}
	stored, err := decode[meet.Turn](value(jobBody))
	if err != nil {
		id := meet.TurnID(value(jobTurn))
		job.Turn = meet.Turn{ID: id, Conversation: meet.ConversationID(value(jobConversation))}
		return job, fault.New(fault.Internal, "Your message could not be read any more. Please send it again.").
			Because(fmt.Errorf("take: turn %s: %w", id, err))
	}
	job.Turn = stored
	return job, nil
}

// forgetScript removes a process from the group, unless it owns a turn.
var forgetScript = redis.NewScript(`
if redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2])[1] then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1`)

// pruneGroup removes long silent processes from the group, once in each process's life: every start adds a name.
func (q *Queue) pruneGroup(ctx context.Context) error {
	if q.scan.pruned {
		return nil
	}
	q.scan.pruned = true
	return q.store.once(ctx, "tidy queue", func(ctx context.Context) error {
		consumers, err := q.store.client.XInfoConsumers(ctx, q.store.keys.queue(), queueGroup).Result()
		if err != nil {
			return err
		}
		for _, c := range consumers {
			if c.Pending > 0 || c.Idle < q.cfg.forgetAfter || c.Name == q.cfg.name {
				continue
			}
			names := []string{q.store.keys.queue()}
			if err := forgetScript.Run(ctx, q.store.client, names, queueGroup, c.Name).Err(); err != nil {
				return err
			}
		}
		return nil
	})
}
