package openai_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
	"convene/pkg/llm/openai"
)

// What follows is about time: attempts, waits, deadlines, the breaker. A test in a bubble has a clock of its own, on
// which waiting costs nothing.

func TestRetries(t *testing.T) {
	t.Parallel()
	good := llmtest.Call("generateEvent", arguments)
	for name, tc := range map[string]struct {
		script   []llmtest.Answer
		attempts int
		code     fault.Code
	}{
		"500, then an answer":                 {[]llmtest.Answer{llmtest.ServerError(), good}, 2, ""},
		"502 as HTML and 503, then an answer": {[]llmtest.Answer{llmtest.BadGateway(), llmtest.Status(503, ""), good}, 3, ""},
		"504, then an answer":                 {[]llmtest.Answer{llmtest.Status(504, ""), good}, 2, ""},
		"429 without a time":                  {[]llmtest.Answer{llmtest.RateLimited(""), good}, 2, ""},
		"429 with a date in the past": {[]llmtest.Answer{
			llmtest.RateLimited("Mon, 02 Jan 2006 15:04:05 GMT"), good,
		}, 2, ""},
		"cut before the first delta":     {[]llmtest.Answer{good.CutAfter(2), good}, 2, ""},
		"broken before the first delta":  {[]llmtest.Answer{good.AbortAfter(1), good}, 2, ""},
		"no JSON before the first delta": {[]llmtest.Answer{good.Then(1, "{"), good}, 2, ""},
		"not after the first delta":      {[]llmtest.Answer{good.CutAfter(3)}, 1, fault.ModelUnavailable},
		"not more often than asked": {[]llmtest.Answer{
			llmtest.ServerError(), llmtest.ServerError(), llmtest.ServerError(),
		}, 3, fault.ModelUnavailable},
		"not for a refused request": {[]llmtest.Answer{llmtest.Status(400, "")}, 1, fault.ModelUnavailable},
		"not for a spent quota": {[]llmtest.Answer{
			llmtest.Status(429, `{"error":{"type":"insufficient_quota","code":null}}`),
		}, 1, fault.ModelUnavailable},
		"not for a wrong answer": {[]llmtest.Answer{llmtest.Refusal("no")}, 1, fault.ModelAnswer},
		"not when told to wait beyond the deadline": {[]llmtest.Answer{
			llmtest.RateLimited("3600"),
		}, 1, fault.ModelUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(t)
			server.Script(tc.script...)
			_, err := newClient(t, server, nil).Complete(t.Context(), request(), func(string) error { return nil })
			if got := fault.CodeOf(err); got != tc.code {
				t.Errorf("Complete = %v, want code %q", err, tc.code)
			}
			if got := len(server.Requests()); got != tc.attempts {
				t.Errorf("%d attempts, want %d", got, tc.attempts)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]func() string{
		"seconds": func() string { return "4" },
		"a date":  func() string { return time.Now().Add(4 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := llmtest.NewPiped(t)
				s.Script(llmtest.RateLimited(value()), llmtest.Call("generateEvent", arguments))
				start := time.Now()
				if _, err := newClient(t, s, nil).Complete(t.Context(), request(), nil); err != nil {
					t.Fatalf("Complete: %v", err)
				}
				if waited := time.Since(start); waited < 4*time.Second || waited > 5*time.Second {
					t.Errorf("waited %v, want the 4 s asked for", waited)
				}
			})
		})
	}
}

func TestRetryAfterBeyondTheDeadlineIsPassedOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		s.Script(llmtest.RateLimited("60"))
		start := time.Now()
		_, err := newClient(t, s, nil).Complete(t.Context(), request(), nil)
		if f := fault.As(err); f.Code != fault.ModelUnavailable || f.RetryAfter != time.Minute {
			t.Errorf("Complete = %v, RetryAfter %v; want ModelUnavailable after a minute", err, f.RetryAfter)
		}
		if waited := time.Since(start); waited > time.Second {
			t.Errorf("waited %v for nothing", waited)
		}
	})
}

func TestBackoffGrows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		s.Otherwise(func(llmtest.Request) llmtest.Answer { return llmtest.ServerError() })
		client := newClient(t, s, func(c *openai.Config) {
			c.Attempts, c.BreakerFailures = 5, 100
			c.Backoff, c.MaxBackoff = 100*time.Millisecond, 300*time.Millisecond
		})
		start := time.Now()
		_, err := client.Complete(t.Context(), request(), nil)
		if fault.CodeOf(err) != fault.ModelUnavailable {
			t.Errorf("Complete = %v, want ModelUnavailable", err)
		}
		least := (100 + 200 + 300 + 300) * time.Millisecond
		if waited := time.Since(start); waited < least || waited > least*5/4 {
			t.Errorf("waited %v, want %v and at most a quarter more", waited, least)
		}
	})
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	good := llmtest.Call("generateEvent", arguments)
	for name, tc := range map[string]struct {
		stage   llm.Stage
		script  []llmtest.Answer
		waits   time.Duration
		code    fault.Code
		message string
	}{
		"classify is bounded": {llm.Classify, []llmtest.Answer{good.After(time.Hour)}, 5 * time.Second,
			fault.ModelUnavailable, "too long"},
		"a slow first byte is waited for": {llm.Select, []llmtest.Answer{
			good.After(5 * time.Second),
		}, 5 * time.Second, "", ""},
		"a stall before headers is tried again": {llm.Template, []llmtest.Answer{
			good.StallAfter(0), good,
		}, 6 * time.Second, "", ""},
		"a stall before a delta is tried again": {llm.Template, []llmtest.Answer{
			good.StallAfter(2), good,
		}, 6 * time.Second, "", ""},
		"a stall after a delta ends the call": {llm.Select, []llmtest.Answer{good.StallAfter(3)}, 6 * time.Second,
			fault.ModelUnavailable, "too long"},
		"two stalls meet the template deadline": {llm.Template, []llmtest.Answer{
			good.StallAfter(0), good.StallAfter(0),
		}, 12 * time.Second, fault.ModelUnavailable, "too long"},
		"a trickle is no stall, but is bounded": {llm.Select, []llmtest.Answer{
			good.Paced(4 * time.Second),
		}, 20 * time.Second, fault.ModelUnavailable, "too long"},
		"an unknown stage is bounded like stage 3": {llm.Stage("other"), []llmtest.Answer{
			good.Paced(4 * time.Second),
		}, 12 * time.Second, fault.ModelUnavailable, "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := llmtest.NewPiped(t)
				s.Script(tc.script...)
				req := request()
				req.Stage = tc.stage
				start := time.Now()
				_, err := newClient(t, s, nil).Complete(t.Context(), req, func(string) error { return nil })
				if got := fault.CodeOf(err); got != tc.code {
					t.Errorf("Complete = %v, want code %q", err, tc.code)
				}
				if err != nil && !strings.Contains(fault.As(err).Message, tc.message) {
					t.Errorf("message %q, want it to say %q", fault.As(err).Message, tc.message)
				}
				if waited := time.Since(start); waited < tc.waits || waited > tc.waits+100*time.Millisecond {
					t.Errorf("took %v, want %v", waited, tc.waits)
				}
				if left := s.Left(); left != 0 {
					t.Errorf("%d answers were not asked for", left)
				}
			})
		})
	}
}

// A stage that is given more time than usual has a model that may be silent for longer.
func TestAPatientStageWaitsForASilentModel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		s.Script(llmtest.Call("generateEvent", arguments).After(14 * time.Second))
		client := newClient(t, s, func(c *openai.Config) {
			c.Stages = map[llm.Stage]openai.StageConfig{llm.Template: {Deadline: time.Minute}}
		})
		req := request()
		req.Stage = llm.Template
		if _, err := client.Complete(t.Context(), req, func(string) error { return nil }); err != nil {
			t.Errorf("Complete = %v, want the answer", err)
		}
	})
}

func TestASlowConsumerIsNoStall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		s.Script(llmtest.Call("generateEvent", arguments))
		client := newClient(t, s, func(c *openai.Config) { c.Stall = time.Second })
		first := true
		_, err := client.Complete(t.Context(), request(), func(string) error {
			if first {
				<-time.After(10 * time.Second)
			}
			first = false
			return nil
		})
		if err != nil {
			t.Errorf("Complete = %v, want an answer", err)
		}
	})
}

func TestAnErrorOfOnDeltaEndsTheCall(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	server.Script(llmtest.Call("generateEvent", arguments))
	full := errors.New("the log is full")
	calls := 0
	_, err := newClient(t, server, nil).Complete(t.Context(), request(), func(string) error {
		calls++
		return full
	})
	if !errors.Is(err, full) || calls != 1 || len(server.Requests()) != 1 {
		t.Errorf("Complete = %v after %d deltas and %d requests; want %v after one of each", err, calls,
			len(server.Requests()), full)
	}
}

func TestACallerThatGoesAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		s.Script(llmtest.Call("generateEvent", arguments).StallAfter(0))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := newClient(t, s, nil).Complete(ctx, request(), nil)
		if fault.CodeOf(err) != fault.Cancelled || !errors.Is(err, context.Canceled) {
			t.Errorf("Complete = %v, want a Cancelled fault because of context.Canceled", err)
		}
		if got := len(s.Requests()); got != 1 {
			t.Errorf("%d requests, want 1", got)
		}
	})
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := llmtest.NewPiped(t)
		client := newClient(t, s, func(c *openai.Config) { c.Attempts = 1 })
		ask := func(ctx context.Context) error {
			_, err := client.Complete(ctx, request(), nil)
			return err
		}
		requests := func() int { return len(s.Requests()) }
		for range 5 {
			s.Script(llmtest.ServerError())
			_ = ask(t.Context())
		}
		start := time.Now()
		err := ask(t.Context())
		if f := fault.As(err); f.Code != fault.ModelUnavailable || f.RetryAfter == 0 || time.Since(start) != 0 ||
			requests() != 5 {
			t.Fatalf("while open: %v, retry after %v, %d requests; want ModelUnavailable at once and no sixth",
				err, f.RetryAfter, requests())
		}

		<-time.After(15 * time.Second)
		s.Script(llmtest.ServerError())
		_ = ask(t.Context())
		if err := ask(t.Context()); fault.CodeOf(err) != fault.ModelUnavailable || requests() != 6 {
			t.Fatalf("after a failed probe: %v, %d requests; want open again", err, requests())
		}

		<-time.After(15 * time.Second)
		s.Script(llmtest.Call("generateEvent", arguments).StallAfter(0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		time.AfterFunc(time.Second, cancel)
		_ = ask(ctx)
		if err := ask(t.Context()); fault.CodeOf(err) != fault.ModelUnavailable || requests() != 7 {
			t.Fatalf("after a probe that was cancelled: %v, %d requests; want open still", err, requests())
		}

		<-time.After(15 * time.Second)
		s.Script(llmtest.Call("generateEvent", arguments), llmtest.Refusal("no"), llmtest.Call("generateEvent", arguments))
		for i, want := range []fault.Code{"", fault.ModelAnswer, ""} {
			if err := ask(t.Context()); fault.CodeOf(err) != want {
				t.Errorf("closed again, answer %d: %v, want %q", i, err, want)
			}
		}
	})
}

func TestBreakerIgnoresWrongAnswersAndRequests(t *testing.T) {
	t.Parallel()
	server := llmtest.New(t)
	client := newClient(t, server, nil)
	for i := range 12 {
		server.Script([]llmtest.Answer{llmtest.Refusal("no"), llmtest.Status(400, ""), llmtest.EmptyChoices()}[i%3])
		_, _ = client.Complete(t.Context(), request(), nil)
	}
	server.Script(llmtest.Call("generateEvent", arguments))
	if _, err := client.Complete(t.Context(), request(), nil); err != nil {
		t.Errorf("Complete = %v, want an answer: the service is up", err)
	}
}
