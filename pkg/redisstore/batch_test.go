package redisstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// hold keeps the sender's requests waiting until release. After that one batch is under way at a time.
func (s *sender) hold() (release func()) {
	for _, room := range []chan struct{}{s.sending, s.extra} {
		for range cap(room) {
			room <- struct{}{}
		}
	}
	return func() { <-s.sending }
}

func TestRequestsOfABatchFailAlone(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		l, ctx := t.open(Config{}).Log(), t.Context()
		check(t, l.Append(ctx, "there", entry(1)))
		release := l.store.batcher.single.hold()
		adding := []struct {
			turn meet.TurnID
			id   int
		}{{"unknown", 2}, {"there", 1}, {"there", 2}}
		errs := make([]error, len(adding))
		var all sync.WaitGroup
		for i, a := range adding {
			all.Go(func() { errs[i] = l.add(ctx, a.turn, entry(a.id), fmt.Sprint(a.turn, a.id)) })
			until(t, "the entry waits", func() bool { return len(l.store.batcher.single.waiting) == i+1 })
		}
		release()
		all.Wait()
		var got []string
		for _, err := range errs {
			_, refused := errorReply(err)
			got = append(got, fmt.Sprint(err == nil, refused, errors.Is(err, redis.Nil)))
		}
		want := []string{"false true true", "false true false", "true false false"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("stored, refused, without a log (-want +got):\n%s", diff)
		}
	})
}

// unwritable is a value whose encoding panics.
type unwritable struct{}

func (unwritable) MarshalBinary() ([]byte, error) { panic("a value that cannot be written") }

func TestABrokenBatchBlocksNoOther(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		s, ctx := t.open(Config{}), t.Context()
		release := s.batcher.single.hold()
		var broken, beside error
		var all sync.WaitGroup
		all.Go(func() {
			defer func() {
				if problem := recover(); problem != nil {
					broken = fmt.Errorf("panic: %v", problem)
				}
			}()
			broken = s.shared.Set(ctx, s.keys.prefix+"broken", unwritable{}, time.Minute).Err()
		})
		until(t, "the value waits", func() bool { return len(s.batcher.single.waiting) == 1 })
		all.Go(func() {
			defer func() { _ = recover() }() // the goroutine that sends the batch panics with it
			beside = s.shared.Set(ctx, s.keys.prefix+"beside", "value", time.Minute).Err()
		})
		until(t, "another waits with it", func() bool { return len(s.batcher.single.waiting) == 2 })
		release()
		all.Wait()
		if broken == nil && beside == nil {
			t.Error("both seem to be stored")
		}
		check(t, s.shared.Set(ctx, s.keys.prefix+"later", "value", time.Minute).Err())
	})
}

// A request does not wait for a slow batch, for instance to a distant Redis.
func TestASlowBatchDelaysNoRequest(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{})
	s.batcher.single.sending <- struct{}{}
	check(t, s.Log().Append(t.Context(), "t", entry(1)))
	check(t, s.Log().Append(t.Context(), "t", entry(2)))
	<-s.batcher.single.sending
}

// Turns share batches whose replies get lost, again and again.
func TestManyWritersWithLostReplies(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		l := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Log()
		check(t, l.store.Ping(t.Context()))
		const turns, entries = 40, 20
		var writing sync.WaitGroup
		for i := range turns {
			writing.Go(func() {
				for id := 1; id <= entries; id++ {
					if i == 0 && id%4 == 0 {
						network.loseNext()
					}
					if err := appendAtLast(t.Context(), l, meet.TurnID(fmt.Sprint("t", i)), entry(id)); err != nil {
						t.Errorf("turn %d, entry %d: %v", i, id, err)
						return
					}
				}
			})
		}
		writing.Wait()
		for i := range turns {
			written := must(direct.Log().Written(t.Context(), meet.TurnID(fmt.Sprint("t", i))))(t)
			for n, e := range written {
				if diff := cmp.Diff(entry(n+1), e); diff != "" {
					t.Errorf("turn %d (-want +got):\n%s", i, diff)
				}
			}
			if len(written) != entries {
				t.Errorf("turn %d has %d entries, want %d", i, len(written), entries)
			}
		}
		if network.repliesLost() == 0 {
			t.Error("no answer got lost")
		}
	})
}

// appendAtLast retries while Redis is away, as a turn's only writer does: a Conflict then means that the entry is
// stored.
func appendAtLast(ctx context.Context, l *Log, turn meet.TurnID, e turn.Entry) error {
	for doubtful := false; ; doubtful = true {
		switch err := l.Append(ctx, turn, e); {
		case doubtful && fault.CodeOf(err) == fault.Conflict:
			return nil
		case fault.CodeOf(err) != fault.Unavailable:
			return err
		}
	}
}

func TestAppendToARedisThatHangs(t *testing.T) {
	t.Parallel()
	network, address := startProxy(t, openStore(t, Config{}).embedded.url())
	l := openStore(t, Config{URL: address, CommandTimeout: 100 * time.Millisecond, Patience: time.Millisecond}).Log()
	network.mute()
	begun := time.Now()
	var writing sync.WaitGroup
	for i := range 1000 {
		writing.Go(func() {
			err := l.Append(t.Context(), meet.TurnID(fmt.Sprint("t", i)), entry(1))
			if fault.CodeOf(err) != fault.Unavailable {
				t.Errorf("Append = %v, want a fault.Unavailable", err)
			}
		})
	}
	writing.Wait()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("1000 writers were held up for %v, as if each had waited for those before", took)
	}
	if left := l.store.batcher.single.gather(); len(left) != 0 {
		t.Errorf("%d requests are left in the queue although no caller waits for them", len(left))
	}
}

func TestWaitingRequestsAreBounded(t *testing.T) {
	t.Parallel()
	l := openStore(t, Config{}).Log()
	release := l.store.batcher.single.hold()
	for range maxWaiting {
		l.store.batcher.single.waiting <- &request{}
	}
	err := l.Append(t.Context(), "other", entry(1))
	if fault.CodeOf(err) != fault.Unavailable || !errors.Is(err, errCrowded) {
		t.Errorf("Append beyond the bound = %v, want a fault.Unavailable", err)
	}
	release()
}

func TestACancelledAppendIsNotSent(t *testing.T) {
	t.Parallel()
	l := openStore(t, Config{}).Log()
	release := l.store.batcher.single.hold()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Append(ctx, "t", entry(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("Append with a context that has ended = %v, want its error", err)
	}
	release()
	check(t, l.Append(t.Context(), "other", entry(1)))
	if got := must(l.Written(t.Context(), "t"))(t); len(got) != 0 {
		t.Errorf("%v was written although its writer had gone", got)
	}
}

func TestCloseEndsAppend(t *testing.T) {
	t.Parallel()
	s := must(Open(t.Context(), Config{}))(t)
	l := s.Log()
	l.store.batcher.single.hold()
	ended := make(chan error)
	go func() { ended <- l.Append(t.Context(), "t", entry(1)) }()
	until(t, "Append is waiting", func() bool { return len(l.store.batcher.single.waiting) == 1 })
	check(t, s.Close())
	if err := <-ended; fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Append to a closed store = %v, want a fault.Unavailable", err)
	}
}

// Another process takes over a turn whose readers are served from memory.
func TestLocalReadersNoticeATakeover(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}).Log(), t.open(Config{}).Log()
		check(t, one.Append(t.Context(), "t", entry(1)))
		check(t, one.Append(t.Context(), "t", entry(2)))
		first, wait := followAll(t, one, "t")
		<-first
		check(t, other.Append(t.Context(), "t", entry(3)))
		check(t, other.Append(t.Context(), "t", last(4)))
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), entry(3), last(4)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}
