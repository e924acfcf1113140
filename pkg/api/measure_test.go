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
	if a.status != http.StatusOK || a.body != "up 1\nfor text/plain\n" || a.header.Get("Content-Type") != "text/plain; version=0.0.4" {
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
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"}, meet.NavigateUpdate{URL: "https://x"}, meet.DoneUpdate{})
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
