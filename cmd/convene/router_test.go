package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// osrmFor is a router on whose roads every way takes the same, but for those to one point.
func osrmFor(t *testing.T, far string, asked *atomic.Int32) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		points := strings.Split(strings.TrimPrefix(r.URL.Path, "/table/v1/driving/"), ";")
		sources, _, _ := strings.Cut(r.URL.RawQuery, "&destinations=")
		from := strings.Count(sources, ";") + 1
		row := make([]string, 0, len(points))
		for _, p := range points[from:] {
			seconds := "600"
			if p == far {
				seconds = "3600"
			}
			row = append(row, seconds)
		}
		rows := strings.TrimSuffix(strings.Repeat("["+strings.Join(row, ",")+"],", from), ",")
		_, _ = fmt.Fprintf(w, `{"code":"Ok","durations":[%s]}`, rows)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// The roads decide which place is fair, with one question for everyone and every place.
func TestARouterRanksPlaces(t *testing.T) {
	t.Parallel()
	s := readScenario(t, filepath.Join("..", "..", "testdata", "scenarios", "fair-place.txtar"))
	var asked atomic.Int32
	url := osrmFor(t, "-122.4500,37.7610", &asked) // a river lies before the one in the middle
	c := &client{t: t, server: startServer(t, "", append(s.settings, "--router-url="+url)...), conversation: "c-roads"}
	say := s.steps[0]
	say.wants = []string{
		"event.place.name = East Cafe", "event.place.travelMinutes.0.minutes = 15",
		"event.alternatives.places.1.name = Middle Cafe", "done.receipt.degraded = -", "outcome = proposed",
	}
	check(t, say, []any{c.take(say)})
	if n := asked.Load(); n != 1 {
		t.Errorf("the router was asked %d times, want once", n)
	}
}

// A router that is away costs a sentence in the receipt, and nothing else.
func TestARouterThatIsAway(t *testing.T) {
	t.Parallel()
	s := readScenario(t, filepath.Join("..", "..", "testdata", "scenarios", "fair-place.txtar"))
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	c := &client{t: t, server: startServer(t, "", append(s.settings, "--router-url="+gone.URL)...), conversation: "c-away"}
	say := s.steps[0]
	say.wants = []string{"event.place.name = Middle Cafe", "done.receipt.degraded.0 ~ router", "outcome = proposed"}
	check(t, say, []any{c.take(say)})
}

func TestTheRoutersAddressIsChecked(t *testing.T) {
	t.Parallel()
	if _, err := (settings{RouterURL: "localhost:5000"}).router(); err == nil ||
		!strings.Contains(err.Error(), "--router-url") {
		t.Errorf("an address without a scheme gives %v", err)
	}
}
