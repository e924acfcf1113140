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
	// quietAfter is how long a log may bring no entry before it is fetched again: an announcement may be lost, and
	// another process may have taken the turn over from this one.
	quietAfter = 2 * time.Second
	// quietEvery is the interval between searches for such logs.
	quietEvery = 200 * time.Millisecond
	// maxStreams bounds the logs that one command reads, and so how long it occupies Redis.
	maxStreams = 256
)

// Follow calls fn with the turn's entries after the one numbered after, until the last one. Entries that are ready come
// in one call; readers share them and must not change them. A turn without a log is a fault.NotFound. While Redis is
// away, Follow waits; if a log cannot be fetched, the fault is retryable.
func (l *Log) Follow(ctx context.Context, turn meet.TurnID, after int, fn func(...turn.Entry) error) error {
	f := l.hub.join(turn, l.tips.opened)
	defer l.hub.leave(f)
	if l.tips.local(turn) {
		l.hub.setLocal(turn, true)
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
			select {
			case <-ctx.Done():
			case <-changed:
			}
		}
	}
}

// load fetches stale logs, all in one round trip: many readers come back at once when a process or a network goes down.
func (l *Log) load() {
	for {
		select {
		case <-l.store.closed:
			return
		case <-l.hub.fetch:
			l.fetch(l.hub.takeStale())
		}
	}
}

// logRead is one command that reads the logs of some feeds, each after the entries that the feed has.
type logRead struct {
	feeds map[string]*feed
	after map[string]int
	reply *redis.XStreamSliceCmd
}

func (l *Log) fetch(feeds []*feed) {
	size := maxStreams
	if l.store.clustered {
		size = 1 // the logs may be on any nodes
	}
	var reads []logRead
	err := l.store.do(context.Background(), "fetch logs", func(ctx context.Context) error {
		reads = reads[:0]
		_, err := l.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for chunk := range slices.Chunk(feeds, size) {
				reads = append(reads, l.read(ctx, pipe, chunk))
			}
			return nil
		})
		for _, r := range reads {
			if r.err() != nil {
				return r.err()
			}
		}
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	for _, r := range reads {
		l.deliver(r, err)
	}
}

// err is the read's failure; a read without new entries has not failed.
func (r logRead) err() error {
	if err := r.reply.Err(); !errors.Is(err, redis.Nil) {
		return err
	}
	return nil
}

func (l *Log) read(ctx context.Context, pipe redis.Pipeliner, feeds []*feed) logRead {
	r := logRead{feeds: map[string]*feed{}, after: map[string]int{}}
	names, ids := make([]string, 0, 2*len(feeds)), make([]string, 0, len(feeds))
	for _, f := range feeds {
		name, after := l.store.keys.log(f.turn), f.newest()
		r.feeds[name], r.after[name] = f, after
		names, ids = append(names, name), append(ids, streamID(after))
	}
	r.reply = pipe.XRead(ctx, &redis.XReadArgs{Streams: append(names, ids...), Block: -1})
	return r
}

// deliver passes a read's entries to its feeds. If Redis did not answer, it drops the feeds that have never been
// fetched; the readers of the others wait.
func (l *Log) deliver(r logRead, err error) {
	if r.err() == nil {
		err = nil // other reads failed
	}
	read := map[string][]redis.XMessage{}
	for _, s := range r.reply.Val() {
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

// settle notes from the newest entry whether this process writes the turn. The first entry shows nothing; see
// tips.local. Nor does an entry of this process after it has met another writer: it may have been fetched before that.
func (l *Log) settle(f *feed, messages []redis.XMessage) {
	recheck := f.remote()
	if len(messages) > 0 {
		if newest := messages[len(messages)-1]; newest.ID != streamID(1) {
			recheck = f.setLocal(l.appended(newest) && l.tips.local(f.turn)) || recheck
		}
	}
	if recheck {
		l.hub.recheck(f)
	}
}

// maintain refetches the logs that have been quiet for long, and ends the feeds of those that have expired.
func (l *Log) maintain() {
	quiet := time.NewTicker(quietEvery)
	defer quiet.Stop()
	sweep := time.NewTicker(l.store.config.sweepEvery)
	defer sweep.Stop()
	for {
		select {
		case <-l.store.closed:
			return
		case now := <-quiet.C:
			l.hub.refetch(l.hub.filter(func(f *feed) bool { return f.quiet(now) })...)
		case <-sweep.C:
			l.sweep()
		}
	}
}

// sweep ends the feeds whose logs have expired: their writers died before the last entry.
func (l *Log) sweep() {
	l.tips.prune()
	feeds := l.hub.filter((*feed).open)
	found := make(map[*feed]*redis.IntCmd, len(feeds))
	err := l.store.once(context.Background(), "sweep logs", func(ctx context.Context) error {
		_, err := l.store.client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for _, f := range feeds {
				found[f] = pipe.Exists(ctx, l.store.keys.log(f.turn))
			}
			return nil
		})
		return err
	})
	if err != nil {
		return
	}
	for f, n := range found {
		if n.Val() == 0 {
			l.hub.drop(f, unknownTurn())
		}
	}
}
