package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"convene/pkg/redisstore/redistest"
	"convene/pkg/turn"
)

// listeners is how many processes are subscribed to turn t.
func listeners(tb testing.TB, s *Store) int64 {
	tb.Helper()
	channel := s.keys.news("t")
	return must(s.client.PubSubNumSub(tb.Context(), channel).Result())(tb)[channel]
}

func TestOnlyRemoteTurnsAreSubscribedTo(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		here, there := t.open(Config{}), t.open(Config{})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		check(t, there.Log().Append(ctx, "t", entry(1)))
		left := make(chan error)
		go func() {
			left <- here.Log().Follow(ctx, "t", 0, func(...turn.Entry) error { return nil })
		}()
		until(t, "a process subscribes", func() bool { return listeners(t, here) == 1 })
		check(t, here.Log().Append(ctx, "t", entry(2)))
		until(t, "no process subscribes to a local turn", func() bool { return listeners(t, here) == 0 })
		if err := here.Log().Append(ctx, "t", entry(2)); err == nil {
			t.Error("an entry was appended twice")
		}
		until(t, "a process subscribes again", func() bool { return listeners(t, here) == 1 })
		cancel()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("Follow = %v, want that its reader has gone", err)
		}
		until(t, "no process subscribes without readers", func() bool { return listeners(t, here) == 0 })
	})
}

// A process that takes a turn over does not subscribe to it.
func TestATakenTurnIsNotSubscribedTo(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		here := t.open(Config{})
		check(t, here.Log().Append(t.Context(), "t", entry(1)))
		first, wait := followAll(t, here.Log(), "t")
		<-first
		must(here.Log().Written(t.Context(), "t"))(t)
		until(t, "no process subscribes", func() bool { return listeners(t, here) == 0 })
		check(t, here.Log().Append(t.Context(), "t", last(2)))
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), last(2)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

// Announcements may get lost, for instance when a server fails; then entries come later, but in order.
func TestEntriesComeWithoutAnnouncements(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		here, there := t.open(Config{}), t.open(Config{})
		ctx := t.Context()
		check(t, there.Log().Append(ctx, "t", entry(1)))
		first, wait := followAll(t, here.Log(), "t")
		<-first
		for _, e := range []turn.Entry{entry(2), last(3)} {
			check(t, there.client.XAdd(ctx, &redis.XAddArgs{
				Stream: there.keys.log("t"), ID: streamID(e.ID),
				Values: []any{fieldData, e.Data, fieldLast, e.Last, fieldMark, "x"},
			}).Err())
		}
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), last(3)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

// If a server loses an entry that it had confirmed, the log ends with a fault, not with a gap.
func TestALogWithAGapIsAFault(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{})
	for _, id := range []int{1, 3} {
		check(t, s.client.XAdd(t.Context(), &redis.XAddArgs{
			Stream: s.keys.log("t"), ID: streamID(id), Values: []any{fieldData, entry(id).Data, fieldLast, "0", fieldMark, "x"},
		}).Err())
	}
	_, wait := followAll(t, s.Log(), "t")
	got, err := wait()
	if diff := cmp.Diff([]turn.Entry{entry(1)}, got); diff != "" || err == nil {
		t.Errorf("it ended with %v (-want +got):\n%s", err, diff)
	}
}

func TestOpenKnowsEachKindOfRedis(t *testing.T) {
	t.Parallel()
	guarded := redistest.StartGuarded(t)
	single, nodes := redistest.Start(t), clusterURL(t)
	for _, tt := range []struct {
		name, url              string
		clustered, replaceable bool
	}{
		{"one server", single, false, false},
		{"any node of a cluster", nodes, true, true},
		{"several nodes of a cluster", nodes + "?addr=" + strings.TrimPrefix(nodes, "redis://"), true, true},
		{"sentinels", guarded.URL, false, true},
		{"sentinels, one of them away", guarded.URL + "&addr=127.0.0.1:1", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t, Config{URL: tt.url, Prefix: "test-" + rand.Text() + ":"})
			if s.clustered != tt.clustered || s.replaceable != tt.replaceable {
				t.Errorf("clustered %t, replaceable %t, want %t and %t", s.clustered, s.replaceable, tt.clustered, tt.replaceable)
			}
			check(t, s.Ping(t.Context()))
			check(t, s.Log().Append(t.Context(), "t", entry(1)))
			check(t, s.Log().Append(t.Context(), "t", last(2)))
			if got := must(s.Log().Written(t.Context(), "t"))(t); len(got) != 2 {
				t.Errorf("%d entries, want 2", len(got))
			}
		})
	}
}

// A reader of a turn that was accepted here starts without asking Redis, and still gets every entry of another process.
func TestATurnAcceptedHereAndRunElsewhereIsFollowed(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		here, elsewhere, ctx := t.open(Config{}).Log(), t.open(Config{}).Log(), t.Context()
		check(t, here.Append(ctx, "t", entry(1)))
		first, wait := followAll(t, here, "t")
		<-first
		check(t, elsewhere.Append(ctx, "t", entry(2)))
		check(t, elsewhere.Append(ctx, "t", last(3)))
		got, err := wait()
		check(t, err)
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), last(3)}, got); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}
