package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/sse"
	"convene/pkg/turn"
)

type faultCase struct {
	err        error
	status     int
	code       string
	retryAfter string
}

var errInternal = errors.New("dial tcp 10.0.0.7:6379: connection refused")

func faults() []faultCase {
	return []faultCase{
		{fault.New(fault.Overloaded, "Too much at once.").Later(1500 * time.Millisecond), 429, "overloaded", "2"},
		{fault.New(fault.Unavailable, "Not now.").Because(errInternal), 503, "unavailable", "5"},
		{fault.New(fault.DeadlineExceeded, "Too slow."), 504, "deadline_exceeded", ""},
		{fmt.Errorf("start: %w", fault.New(fault.Conflict, "Not so.")), 409, "conflict", ""},
		{errInternal, 500, "internal", ""},
		{context.DeadlineExceeded, 504, "deadline_exceeded", ""},
	}
}

func readAll(t *testing.T, res *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read stream: %v", err)
	}
	return string(b)
}

func TestBlocksAreTheSameForEveryReaderButTheRetry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"}, meet.NavigateUpdate{URL: "https://x"},
		meet.DoneUpdate{})
	url := f.serve(t) + "/v1/turns/t1/events"
	blocks := []string{
		"data: {\"type\":\"turn\",\"turnId\":\"t1\",\"conversationId\":\"c1\"}\nid: 1\n\n",
		"data: {\"type\":\"navigate\",\"url\":\"https://x\"}\nid: 2\n\n",
	}
	body := do(t, "GET", url, "").body
	if want := "retry: 2000\n" + blocks[0] + blocks[1]; !strings.HasPrefix(body, want) {
		t.Errorf("stream = %q, want it to begin with %q", body, want)
	}
	if resumed := do(t, "GET", url, "", "Last-Event-ID", "1").body; !strings.HasPrefix(resumed,
		"retry: 2000\n"+blocks[1]) {
		t.Errorf("resumed stream = %q, want it to begin with %q", resumed, blocks[1])
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	base := f.serve(t)
	do(t, "POST", base+"/v1/turns", plainTurn)
	url := base + "/v1/turns/t1/events"
	tests := []struct {
		name, query, header string
		want                []string
	}{
		{"from the beginning", "", "", []string{"1 turn", "2 acknowledgment", "3 progress", "4 message", "5 done"}},
		{"after nothing", "?lastEventId=0", "", []string{"1 turn", "2 acknowledgment", "3 progress", "4 message", "5 done"}},
		{"by header", "", "3", []string{"4 message", "5 done"}},
		{"by query", "?lastEventId=4", "", []string{"5 done"}},
		{"by both: the header is newer", "?lastEventId=1", "4", []string{"5 done"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := do(t, "GET", url+tt.query, "", "Last-Event-ID", tt.header)
			wantDiff(t, "updates", tt.want, kinds(t, events(t, a.body)))
		})
	}
	for _, last := range []string{"5", "6"} {
		t.Run("after the end "+last, func(t *testing.T) {
			t.Parallel()
			if a := do(t, "GET", url, "", "Last-Event-ID", last); a.status != http.StatusNoContent || a.body != "" {
				t.Errorf("got %d %q, want an empty 204", a.status, a.body)
			}
		})
	}
}

func TestHeadersComeBeforeTheFirstUpdate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	res := open(t, "GET", f.serve(t)+"/v1/turns/t1/events", "", "Last-Event-ID", "1") // returns with the headers
	defer res.Body.Close()
	f.log.append("t1", meet.DoneUpdate{})
	wantDiff(t, "updates", []string{"2 done"}, kinds(t, events(t, readAll(t, res))))
}

func TestManyReadersGetTheSame(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	url := f.serve(t) + "/v1/turns/t1/events"
	var readers []func() string
	for range 10 {
		readers = append(readers, follow(t, url))
	}
	for i := range 50 {
		f.log.append("t1", meet.MessageDeltaUpdate{Text: fmt.Sprint(i)})
	}
	f.log.append("t1", meet.DoneUpdate{})
	want := readers[0]()
	if got := len(events(t, want)); got != 52 {
		t.Errorf("updates = %d, want 52", got)
	}
	for _, rest := range readers[1:] {
		wantDiff(t, "stream", want, rest())
	}
}

func TestStreamPastTroubleIs200(t *testing.T) {
	t.Parallel()
	for _, tt := range faults() {
		retryable := tt.status == 503 || tt.status == 429 || tt.code == "internal" ||
			errors.Is(tt.err, context.DeadlineExceeded)
		if !retryable {
			continue
		}
		t.Run(fmt.Sprint(tt.err), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.turns.fail = tt.err
			url := f.serve(t) + "/v1/turns"
			posted := do(t, "POST", url, plainTurn, "Accept", "text/event-stream")
			followed := do(t, "GET", url+"/t1/events", "", "Last-Event-ID", "3")
			if posted.status != 200 || followed.status != 200 {
				t.Fatalf("status = %d and %d, want 200", posted.status, followed.status)
			}
			wantDiff(t, "a turn that never was", []string{"error", "done"}, kinds(t, events(t, posted.body)))
			wantDiff(t, "a turn that may go on", []string{"error"}, kinds(t, events(t, followed.body)))
			first := events(t, followed.body)[0]
			if first.Retry < 1500*time.Millisecond || first.Retry > 8*time.Second {
				t.Errorf("retry = %s, want some seconds", first.Retry)
			}
			if s := string(first.Data); !strings.Contains(s, `"retryable":true`) ||
				!strings.Contains(s, `"retryAfterSeconds":`) || strings.Contains(s, "10.0.0.7") {
				t.Errorf("error update = %s", s)
			}
		})
	}
}

func TestLogThatFailsOnTheWay(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	f.log.fail = fault.New(fault.Unavailable, "The log cannot be read.")
	a := do(t, "GET", f.serve(t)+"/v1/turns/t1/events", "")
	list := events(t, a.body)
	// Read from a stream, an update without an id shows the one before it: that is where the client resumes.
	wantDiff(t, "updates", []string{"1 turn", "1 error"}, kinds(t, list))
	if strings.Count(a.body, "\nid:") != 1 {
		t.Errorf("stream = %q, want no id but the first", a.body)
	}
}

func TestExpiredLogOfAFinishedTurnIsNotFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.DoneUpdate{})
	f.server.cfg.Log = newMemoryLog()
	a := do(t, "GET", f.serve(t)+"/v1/turns/t1/events", "")
	if a.status != http.StatusNotFound || a.problem(t).Code != "not_found" {
		t.Errorf("got %d %s, want 404", a.status, a.body)
	}
}

// pipes is a network of one server in memory, so that a bubble of synctest can hold it.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// bubble is a client and a server for which time passes only while everyone waits.
type bubble struct {
	*testing.T
	*fixture
	client *http.Client
}

// onPipes runs a test inside a bubble.
func onPipes(t *testing.T, run func(bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		network := make(pipes)
		server := f.server.HTTP()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = server.Serve(network)
		}()
		transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			network <- far
			return near, nil
		}}
		defer func() {
			transport.CloseIdleConnections()
			if err := server.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			<-done
		}()
		run(bubble{t, f, &http.Client{Transport: transport}})
	})
}

// events opens the stream of turn t1.
func (b bubble) events() *http.Response {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost/v1/turns/t1/events", http.NoBody)
	if err != nil {
		b.Fatal(err)
	}
	res, err := b.client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	return res
}

func TestHeartbeatAfterFifteenSecondsOfSilence(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		res := b.events()
		defer res.Body.Close()
		r := bufio.NewReader(res.Body)
		for range 4 {
			if _, err := r.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			start := time.Now()
			line, err := r.ReadString('\n')
			if line != sse.Heartbeat || err != nil {
				t.Fatalf("line = %q, %v; want a heartbeat", line, err)
			}
			if silence := time.Since(start); silence != 15*time.Second {
				t.Errorf("heartbeat after %s, want 15 s", silence)
			}
		}
		time.Sleep(10 * time.Second)
		f.log.append("t1", meet.DoneUpdate{})
		rest, err := io.ReadAll(r)
		if err != nil || !strings.HasPrefix(string(rest), "data: ") {
			t.Errorf("rest = %q, %v; want the update at once and no empty line before it", rest, err)
		}
	})
}

func TestConnectionsLiveSomeTenMinutes(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		lives := map[time.Duration]bool{}
		for range 5 {
			start := time.Now()
			res := b.events()
			readAll(t, res) // a clean end, on which EventSource resumes
			res.Body.Close()
			life := time.Since(start)
			if life < 9*time.Minute || life > 11*time.Minute {
				t.Errorf("connection lived %s, want 10 minutes give or take one", life)
			}
			lives[life] = true
		}
		if len(lives) < 2 {
			t.Error("all connections lived equally long")
		}
	})
}

func TestDrainEndsStreamsCleanly(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		res := b.events()
		defer res.Body.Close()
		synctest.Wait()
		start := time.Now()
		f.server.Drain()
		f.server.Drain()
		wantDiff(t, "updates", []string{"1 turn"}, kinds(t, events(t, readAll(t, res))))
		if took := time.Since(start); took != 0 {
			t.Errorf("draining took %s", took)
		}
	})
}

func TestShutdownDrainsStreams(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := f.server.HTTP()
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	res := open(t, "GET", "http://"+listener.Addr().String()+"/v1/turns/t1/events", "")
	defer res.Body.Close()
	if err := server.Shutdown(t.Context()); err != nil {
		t.Errorf("shut down: %v", err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serve: %v", err)
	}
	readAll(t, res)
}

func TestLongStreamingPostOutlivesTheDeadlineOfItsBody(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/v1/turns",
			strings.NewReader(plainTurn))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		res, err := b.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		go func() {
			time.Sleep(5 * time.Minute)
			f.log.append("t1", meet.DoneUpdate{})
		}()
		wantDiff(t, "updates", []string{"1 turn", "2 done"}, kinds(t, events(t, readAll(t, res))))
	})
}

func TestReaderWhoLeavesIsLetGo(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		f := b.fixture
		gone := make(chan struct{})
		f.server.cfg.Log = watchedLog{f.log, gone}
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		res := b.events()
		res.Body.Close()
		<-gone
	})
}

// watchedLog tells when a reader has stopped following.
type watchedLog struct {
	*memoryLog
	gone chan struct{}
}

func (w watchedLog) Follow(ctx context.Context, id meet.TurnID, after int, fn func(...turn.Entry) error) error {
	defer close(w.gone)
	return w.memoryLog.Follow(ctx, id, after, fn)
}

func TestReaderWhoDoesNotReadIsLetGo(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		gone := make(chan struct{})
		f.server.cfg.Log = watchedLog{f.log, gone}
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		res := b.events()
		defer res.Body.Close()
		start := time.Now()
		for range 100 {
			f.log.append("t1", meet.MessageDeltaUpdate{Text: strings.Repeat("x", 4096)})
		}
		<-gone
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("let go after %s, want some 10 s", took)
		}
	})
}
