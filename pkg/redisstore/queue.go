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
	// queueGroup is the consumer group of all processes.
	queueGroup = "runners"
	// endedLife is how long a turn that ended is not accepted again: longer than a client repeats a request whose response
	// was lost.
	endedLife = time.Minute
)

// The fields of an entry in the queue. The ids stand beside the turn, so that a turn that cannot be decoded can be
// finished. Without a tenant it is the zero tenant's; without a time it was accepted when the entry was made. jobFirst
// marks a turn that was the first of its lane when it was accepted.
const (
	jobTurn         = "t"
	jobConversation = "c"
	jobBody         = "j"
	jobTenant       = "n"
	jobSince        = "a"
	jobFirst        = "f"
)

// The values of a turn's mark while the turn is in the queue.
const (
	markLive      = "live"
	markCancelled = "cancelled"
)

// QueueConfig configures a Queue; the zero value works.
type QueueConfig struct {
	// Places is how many turns this process runs at once. Defaults to 512.
	Places int
	// Most is how many turns may be accepted and unfinished. A tenant with a name may have at most as many of them in line
	// as are still free then, so one tenant alone has about half. Defaults to 10,000.
	Most int
	// Lease is how long a turn belongs to its process after each renewal. Defaults to 3 s.
	Lease time.Duration

	// name is this process's name in Redis, a random one; only tests set it.
	name string
	// forgetAfter is how long a process must be silent to leave the group; only tests change it.
	forgetAfter time.Duration
}

// Queue holds the turns that were accepted and are unfinished, of all processes that share the Redis. A turn runs on
// one process at a time; if that process dies, another takes the turn over. When turns have to wait, one of each tenant
// goes at a time. Nothing in the queue expires, so a Redis that evicts only keys with an expiry keeps all of it.
type Queue struct {
	store *Store
	cfg   QueueConfig

	// taking is a semaphore for the one Take that asks Redis, which owns scan.
	taking chan struct{}
	scan   scan
}

// Queue returns this process's access to the queue. A process has one; Store.Close ends it.
func (s *Store) Queue(cfg QueueConfig) *Queue {
	cfg.Most, cfg.Places = cmp.Or(cfg.Most, 10_000), cmp.Or(cfg.Places, 512)
	cfg.Lease = cmp.Or(cfg.Lease, 3*time.Second)
	cfg.forgetAfter = cmp.Or(cfg.forgetAfter, time.Hour)
	cfg.name = cmp.Or(cfg.name, rand.Text())
	q := &Queue{store: s, cfg: cfg, taking: make(chan struct{}, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queues = append(s.queues, q)
	return q
}

// Accept opens the turn's log with the record, and puts the turn after the others of ctx's tenant and at the end of its
// conversation's lane, both or neither; it returns once Redis has all of it. Beyond Most unfinished turns, or maxInLane
// of the conversation, it is a retryable fault.Overloaded. After any other error it is unknown whether the turn was
// accepted; accepting it again is safe: until a minute after its end, a turn is accepted once.
//
// Everything goes in one round trip. So after an error the turn may be in the queue without a log; the process that
// takes it opens the log.
func (q *Queue) Accept(ctx context.Context, turn meet.Turn, opening turn.Record) error {
	if turn.ID == "" || turn.Conversation == "" {
		return errors.New("accept: a turn needs its id and its conversation's")
	}
	job, err := encode(turn)
	if err != nil {
		return fmt.Errorf("accept: %w", err)
	}
	log, tenant := q.store.log, meet.TenantOf(ctx)
	open := log.writeCall(ctx, turn.ID, opening, log.mark(opening))
	own := q.store.keys.of(tenant)
	accept := call{
		script: acceptScript,
		keys:   append(q.lineKeys(), own.lane(turn.Conversation), q.store.keys.mark(turn.ID), own.waiting()),
		args: append(q.lineArgs(), q.cfg.Most, markLive, string(turn.ID), string(turn.Conversation), job, string(tenant),
			maxInLane),
	}
	err = q.store.do(ctx, "accept", func(ctx context.Context) error {
		replies, err := q.store.runAll(ctx, open, accept)
		if err != nil {
			return err
		}
		answer, err := replies[1].Int()
		switch {
		case err != nil || answer == accepted:
			return err
		case answer == laneFull:
			return overloaded("Your earlier messages are still being answered. Please try again in a moment.")
		default:
			return overloaded("Too many requests are being answered right now. Please try again in a moment.")
		}
	})
	if err == nil {
		log.stored(turn.ID, opening)
	}
	return err
}

func overloaded(message string) error {
	return fault.New(fault.Overloaded, "%s", message).Later(2 * time.Second)
}

// First reports whether the job's turn is at the head of its conversation's lane: all turns that were accepted before
// it have ended.
func (q *Queue) First(ctx context.Context, job turn.Job) (bool, error) {
	head, err := ask(ctx, q.store.do, "first in lane", func(ctx context.Context) (string, error) {
		return q.store.shared.LIndex(ctx, q.store.keys.of(job.Tenant).lane(job.Turn.Conversation), 0).Result()
	})
	if errors.Is(err, redis.Nil) {
		return true, nil // without a lane, there is nothing to wait for
	}
	return head == string(job.Turn.ID), err
}

// finishScript removes a turn that the caller owns from the queue, and returns 1. It returns 0 if another process owns
// the turn, 2 if it is not in the queue. It works when Redis is out of memory: only the commands that give its place to
// waiting turns need memory, and they are skipped then. After the keys of the line, KEYS are the turn's mark, its lane
// and its tenant's list.
var finishScript = redis.NewScript(lineFunctions + `
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

// finishRefused is the result of finishScript if another process owns the turn.
const finishRefused = 0

// Finish removes the turn from the queue and its lane, in one step. Finishing a turn that has ended does nothing. A
// turn that another process has taken over stays, and is a fault.Conflict.
func (q *Queue) Finish(ctx context.Context, job turn.Job) error {
	own, turn := q.store.keys.of(job.Tenant), job.Turn
	finish := call{
		script: finishScript,
		keys:   append(q.lineKeys(), q.store.keys.mark(turn.ID), own.lane(turn.Conversation), own.waiting()),
		args:   append(q.lineArgs(), q.cfg.name, job.Entry, job.Attempt, string(turn.ID), endedLife.Milliseconds()),
	}
	return q.store.do(ctx, "finish", func(ctx context.Context) error {
		answer, err := q.store.run(ctx, finish).Int()
		if err != nil && !noGroup(err) {
			return err
		}
		if err == nil && answer == finishRefused {
			return fault.New(fault.Conflict, "This message is being answered elsewhere.").
				Because(fmt.Errorf("finish: turn %s is no longer attempt %d of this process", turn.ID, job.Attempt))
		}
		return nil
	})
}

// Cancel marks the turn as cancelled: the process that runs it, now or later, learns it from Renew, and at once from
// Cancelled. A turn that is unknown or has ended stays as it is, without an error.
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

// Cancelled calls fn for each turn that any process cancels, at once, until ctx ends. Renew reports those that it
// misses while the connection is away.
func (q *Queue) Cancelled(ctx context.Context, fn func(meet.TurnID)) error {
	sub := q.store.client.Subscribe(ctx, q.store.keys.cancelled())
	defer func() { _ = sub.Close() }() // nothing can be done about an error
	cancelled := sub.Channel()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-q.store.closed:
			return unavailable("cancelled", errClosed)
		case message, ok := <-cancelled:
			if !ok {
				return unavailable("cancelled", errClosed)
			}
			fn(meet.TurnID(message.Payload))
		}
	}
}

// acceptedAt is the time in the entry's id or, for a turn that waited in line, in the field since.
func acceptedAt(entry, since string) time.Time {
	number, _, _ := strings.Cut(cmp.Or(since, entry), "-")
	ms, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
