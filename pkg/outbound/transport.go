package outbound

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

const (
	firstPause   = 200 * time.Millisecond
	longestPause = 2 * time.Second
	// maxReplayed bounds the bytes of a request without GetBody that are kept for another attempt; a longer one is sent
	// once.
	maxReplayed = 1 << 20
	// maxPeeked bounds the part of a failure's body that Retryable sees.
	maxPeeked = 64 << 10
	// maxDrained bounds the part of a discarded body that is read, so that its connection can be reused.
	maxDrained = 64 << 10
)

// transport makes each call with its attempts.
type transport struct {
	cfg      Config
	base     http.RoundTripper
	retry    retrypolicy.RetryPolicy[outcome]
	breakers breakers
}

// outcome is the result of one attempt.
type outcome struct {
	res *http.Response
	err error
	// again says that another attempt may succeed, after pause.
	again bool
	pause time.Duration
}

func newTransport(cfg Config) *transport {
	return &transport{
		cfg:  cfg,
		base: baseOf(cfg),
		retry: retrypolicy.NewBuilder[outcome]().
			HandleIf(func(o outcome, _ error) bool { return o.again }).
			WithMaxAttempts(cfg.Attempts).
			ReturnLastFailure().
			WithDelayFunc(func(e failsafe.ExecutionAttempt[outcome]) time.Duration { return e.LastResult().pause }).
			Build(),
	}
}

// RoundTrip makes the call. Its deadline applies until the answer's body is closed or read to its end.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), t.cfg.Deadline)
	replay, err := replayed(req)
	if err != nil {
		cancel()
		return nil, err
	}
	last, err := t.attempts(ctx, req, replay)
	if err != nil {
		cancel()
		return nil, err
	}
	last.Body = &limited{ReadCloser: last.Body, cfg: t.cfg, left: t.cfg.MaxBody, done: cancel}
	return last, nil
}

func (t *transport) attempts(ctx context.Context, req *http.Request, replay *replay) (*http.Response, error) {
	var last outcome
	brk := t.breakers.of(req.URL)
	ended, err := failsafe.With(t.retry).WithContext(ctx).
		GetWithExecution(func(e failsafe.Execution[outcome]) (outcome, error) {
			last.discard()
			last = t.attempt(ctx, req, replay, brk)
			last.again = last.again && replay.again && !brk.IsOpen() && (last.refused() || ctx.Value(onceKey{}) == nil)
			last.pause = max(pause(e.Attempts()), last.pause)
			last.again = last.again && timeFor(ctx, last.pause)
			return last, nil
		})
	if err != nil { // ctx ended, in an attempt or between two
		last.discard()
		return nil, err
	}
	return ended.res, ended.err
}

// onceKey is the context's key of Once.
type onceKey struct{}

// Once is a context for a call that is not idempotent: it is repeated only after a 429, which says that it was not
// carried out.
func Once(ctx context.Context) context.Context { return context.WithValue(ctx, onceKey{}, true) }

// refused reports whether the server has certainly not carried out the request.
func (o outcome) refused() bool {
	return o.res != nil && o.res.StatusCode == http.StatusTooManyRequests
}

// attempt sends the request once, if the breaker lets it through.
func (t *transport) attempt(ctx context.Context, req *http.Request, replay *replay, brk breaker) outcome {
	attempt, err := replay.request(ctx, req)
	if err != nil {
		return outcome{err: err}
	}
	if !brk.TryAcquirePermit() {
		return outcome{err: &OpenError{Name: t.cfg.Name, After: brk.RemainingDelay()}}
	}
	res, err := t.base.RoundTrip(attempt) //nolint:bodyclose // the caller closes the last one, discard the others
	brk.record(ctx, res, err)
	if err != nil {
		return outcome{err: err, again: ctx.Err() == nil && !errors.As(err, new(*NotPublicError))}
	}
	if res.Body == nil {
		res.Body = http.NoBody
	}
	return outcome{res: res, again: t.retryable(res), pause: RetryAfter(res.Header)}
}

func (t *transport) retryable(res *http.Response) bool {
	switch res.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	if t.cfg.Retryable == nil || res.StatusCode < http.StatusBadRequest {
		return false
	}
	whole := res.Body
	head, _ := io.ReadAll(io.LimitReader(whole, maxPeeked)) // its error recurs when the rest is read
	res.Body = io.NopCloser(bytes.NewReader(head))
	yes := t.cfg.Retryable(res)
	res.Body = joined{io.MultiReader(bytes.NewReader(head), whole), whole}
	return yes
}

// joined reads from one and closes the other.
type joined struct {
	io.Reader
	io.Closer
}

// discard drains and closes an answer.
func (o outcome) discard() {
	if o.res == nil {
		return
	}
	_, _ = io.CopyN(io.Discard, o.res.Body, maxDrained)
	_ = o.res.Body.Close()
}

// pause is the minimal wait before another attempt, with jitter on top.
func pause(attempts int) time.Duration {
	p := min(firstPause<<min(max(attempts, 1)-1, 16), longestPause)
	return p + rand.N(p/4)
}

// longestAsked is the longest wait that a server can ask for.
const longestAsked = 24 * time.Hour

// RetryAfter is how long the server asks to wait, at most a day; 0 if it does not say. A date is measured from the
// answer's Date header, or without one by this machine's clock.
func RetryAfter(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(longestAsked/time.Second))) * time.Second
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return min(max(until.Sub(now), 0), longestAsked)
}

func timeFor(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > wait)
}

// replay has a request's body for each attempt.
type replay struct {
	body func() (io.ReadCloser, error)
	// again is false if the body can be sent only once.
	again bool
}

func replayed(req *http.Request) (*replay, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return &replay{func() (io.ReadCloser, error) { return req.Body, nil }, true}, nil
	}
	if req.GetBody != nil {
		return &replay{req.GetBody, true}, req.Body.Close()
	}
	head, err := io.ReadAll(io.LimitReader(req.Body, maxReplayed+1))
	if err != nil {
		return nil, errors.Join(err, req.Body.Close())
	}
	if len(head) > maxReplayed {
		rest := joined{io.MultiReader(bytes.NewReader(head), req.Body), req.Body}
		return &replay{func() (io.ReadCloser, error) { return rest, nil }, false}, nil
	}
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(head)), nil }
	return &replay{again, true}, req.Body.Close()
}

// request is a copy of req with a body of its own.
func (r *replay) request(ctx context.Context, req *http.Request) (*http.Request, error) {
	attempt := req.WithContext(ctx)
	body, err := r.body()
	attempt.Body = body
	return attempt, err
}
