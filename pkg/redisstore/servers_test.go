package redisstore

import (
	"cmp"
	"crypto/rand"
	"os"
	"sync"
	"testing"
	"time"

	"convene/pkg/redisstore/redistest"
)

// server is a test with its own Redis.
type server struct {
	*testing.T
	url, prefix string
}

// cluster is started by the first test that needs it and shared by all, each with its own prefix.
var cluster struct {
	sync.Mutex
	*redistest.Cluster
}

func TestMain(m *testing.M) {
	code := m.Run()
	if cluster.Cluster != nil {
		cluster.Close()
	}
	os.Exit(code)
}

func clusterURL(t *testing.T) string {
	t.Helper()
	cluster.Lock()
	defer cluster.Unlock()
	if cluster.Cluster == nil {
		cluster.Cluster = redistest.StartCluster(t)
	}
	return cluster.URL
}

// onEachServer runs a test on the embedded server and, if installed, on a real Redis and a cluster.
func onEachServer(t *testing.T, test func(server)) {
	t.Helper()
	onEachSingleServer(t, test)
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		test(server{t, clusterURL(t), "test-" + rand.Text() + ":"})
	})
}

// onEachSingleServer is onEachServer without the cluster, whose nodes name addresses that bypass a proxy.
func onEachSingleServer(t *testing.T, test func(server)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		test(server{t, openStore(t, Config{}).embedded.url(), "test-" + rand.Text() + ":"})
	})
	t.Run("redis-server", func(t *testing.T) {
		t.Parallel()
		test(server{t, redistest.Start(t), "test-" + rand.Text() + ":"})
	})
}

// safetyNet bounds the waits of tests, so that a failing one ends. It decides nothing: no machine is that busy.
const safetyNet = 5 * time.Minute

// open connects to the server, each time as another process would.
func (s server) open(cfg Config) *Store {
	s.Helper()
	cfg.URL, cfg.Prefix = s.url, s.prefix
	return openStore(s.T, cfg)
}

func openStore(tb testing.TB, cfg Config) *Store {
	tb.Helper()
	// On a busy machine slow commands are not repeated, unless the test is about that.
	cfg.CommandTimeout = cmp.Or(cfg.CommandTimeout, safetyNet)
	s, err := Open(tb.Context(), cfg)
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("Close: %v", err)
		}
	})
	return s
}

// must returns the value of a call that must not fail: must(call(…))(t).
func must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return v
	}
}

func check(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// wantLife checks a key's time to live, give or take a minute.
func wantLife(tb testing.TB, s *Store, key string, want time.Duration) {
	tb.Helper()
	got := must(s.client.PTTL(tb.Context(), key).Result())(tb)
	if (got - want).Abs() > time.Minute {
		tb.Errorf("%s lives for %v, want %v", key, got, want)
	}
}
