package redisstore

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

const (
	// mostWaiting bounds the entries that wait to be sent. While Redis hangs nobody waits longer than the command
	// timeout, so that so many are reached by a process in trouble only.
	mostWaiting = 4096
	// mostAtOnce bounds a batch, and so for how long it keeps Redis from everybody else: about 2 ms.
	mostAtOnce = 256
)

var (
	errCrowded = errors.New("too many entries are waiting to be stored")
	errClosed  = errors.New("the store is closed")
)

// batches send the records of all turns of this process, those that are waiting together, in one round trip. One batch
// is under way at a time, and whoever waits while none is sends the next one, for everybody: so a record never waits for
// others to come.
type batches struct {
	store   *Store
	waiting chan *addition
	// sending has room for the one who sends.
	sending chan struct{}
	stop    <-chan struct{}
}

// addition is a record on its way, and its answer.
type addition struct {
	turn   meet.TurnID
	record turnlog.Record
	mark   string
	// follows says that the record is only an entry that comes behind what this process wrote, and so needs no look.
	follows bool
	// keys and args are for writeScript.
	keys   []string
	args   []any
	answer chan error
	// left says that nobody waits for the answer any more.
	left atomic.Bool
	// added and looked are what Redis is asked with; one of them is there.
	added  *redis.StringCmd
	looked *redis.Cmd
}

func newBatches(s *Store, stop <-chan struct{}) *batches {
	return &batches{
		store: s, waiting: make(chan *addition, mostWaiting), sending: make(chan struct{}, 1), stop: stop,
	}
}

// add returns when Redis has stored the record, found that it does not fit, which is a fault, or refused the command, which
// is a redis.Error. After any other error it is not known whether the record is stored, or will be within a command
// timeout.
func (b *batches) add(ctx context.Context, a *addition) error {
	a.answer = make(chan error, 1)
	select {
	case b.waiting <- a:
	default:
		return unavailable("append", errCrowded)
	}
	patience := time.NewTimer(b.store.config.CommandTimeout)
	defer patience.Stop()
	for {
		select {
		case err := <-a.answer:
			return err
		case b.sending <- struct{}{}:
			b.send(context.WithoutCancel(ctx), b.gather())
			<-b.sending
		case <-ctx.Done():
			a.left.Store(true)
			return ended(ctx, "append")
		case <-patience.C:
			a.left.Store(true)
			return unavailable("append", context.DeadlineExceeded)
		case <-b.stop:
			return unavailable("append", errClosed)
		}
	}
}

// gather is all entries that are waiting, without those that were given up.
func (b *batches) gather() []*addition {
	var batch []*addition
	for len(batch) < mostAtOnce {
		select {
		case a := <-b.waiting:
			if !a.left.Load() {
				batch = append(batch, a)
			}
		default:
			return batch
		}
	}
	return batch
}

// send stores a batch in one round trip, or one for each node of a cluster: each record whatever becomes of the others, and
// answers each.
func (b *batches) send(ctx context.Context, batch []*addition) {
	if len(batch) == 0 {
		return
	}
	// Each record has an answer of its own, whatever the first failure is.
	_ = b.store.once(ctx, "append", func(ctx context.Context) error {
		_, err := b.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for _, a := range batch {
				b.ask(ctx, pipe, a)
			}
			return nil
		})
		return err
	})
	for _, a := range batch {
		a.answer <- a.outcome()
	}
}

// ask puts the commands for a record into the pipe.
func (b *batches) ask(ctx context.Context, pipe redis.Pipeliner, a *addition) {
	if !a.follows {
		a.looked = writeScript.EvalSha(ctx, pipe, a.keys, a.args...)
		return
	}
	e := a.record.Newest()
	a.added = pipe.XAdd(ctx, &redis.XAddArgs{
		Stream: b.store.keys.log(a.turn), ID: streamID(e.ID), NoMkStream: true, MaxLen: logLength, Approx: true,
		Values: []any{fieldData, e.Data, fieldLast, flag(e.Last), fieldMark, a.mark},
	})
	pipe.Publish(ctx, b.store.keys.news(a.turn), e.ID)
}

// outcome is what Redis answered.
func (a *addition) outcome() error {
	var answer int
	var err error
	if a.follows {
		err = a.added.Err()
	} else {
		answer, err = a.looked.Int()
	}
	switch _, heard := answerOf(err); {
	case err != nil && !heard:
		return unavailable("append", err)
	case err != nil || a.follows:
		return err
	default:
		return written(answer, a.turn, a.record)
	}
}
