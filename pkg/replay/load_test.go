package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func block(id int, data string) string { return fmt.Sprintf("data: %s\nid: %d\n\n", data, id) }

// shortTurn is a turn of six updates.
func shortTurn(name string) Recording {
	r := Recording{
		Name: name,
		Request: Request{
			Method: http.MethodPost, Path: turnsPath, Header: map[string]string{"Accept": "text/event-stream"},
			Body: json.RawMessage(`{"message":"said in ` + name + `","organizer":"me"}`),
		},
		Response: Response{http.StatusOK, map[string]string{"Content-Type": "text/event-stream"}},
	}
	for i, data := range []string{
		`{"type":"turn","turnId":"t_` + name + `","conversationId":"c_x"}`,
		`{"type":"acknowledgment","text":"Coffee it is.","intent":"handle_event","language":"en"}`,
		`{"type":"template","template":{},"mode":"new"}`,
		`{"type":"message_delta","text":"Coffee "}`,
		`{"type":"message","text":"Coffee on Monday."}`,
		`{"type":"done","outcome":"proposed","receipt":{"stages":[{"name":"classify","ms":1.5}]}}`,
	} {
		r.Blocks = append(r.Blocks, Block{time.Duration(i) * 10 * time.Millisecond, block(i+1, data)})
	}
	r.Blocks[0].Bytes = "retry: 2000\n" + r.Blocks[0].Bytes
	return r
}

// fake is a server whose turns all stream the same, but for what damage makes of the blocks of a connection; nth counts
// the connections from 0.
type fake struct {
	damage      func(nth int, blocks []string) []string
	more        bool // answers a reader who has everything with 200
	connections atomic.Int64
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Location", "/v1/turns/t_x")
	if r.Method == http.MethodPost && !strings.Contains(r.Header.Get("Accept"), "event-stream") {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	after, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	var blocks []string
	for _, b := range shortTurn("x").Blocks {
		blocks = append(blocks, b.Bytes)
	}
	if f.damage != nil {
		blocks = f.damage(int(f.connections.Add(1)-1), blocks)
	}
	rest := blocks[min(after, len(blocks)):]
	if len(rest) == 0 && !f.more {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte(strings.Join(rest, "")))
}

func runLoad(t *testing.T, h http.Handler, l Load) Summary {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	l.Server = server.URL
	if l.Patience == 0 {
		l.Patience = 10 * time.Second
	}
	s, err := l.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAServerThatKeepsThePromisesPasses(t *testing.T) {
	t.Parallel()
	for name, load := range map[string]Load{
		"plain":      {Turns: 40, Clients: 4},
		"cut":        {Turns: 40, Clients: 4, Cut: 0.8},
		"duplicated": {Turns: 40, Clients: 4, Cut: 0.5, Duplicate: true},
		"open":       {Turns: 40, Clients: 4, Arrival: Open, Rate: 2000},
	} {
		s := runLoad(t, &fake{}, load)
		if !s.OK() || s.Turns != 40 {
			t.Errorf("%s: %d turns, errors %v: %q", name, s.Turns, s.Errors, s.Examples)
		}
		readers := 1
		if load.Duplicate {
			readers = 2
		}
		if want := 40 * 6 * readers; s.Updates != want {
			t.Errorf("%s: %d updates, want %d", name, s.Updates, want)
		}
		if diff := cmp.Diff(map[string]int{"proposed": 40}, s.Outcomes); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (s.Cuts > 0) != (load.Cut > 0) {
			t.Errorf("%s: %d cuts with a share of %g", name, s.Cuts, load.Cut)
		}
		if q := s.Latency.End; q.Count != 40 || q.P50 <= 0 || q.Max < q.P99 || q.P99 < q.P50 {
			t.Errorf("%s: end %+v", name, q)
		}
	}
}

// Each promise, broken by a server.
func TestTheChecksNotice(t *testing.T) {
	t.Parallel()
	always := func(change func([]string) []string) *fake {
		return &fake{damage: func(_ int, b []string) []string { return change(b) }}
	}
	for name, test := range map[string]struct {
		server http.Handler
		want   Kind
	}{
		"a gap":     {always(func(b []string) []string { return slices.Delete(b, 2, 3) }), Gap},
		"a repeat":  {always(func(b []string) []string { return slices.Insert(b, 2, b[1]) }), Repeat},
		"no turn":   {always(func(b []string) []string { b[0] = block(1, `{"type":"progress"}`); return b }), NoTurn},
		"no done":   {always(func(b []string) []string { return b[:5] }), NoDone},
		"two dones": {always(func(b []string) []string { return append(b, block(7, `{"type":"done"}`)) }), AfterDone},
		"not JSON":  {always(func(b []string) []string { b[2] = "data: hello\nid: 3\n\n"; return b }), Malformed},
		"empty":     {always(func(b []string) []string { b[2] = "id: 3\n\n"; return b }), Malformed},
		"no id":     {always(func(b []string) []string { b[2] = "data: {\"type\":\"progress\"}\n\n"; return b }), Malformed},
		"bad id":    {always(func(b []string) []string { b[2] = "data: {}\nid: three\n\n"; return b }), Malformed},
		"no 204":    {&fake{more: true}, Endless},
		"failed": {always(func(b []string) []string {
			b[5] = block(6, `{"type":"done","outcome":"failed"}`)
			return b
		}), Failed},
		"not found":  {http.NotFoundHandler(), Refused},
		"overloaded": {http.HandlerFunc(overloaded), Refused},
		"other bytes when read again": {&fake{damage: func(nth int, b []string) []string {
			b[4] = block(5, fmt.Sprintf(`{"type":"message","text":"%d"}`, nth))
			return b
		}}, Changed},
		"fewer updates when read again": {&fake{damage: func(nth int, b []string) []string {
			if nth%2 == 1 {
				b = append(b[:4], block(5, `{"type":"done"}`))
			}
			return b
		}}, Changed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := runLoad(t, test.server, Load{Turns: 1, Clients: 1, Patience: 50 * time.Millisecond})
			if diff := cmp.Diff(map[Kind]int{test.want: 1}, s.Errors); diff != "" || s.OK() {
				t.Errorf("%s%q", diff, s.Examples)
			}
		})
	}
}

func overloaded(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("data: {\"type\":\"error\",\"code\":\"overloaded\"}\n\ndata: " +
		"{\"type\":\"done\",\"outcome\":\"failed\"}\n\n"))
}

// A server that forgets what it has sent is noticed by clients that resume, not only by those that read again.
func TestOtherBytesAfterAResumeAreNoticed(t *testing.T) {
	t.Parallel()
	forgetful := &fake{damage: func(nth int, b []string) []string {
		for i := range b[1:5] {
			b[i+1] = block(i+2, fmt.Sprintf(`{"type":"progress","text":"%d"}`, nth))
		}
		return b
	}}
	s := runLoad(t, forgetful, Load{Turns: 30, Clients: 2, Cut: 1})
	if s.Errors[Changed] == 0 || s.Cuts == 0 {
		t.Errorf("%d cuts, errors %v", s.Cuts, s.Errors)
	}
}

func TestALoadEndsByItself(t *testing.T) {
	t.Parallel()
	s := runLoad(t, &fake{}, Load{Turns: maxTurns, Clients: 2, Duration: 50 * time.Millisecond})
	if s.Turns == 0 || s.Turns == maxTurns || !s.OK() {
		t.Errorf("%d turns, errors %v", s.Turns, s.Errors)
	}
}

// A user who interrupts a run still gets what it found; turns under way are no errors.
func TestAnInterruptedLoadSumsUp(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var turns atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && turns.Add(1) == 5 {
			_, _ = io.Copy(io.Discard, r.Body) // or the server does not notice that the client goes
			cancel()
			<-r.Context().Done()
			return
		}
		(&fake{}).ServeHTTP(w, r)
	}))
	defer server.Close()
	s, err := Load{Server: server.URL, Clients: 1, Turns: 100}.Run(ctx)
	if err != nil || !s.OK() || s.Turns != 4 || s.Abandoned != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestALoadThatCannotBeginSaysSo(t *testing.T) {
	t.Parallel()
	for _, l := range []Load{
		{Server: "http://example.org"}, {Server: "http://127.0.0.1:1", Cut: 2}, {Server: "http://127.0.0.1:1", Rate: -1},
	} {
		if _, err := l.Run(t.Context()); err == nil {
			t.Errorf("%+v ran", l)
		}
	}
}

func TestAServerThatIsNotThereIsUnreachable(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s, err := Load{Server: gone.URL, Turns: 3}.Run(t.Context())
	if err != nil || s.Errors[Unreachable] != 3 {
		t.Errorf("%v, %v", s.Errors, err)
	}
}

// Progress is told while the run lasts, and the report has every figure.
func TestTheReport(t *testing.T) {
	t.Parallel()
	s := runLoad(t, &fake{}, Load{Turns: 20, Clients: 4, Cut: 0.5})
	report := s.Report()
	for _, want := range []string{
		"20 turns by 4 clients", "first byte", "acknowledgment", "first message word", "end", "p99", "█", "proposed 20",
		"new 20", "errors    none",
	} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
}

// Every request of a client shows the key, those that resume a stream too.
func TestLoadShowsItsKey(t *testing.T) {
	t.Parallel()
	turns := &fake{}
	var refused atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer cvk_secret" {
			refused.Add(1)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		turns.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	summary, err := Load{Server: server.URL, Key: "cvk_secret", Turns: 6, Clients: 2, Cut: 0.5}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if refused.Load() > 0 || summary.Turns != 6 {
		t.Errorf("%d requests were refused, and %d turns ran of 6", refused.Load(), summary.Turns)
	}
}
