package redisstore

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/redisstore/redistest"
)

func TestOpenEmbedded(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{})
	if !s.Embedded() {
		t.Error("a store without a URL is not embedded")
	}
	check(t, s.Ping(t.Context()))
	other := openStore(t, Config{})
	check(t, s.client.Set(t.Context(), "k", "v", 0).Err())
	if n := must(other.client.Exists(t.Context(), "k").Result())(t); n != 0 {
		t.Error("two embedded stores share their keys")
	}
}

func TestEmbeddedKeysExpireByThemselves(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{})
	check(t, s.client.Set(t.Context(), "short", "v", 300*time.Millisecond).Err())
	check(t, s.client.Set(t.Context(), "long", "v", time.Hour).Err())
	for s.client.Exists(t.Context(), "short").Val() == 1 {
		if t.Context().Err() != nil {
			t.Fatal("a key does not expire")
		}
	}
	wantLife(t, s, "long", time.Hour)
}

func TestOpenRealServer(t *testing.T) {
	t.Parallel()
	s := openStore(t, Config{URL: redistest.Start(t)})
	if s.Embedded() {
		t.Error("a store with a URL is embedded")
	}
	check(t, s.Ping(t.Context()))
}

func TestOpenErrorsSayWhatToDo(t *testing.T) {
	t.Parallel()
	guarded := openStore(t, Config{})
	var lc net.ListenConfig
	l := must(lc.Listen(t.Context(), "tcp", "127.0.0.1:0"))(t)
	unused := l.Addr().String()
	check(t, l.Close())
	for _, tt := range []struct{ name, url, want string }{
		{"no URL at all", "localhost:6379", "REDIS_URL is not the address of a Redis"},
		{"another scheme", "https://:s3cret@example.org", "REDIS_URL is not the address of a Redis"},
		{"an unescaped password", "redis://me:s3cret/#@example.org:6379", "REDIS_URL is not the address of a Redis"},
		{"an unknown option", "redis://me:s3cret@example.org:6379?adr=example.com:6379",
			"REDIS_URL is not the address of a Redis"},
		{"no cluster there", "redis://:s3cret@" + unused + "?addr=" + unused,
			"REDIS_URL: no Redis answers at " + unused + ", " + unused},
		{"no sentinel there", "redis://:s3cret@" + unused + "?master_name=m&password=s3cret",
			"REDIS_URL: no Redis answers at \"m\" as the sentinels at " + unused},
		{"no server there", "redis://:s3cret@" + unused, "REDIS_URL: no Redis answers at " + unused},
		{"wrong password", "redis://:s3cret@" + guarded.embedded.server.Addr(),
			"REDIS_URL: the Redis at " + guarded.embedded.server.Addr() + " refuses us"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(t.Context(), Config{URL: tt.url, ConnectTimeout: 200 * time.Millisecond})
			if err == nil {
				s.Close()
				t.Fatal("Open went well")
			}
			if got := err.Error(); !strings.Contains(got, tt.want) || strings.Contains(got, "s3cret") ||
				strings.Contains(got, "\n") {
				t.Errorf("error = %q, want one line with %q and no password", got, tt.want)
			}
		})
	}
}

func TestOpenWaitsForAServerThatStarts(t *testing.T) {
	t.Parallel()
	network, address := startProxy(t, openStore(t, Config{}).embedded.url())
	network.off()
	opened := make(chan error)
	go func() {
		s, err := Open(t.Context(), Config{URL: address})
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	<-network.refused
	network.on()
	check(t, <-opened)
}

// Open waits for the same transient replies as operations.
func TestOpenWaitsForARedisThatIsNotReady(t *testing.T) {
	t.Parallel()
	for _, said := range []string{
		"LOADING Redis is loading the dataset in memory", "BUSY Redis is busy running a script.",
		"MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.",
		"ERR max number of clients reached",
	} {
		t.Run(said, func(t *testing.T) {
			t.Parallel()
			redis := openStore(t, Config{}).embedded
			redis.server.SetError(said)
			t.Cleanup(func() { redis.server.SetError("") })
			_, err := Open(t.Context(), Config{URL: redis.url(), ConnectTimeout: time.Second})
			if err == nil || !strings.Contains(err.Error(), "is not ready: "+said) {
				t.Errorf("%v, want to hear that it is not ready", err)
			}
		})
	}
}

func TestFaultsAtTheEdge(t *testing.T) {
	t.Parallel()
	network, address := startProxy(t, openStore(t, Config{}).embedded.url())
	s := openStore(t, Config{URL: address, CommandTimeout: 300 * time.Millisecond})
	network.off()
	err := s.Ping(t.Context())
	got := fault.As(err)
	if got.Code != fault.Unavailable || !got.Retryable || got.RetryAfter == 0 || got.Err == nil {
		t.Errorf("without a network: %+v, want a retryable fault.Unavailable with its cause", got)
	}
	if strings.Contains(got.Message, "127.0.0.1") {
		t.Errorf("the message shows an address: %q", got.Message)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v, want its error", err)
	}
	network.on()
	check(t, s.Ping(t.Context()))
}

// The server accepts connections and never replies.
func TestCommandsHaveADeadline(t *testing.T) {
	t.Parallel()
	network, address := startProxy(t, openStore(t, Config{}).embedded.url())
	s := openStore(t, Config{URL: address, CommandTimeout: 100 * time.Millisecond})
	network.mute()
	if err := s.Ping(t.Context()); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Ping of a mute server = %v, want a fault.Unavailable", err)
	}
}

func TestErrorsAreReported(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	reported := map[string]bool{}
	s := openStore(t, Config{CommandTimeout: 100 * time.Millisecond, OnError: func(operation string) {
		mu.Lock()
		defer mu.Unlock()
		reported[operation] = true
	}})
	check(t, s.Ping(t.Context()))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if s.Ping(gone) == nil || len(reported) > 0 {
		t.Errorf("OnError got %v without a failure of Redis", reported)
	}
	s.embedded.close()
	if err := s.Ping(t.Context()); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("ping: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !reported["ping"] {
		t.Errorf("OnError got %v, want ping", reported)
	}
}
