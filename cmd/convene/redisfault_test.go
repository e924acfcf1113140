package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/llm/offline"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
	"convene/pkg/testenv"
)

// crowd are turns under way, each with a reader on one connection that must last to the end.
type crowd struct {
	t       *testing.T
	readers []*reader
	seen    chan string
	counts  map[string]int
	reading sync.WaitGroup
	// cut is how the connections ended that did not last.
	cut []error
}

// startCrowd starts n turns, spread over the servers, and reads each where it was not started.
func startCrowd(ctx context.Context, t *testing.T, n int, servers ...string) *crowd {
	t.Helper()
	c := &crowd{t: t, seen: make(chan string, 100*n), counts: map[string]int{}, cut: make([]error, n)}
	for i := range n {
		start := &client{t: t, server: servers[i%len(servers)], conversation: fmt.Sprintf("fault-%d", i)}
		r := &reader{t: t, path: start.beginAtLast(ctx, "Let's grab coffee with Al next week")}
		c.readers = append(c.readers, r)
		c.reading.Go(func() { c.cut[i] = r.readOnce(ctx, servers[(i+1)%len(servers)], c.seen) })
	}
	return c
}

// beginAtLast starts a turn, again where the server says to come back: with many at once on a busy machine it may.
func (c *client) beginAtLast(ctx context.Context, message string) string {
	c.t.Helper()
	body := fmt.Sprintf(`{"message": %q, "organizer": "me", "conversationId": %q}`, message, c.conversation)
	for {
		//nolint:contextcheck // the client's context is its test's
		status, answer := c.post("/v1/turns", "application/json", body)
		var accepted struct{ EventsURL string }
		if err := json.Unmarshal(answer, &accepted); err == nil && status == http.StatusAccepted {
			return accepted.EventsURL
		}
		if status != http.StatusServiceUnavailable || ctx.Err() != nil {
			c.t.Fatalf("status %d: %s", status, answer)
		}
	}
}

// readOnce reads a turn to its end over a single connection, and tells seen what comes.
func (r *reader) readOnce(ctx context.Context, server string, seen chan<- string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server+r.path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for decoder := sse.NewDecoder(resp.Body); ; {
		event, err := decoder.Next()
		if err != nil {
			return err
		}
		if want := fmt.Sprint(len(r.blocks) + 1); event.ID != want {
			return fmt.Errorf("update %q where %s follows: %s", event.ID, want, event.Data)
		}
		r.blocks = append(r.blocks, bytes.Clone(event.Data))
		var u struct{ Type string }
		if err := json.Unmarshal(event.Data, &u); err != nil {
			return err
		}
		seen <- u.Type
		if u.Type == "done" {
			return nil
		}
	}
}

// await waits until n updates of a kind were read.
func (c *crowd) await(ctx context.Context, kind string, n int) {
	c.t.Helper()
	for c.counts[kind] < n {
		select {
		case got := <-c.seen:
			c.counts[got]++
		case <-ctx.Done():
			c.t.Fatalf("%d × %s, want %d; %v", c.counts[kind], kind, n, c.counts)
		}
	}
}

// check waits for all turns to end and holds each against what it must be.
func (c *crowd) check(servers ...string) {
	c.t.Helper()
	c.reading.Wait()
	for i, r := range c.readers {
		if c.cut[i] != nil {
			c.t.Errorf("turn %d: the stream ended after update %d: %v", i, len(r.blocks), c.cut[i])
			continue
		}
		checkWhole(c.t, fmt.Sprintf("turn %d", i), servers[i%len(servers)], r)
	}
}

// awaitReady waits until a server's readiness has the status.
//
//nolint:contextcheck // a look takes no time, and its context is the test's
func awaitReady(ctx context.Context, t *testing.T, server string, want int) {
	t.Helper()
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		status, body, _ := get(t, server+"/readyz")
		if status == want {
			tick.Stop()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("readyz is %d, want %d: %s", status, want, body)
		}
	}
}

// checkTurnedAway sends messages while Redis is of no use: none is accepted, and each form says when to come back.
func checkTurnedAway(ctx context.Context, t *testing.T, server string) {
	t.Helper()
	var both sync.WaitGroup
	both.Go(func() {
		status, retryAfter, answer := postTurn(ctx, t, server, "application/json")
		if status != http.StatusServiceUnavailable || retryAfter == "" {
			t.Errorf("a turn as JSON: status %d, Retry-After %q, want 503 and a time: %s", status, retryAfter, answer)
		}
	})
	both.Go(func() {
		status, _, answer := postTurn(ctx, t, server, sse.ContentType)
		sorry, done := strings.Index(answer, `{"type":"error","code":"unavailable"`), strings.Index(answer, `{"type":"done"`)
		if status != http.StatusOK || sorry < 0 || done < sorry {
			t.Errorf("a turn as a stream: status %d, want 200 with an error and done: %s", status, answer)
		}
	})
	both.Wait()
}

// postTurn sends a message and reads the answer to its end; it may be called from any goroutine.
func postTurn(ctx context.Context, t *testing.T, server, accept string) (status int, retryAfter, answer string) {
	t.Helper()
	message := strings.NewReader(`{"message": "coffee with Al on Wednesday", "organizer": "me"}`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/v1/turns", message)
	if err != nil {
		t.Error(err)
		return 0, "", ""
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, "", ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, resp.Header.Get("Retry-After"), string(body)
}

// Redis is killed and started again under many turns that two replicas run, once for a moment and once for longer than
// any lease lasts. The turns pause and go on; nothing is lost or doubled, and no stream breaks off.
func TestRedisIsKilledUnderRunningTurns(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.StartDurable(t)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 300 * time.Millisecond, TokensPerSecond: 100}))
	t.Cleanup(model.Close)
	args := []string{"--redis-url=" + redis.URL, "--openai-base-url=" + model.URL + "/v1", "--now=" + friday}
	a, b := startReplica(t, args...), startReplica(t, args...)
	turns := testenv.Count(60, 200)
	c := startCrowd(ctx, t, turns, a.url, b.url)

	c.await(ctx, "turn", turns)
	redis.Kill()
	awaitReady(ctx, t, a.url, http.StatusServiceUnavailable)
	awaitReady(ctx, t, b.url, http.StatusServiceUnavailable)
	redis.Restart()

	c.await(ctx, "message_delta", turns/2)
	redis.Kill()
	checkTurnedAway(ctx, t, a.url) // which takes as long as the store is patient
	redis.Restart()

	c.check(a.url, b.url)
	awaitReady(ctx, t, a.url, http.StatusOK)
}

// redisSays sends Redis one command, as a person at a terminal does.
func redisSays(t *testing.T, url, command string) string {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "redis://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		t.Fatal(err)
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(answer)
}

// Redis answers, but takes nothing: it has become a replica, or has no memory left. Nothing is accepted, turns under
// way pause, and all goes on when it is mended.
func TestRedisTakesNothing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, spoil, mend string }{
		{"read-only replica", "REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"},
		{"out of memory", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			redis := redistest.Start(t)
			model := httptest.NewServer(offline.New(offline.Options{Latency: 200 * time.Millisecond, TokensPerSecond: 200}))
			t.Cleanup(model.Close)
			s := startReplica(t, "--redis-url="+redis, "--openai-base-url="+model.URL+"/v1", "--now="+friday)
			awaitReady(ctx, t, s.url, http.StatusOK)
			const turns = 5
			c := startCrowd(ctx, t, turns, s.url)
			c.await(ctx, "acknowledgment", turns)

			if got := redisSays(t, redis, tt.spoil); got != "+OK" {
				t.Fatalf("%s: %s", tt.spoil, got)
			}
			awaitReady(ctx, t, s.url, http.StatusServiceUnavailable)
			checkTurnedAway(ctx, t, s.url)
			if got := redisSays(t, redis, tt.mend); got != "+OK" {
				t.Fatalf("%s: %s", tt.mend, got)
			}
			awaitReady(ctx, t, s.url, http.StatusOK)
			c.check(s.url)
		})
	}
}

// Without a Redis the program says what to do and ends.
func TestRedisIsNotThereAtStart(t *testing.T) {
	t.Parallel()
	redis := redistest.StartDurable(t)
	redis.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	program := exec.CommandContext(ctx, os.Args[0], "serve", "--listen=127.0.0.1:0", "--redis-url="+redis.URL)
	program.Env = append(os.Environ(), asProgram+"=1")
	var logs strings.Builder
	program.Stderr = &logs
	err := program.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitFailed {
		t.Errorf("the program ended with %v, want exit status %d", err, exitFailed)
	}
	want := "convene: REDIS_URL: no Redis answers at " + strings.TrimPrefix(redis.URL, "redis://")
	if got := logs.String(); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
		t.Errorf("it said %q, want one line that begins %q", got, want)
	}
}

// A Redis that comes up a little later than the program is waited for.
func TestRedisComesUpLater(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	redis := redistest.StartDurable(t)
	redis.Kill()
	var config net.ListenConfig
	door, err := config.Listen(ctx, "tcp", strings.TrimPrefix(redis.URL, "redis://"))
	if err != nil {
		t.Fatal(err)
	}
	started := make(chan *replica)
	go func() { started <- startReplica(t, "--redis-url="+redis.URL, "--now="+friday) }()
	knock, err := door.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(knock.Close(), door.Close()); err != nil {
		t.Fatal(err)
	}
	redis.Restart()
	select {
	case s := <-started:
		awaitReady(ctx, t, s.url, http.StatusOK)
	case <-ctx.Done():
		t.Fatal("the program has not noticed that Redis is there")
	}
}
