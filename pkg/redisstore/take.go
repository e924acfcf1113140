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
	// firstPause and longestPause bound the pause between two tries while Redis is away.
	firstPause   = 20 * time.Millisecond
	longestPause = time.Second
	// shortestTry is how long taking over may last, however short the lease.
	shortestTry = 250 * time.Millisecond
)

// scan is where the search for turns stands. It belongs to whoever is in Queue.reading.
type scan struct {
	// overdueAt is when to look next for turns whose lease has lapsed.
	overdueAt time.Time
	// downSince is since when Redis does not answer; zero while it does.
	downSince time.Time
	pause     time.Duration
	tidied    bool
	// overdue says that the last look for overdue turns found one.
	overdue bool
	// noLine says that nobody stood in line behind what was taken last.
	noLine bool
}

// offer is what a Take is given.
type offer struct {
	job turn.Job
	err error
}

// Take waits for a turn to run: one that was just accepted, by any process, or one that another process has stopped
// renewing. It outlasts a Redis that goes away, and ends with ctx, or with a fault.Unavailable when the store is
// closed. What is on its way when ctx ends is handed back.
//
// Where a turn cannot be read, because another version stored it, there is an error beside a Job that names the turn
// and its conversation only: the caller says so in the turn's log and finishes the job.
func (q *Queue) Take(ctx context.Context) (turn.Job, error) {
	if ctx.Err() != nil {
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
	select {
	case q.reading <- struct{}{}:
	case <-q.closed:
		return turn.Job{}, q.ended("take")
	case <-ctx.Done():
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
	// Nothing interrupts a read that blocks, so it has a goroutine, which outlives ctx by one block at most and leaves
	// reading at its end.
	found := make(chan offer)
	go q.seek(ctx, found)
	select {
	case o := <-found:
		if errors.Is(o.err, redis.ErrClosed) {
			return turn.Job{}, q.ended("take")
		}
		return o.job, o.err
	case <-q.closed:
		return turn.Job{}, q.ended("take")
	case <-ctx.Done():
		return turn.Job{}, fmt.Errorf("take: %w", ctx.Err())
	}
}

// seek hands one turn to found, or hands it back where nobody is waiting any more.
func (q *Queue) seek(ctx context.Context, found chan<- offer) {
	defer func() { <-q.reading }()
	commands := context.WithoutCancel(ctx)
	for !q.over(ctx) {
		job, err := q.next(commands)
		if job.Entry == "" && !errors.Is(err, redis.ErrClosed) {
			q.note(ctx, err)
			continue
		}
		select {
		case found <- offer{job, err}:
		case <-ctx.Done():
			q.putBack(commands, job)
		case <-q.closed:
			q.putBack(commands, job)
		}
		return
	}
}

func (q *Queue) over(ctx context.Context) bool {
	select {
	case <-q.closed:
		return true
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// putBack gives away what was taken for nobody; it does not count as an attempt. Where Redis does not hear of it, the
// lease lapses.
func (q *Queue) putBack(ctx context.Context, job turn.Job) {
	if job.Entry == "" {
		return
	}
	_ = q.release(ctx, job, job.Attempt-1)
	q.scan.overdueAt = time.Time{}
}

// note takes account of how a look at the queue went, and after an error rests.
func (q *Queue) note(ctx context.Context, err error) {
	if err == nil || q.over(ctx) {
		return
	}
	if q.scan.pause == 0 {
		q.scan.pause = firstPause
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the queue cannot be read; trying again")
	}
	pause := q.scan.pause/2 + mathrand.N(q.scan.pause)
	q.scan.pause = min(2*q.scan.pause, longestPause)
	select {
	case <-q.closed:
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// next is one look at the queue, of one block at most. Without a turn the job is empty.
func (q *Queue) next(ctx context.Context) (turn.Job, error) {
	begun := time.Now()
	if err := q.comeBack(ctx); err != nil {
		return turn.Job{}, err
	}
	job, err := q.look(ctx)
	if noGroup(err) {
		err = q.createGroup(ctx)
	}
	if err != nil && job.Entry == "" {
		q.scan.downSince = begun // and owners are spared when Redis is back
	} else {
		q.spareOwners(time.Since(begun) - q.block())
	}
	return job, err
}

// look is for overdue turns and for new ones side by side, so that what is accepted meanwhile is read at once. Where one
// was overdue the next look is for others alone: nobody waits for new turns meanwhile.
func (q *Queue) look(ctx context.Context) (turn.Job, error) {
	if q.scan.overdue {
		if job, err := q.takeOver(ctx); err != nil || job.Entry != "" {
			return job, err
		}
	}
	var overdue turn.Job
	var err error
	var looking sync.WaitGroup
	looking.Go(func() { overdue, err = q.takeOver(ctx) })
	job, reading := q.readNew(ctx)
	looking.Wait()
	switch {
	case overdue.Entry == "":
		if reading == nil && job.Entry == "" {
			return job, err
		}
		return job, reading
	case job.Entry != "":
		q.putBack(ctx, overdue)
		return job, reading
	default:
		return overdue, err
	}
}

// comeBack waits, after Redis was away, for a sign that it takes leases again: while it is read-only, it answers, and
// nobody can renew.
func (q *Queue) comeBack(ctx context.Context) error {
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

// spareOwners gives owners one Lease to renew before anything is taken over, where Redis was away for so long that
// many a lease has lapsed with nobody dead. Where it is always slow, this does not put off taking over for ever.
func (q *Queue) spareOwners(away time.Duration) {
	sparing := time.Until(q.scan.overdueAt) > q.block()
	if away > max(q.cfg.Lease/2, shortestTry) && !sparing {
		q.scan.overdueAt = time.Now().Add(q.cfg.Lease)
	}
}

// createGroup makes the queue where there is none: at the first start, and where Redis has lost it. Turns that are
// accepted already are delivered too.
func (q *Queue) createGroup(ctx context.Context) error {
	return q.store.once(ctx, "create queue", func(ctx context.Context) error {
		err := q.store.client.XGroupCreateMkStream(ctx, q.store.keys.queue(), queueGroup, "0").Err()
		if err != nil && strings.HasPrefix(err.Error(), "BUSYGROUP") {
			return nil
		}
		return err
	})
}

// block is how long one look waits for new turns, and how often overdue ones are looked for.
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

// readStream waits for what joins the stream. After a look at which there was a line, this one has the line served first.
// So no process waits while there is a line: what another took of what stands ready, it took after it was served itself.
func (q *Queue) readStream(ctx context.Context) ([]redis.XStream, error) {
	served := &redis.Cmd{}
	var read *redis.XStreamSliceCmd
	var inLine *redis.IntCmd
	// Each command has an answer of its own.
	_, _ = q.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
		if !q.scan.noLine {
			served = serveScript.Eval(ctx, pipe, q.lineKeys(), q.lineArgs()...)
		}
		read = pipe.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: queueGroup, Consumer: q.cfg.Name, Streams: []string{q.store.keys.queue(), ">"}, Count: 1, Block: q.block(),
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

// takeOverScript makes the first turn whose lease has lapsed the caller's. It answers the entry, the attempt and the
// turn's fields, or nothing. It also mends what processes of an older version leave, which know no places: the line that
// they had joins the stream, and where tenants hold more turns than there are, they are counted anew.
// KEYS are the queue, when processes were seen, what tenants hold, and the former line with what goes with it.
var takeOverScript = redis.NewScript(sighting + `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', sighted(ARGV[4]) - ARGV[5])
local counted = 0
for _, n in ipairs(redis.call('HVALS', KEYS[3])) do counted = counted + n end
if counted > redis.call('XLEN', KEYS[1]) then redis.call('DEL', KEYS[3]) end
for _ = 1, 100 do
	local turn = redis.call('ZPOPMIN', KEYS[4])[1]
	if not turn then break end
	local since, job = redis.call('ZSCORE', KEYS[5], turn), redis.call('HGET', KEYS[6], turn)
	redis.call('ZREM', KEYS[5], turn)
	redis.call('HDEL', KEYS[6], turn)
	if job then
		local name, talk, rest = string.match(job, '^(%d+) (%d+) (.*)$')
		local named, told = tonumber(name), tonumber(name) + tonumber(talk)
		redis.call('XADD', KEYS[1], '*', 't', turn, 'c', string.sub(rest, named + 1, told), 'j', string.sub(rest, told + 1),
			'n', string.sub(rest, 1, named), 'a', string.format('%.0f', tonumber(since)))
	end
end
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

// takeOver is the turn that is overdue for longest, if it is time to look for one.
func (q *Queue) takeOver(ctx context.Context) (job turn.Job, err error) {
	if time.Now().Before(q.scan.overdueAt) {
		return turn.Job{}, nil
	}
	// A command that is held up, and goes through when Redis is back, would come before the owners' renewals.
	bounded, cancel := context.WithTimeout(ctx, max(q.cfg.Lease/4, shortestTry))
	defer cancel()
	var fields []any
	err = q.store.once(bounded, "take over", func(ctx context.Context) (err error) {
		k := q.store.keys
		names := []string{k.queue(), k.seen(), k.held(), k.formerLine(), k.since(), k.formerJobs()}
		args := []any{queueGroup, q.cfg.Name, q.cfg.Lease.Milliseconds(), q.process(), q.silent()}
		fields, err = takeOverScript.Run(ctx, q.store.client, names, args...).Slice()
		return err
	})
	q.scan.overdue = len(fields) >= 3
	if err != nil {
		return turn.Job{}, err
	}
	if !q.scan.overdue {
		// Where one turn is overdue there may be more, so only now the next look is put off.
		q.scan.overdueAt = time.Now().Add(q.block())
		return turn.Job{}, q.tidy(ctx)
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

// jobOf reads an entry of the queue. One that cannot be read still names the turn, its conversation and its tenant.
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

// forgetScript strikes a process off the group, unless a turn is still its own.
var forgetScript = redis.NewScript(`
if redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2])[1] then return 0 end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1`)

// tidy strikes processes off the group that have been silent for long, once in each process's life: every start adds
// a name.
func (q *Queue) tidy(ctx context.Context) error {
	if q.scan.tidied {
		return nil
	}
	q.scan.tidied = true
	return q.store.once(ctx, "tidy queue", func(ctx context.Context) error {
		consumers, err := q.store.client.XInfoConsumers(ctx, q.store.keys.queue(), queueGroup).Result()
		if err != nil {
			return err
		}
		for _, c := range consumers {
			if c.Pending > 0 || c.Idle < q.cfg.forgetAfter || c.Name == q.cfg.Name {
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
