package api

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/meet"
)

// measured has metrics.
func measured(cfg *Config) {
	cfg.Metrics = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		_, _ = io.WriteString(w, "up 1\nfor "+r.Header.Get("Accept")+"\n") // a recorder takes everything
	})
}

func TestMetricsAreServedWhereThereAreAny(t *testing.T) {
	t.Parallel()
	f := newFixture(t, measured)
	a := do(t, "GET", f.serve(t)+"/metrics", "", "Accept", "text/plain")
	if a.status != http.StatusOK || a.body != "up 1\nfor text/plain\n" ||
		a.header.Get("Content-Type") != "text/plain; version=0.0.4" {
		t.Errorf("status %d, %v: %s", a.status, a.header, a.body)
	}
	if lines := f.lines.String(); strings.Contains(lines, `"level":"info"`) {
		t.Errorf("scrapes fill the log: %s", lines)
	}
	if a := do(t, "GET", newFixture(t).serve(t)+"/metrics", ""); a.status != http.StatusNotFound {
		t.Errorf("without metrics: status %d", a.status)
	}
}

// Every connection that follows a turn is told of, and of its end. One to which nothing is left to say is none.
func TestReadersAreToldOf(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var told []string
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, fmt.Sprintf(format, args...))
	}
	f := newFixture(t, func(cfg *Config) {
		cfg.Reader = func(after int) func() {
			note("after %d", after)
			return func() { note("left") }
		}
	})
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"}, meet.NavigateUpdate{URL: "https://x"},
		meet.DoneUpdate{})
	server := httptest.NewServer(f.server.Handler())
	url := server.URL + "/v1/turns/t1/events"
	for _, after := range []string{"", "2", "3"} {
		do(t, "GET", url, "", "Last-Event-ID", after)
	}
	server.Close() // waits for the handlers
	if want := []string{"after 0", "left", "after 2", "left"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// Every request is told of once, by its route and never its path: as soon as its answer begins, streams too.
func TestRequestsAreToldOf(t *testing.T) {
	t.Parallel()
	told := make(chan string, 100)
	f := newFixture(t, measured, func(cfg *Config) {
		cfg.Answered = func(route, method string, status int, _ time.Duration) {
			told <- fmt.Sprint(method, " ", route, " ", status)
		}
	})
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	f.server.cfg.People = panickingPeople{f.people}
	url := f.serve(t)
	stream := open(t, "GET", url+"/v1/turns/t1/events", "")
	defer stream.Body.Close()
	if got, want := <-told, "GET /v1/turns/{id}/events 200"; got != want {
		t.Errorf("while the stream is open %q is told, want %q", got, want)
	}
	for _, test := range []struct{ method, path, body, want string }{
		{"POST", "/v1/turns", plainTurn, "POST /v1/turns 202"},
		{"POST", "/v1/turns", "{", "POST /v1/turns 400"},
		{"GET", "/v1/turns/secret-1", "", "GET /v1/turns/{id} 404"},
		{"GET", "/v1/proposals/p1", "", "GET /v1/proposals/{id} 200"},
		{"GET", "/v1/proposals/p1.ics", "", "GET /v1/proposals/{id}.ics 200"},
		{"GET", "/v1/people", "", "GET /v1/people 500"},
		{"GET", "/static/demo.css", "", "GET /static/{name} 200"},
		{"HEAD", "/docs", "", "HEAD /docs 200"},
		{"GET", "/metrics", "", "GET /metrics 200"},
		{"GET", "/wp-login.php", "", "GET other 404"},
		{"PUT", "/v1/turns", "", "PUT other 405"},
		{"BREW", "/healthz", "", "other other 405"},
	} {
		do(t, test.method, url+test.path, test.body)
		if got := <-told; got != test.want {
			t.Errorf("%s %s: %q is told, want %q", test.method, test.path, got, test.want)
		}
	}
	f.server.Drain()
	if len(told) != 0 {
		t.Errorf("told besides: %q", <-told)
	}
}
