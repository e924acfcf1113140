package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

const (
	// queueGroup is the consumer group that all processes take turns in.
	queueGroup = "runners"
	// endedLife is how long a turn that ended is not accepted again: longer than anybody repeats a request of which the
	// answer got lost.
	endedLife = time.Minute
)

// The fields of an entry in the queue. The ids stand beside the turn, so that a turn that cannot be read can be ended all
// the same. Without a tenant it is the zero tenant's; without a time it was accepted when the entry was made. One that was
// the first of its lane then, and joined the stream at once, says so.
const (
	jobTurn         = "t"
	jobConversation = "c"
	jobBody         = "j"
	jobTenant       = "n"
	jobSince        = "a"
	jobFirst        = "f"
)

// What a turn's mark says while the turn is in the queue.
const (
	markLive      = "live"
	markCancelled = "cancelled"
)

// QueueConfig is what may be set; the zero value works.
type QueueConfig struct {
	// Name tells this process from the others, and is seen in Redis. Defaults to a random name.
	Name string
	// Places is how many turns this process runs at once. Defaults to 512.
	Places int
	// Most is how many turns may be accepted and not have ended. A tenant with a name gets no more of them into the line
	// than are still free for others then, so that one alone has about half. Defaults to 10,000.
	Most int
	// Lease is after how long without a renewal a turn is taken over. Defaults to 3 s.
	Lease time.Duration

	// forgetAfter is how long a process must have been silent to be struck off the group; only tests change it.
	forgetAfter time.Duration
}

// Queue is the turns that were accepted and have not ended, on all processes that share the Redis. A turn runs on one
// process at a time; one whose process died is taken over by another. Where turns have to wait, tenants are served in
// turns, one of each. Nothing in it expires, so that a Redis that evicts keys with an expiry only leaves it alone.
type Queue struct {
	store *Store
	cfg   QueueConfig

	// reading has room for the one Take that asks Redis; the rest belongs to whoever is in there.
	reading chan struct{}
	closed  chan struct{}
	scan    scan
}

// Queue is this process's end of the queue. The process keeps one; Store.Close ends it.
func (s *Store) Queue(cfg QueueConfig) *Queue {
	cfg.Most, cfg.Places = cmp.Or(cfg.Most, 10_000), cmp.Or(cfg.Places, 512)
	cfg.Lease = cmp.Or(cfg.Lease, 3*time.Second)
	cfg.forgetAfter = cmp.Or(cfg.forgetAfter, time.Hour)
	if cfg.Name == "" {
		cfg.Name = rand.Text()
	}
	q := &Queue{store: s, cfg: cfg, reading: make(chan struct{}, 1), closed: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queues = append(s.queues, q)
	return q
}

// Accept opens the turn's log with the record, and puts the turn behind those of its tenant, which is ctx's, and at the
// end of its conversation's lane, both or neither; it returns when all of it stands in Redis. Beyond Most, and where very
// many turns of the conversation have not ended, it is a retryable fault.Overloaded. After any other error it is not known
// whether the turn was accepted; accepting it again is safe, since a turn is accepted once, until a minute after its end.
//
// All goes in one round trip, so that a turn may be taken whose log was not opened, because of an error that the caller
// is told of: who takes it finds no log, and opens it.
func (q *Queue) Accept(ctx context.Context, turn meet.Turn, opening turn.Record) error {
	if turn.ID == "" || turn.Conversation == "" {
		return errors.New("accept: a turn needs its id and its conversation's")
	}
	job, err := encode(turn)
	if err != nil {
		return fmt.Errorf("accept: %w", err)
	}
	log, tenant := q.store.log, meet.TenantOf(ctx)
	open := log.writing(ctx, turn.ID, opening, log.mark(opening))
	own := q.store.keys.of(tenant)
	accept := call{
		script: acceptScript,
		keys:   append(q.lineKeys(), own.lane(turn.Conversation), q.store.keys.mark(turn.ID), own.waiting()),
		args:   append(q.lineArgs(), q.cfg.Most, markLive, string(turn.ID), string(turn.Conversation), job, string(tenant), mostInLane),
	}
	err = q.store.do(ctx, "accept", func(ctx context.Context) error {
		answers := q.store.runAll(ctx, open, accept)
		if err := answers[0].Err(); err != nil {
			return err
		}
		switch answer, err := answers[1].Int(); {
		case err != nil || answer == accepted:
			return err
		case answer == laneFull:
			return fault.New(fault.Overloaded, "Your earlier messages are still being answered. Please try again in a moment.").Later(2 * time.Second)
		default:
			return fault.New(fault.Overloaded, "Too many requests are being answered right now. Please try again in a moment.").Later(2 * time.Second)
		}
	})
	if err == nil {
		log.wrote(turn.ID, opening)
	}
	return err
}

// First reports whether the job's turn is at the head of its conversation's lane: all turns that were accepted before
// it have ended. It is one look at a short list.
func (q *Queue) First(ctx context.Context, job turn.Job) (first bool, err error) {
	err = q.store.do(ctx, "first in lane", func(ctx context.Context) error {
		head, err := q.store.shared.LIndex(ctx, q.store.keys.of(job.Tenant).lane(job.Turn.Conversation), 0).Result()
		first = head == string(job.Turn.ID)
		return err
	})
	if errors.Is(err, redis.Nil) {
		// A lane that is not there holds nobody up.
		return true, nil
	}
	return first, err
}

// finishScript takes a turn out of the queue if it is still the caller's, and answers 1. It answers 0 where it is
// somebody else's now, 2 where it is not in the queue. None of its commands needs memory, so that it goes through
// when Redis has none left; but for those that give its place to others, which are left out then. After the keys of the
// line, KEYS are the turn's mark, its lane and its tenant's list.
var finishScript = redis.NewScript(lining + `
local mark, lane, list = unpack(KEYS, 7)
local process, entry, attempt, turn, life = unpack(ARGV, 8)
local pending = redis.call('XPENDING', queue, name, entry, entry, 1)[1]
if not (pending and pending[2] == process and pending[4] == tonumber(attempt)) then
	if redis.call('XRANGE', queue, entry, entry)[1] then return 0 end
	return 2
end
redis.call('XACK', queue, name, entry)
redis.call('XDEL', queue, entry)
redis.call('LREM', lane, 1, turn)
redis.call('PEXPIRE', mark, life)
local left = redis.pcall('HINCRBY', held, list, -1)
if type(left) == 'number' and left <= 0 then redis.call('HDEL', held, list) end
if redis.call('EXISTS', ring) == 1 then pcall(serve) end
return 1`)

// What finishScript answers where another process owns the turn.
const finishRefused = 0

// Finish takes the turn out of the queue and its lane, all at once. Finishing a turn that has ended does nothing. A turn
// that another process has taken over is left as it is, with a fault.Conflict.
func (q *Queue) Finish(ctx context.Context, job turn.Job) error {
	own, turn := q.store.keys.of(job.Tenant), job.Turn
	finish := call{
		script: finishScript,
		keys:   append(q.lineKeys(), q.store.keys.mark(turn.ID), own.lane(turn.Conversation), own.waiting()),
		args:   append(q.lineArgs(), q.cfg.Name, job.Entry, job.Attempt, string(turn.ID), endedLife.Milliseconds()),
	}
	return q.store.do(ctx, "finish", func(ctx context.Context) error {
		answer, err := q.store.run(ctx, finish).Int()
		if err != nil && !noGroup(err) {
			return err
		}
		if err == nil && answer == finishRefused {
			return takenOver("finish", job)
		}
		return nil
	})
}

// Cancel asks whoever runs the turn to end it, now or when somebody takes it: Renew tells, and Cancelled at once. A
// turn that is unknown or has ended stays as it is, and is no error.
func (q *Queue) Cancel(ctx context.Context, turn meet.TurnID) error {
	keys := q.store.keys
	return q.store.do(ctx, "cancel", func(ctx context.Context) error {
		_, err := q.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			tx.SetArgs(ctx, keys.mark(turn), markCancelled, redis.SetArgs{Mode: "XX", KeepTTL: true})
			tx.Publish(ctx, keys.cancelled(), string(turn))
			return nil
		})
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
}

// Cancelled calls fn for each turn that is cancelled on any process, as it happens, until ctx ends. What is missed
// while the connection is away, Renew still tells.
func (q *Queue) Cancelled(ctx context.Context, fn func(meet.TurnID)) error {
	sub := q.store.client.Subscribe(ctx, q.store.keys.cancelled())
	// There is nothing to do about a connection that does not close well.
	defer func() { _ = sub.Close() }()
	cancelled := sub.Channel()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-q.closed:
			return q.ended("cancelled")
		case message, ok := <-cancelled:
			if !ok {
				return q.ended("cancelled")
			}
			fn(meet.TurnID(message.Payload))
		}
	}
}

// acceptedAt is the time that Redis put into the entry's id, or beside it where the turn has waited in line.
func acceptedAt(entry, since string) time.Time {
	number, _, _ := strings.Cut(cmp.Or(since, entry), "-")
	ms, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// ended says that the store was closed.
func (q *Queue) ended(operation string) error {
	return unavailable(operation, errClosed)
}
