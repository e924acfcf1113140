package redisstore

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/interval"
)

func window(week int) interval.Span {
	start := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 7*week)
	return interval.Span{Start: start, End: start.AddDate(0, 0, 7)}
}

// wantSnapshot checks the snapshot and returns the revision.
func wantSnapshot(t *testing.T, s Snapshots, week int, want string) int64 {
	t.Helper()
	raw, revision, err := s.Load(t.Context(), "al", window(week))
	if err != nil || string(raw) != want {
		t.Errorf("week %d: got %q, %v; want %q", week, raw, err, want)
	}
	return revision
}

func TestSnapshotsAreShared(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other := t.open(Config{}), t.open(Config{})
		s := one.Snapshots("google")
		revision := wantSnapshot(t.T, s, 0, "")
		check(t, s.Save(t.Context(), "al", window(0), []byte("busy"), revision))
		wantSnapshot(t.T, other.Snapshots("google"), 0, "busy")
		wantSnapshot(t.T, other.Snapshots("google"), 1, "")
		wantSnapshot(t.T, other.Snapshots("microsoft"), 0, "")
		wantLife(t, one, one.keys.of("").snapshots("google", "al"), 24*time.Hour)
	})
}

func TestForgottenSnapshotsDoNotComeBack(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{}).Snapshots("google")
		before := wantSnapshot(t.T, s, 0, "")
		check(t, s.Save(t.Context(), "al", window(0), []byte("old"), before))
		check(t, s.Forget(t.Context(), "al"))
		after := wantSnapshot(t.T, s, 0, "")
		// A reading that began before may end later.
		check(t, s.Save(t.Context(), "al", window(0), []byte("old"), before))
		wantSnapshot(t.T, s, 0, "")
		check(t, s.Save(t.Context(), "al", window(0), []byte("new"), after))
		wantSnapshot(t.T, s, 0, "new")
		check(t, s.Save(t.Context(), "al", window(0), []byte("newer"), after))
		wantSnapshot(t.T, s, 0, "newer")
	})
}

func TestSnapshotsOfOnePersonAreBounded(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store := t.open(Config{})
		s := store.Snapshots("google")
		check(t, s.Forget(t.Context(), "al"))
		revision := wantSnapshot(t.T, s, 0, "")
		for week := range 100 {
			check(t, s.Save(t.Context(), "al", window(week), fmt.Append(nil, week), revision))
		}
		kept := must(store.client.HLen(t.Context(), store.keys.of("").snapshots("google", "al")).Result())(t)
		if kept > maxWindows+1 {
			t.Errorf("%d fields are kept, want %d windows at most", kept, maxWindows)
		}
		if got := wantSnapshot(t.T, s, 99, "99"); got != revision {
			t.Errorf("revision %d, want %d as before", got, revision)
		}
	})
}

func TestAPersonIsClaimedOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		stores := []Snapshots{t.open(Config{}).Snapshots("google"), t.open(Config{}).Snapshots("google")}
		var first atomic.Int32
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				mine, err := stores[i%2].Claim(t.Context(), "al", time.Minute)
				if err != nil {
					t.Errorf("Claim: %v", err)
				}
				if mine {
					first.Add(1)
				}
			})
		}
		all.Wait()
		if got := first.Load(); got != 1 {
			t.Errorf("%d have the claim, want 1", got)
		}
		if mine := must(stores[0].Claim(t.Context(), "bo", time.Minute))(t); !mine {
			t.Error("a claim of Al keeps others from Bo")
		}
	})
}
