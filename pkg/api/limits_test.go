package api

import (
	"context"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

// counters are buckets that never fill again.
type counters struct {
	mu    sync.Mutex
	taken map[string]int
	fail  error
}

func (c *counters) Take(_ context.Context, buckets []auth.Bucket) ([]auth.Level, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	full := slices.ContainsFunc(buckets, func(b auth.Bucket) bool {
		return c.taken[b.Policy+" "+b.Holder] >= b.Rate.Requests
	})
	var levels []auth.Level
	for _, b := range buckets {
		name := b.Policy + " " + b.Holder
		var l auth.Level
		if c.taken[name] >= b.Rate.Requests {
			l.Next = 1500 * time.Millisecond
		} else if !full {
			c.taken[name]++
		}
		l.Left, l.Full = b.Rate.Requests-c.taken[name], time.Duration(c.taken[name])*time.Second
		levels = append(levels, l)
	}
	return levels, c.fail
}

func limited(limits Limits) (*counters, func(*Config)) {
	counted := &counters{taken: map[string]int{}}
	limits.Buckets = counted
	return counted, func(c *Config) { c.Limits = limits }
}

var everyMinute = func(n int) auth.Rate { return auth.Rate{Requests: n, Window: time.Minute} }

func TestLimits(t *testing.T) {
	t.Parallel()
	counted, change := limited(Limits{
		Key: everyMinute(2), Token: everyMinute(3), Address: everyMinute(4), Open: everyMinute(1),
	})
	h := newHouse(t, change)
	get := func(credential string) answer {
		return h.ask(t, "GET", "/v1/turns/t1", "", "Authorization", "Bearer "+credential, "Origin", site)
	}
	first, second := h.token(t, bound()), h.token(t, bound())
	for i, test := range []struct {
		credential, left string
		want             int
	}{
		{h.key, `"key";r=1;t=1`, 200},
		{h.key, `"key";r=0;t=2`, 200},
		{h.key, `"key";r=0;t=2`, 429},
		{first, `"token";r=2;t=1, "address";r=3;t=1`, 200},
		{first, `"token";r=1;t=2, "address";r=2;t=2`, 200},
		{first, `"token";r=0;t=3, "address";r=1;t=3`, 200},
		{first, `"token";r=0;t=3, "address";r=1;t=3`, 429},
		{second, `"token";r=2;t=1, "address";r=0;t=4`, 200},
		{second, `"token";r=2;t=1, "address";r=0;t=4`, 429},
		{"sesame", `"address";r=0;t=4`, 429},
	} {
		a := get(test.credential)
		if a.status != test.want || a.header.Get("RateLimit") != test.left {
			t.Errorf("request %d: %d, %s, want %d, %s", i+1, a.status, a.header.Get("RateLimit"), test.want, test.left)
		}
		if a.status != 429 {
			continue
		}
		if p := a.problem(t); a.header.Get("Retry-After") != "2" || !p.Retryable || p.Code != fault.Overloaded {
			t.Errorf("request %d: Retry-After %q, %s", i+1, a.header.Get("Retry-After"), a.body)
		}
	}
	if got, want := get(first).header.Get("RateLimit-Policy"), `"token";q=3;w=60, "address";q=4;w=60`; got != want {
		t.Errorf("policy %s, want %s", got, want)
	}
	for _, target := range []string{"/", "/widget.js", "/healthz", "/readyz"} {
		if a := h.ask(t, "GET", target, ""); a.status == 429 || a.header.Get("RateLimit") != "" {
			t.Errorf("%s is counted: %d", target, a.status)
		}
	}
	// Where nobody can be asked, requests pass.
	counted.fail = fault.New(fault.Unavailable, "away")
	if a := get(h.key); a.status != 200 {
		t.Errorf("while Redis is away: %d", a.status)
	}
}

// Guessing is counted before anyone says whether it was right.
func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()
	_, change := limited(Limits{Address: everyMinute(2)})
	h := newHouse(t, change)
	for _, want := range []int{401, 401, 429, 429} {
		if a := h.ask(t, "GET", "/v1/people", "", "Authorization", "Bearer guess"); a.status != want {
			t.Errorf("%d, want %d", a.status, want)
		}
	}
}

// A stream request is answered with a stream that says when to come back: EventSource gives up on anything but 200.
func TestStreamsAreNotRefusedForTheirRate(t *testing.T) {
	t.Parallel()
	_, change := limited(Limits{Token: everyMinute(1)})
	h := newHouse(t, change)
	header := []string{"Authorization", "Bearer " + h.token(t, bound()), "Origin", site}
	h.ask(t, "GET", "/v1/turns/t1", "", header...)
	for name, test := range map[string]struct {
		method, target, body, accept string
		want                         []string
	}{
		"following": {"GET", "/v1/turns/t1/events", "", "text/event-stream", []string{"error"}},
		"starting":  {"POST", "/v1/turns", plainTurn, "text/event-stream", []string{"error", "done"}},
	} {
		a := h.ask(t, test.method, test.target, test.body, append(header, "Accept", test.accept)...)
		if got := kinds(t, events(t, a.body)); a.status != 200 || !slices.Equal(got, test.want) {
			t.Errorf("%s: %d %v, want 200 %v", name, a.status, got, test.want)
		}
		if !strings.Contains(a.body, `"retryAfterSeconds":2`) || !strings.Contains(a.body, "retry: ") {
			t.Errorf("%s does not say when to come back: %s", name, a.body)
		}
	}
	for target, test := range map[string]struct{ method, body, want string }{
		"/v1/chat":           {"POST", admissions()["POST /v1/chat"].body, `"errorText":"There were too many`},
		"/v1/chat/c1/stream": {"GET", "", `"errorText":"There were too many`},
		"/v1/chat/c9/stream": {"GET", "", `"errorText":"There were too many`},
		"/v1/agui": {"POST", admissions()["POST /v1/agui"].body,
			`"RUN_ERROR","message":"There were too many`},
		"/v1/turns/t1/events?protocol=ag-ui": {"GET", "", `"RUN_ERROR","message":"There were too many`},
	} {
		if a := h.ask(t, test.method, target, test.body, header...); a.status != 200 || !strings.Contains(a.body, test.want) {
			t.Errorf("%s: %d %s, want 200 with %s", target, a.status, a.body, test.want)
		}
	}
	if a := h.ask(t, "POST", "/v1/turns", plainTurn, append(header, "Accept", "application/json")...); a.status != 429 {
		t.Errorf("JSON: %d", a.status)
	}
	if len(h.turns.started) != 0 {
		t.Errorf("%d turns were started", len(h.turns.started))
	}
}

// A server on one's own machine counts nothing that it was not told to count.
func TestLimitsWithoutKeys(t *testing.T) {
	t.Parallel()
	_, change := limited(Limits{Key: everyMinute(1), Token: everyMinute(1), Address: everyMinute(1)})
	url := newFixture(t, change).serve(t)
	for range 3 {
		if a := do(t, "GET", url+"/v1/people", ""); a.status != 200 || a.header.Get("RateLimit") != "" {
			t.Errorf("%d %v", a.status, a.header)
		}
	}
	_, change = limited(Limits{Open: everyMinute(1)})
	url = newFixture(t, change).serve(t)
	for _, want := range []int{200, 429} {
		if a := do(t, "GET", url+"/v1/people", ""); a.status != want {
			t.Errorf("%d, want %d", a.status, want)
		}
	}
}

func TestWhoseAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "::ffff:192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64",
		"fe80::1%eth0": "fe80::/64", "": "",
	} {
		if got := holderOf(address); got != want {
			t.Errorf("holderOf(%q) = %q, want %q", address, got, want)
		}
	}
}

// Proxies are believed where they are known, and nobody else is.
func TestAddressesBehindProxies(t *testing.T) {
	t.Parallel()
	_, network, err := net.ParseCIDR("10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		proxies               []*net.IPNet
		peer, forwarded, want string
	}{
		{nil, "10.0.0.1:1", "192.0.2.7", "10.0.0.1"},
		{[]*net.IPNet{network}, "10.0.0.1:1", "192.0.2.7", "192.0.2.7"},
		{[]*net.IPNet{network}, "10.0.0.1:1", "6.6.6.6, 192.0.2.7, 10.0.0.2", "192.0.2.7"},
		{[]*net.IPNet{network}, "127.0.0.1:1", "192.0.2.7", "127.0.0.1"},
		{[]*net.IPNet{network}, "192.168.0.1:1", "192.0.2.7", "192.168.0.1"},
		{[]*net.IPNet{network}, "10.0.0.1:1", "", "10.0.0.1"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.RemoteAddr = test.peer
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := addressBehind(test.proxies)(r); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
