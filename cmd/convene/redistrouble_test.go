package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/llm/offline"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
	"convene/pkg/testenv"
)

// Redis answers late: everything takes longer, and nothing is lost, doubled or taken over.
func TestRedisIsSlow(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	far := redistest.StartFar(t, time.Duration(testenv.Count(100, 300))*time.Millisecond, nil)
	server := startReplica(t, "--redis-url="+far.URL, "--now="+friday).url
	for i, a := range askAtOnce(ctx, t, server, 2, func(int) string { return sse.ContentType }) {
		if a.status != http.StatusOK || !a.whole || !a.event || a.outcome != "proposed" {
			t.Errorf("client %d: %+v, want an event", i, a)
		}
	}
	awaitReady(ctx, t, server, http.StatusOK)
}

// A sentinel makes the replica the master while turns run on two processes. As when an operator does so with care, the
// old master takes no writes meanwhile; the turns pause and go on.
func TestRedisFailsOver(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.StartGuarded(t)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 300 * time.Millisecond, TokensPerSecond: 100}))
	t.Cleanup(model.Close)
	args := []string{"--redis-url=" + redis.URL, "--openai-base-url=" + model.URL + "/v1", "--now=" + friday}
	a, b := startReplica(t, args...), startReplica(t, args...)
	const turns = 40
	c := startCrowd(ctx, t, turns, a.url, b.url)
	c.await(ctx, "acknowledgment", turns/2)
	redis.Failover(ctx)
	c.check(a.url, b.url)
	awaitReady(ctx, t, a.url, http.StatusOK)
	awaitReady(ctx, t, b.url, http.StatusOK)
}

// A cluster of three masters, to which a single one of its addresses leads.
func TestRedisIsACluster(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.StartCluster(t)
	t.Cleanup(redis.Close)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 100 * time.Millisecond, TokensPerSecond: 400}))
	t.Cleanup(model.Close)
	args := []string{"--redis-url=" + redis.URL, "--openai-base-url=" + model.URL + "/v1", "--now=" + friday}
	a, b := startReplica(t, args...), startReplica(t, args...)
	c := startCrowd(ctx, t, 40, a.url, b.url)
	c.await(ctx, "acknowledgment", 10)
	b.kill() // its turns are taken over, and its readers come back
	c.reading.Wait()
	for i, r := range c.readers {
		r.servers = []string{a.url}
		if err := r.readAll(ctx); err != nil {
			t.Errorf("turn %d: %v", i, err)
		}
		checkWhole(t, fmt.Sprintf("turn %d", i), a.url, r)
	}
}

// flood writes some 2 MB a second to Redis until ctx ends.
func flood(ctx context.Context, redis string) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(redis, "redis://"))
	if err != nil {
		return err
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	junk := strings.Repeat("x", 4<<10)
	pace := time.NewTicker(2 * time.Millisecond)
	defer pace.Stop()
	for i := 0; ctx.Err() == nil; i++ {
		<-pace.C
		if _, err := fmt.Fprintf(conn, "SET junk:%d %s EX 600\r\n", i, junk); err != nil {
			return err
		}
		if answer, err := answers.ReadString('\n'); err != nil || answer != "+OK\r\n" {
			return fmt.Errorf("SET: %q, %w", answer, err)
		}
	}
	return nil
}

// awaitEvictions waits until Redis has thrown something out.
func awaitEvictions(ctx context.Context, t *testing.T, redis string) {
	t.Helper()
	for ctx.Err() == nil {
		var dialer net.Dialer
		conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(redis, "redis://"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(conn, "INFO stats\r\nQUIT\r\n")
		stats, reading := io.ReadAll(conn)
		conn.Close()
		if err != nil || reading != nil {
			t.Fatal(err, reading)
		}
		if !strings.Contains(string(stats), "\nevicted_keys:0\r") {
			return
		}
	}
	t.Error("nothing was thrown out")
}

// A full Redis evicts keys that expire: logs, states, steps, searches. People, bookings and the queue do not expire.
// Evicted data is lost, but every stream ends, and a repeated request is answered.
func TestRedisThrowsKeysOut(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.Start(t)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 50 * time.Millisecond, TokensPerSecond: 500}))
	t.Cleanup(model.Close)
	server := startReplica(t, "--redis-url="+redis, "--openai-base-url="+model.URL+"/v1", "--now="+friday).url
	for _, command := range []string{"CONFIG SET maxmemory-policy volatile-lru", "CONFIG SET maxmemory 8mb"} {
		if got := redisSays(t, redis, command); got != "+OK" {
			t.Fatalf("%s: %s", command, got)
		}
	}
	flooding, dry := context.WithCancel(ctx)
	var flooded sync.WaitGroup
	flooded.Go(func() {
		if err := flood(flooding, redis); err != nil {
			t.Errorf("flood: %v", err)
		}
	})
	stream := func(int) string { return sse.ContentType }
	for range 3 {
		for i, a := range askAtOnce(ctx, t, server, 16, stream) {
			if a.status != http.StatusOK || !a.whole && a.code == "" {
				t.Errorf("client %d: %+v, want a stream that ends in done or an error", i, a)
			}
		}
	}
	awaitEvictions(ctx, t, redis)
	dry()
	flooded.Wait()
	if a, err := ask(ctx, server, "afterwards", sse.ContentType); err != nil || !a.whole || !a.event {
		t.Errorf("afterwards: %+v, %v, want an event", a, err)
	}
}
