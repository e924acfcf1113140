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

// server is a test with a Redis to itself.
type server struct {
	*testing.T
	url, prefix string
}

// cluster is started by the first test that needs it and shared by all; their prefixes keep them apart.
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

// onEachServer runs a test on the embedded server, on a real Redis and on a cluster, where they are.
func onEachServer(t *testing.T, test func(server)) {
	t.Helper()
	onEachSingleServer(t, test)
	t.Run("cluster", func(t *testing.T) {
		t.Parallel()
		test(server{t, clusterURL(t), "test-" + rand.Text() + ":"})
	})
}

// onEachSingleServer leaves out the cluster, whose nodes name each other's addresses, past any proxy.
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

// safetyNet is for how long tests wait for what has to happen, so that one ends that cannot pass. It decides nothing: no machine
// is as busy as that.
const safetyNet = 5 * time.Minute

// open connects to the server, each time as another process would.
func (s server) open(cfg Config) *Store {
	s.Helper()
	cfg.URL, cfg.Prefix = s.url, s.prefix
	return openStore(s.T, cfg)
}

func openStore(tb testing.TB, cfg Config) *Store {
	tb.Helper()
	// Commands that take long on a busy machine are not repeated, unless that is what the test is about.
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

// must is for calls of which only the value matters: must(call(…))(t).
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

// wantLife checks how long a key has to live, give or take a minute.
func wantLife(tb testing.TB, s *Store, key string, want time.Duration) {
	tb.Helper()
	got := must(s.client.PTTL(tb.Context(), key).Result())(tb)
	if (got - want).Abs() > time.Minute {
		tb.Errorf("%s lives for %v, want %v", key, got, want)
	}
}
