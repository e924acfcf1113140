package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/llm/offline"
	"convene/pkg/redisstore/redistest"
	"convene/pkg/sse"
	"convene/pkg/testenv"
)

// restart ends the process as an upgrade does, and starts it again on the same address.
func (r *replica) restart() error {
	address, err := url.Parse(r.url)
	if err != nil {
		return err
	}
	if err := r.process.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := r.process.Wait(); err != nil {
		return fmt.Errorf("it does not end well: %w", err)
	}
	r.listen = address.Host
	return r.tryStart()
}

// startNginx serves deploy/nginx.conf on a socket, without TLS, in front of the replicas, and gives a client for it.
func startNginx(t *testing.T, replicas ...*replica) *http.Client {
	t.Helper()
	program := testenv.Require(t, "nginx")
	dir := t.TempDir()
	socket := filepath.Join(dir, "nginx.sock")
	site := deployed(t, "nginx.conf")
	for i, r := range replicas {
		site = strings.ReplaceAll(site, fmt.Sprintf("127.0.0.1:%d", 8080+i), strings.TrimPrefix(r.url, "http://"))
	}
	site = strings.ReplaceAll(site, "listen 443 ssl http2", "listen unix:"+socket)
	site = strings.ReplaceAll(site, "/var/log/nginx", dir)
	site = regexp.MustCompile(`(?m)^ +ssl_.*\n`).ReplaceAllString(site, "")
	conf := "daemon off; master_process off; error_log stderr warn; pid " + dir + "/pid;\nevents {}\nhttp {\n"
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		conf += kind + "_temp_path " + filepath.Join(dir, kind) + ";\n"
	}
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(conf+site+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var said lockedBuffer
	process := exec.CommandContext(context.WithoutCancel(t.Context()), program, "-p", dir, "-c", file)
	process.Stderr = &said
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	t.Cleanup(func() {
		_ = process.Process.Kill()
		if err := <-ended; err == nil {
			t.Error("nginx ended before it was killed")
		}
		if t.Failed() {
			t.Logf("nginx: %s", said.String())
		}
	})
	transport := &http.Transport{MaxIdleConnsPerHost: 100,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socket)
		}}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport}
	for {
		resp, err := client.Get("http://convene.example.com/healthz")
		if err == nil {
			resp.Body.Close()
			return client
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("nginx ended: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// customer asks once and follows the answer, as a browser does: it resumes a stream that breaks off, and gives up on
// any status but those of the protocol.
type customer struct {
	http *http.Client
	key  string
	// breaks is how often a stream ended before its turn did.
	breaks int
	blocks [][]byte
}

// turn asks, with a stream or without, and reads to the end.
func (c *customer) turn(ctx context.Context, conversation, accept string) error {
	message := fmt.Sprintf(`{"message": "Let's grab coffee with Al next week", "organizer": "me", "conversationId": %q}`,
		conversation)
	resp, err := c.send(ctx, http.MethodPost, "/v1/turns", message, accept)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var path string
	switch resp.StatusCode {
	case http.StatusOK:
		if err := c.read(resp.Body); err != nil {
			return err
		}
		var first struct{ TurnID string }
		if len(c.blocks) == 0 {
			return errors.New("a stream broke off before it said whose it is")
		}
		if err := json.Unmarshal(c.blocks[0], &first); err != nil || first.TurnID == "" {
			return fmt.Errorf("the stream begins with %s: %w", c.blocks[0], err)
		}
		path = "/v1/turns/" + first.TurnID + "/events"
	case http.StatusAccepted:
		var accepted struct{ EventsURL string }
		if err := json.NewDecoder(resp.Body).Decode(&accepted); err != nil {
			return err
		}
		path = accepted.EventsURL
	default:
		answer, _ := io.ReadAll(resp.Body)
		return fmt.Errorf("%s: %s", resp.Status, answer)
	}
	for ctx.Err() == nil && !c.done() {
		if err := c.resume(ctx, path); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (c *customer) send(ctx context.Context, method, path, body, accept string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://convene.example.com"+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.key)
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Last-Event-ID", fmt.Sprint(len(c.blocks)))
	return c.http.Do(req)
}

func (c *customer) resume(ctx context.Context, path string) error {
	resp, err := c.send(ctx, http.MethodGet, path, "", sse.ContentType)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("resumed behind %d: %s", len(c.blocks), resp.Status)
	}
	return c.read(resp.Body)
}

// read takes updates until the stream ends or breaks off.
func (c *customer) read(stream io.Reader) error {
	for decoder := sse.NewDecoder(stream); ; {
		event, err := decoder.Next()
		switch {
		case err != nil:
			if !c.done() {
				c.breaks++
			}
			return nil // it broke off, or ended: the customer resumes
		case event.ID != fmt.Sprint(len(c.blocks)+1):
			return fmt.Errorf("update %q where %d follows: %s", event.ID, len(c.blocks)+1, event.Data)
		}
		c.blocks = append(c.blocks, bytes.Clone(event.Data))
	}
}

func (c *customer) done() bool {
	return len(c.blocks) > 0 && bytes.Contains(c.blocks[len(c.blocks)-1], []byte(`"type":"done"`))
}

// Two processes of nginx, as in deploy/nginx.conf, are restarted one after the other while clients talk:
// every turn is answered, none is begun twice, and no client sees a status that it would give up on.
func TestARollingRestartLosesNothing(t *testing.T) {
	t.Parallel()
	store := redistest.Start(t)
	model := httptest.NewServer(offline.New(offline.Options{Latency: 100 * time.Millisecond, TokensPerSecond: 400}))
	t.Cleanup(model.Close)
	var key, errs bytes.Buffer
	if status := run(t.Context(), []string{"key", "new", "--tenant=", "--redis-url=" + store},
		streams{nil, &key, &errs}); status != exitDone {
		t.Fatal(errs.String())
	}
	args := []string{
		"--redis-url=" + store, "--openai-base-url=" + model.URL + "/v1", "--now=" + friday, "--trusted-proxies=127.0.0.1",
		"--limit-key=off", "--limit-address=off",
	}
	// so that turns are handed over too
	a, b := startReplica(t, args...), startReplica(t, append(args, "--drain=300ms")...)
	through := startNginx(t, a, b)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()

	const clients = 12
	var turns, breaks atomic.Int64
	restarted, answered := make(chan struct{}), make(chan struct{}, 10_000)
	var talking sync.WaitGroup
	for i := range clients {
		accept := []string{sse.ContentType, "application/json"}[i%2]
		talking.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-restarted:
					return
				default:
				}
				c := &customer{http: through, key: strings.TrimSpace(key.String())}
				name := fmt.Sprintf("r%d-%d", i, n)
				if err := c.turn(ctx, name, accept); err != nil {
					t.Errorf("turn %s, %s: %v", name, accept, err)
					return
				}
				checkUpdates(t, name, c.blocks)
				turns.Add(1)
				breaks.Add(int64(c.breaks))
				answered <- struct{}{}
			}
		})
	}
	for round := 0; !t.Failed() && (round < testenv.Count(3, 20) || turns.Load() < 100); round++ {
		for i, r := range []*replica{a, b} {
			if err := r.restart(); err != nil {
				t.Errorf("round %d, replica %d: %v", round, i, err)
			}
			// The next one follows once this one is at work: nginx may have given up on it for a request that is under way.
			for n := turns.Load() + clients; turns.Load() < n && !t.Failed(); {
				select {
				case <-answered:
				case <-ctx.Done():
					t.Error(ctx.Err())
				}
			}
		}
	}
	close(restarted)
	talking.Wait()
	options, err := redis.ParseURL(store)
	if err != nil {
		t.Fatal(err)
	}
	direct := redis.NewClient(options)
	t.Cleanup(func() { _ = direct.Close() })
	logs, err := direct.Keys(ctx, "*turn:*:log").Result()
	if err != nil || len(logs) != int(turns.Load()) || breaks.Load() == 0 {
		t.Errorf("%d turns were begun, %d were asked for and answered over %d breaks: %v", len(logs), turns.Load(),
			breaks.Load(), err)
	}
}
