package redisstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/turnlog"
)

const (
	// tailBlock is how long one XREAD waits. It is short, since nothing interrupts it and a turn that somebody starts
	// to follow is in the next one only.
	tailBlock = 50 * time.Millisecond
	// tailPause is how long the tailer rests when there is nothing to read, or Redis does not answer.
	tailPause = 100 * time.Millisecond
	// homeFor is how often a turn that this process writes is looked at all the same: another process may have taken it
	// over.
	homeFor = 2 * time.Second
)

// Follow implements turnlog.Log. Entries that are ready together are handed over in one call; they are shared with
// other readers and must not be changed. While Redis is away a reader waits; where a log cannot be fetched at all,
// the fault says to come back.
func (l *Log) Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turnlog.Entry) error) error {
	f := l.hub.join(turn)
	defer l.hub.leave(f)
	if l.tips.goesOn(turn) {
		f.stay()
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		ready, changed, ended, err := f.next(after)
		switch {
		case len(ready) > 0:
			if err := fn(ready...); err != nil {
				return err
			}
			last := ready[len(ready)-1]
			if last.Last {
				return nil
			}
			after = last.ID
		case ended:
			return nil
		case err != nil:
			return err
		default:
			await(ctx, changed)
		}
	}
}

func await(ctx context.Context, changed <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-changed:
	}
}

// load fetches logs, one round trip for all that are asked for together: many readers come back at once when a
// process or a network goes down.
func (l *Log) load() {
	for {
		select {
		case <-l.stop:
			return
		case <-l.hub.stale:
			l.fetch(l.staleFeeds())
		}
	}
}

// staleFeeds are the feeds to fetch, each with its first missing entry.
func (l *Log) staleFeeds() map[*feed]int {
	missing := map[*feed]int{}
	for _, f := range l.hub.all() {
		if from, stale := f.takeStale(); stale {
			missing[f] = from
		}
	}
	return missing
}

func (l *Log) fetch(missing map[*feed]int) {
	answers := make(map[*feed]*redis.XMessageSliceCmd, len(missing))
	err := l.store.do(context.Background(), "fetch logs", func(ctx context.Context) error {
		_, err := l.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for f, from := range missing {
				answers[f] = pipe.XRange(ctx, l.store.keys.log(f.turn), streamID(from), "+")
			}
			return nil
		})
		return err
	})
	for f, answer := range answers {
		entries, unreadable := entriesOf(answer.Val())
		switch failed := errors.Join(err, unreadable); {
		case failed != nil:
			l.hub.drop(f, failed)
		case !f.fill(entries):
			l.hub.drop(f, unknownTurn())
		}
	}
	signal(l.hub.fetched)
}

// tail brings in what other processes append, with one XREAD for all turns that are followed here. It also sees what
// this process appended without hearing so.
func (l *Log) tail() {
	sweep := time.NewTicker(l.store.config.sweepEvery)
	defer sweep.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-sweep.C:
			l.sweep()
		default:
		}
		if !l.readNew() {
			l.rest(sweep.C)
		}
	}
}

// rest waits until there may be something to read. Without readers it wakes up for sweeping only.
func (l *Log) rest(sweep <-chan time.Time) {
	var pause <-chan time.Time
	if len(l.hub.all()) > 0 {
		pause = time.After(tailPause)
	}
	select {
	case <-l.stop:
	case <-l.hub.fetched:
	case <-pause:
	case <-sweep:
		l.sweep()
	}
}

// readNew brings in new entries, and waits a moment for those of other processes. It answers false where there was
// nothing to wait for or no way to.
func (l *Log) readNew() bool {
	byKey := map[string]*feed{}
	var names, ids []string
	block := time.Duration(-1)
	now := time.Now()
	for _, f := range l.hub.all() {
		tip, home, ok := f.waiting(now)
		if !ok {
			continue
		}
		if !home {
			block = tailBlock
		}
		name := l.store.keys.log(f.turn)
		byKey[name], names, ids = f, append(names, name), append(ids, streamID(tip))
	}
	if len(names) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), tailBlock+l.store.config.CommandTimeout)
	defer cancel()
	streams, err := l.store.client.XRead(ctx, &redis.XReadArgs{Streams: append(names, ids...), Block: block}).Result()
	for _, s := range streams {
		l.take(byKey[s.Stream], s.Messages)
	}
	if err == nil || errors.Is(err, redis.Nil) {
		return block > 0
	}
	l.store.config.OnError("tail")
	return false
}

func (l *Log) take(f *feed, messages []redis.XMessage) {
	entries, err := entriesOf(messages)
	if err != nil {
		l.hub.drop(f, err)
		return
	}
	switch {
	case len(messages) == 0:
	case slices.ContainsFunc(messages, func(m redis.XMessage) bool { return !l.appended(m) }):
		f.away()
	default: // the tailer saw them before Append has heard that they are stored
		f.stay()
	}
	if f.add(entries...) {
		signal(l.hub.stale)
	}
}

// sweep ends the feeds whose log has expired, because its writer went away without an end.
func (l *Log) sweep() {
	l.tips.prune()
	feeds := slices.DeleteFunc(l.hub.all(), func(f *feed) bool { return !f.open() })
	answers := make(map[*feed]*redis.IntCmd, len(feeds))
	err := l.store.once(context.Background(), "sweep logs", func(ctx context.Context) error {
		_, err := l.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for _, f := range feeds {
				answers[f] = pipe.Exists(ctx, l.store.keys.log(f.turn))
			}
			return nil
		})
		return err
	})
	if err != nil {
		return
	}
	for f, answer := range answers {
		if answer.Val() == 0 {
			l.hub.drop(f, unknownTurn())
		}
	}
}
