package outbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAttempts(t *testing.T) {
	t.Parallel()
	limited := func(res *http.Response) bool {
		body, _ := io.ReadAll(res.Body)
		return strings.Contains(string(body), "rateLimitExceeded")
	}
	for name, tt := range map[string]struct {
		script *script
		again  func(*http.Response) bool
		status int
		err    error
		calls  int
	}{
		"an answer":                     {script: play(status(200)), status: 200, calls: 1},
		"429, then an answer":           {script: play(status(429), status(200)), status: 200, calls: 2},
		"502 and 504, then an answer":   {script: play(status(502), status(504), status(200)), status: 200, calls: 3},
		"cut(), then an answer":         {script: play(cut(), status(201)), status: 201, calls: 2},
		"503 for ever is the answer":    {script: play(status(503)), status: 503, calls: 3},
		"cut for ever is the error":     {script: play(cut()), err: errCut, calls: 3},
		"503 and then cut":              {script: play(status(503), status(503), cut()), err: errCut, calls: 3},
		"not for a refusal":             {script: play(status(403)), status: 403, calls: 1},
		"not for a broken server":       {script: play(status(500)), status: 500, calls: 1},
		"not for a wait beyond the end": {script: play(status(429, "Retry-After", "3600")), status: 429, calls: 1},
		"where the caller knows better": {script: play(says(403, `rateLimitExceeded`), status(200)), again: limited,
			status: 200, calls: 2},
		"not where the caller knows worse": {script: play(says(403, `forbidden`)), again: limited, status: 403, calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client := Client(Config{Base: tt.script, Retryable: tt.again})
				got, _, err := call(t.Context(), client, "sent whole")
				if !errors.Is(err, tt.err) || got != tt.status {
					t.Errorf("= %d, %v, want %d, %v", got, err, tt.status, tt.err)
				}
				if tt.script.calls() != tt.calls {
					t.Errorf("%d calls, want %d", tt.script.calls(), tt.calls)
				}
				for i, body := range tt.script.bodies {
					if body != "sent whole" {
						t.Errorf("body of call %d = %q", i, body)
					}
				}
				if n := tt.script.open.Load(); n != 0 {
					t.Errorf("%d bodies were left open", n)
				}
			})
		})
	}
}

func TestACallThatIsMadeOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script *script
		status int
		err    error
		calls  int
	}{
		"an answer":                {script: play(status(200)), status: 200, calls: 1},
		"cut":                      {script: play(cut(), status(200)), err: errCut, calls: 1},
		"504 of a proxy":           {script: play(status(504), status(200)), status: 504, calls: 1},
		"turned away, and not cut": {script: play(status(429), status(200)), status: 200, calls: 2},
		"turned away, then cut":    {script: play(status(429), cut(), status(200)), err: errCut, calls: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got, _, err := call(Once(t.Context()), Client(Config{Base: tt.script}), "sent whole")
				if !errors.Is(err, tt.err) || got != tt.status || tt.script.calls() != tt.calls {
					t.Errorf("= %d, %v in %d calls, want %d, %v in %d", got, err, tt.script.calls(), tt.status, tt.err, tt.calls)
				}
			})
		})
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		header []string
		want   time.Duration
	}{
		"seconds": {[]string{"Retry-After", "3"}, 3 * time.Second},
		"a date by their clock": {[]string{
			"Date", base.Format(http.TimeFormat), "Retry-After", base.Add(4 * time.Second).Format(http.TimeFormat),
		}, 4 * time.Second},
		"a date that has passed": {[]string{
			"Date", base.Format(http.TimeFormat), "Retry-After", base.Add(-time.Hour).Format(http.TimeFormat),
		}, firstPause},
		"what cannot be read":     {[]string{"Retry-After", "soon"}, firstPause},
		"no header":               {nil, firstPause},
		"less than nothing":       {[]string{"Retry-After", "-5"}, firstPause},
		"a second is no undercut": {[]string{"Retry-After", "1"}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := play(status(503, tt.header...), status(200))
				if _, _, err := call(t.Context(), Client(Config{Base: s}), ""); err != nil {
					t.Fatal(err)
				}
				if got := s.at[1]; got < tt.want || got > tt.want+tt.want/2 {
					t.Errorf("second call after %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestRetryAfterByOurOwnClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := http.Header{"Retry-After": {time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)}}
		if got := RetryAfter(h); (got - time.Minute).Abs() > time.Second {
			t.Errorf("retryAfter = %v, want a minute", got)
		}
	})
}

func TestRetryAfterIsADayAtMost(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"86401", "99999999999", time.Now().AddDate(1, 0, 0).UTC().Format(http.TimeFormat)} {
		if got := RetryAfter(http.Header{"Retry-After": {value}}); got != 24*time.Hour {
			t.Errorf("%s is %v, want a day", value, got)
		}
	}
}

func TestNothingOutlastsTheDeadline(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer  answer
		context time.Duration
		want    time.Duration
	}{
		"no first byte":              {hang(), time.Hour, 7 * time.Second},
		"a body that never ends":     {drips(), time.Hour, 7 * time.Second},
		"the caller's is earlier":    {hang(), 2 * time.Second, 2 * time.Second},
		"no time for another pause":  {status(503, "Retry-After", "6"), 5 * time.Second, 0},
		"a pause that just fits not": {status(503, "Retry-After", "7"), time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), tt.context)
				defer cancel()
				s := play(tt.answer)
				_, _, err := call(ctx, Client(Config{Base: s, Deadline: 7 * time.Second}), "")
				if took := time.Since(s.start); took != tt.want {
					t.Errorf("took %v, want %v", took, tt.want)
				}
				if late := tt.want > 0; late != errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("error = %v", err)
				}
			})
		})
	}
}

// A transport that is used in a client of another person's has its deadline all the same.
func TestTheTransportAloneHasADeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := play(hang())
		client := &http.Client{Transport: Client(Config{Base: s}).Transport}
		if _, _, err := call(t.Context(), client, ""); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want the deadline's", err)
		}
		if took := time.Since(s.start); took != 10*time.Second {
			t.Errorf("took %v, want the default of 10 s", took)
		}
	})
}

func TestTheBreakerOpensAndCloses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := play(status(500))
		client := Client(Config{Name: "google", Base: s, Attempts: 1})
		for range breakAfter {
			if _, _, err := call(t.Context(), client, ""); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err := call(t.Context(), client, "")
		open, ok := errors.AsType[*OpenError](err)
		if !ok || open.Name != "google" || open.After <= 0 || open.After > breakFor {
			t.Fatalf("error = %v, want an OpenError of google", err)
		}
		if s.calls() != breakAfter {
			t.Errorf("%d calls, want %d", s.calls(), breakAfter)
		}
		if res, err := client.Get("https://another.example/"); err != nil || res.Body.Close() != nil {
			t.Errorf("another host is held back too: %v", err)
		}
		s.mu.Lock()
		s.answers = []answer{status(200)}
		s.mu.Unlock()
		time.Sleep(breakFor)
		for range 2 {
			if got, _, err := call(t.Context(), client, ""); err != nil || got != 200 {
				t.Errorf("after the pause = %d, %v", got, err)
			}
		}
	})
}

func TestTheBreakerStaysClosed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer answer
		gone   bool
	}{
		"for what the caller did wrong":      {status(404), false},
		"for a caller who was told to wait":  {status(429), false},
		"for a caller who has gone":          {hang(), true},
		"for an address that is not allowed": {fails(&NotPublicError{}), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := play(tt.answer)
			client := Client(Config{Base: s, Attempts: 1})
			for range breakAfter + 1 {
				ctx, leave := context.WithCancel(t.Context())
				if tt.gone {
					leave()
				}
				_, _, err := call(ctx, client, "")
				leave()
				if errors.As(err, new(*OpenError)) {
					t.Fatal("the breaker has opened")
				}
			}
		})
	}
}

// The one call let through to see may be given up; the next must still get its chance.
func TestAHalfOpenBreakerIsNotStuck(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := play(cut())
		client := Client(Config{Base: s, Attempts: breakAfter, Deadline: time.Hour})
		_, _, err := call(t.Context(), client, "")
		if !errors.Is(err, errCut) {
			t.Fatalf("error = %v, want the last failure", err)
		}
		time.Sleep(breakFor)
		s.answers = append(s.answers[:0], hang())
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, _, err := call(ctx, client, ""); !errors.Is(err, context.Canceled) {
			t.Fatalf("error = %v, want the caller's own", err)
		}
		time.Sleep(breakFor)
		s.answers = append(s.answers[:0], status(200))
		if got, _, err := call(t.Context(), client, ""); err != nil || got != 200 {
			t.Errorf("= %d, %v", got, err)
		}
	})
}
