package api

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

// What still comes to a server that leaves is turned away with nothing done, unless it only reads; each answer ends its
// connection.
func TestAServerThatLeavesBeginsNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *Config) { c.Turns = nil }) // a call would panic
	h.server.Leave()
	for _, test := range []struct {
		method, path, accept string
		want                 int
	}{
		{"POST", "/v1/turns", "application/json", 503},
		{"POST", "/v1/turns", "text/event-stream", 503},
		{"POST", "/v1/agui", "text/event-stream", 503},
		{"POST", "/mcp", "application/json, text/event-stream", 503},
		{"POST", "/v1/proposals/p1/confirm", "", 503},
		{"DELETE", "/v1/people/al", "", 503},
		{"PUT", "/v1/people/al", "", 503},
		{"GET", "/v1/people", "", 200},
		{"GET", "/healthz", "", 200},
		{"HEAD", "/", "", 200},
	} {
		a := h.ask(t, test.method, test.path, "", "Authorization", "Bearer "+h.key, "Accept", test.accept)
		if a.status != test.want || a.header.Get("Connection") != "close" {
			t.Errorf("%s %s: %d %v, want %d and the end of the connection", test.method, test.path, a.status, a.header,
				test.want)
		}
		if a.status == 503 && (a.header.Get("Retry-After") != "1" || !a.problem(t).Retryable ||
			h.people.people["al"].Name != "Al Chen") {
			t.Errorf("%s %s: Retry-After %q: %s", test.method, test.path, a.header.Get("Retry-After"), a.body)
		}
	}
	if p := h.ask(t, "POST", "/v1/turns", plainTurn, "Origin", site); p.header.Get("Access-Control-Allow-Origin") != site {
		t.Errorf("a page cannot read why it is turned away: %v", p.header)
	}
}

// EventSource gives up for good on any status but 200: a stream that is asked for now begins, and ends with the others,
// for its client to go on elsewhere.
func TestAServerThatLeavesStillStreams(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	url := f.serve(t) + "/v1/turns/t1/events"
	f.server.Leave()
	res := open(t, "GET", url, "")
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK || !res.Close {
		t.Errorf("%s, and the connection ends with it: %t", res.Status, res.Close)
	}
	f.server.Drain()
	if body := readAll(t, res); strings.Contains(body, "error") || !strings.Contains(body, `"turnId":"t1"`) {
		t.Errorf("stream %q, want what there is and a clean end", body)
	}
}

// In HTTP/2 a connection is told with GOAWAY that nothing more is taken on it; streams that are open go on.
func TestAServerThatLeavesTellsHTTP2(t *testing.T) {
	t.Parallel()
	onWires(t, func(w wire) {
		transport, dials := w.http2()
		defer transport.CloseIdleConnections()
		ask := func(method, path string) *http.Response {
			req, err := http.NewRequestWithContext(w.Context(), method, "http://localhost"+path, http.NoBody)
			if err != nil {
				w.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+w.key)
			res, err := transport.RoundTrip(req)
			if err != nil {
				w.Fatal(err)
			}
			return res
		}
		w.log.append("t2", meet.TurnUpdate{TurnID: "t2", ConversationID: "c1"})
		stream := ask("GET", "/v1/turns/t2/events")
		defer stream.Body.Close()
		w.server.Leave()
		refused := ask("POST", "/v1/proposals/p1/cancel")
		refused.Body.Close()
		time.Sleep(2 * time.Second) // net/http takes one to say which requests it still answers
		if refused.StatusCode != http.StatusServiceUnavailable || *dials != 1 {
			w.Errorf("%s over %d connections, want 503 over the first", refused.Status, *dials)
		}
		ask("GET", "/healthz").Body.Close()
		if *dials != 2 {
			w.Errorf("%d connections, want another one after GOAWAY", *dials)
		}
		w.log.append("t2", meet.DoneUpdate{})
		if rest, err := io.ReadAll(stream.Body); err != nil || !strings.Contains(string(rest), `"done"`) {
			w.Errorf("the open stream: %v %s", err, rest)
		}
	})
}
