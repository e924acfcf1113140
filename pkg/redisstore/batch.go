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

// batches send the entries of all turns of this process, those that are waiting together, in one round trip. One batch
// is under way at a time, and whoever waits while none is sends the next one, for everybody: so an entry never waits for
// others to come.
type batches struct {
	store   *Store
	waiting chan *addition
	// sending has room for the one who sends.
	sending chan struct{}
	stop    <-chan struct{}
}

// addition is an entry on its way, and its answer.
type addition struct {
	turn   meet.TurnID
	entry  turnlog.Entry
	mark   string
	answer chan error
	// left says that nobody waits for the answer any more.
	left atomic.Bool
}

func newBatches(s *Store, stop <-chan struct{}) *batches {
	return &batches{
		store: s, waiting: make(chan *addition, mostWaiting), sending: make(chan struct{}, 1), stop: stop,
	}
}

// add returns when Redis has stored the entry or refused it, which is a redis.Error. It relies on Redis, which takes no
// id that is not above the highest, and on the log being there. After any other error it is not known whether the entry
// is stored, or will be within a command timeout.
func (b *batches) add(ctx context.Context, turn meet.TurnID, e turnlog.Entry, mark string) error {
	a := &addition{turn: turn, entry: e, mark: mark, answer: make(chan error, 1)}
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

// send stores a batch, each entry whatever becomes of the others, and answers each.
func (b *batches) send(ctx context.Context, batch []*addition) {
	switch {
	case len(batch) == 0:
	case b.store.replaceable:
		b.sendApart(ctx, batch)
	default:
		b.sendTogether(ctx, batch)
	}
}

// sendTogether stores a batch in one transaction.
func (b *batches) sendTogether(ctx context.Context, batch []*addition) {
	stored := make([]*redis.StringCmd, len(batch))
	err := b.store.once(ctx, "append", func(ctx context.Context) error {
		_, err := b.store.client.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for i, a := range batch {
				key, e := b.store.keys.log(a.turn), a.entry
				stored[i] = tx.XAdd(ctx, &redis.XAddArgs{
					Stream: key, ID: streamID(e.ID), NoMkStream: e.ID > 1, MaxLen: logLength, Approx: true,
					Values: []any{fieldData, e.Data, fieldLast, flag(e.Last), fieldMark, a.mark},
				})
				tx.PExpire(ctx, key, logLife)
				if e.ID > 1 { // nobody knows of the turn before its first entry is there
					tx.Publish(ctx, b.store.keys.news(a.turn), e.ID)
				}
			}
			return nil
		})
		return err
	})
	if _, heard := answerOf(err); err != nil && !heard {
		for _, a := range batch {
			a.answer <- err
		}
		return
	}
	for i, a := range batch {
		a.answer <- stored[i].Err()
	}
}

// sendApart stores each entry by a script of its own, those for the same node in one round trip: on a cluster no
// transaction spans several turns, and a server that replaced another may lack the entry before, so that each needs a
// look.
func (b *batches) sendApart(ctx context.Context, batch []*addition) {
	answers := make([]*redis.Cmd, len(batch))
	// Each entry has an answer of its own, whatever the first failure is.
	_ = b.store.once(ctx, "append", func(ctx context.Context) error {
		_, err := b.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for i, a := range batch {
				keys, args := b.store.appending(a.turn, a.entry, a.mark)
				answers[i] = appendScript.Eval(ctx, pipe, keys, args...)
			}
			return nil
		})
		return err
	})
	for i, a := range batch {
		answer, err := answers[i].Int()
		_, heard := answerOf(err)
		switch {
		case err == nil:
			err = appended(answer, a.turn, a.entry)
		case !heard:
			err = unavailable("append", err)
		}
		a.answer <- err
	}
}
