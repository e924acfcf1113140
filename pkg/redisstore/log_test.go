package redisstore

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/pkg/turn/turntest"
)

func TestLog(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		turntest.Run(t.T, func(*testing.T) turntest.Log { return s.Log() })
	})
}

// Append writes a record of one entry.
func (l *Log) Append(ctx context.Context, id meet.TurnID, e turn.Entry) error {
	return l.Write(ctx, id, turn.Record{Entries: []turn.Entry{e}})
}

// apart is a log that one process writes and another reads.
type apart struct {
	turntest.Log // of the reader
	writer       turntest.Log
}

func (a apart) Write(ctx context.Context, turn meet.TurnID, r turn.Record) error {
	return a.writer.Write(ctx, turn, r)
}

func TestLogAcrossProcesses(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{})
		turntest.Run(t.T, func(*testing.T) turntest.Log { return apart{Log: other.Log(), writer: one.Log()} })
	})
}

func entry(id int) turn.Entry {
	return turn.Entry{ID: id, Data: fmt.Appendf(nil, `{"n":%d}`, id)}
}

func last(id int) turn.Entry {
	e := entry(id)
	e.Last = true
	return e
}

// followAll follows a log in the background; wait returns its entries and Follow's error.
func followAll(tb testing.TB, l *Log, id meet.TurnID) (first <-chan struct{}, wait func() ([]turn.Entry, error)) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), safetyNet)
	var got []turn.Entry
	var err error
	started, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		var once sync.Once
		err = l.Follow(ctx, id, 0, func(batch ...turn.Entry) error {
			once.Do(func() { close(started) })
			got = append(got, batch...)
			return nil
		})
	}()
	return started, func() ([]turn.Entry, error) {
		<-done
		return got, err
	}
}

func TestLogIsContinuedByAnotherProcess(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}).Log(), t.open(Config{}).Log()
		ctx := t.Context()
		check(t, one.Append(ctx, "t", entry(1)))
		check(t, one.Append(ctx, "t", entry(2)))
		_, wait := followAll(t, one, "t")
		if err := other.Append(ctx, "t", entry(4)); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("a gap by another process = %v, want a fault.Conflict", err)
		}
		check(t, other.Append(ctx, "t", entry(3)))
		if err := one.Append(ctx, "t", entry(3)); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("what another process has written = %v, want a fault.Conflict", err)
		}
		check(t, one.Append(ctx, "t", last(4)))
		if err := other.Append(ctx, "t", entry(5)); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("behind the last entry = %v, want a fault.Conflict", err)
		}
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), entry(3), last(4)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

func TestLogSurvivesLostReplies(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		l := openStore(t, Config{URL: address, Prefix: direct.config.Prefix}).Log()
		for id := range 6 {
			check(t, l.store.Ping(t.Context()))
			network.loseNext()
			if id == 4 {
				l.tips.forget("t")
			}
			check(t, l.Append(t.Context(), "t", entry(id+1)))
		}
		check(t, l.Append(t.Context(), "t", last(7)))
		if got := network.repliesLost(); got != 6 {
			t.Errorf("%d answers got lost, want 6", got)
		}
		_, wait := followAll(t, direct.Log(), "t")
		got, err := wait()
		check(t, err)
		if len(got) != 7 {
			t.Errorf("%d entries, want each of the 7 once: %v", len(got), got)
		}
	})
}

func TestFollowSurvivesALostReply(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		reader := openStore(t, Config{URL: address, Prefix: direct.config.Prefix})
		check(t, direct.Log().Append(t.Context(), "t", entry(1)))
		check(t, direct.Log().Append(t.Context(), "t", last(2)))
		network.loseNext()
		_, wait := followAll(t, reader.Log(), "t")
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), last(2)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
		if got := network.repliesLost(); got != 1 {
			t.Errorf("%d answers got lost, want 1", got)
		}
	})
}

func TestFollowSurvivesABrokenNetwork(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		direct := t.open(Config{})
		network, address := startProxy(t, direct.config.URL)
		reader := openStore(t, Config{URL: address, Prefix: direct.config.Prefix, CommandTimeout: time.Second})
		check(t, direct.Log().Append(t.Context(), "t", entry(1)))
		first, wait := followAll(t, reader.Log(), "t")
		<-first
		network.off()
		err := reader.Log().Append(t.Context(), "t", entry(2))
		if fault.CodeOf(err) != fault.Unavailable || !fault.As(err).Retryable {
			t.Errorf("Append without a network = %v, want a fault.Unavailable to try again", err)
		}
		check(t, direct.Log().Append(t.Context(), "t", entry(2)))
		network.on()
		check(t, direct.Log().Append(t.Context(), "t", last(3)))
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), last(3)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

func TestLogExpires(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{sweepEvery: 10 * time.Millisecond})
		l, ctx := s.Log(), t.Context()
		check(t, l.Append(ctx, "t", entry(1)))
		check(t, l.Append(ctx, "t", entry(2)))
		wantLife(t, s, s.keys.log("t"), time.Hour)

		first, wait := followAll(t, l, "t")
		<-first
		check(t, s.client.Del(ctx, s.keys.log("t")).Err())
		if _, err := wait(); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("Follow of a log that expires = %v, want a fault.NotFound", err)
		}
		if err := l.Append(ctx, "t", entry(3)); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("Append to a log that expired = %v, want a fault.NotFound", err)
		}
	})
}

func TestCloseEndsFollow(t *testing.T) {
	t.Parallel()
	s := must(Open(t.Context(), Config{}))(t)
	check(t, s.Log().Append(t.Context(), "t", entry(1)))
	first, wait := followAll(t, s.Log(), "t")
	<-first
	check(t, s.Close())
	if _, err := wait(); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Follow of a closed store = %v, want a fault.Unavailable", err)
	}
	_, wait = followAll(t, s.Log(), "t")
	if _, err := wait(); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Follow after Close = %v, want a fault.Unavailable", err)
	}
	check(t, s.Close())
}

// Many readers follow many turns over two connections.
func TestReadersShareConnections(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		writer, reader := t.open(Config{}).Log(), server{t.T, t.url + "?pool_size=2", t.prefix}.open(Config{}).Log()
		const turns, readers = 20, 10
		id := func(i int) meet.TurnID { return meet.TurnID(fmt.Sprintf("t%d", i)) }
		var waits []func() ([]turn.Entry, error)
		for i := range turns {
			check(t, writer.Append(t.Context(), id(i), entry(1)))
			for range readers {
				_, wait := followAll(t, reader, id(i))
				waits = append(waits, wait)
			}
		}
		for i := range turns {
			check(t, writer.Append(t.Context(), id(i), entry(2)))
			check(t, writer.Append(t.Context(), id(i), last(3)))
		}
		want := []turn.Entry{entry(1), entry(2), last(3)}
		for _, wait := range waits {
			got, err := wait()
			check(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("entries (-want +got):\n%s", diff)
			}
		}
		if got := len(reader.hub.filter((*feed).open)); got != 0 {
			t.Errorf("%d logs are in memory although they have no readers", got)
		}
	})
}

func TestTipsArePrunedWithTheirLogs(t *testing.T) {
	t.Parallel()
	var known tips
	known.advance("live", []turn.Entry{entry(3)})
	known.advance("dead", []turn.Entry{entry(3)})
	known.tips["dead"] = tip{id: 3, changed: time.Now().Add(-logLife - time.Second)}
	known.advance("ended", []turn.Entry{last(4)})
	known.prune()
	if !known.at("live", 3) || len(known.tips) != 1 {
		t.Errorf("tips = %v, want the live turn only", known.tips)
	}
}
