package microsoft_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
	"convene/pkg/interval"
)

// The words for people that a fault of the adapter has.
const (
	reconnect   = "reconnect the Microsoft calendar"
	forbidden   = "Microsoft does not let Convene see the calendar; reconnect it and allow access to calendars"
	gone        = "the Microsoft calendar is no longer there; choose the calendars again"
	unreachable = "the Microsoft calendar could not be reached; try again in a moment"
	patience    = "Microsoft asks for a little patience; try again in a moment"
	notTaken    = "the Microsoft calendar did not accept the request"
	conflict    = "the event was changed in the Microsoft calendar at the same time; try again"
)

// in gives a test a calendar whose server is reached through pipes, so that waiting takes no time. A connection that
// is left over, as by a body that nobody closes, fails the test: its goroutines would never end.
func in(t *testing.T, test func(t *testing.T, w world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := world{server: &microsofttest.Server{}, accounts: &calendartest.Connections{}}
		w.mailbox = w.server.Mailbox(address, token)
		w.mailbox.Put(w.mailbox.Main(), microsofttest.From(calendartest.Owner(), calendartest.Event{
			UID: "1", Title: "Secret plan", Start: at(9), End: at(10),
		}))
		w.accounts.Connect(account.Account{
			Provider: account.Microsoft, ID: "a1", Person: "owner", Address: address,
		}, token, "second-token")
		pipes := &pipes{ends: make(chan net.Conn), closed: make(chan struct{})}
		served := &http.Server{Handler: w.server.Handler()}
		var wg sync.WaitGroup
		wg.Go(func() { _ = served.Serve(pipes) })
		transport := &http.Transport{DialContext: pipes.dial}
		w.wire = &wire{next: transport}
		var err error
		w.Calendar, err = microsoft.New(microsoft.Config{
			Accounts: w.accounts, Endpoint: "http://graph.example.com/v1.0", Base: w.wire,
		})
		if err != nil {
			t.Fatal(err)
		}
		test(t, w)
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
		defer cancel()
		if err := served.Shutdown(ctx); err != nil {
			t.Errorf("a connection is left: %v", err)
		}
		wg.Wait()
	})
}

// wire is a network that loses answers.
type wire struct {
	next   http.RoundTripper
	mu     sync.Mutex
	method string
	n      int
}

// lose has the next n answers to the method get lost, after the server has done what was asked.
func (w *wire) lose(method string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.method, w.n = method, n
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := w.next.RoundTrip(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil || r.Method != w.method || w.n == 0 {
		return res, err
	}
	w.n--
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	return nil, io.ErrUnexpectedEOF
}

// pipes is a listener without a network.
type pipes struct {
	ends   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.ends <- theirs:
		return ours, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.ends:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func at(hour int) time.Time { return time.Date(2026, time.March, 3, hour, 0, 0, 0, time.UTC) }

func span(from, to int) interval.Span { return interval.Span{Start: at(from), End: at(to)} }

// times answers the first n requests with answer.
func times(n int, answer http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		n--
		now := n >= 0
		mu.Unlock()
		if now {
			answer(w, r)
		}
		return now
	}
}

func says(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { microsofttest.Fail(w, status, code) }
}

func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil // none, not a guess
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func later(status int, value string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", value)
		microsofttest.Fail(w, status, "ApplicationThrottled")
	}
}

const always = 1000

// faultCase is something that goes wrong in a reading, and what has to come of it.
type faultCase struct {
	name string
	// answer is what the first n requests get.
	answer http.HandlerFunc
	n      int
	// want is the message of the fault; empty where the reading succeeds all the same. wantErr is for an error that is
	// no fault.
	want    string
	wantErr error
	// code and refused are the fault's code, CalendarFailed where empty, and how often the token was refused.
	code    fault.Code
	refused int
	// wait is how long the fault asks to wait.
	wait time.Duration
}

func answeredCases() []faultCase {
	html := "<html><body>Bad Gateway</body></html>"
	return []faultCase{
		{name: "401, then a fresh token", answer: says(401, "InvalidAuthenticationToken"), n: 1, refused: 1},
		{name: "401 of every token", answer: says(401, "InvalidAuthenticationToken"), n: always, refused: 1, want: reconnect},
		{name: "403", answer: says(403, "ErrorAccessDenied"), n: always, want: forbidden},
		{name: "404", answer: says(404, "ErrorItemNotFound"), n: always, want: gone},
		{name: "404 of the mailbox", answer: says(404, "MailboxNotEnabledForRESTAPI"), n: always,
			want: "the Microsoft account has no calendar that can be read; connect another account"},
		{name: "409", answer: says(409, "ErrorIrresolvableConflict"), n: always, want: conflict, code: fault.Conflict},
		{name: "410", answer: says(410, "syncStateNotFound"), n: always, want: gone},
		{name: "412", answer: says(412, "ErrorIrresolvableConflict"), n: always, want: conflict, code: fault.Conflict},
		{name: "400", answer: says(400, "ErrorInvalidUrlQuery"), n: always, want: notTaken},
		{name: "429, then well", answer: later(429, "2"), n: 1},
		{name: "429 for longer than there is time", answer: later(429, "30"), n: always, want: patience,
			wait: 30 * time.Second},
		{name: "429 until a time that only their clock knows", answer: skewed, n: always, want: patience,
			wait: 40 * time.Second},
		{name: "503 until a time, with no clock to read it by", answer: undated, n: always, want: patience,
			wait: 50 * time.Second},
		{name: "503, then well", answer: says(503, "ServiceUnavailable"), n: 2},
		{name: "500", answer: says(500, "InternalServerError"), n: always, want: unreachable},
		{name: "HTML 502", answer: answers(502, "text/html", html), n: always, want: unreachable},
		{name: "HTML 403 of a proxy", answer: answers(403, "text/html", html), n: always, want: forbidden},
		{name: "401 without a body", answer: answers(401, "", ""), n: 1, refused: 1},
		{name: "a page to sign in at", answer: answers(200, "text/html", html), n: always, want: unreachable},
		{name: "JSON by another name", answer: answers(200, "text/plain", `{"value":[]}`), n: always, want: unreachable},
		{name: "JSON without a name", answer: answers(200, "", `{"value":[]}`), n: always, want: unreachable},
		{name: "nothing", answer: answers(200, "application/json", ""), n: always, want: unreachable},
		{name: "204", answer: answers(204, "", ""), n: always, want: unreachable},
		{name: "null", answer: answers(200, "application/json", "null"), n: always, want: unreachable},
		{name: "an object without events", answer: answers(200, "application/json", "{}"), n: always, want: unreachable},
		{name: "no list of events", answer: answers(200, "application/json", `{"value":null}`), n: always, want: unreachable},
		{name: "a null among the events", answer: answers(200, "application/json", `{"value":[null]}`),
			n: always, want: unreachable},
		{name: "an event without a time", answer: answers(200, "application/json", `{"value":[{"id":"x","showAs":"busy"}]}`),
			n: always, want: unreachable},
		{name: "truncated JSON", answer: answers(200, "application/json", `{"value":[{"id":"x","showAs":"fr`), n: always,
			want: unreachable},
		{name: "another server's next page", n: always, want: unreachable,
			answer: answers(200, "application/json", `{"value":[],"@odata.nextLink":"http://evil.example.com/v1.0/me"}`)},
		{name: "pages in a circle", n: always, want: unreachable,
			answer: answers(200, "application/json", `{"value":[],"@odata.nextLink":"http://graph.example.com/v1.0/me/`+
				`calendarView?x=1"}`)},
		{name: "another address", n: always, want: unreachable, answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://evil.example.com/", http.StatusFound)
		}},
	}
}

func brokenCases() []faultCase {
	wait := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	return []faultCase{
		{name: "slow first byte", answer: wait, n: always, wantErr: context.DeadlineExceeded},
		{name: "slow body", n: always, wantErr: context.DeadlineExceeded,
			answer: func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, `{"value":[`)
				_ = http.NewResponseController(w).Flush()
				wait(w, r)
			}},
		{name: "a body that breaks off", n: always, want: unreachable,
			answer: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", "100")
				_, _ = io.WriteString(w, `{"value":[]}`)
			}},
		{name: "a connection that breaks, then well", n: 1,
			answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
	}
}

// skewed says when to come back by a clock that is a day ahead.
func skewed(w http.ResponseWriter, _ *http.Request) {
	theirs := time.Now().UTC().Add(24 * time.Hour)
	w.Header().Set("Date", theirs.Format(http.TimeFormat))
	w.Header().Set("Retry-After", theirs.Add(40*time.Second).Format(http.TimeFormat))
	microsofttest.Fail(w, http.StatusTooManyRequests, "ApplicationThrottled")
}

// undated says when to come back, and not what the time is.
func undated(w http.ResponseWriter, _ *http.Request) {
	w.Header()["Date"] = nil
	w.Header().Set("Retry-After", time.Now().UTC().Add(50*time.Second).Format(http.TimeFormat))
	microsofttest.Fail(w, http.StatusServiceUnavailable, "ServiceUnavailable")
}

// Whatever goes wrong, time is never free by mistake, and nothing of the token or of the calendar is told.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range append(answeredCases(), brokenCases()...) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in(t, func(t *testing.T, w world) {
				t.Helper()
				w.mailbox.Rotate("second-token")
				if c.refused == 0 {
					w.mailbox.Rotate(token)
				}
				w.server.Before(times(c.n, c.answer))
				ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
				defer cancel()
				a, err := w.Times(ctx, calendartest.Owner(), span(8, 18), "")
				c.check(t, a.Availability, err)
				if got := w.accounts.TimesRefused(); got != c.refused {
					t.Errorf("the token was refused %d times, want %d", got, c.refused)
				}
			})
		})
	}
}

func (c faultCase) check(t *testing.T, a interval.Availability, err error) {
	t.Helper()
	if c.want == "" && c.wantErr == nil {
		if err != nil || a.State(span(9, 10)) != interval.Busy || a.State(span(12, 13)) != interval.Free {
			t.Errorf("got %v, %v; want the calendar as it is", a, err)
		}
		return
	}
	if a.State(span(12, 13)) != interval.Unknown {
		t.Errorf("availability %v; want unknown", a)
	}
	for _, secret := range []string{"token", "Secret", address, "mailbox of"} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error tells %q: %v", secret, err)
		}
	}
	if c.wantErr != nil {
		if !errors.Is(err, c.wantErr) {
			t.Errorf("error %v, want %v", err, c.wantErr)
		}
		return
	}
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Fatalf("error %v is no fault", err)
	}
	code := c.code
	if code == "" {
		code = fault.CalendarFailed
	}
	if f.Message != c.want || f.Code != code || f.RetryAfter.Round(time.Second) != c.wait {
		t.Errorf("got %s %q after %v, want %s %q after %v", f.Code, f.Message, f.RetryAfter, code, c.want, c.wait)
	}
}

func TestRevokedAccountAsksForAReconnection(t *testing.T) {
	t.Parallel()
	in(t, func(t *testing.T, w world) {
		t.Helper()
		w.mailbox.Rotate("a token that nobody has")
		for range 2 {
			a, err := w.Times(t.Context(), calendartest.Owner(), span(8, 18), "")
			if f := fault.As(err); f.Message != reconnect || f.Code != fault.CalendarFailed {
				t.Errorf("got %v, want %q", err, reconnect)
			}
			if a.State(span(12, 13)) != interval.Unknown {
				t.Errorf("availability %v; want unknown", a)
			}
		}
	})
}

func TestFiftyFailuresLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	in(t, func(t *testing.T, w world) {
		t.Helper()
		all := answeredCases()
		for i := range 50 {
			c := all[i%len(all)]
			w.server.Before(times(always, c.answer))
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			_, err := w.Times(ctx, calendartest.Owner(), span(8, 18), "")
			_, syncErr := w.Sync(ctx, calendartest.Owner(), span(8, 18), calendar.Snapshot{})
			writeErr := w.Remove(ctx, calendar.Entry{Owner: calendartest.Owner(), Event: event("u")})
			cancel()
			for _, err := range []error{err, syncErr, writeErr} {
				if err == nil {
					t.Errorf("%s: no error", c.name)
				}
			}
		}
		// in fails where a connection is left.
	})
}

func TestAccountsThatCannotBeLookedUp(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	away := fmt.Errorf("the store is away")
	w.accounts.Break(away)
	if _, err := w.Times(t.Context(), calendartest.Owner(), span(8, 18), ""); !errors.Is(err, away) ||
		errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("Busy: %v, want %v", err, away)
	}
	if _, err := w.Write(t.Context(), calendar.Entry{Owner: calendartest.Owner(), Event: event("u")}); !errors.Is(err,
		away) {
		t.Errorf("Write: %v, want %v", err, away)
	}
}

func TestConfiguration(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]microsoft.Config{
		"no accounts":         {},
		"a relative endpoint": {Accounts: &calendartest.Connections{}, Endpoint: "/v1.0"},
		"not http":            {Accounts: &calendartest.Connections{}, Endpoint: "file:///v1.0"},
	} {
		if _, err := microsoft.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := microsoft.New(microsoft.Config{Accounts: &calendartest.Connections{}}); err != nil {
		t.Errorf("defaults: %v", err)
	}
}
