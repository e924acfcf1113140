package redisstore

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

const (
	// lookAfter is after how long without an entry a turn is looked at all the same: news of it may have got lost, and
	// one that this process writes may have been taken over.
	lookAfter = 2 * time.Second
	// lookEvery is how often there is a look for such turns.
	lookEvery = 200 * time.Millisecond
	// streamsAtOnce bounds the logs that one command reads, and so for how long it keeps Redis from everybody else.
	streamsAtOnce = 256
)

// Follow implements turn.Log. Entries that are ready together are handed over in one call; they are shared with
// other readers and must not be changed. While Redis is away a reader waits; where a log cannot be fetched at all,
// the fault says to come back.
func (l *Log) Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turn.Entry) error) error {
	f := l.hub.join(turn, l.tips.opened)
	defer l.hub.leave(f)
	if l.tips.goesOn(turn) {
		l.hub.home(f, true)
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
		case <-l.hub.fetch:
			l.fetch(l.hub.takeStale())
		}
	}
}

// reading is some feeds that one command reads, each behind what it has.
type reading struct {
	feeds  map[string]*feed
	after  map[string]int
	answer *redis.XStreamSliceCmd
}

func (l *Log) fetch(feeds []*feed) {
	var readings []reading
	err := l.store.do(context.Background(), "fetch logs", func(ctx context.Context) error {
		readings = readings[:0]
		_, err := l.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for some := range slices.Chunk(feeds, l.store.together(streamsAtOnce)) {
				readings = append(readings, l.read(ctx, pipe, some))
			}
			return nil
		})
		for _, r := range readings {
			if r.failed() != nil {
				return r.failed()
			}
		}
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	for _, r := range readings {
		l.take(r, err)
	}
}

// failed is why Redis has not answered, if so; that there is nothing new is no failure.
func (r reading) failed() error {
	if err := r.answer.Err(); !errors.Is(err, redis.Nil) {
		return err
	}
	return nil
}

func (l *Log) read(ctx context.Context, pipe redis.Pipeliner, feeds []*feed) reading {
	r := reading{feeds: map[string]*feed{}, after: map[string]int{}}
	names, ids := make([]string, 0, 2*len(feeds)), make([]string, 0, len(feeds))
	for _, f := range feeds {
		name, after := l.store.keys.log(f.turn), f.from()
		r.feeds[name], r.after[name] = f, after
		names, ids = append(names, name), append(ids, streamID(after))
	}
	r.answer = pipe.XRead(ctx, &redis.XReadArgs{Streams: append(names, ids...), Block: -1})
	return r
}

// take hands out what was read. Where Redis did not answer, readers of what is here already wait; the rest are told to
// come back.
func (l *Log) take(r reading, err error) {
	if r.failed() == nil {
		err = nil // others failed
	}
	read := map[string][]redis.XMessage{}
	for _, s := range r.answer.Val() {
		read[s.Stream] = s.Messages
	}
	for name, f := range r.feeds {
		switch {
		case err == nil:
			l.fill(f, r.after[name], read[name])
		case !f.open():
			l.hub.drop(f, err)
		}
	}
}

func (l *Log) fill(f *feed, after int, messages []redis.XMessage) {
	entries, err := entriesOf(messages)
	if err == nil {
		err = f.fill(after, entries)
	}
	if err != nil {
		l.hub.drop(f, err)
		return
	}
	l.settle(f, messages)
}

// settle sees by the newest entry who writes the turn. The first one does not tell; see tips.goesOn. Nor does one that was
// written here, once this process has met another writer: it may have been fetched before that.
func (l *Log) settle(f *feed, messages []redis.XMessage) {
	turned := f.elsewhere()
	if len(messages) > 0 {
		if newest := messages[len(messages)-1]; newest.ID != streamID(1) {
			turned = f.isHome(l.appended(newest) && l.tips.goesOn(f.turn)) || turned
		}
	}
	if turned {
		l.hub.turn(f)
	}
}

// look has turns fetched of which nothing was heard for long, and ends the feeds of those that have expired.
func (l *Log) look() {
	quiet := time.NewTicker(lookEvery)
	defer quiet.Stop()
	sweep := time.NewTicker(l.store.config.sweepEvery)
	defer sweep.Stop()
	for {
		select {
		case <-l.stop:
			return
		case now := <-quiet.C:
			l.hub.refetch(l.hub.those(func(f *feed) bool { return f.quiet(now) })...)
		case <-sweep.C:
			l.sweep()
		}
	}
}

// sweep ends the feeds whose log has expired, because its writer went away without an end.
func (l *Log) sweep() {
	l.tips.prune()
	feeds := l.hub.those((*feed).open)
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
