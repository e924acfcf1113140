package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"

	"convene/pkg/llm"
)

// drainTime is how long a finished stream may take to end, for its connection to be reused.
const drainTime = 25 * time.Millisecond

var (
	errStalled = errors.New("no byte has arrived for too long")
	errOpen    = errors.New("the breaker is open after repeated failures")
	errFlood   = errors.New("more bytes than any answer has")
)

func newRetryPolicy(cfg Config) retrypolicy.RetryPolicy[any] {
	return retrypolicy.NewBuilder[any]().
		HandleIf(func(_ any, err error) bool { return asFailure(err).again }).
		WithMaxAttempts(cfg.Attempts).
		ReturnLastFailure().
		WithDelayFunc(func(e failsafe.ExecutionAttempt[any]) time.Duration {
			return max(backoff(cfg, e.Retries()), asFailure(e.LastError()).after)
		}).
		Build()
}

// backoff is the wait after the given number of retries. The random part only adds to it.
func backoff(cfg Config, retries int) time.Duration {
	wait := min(cfg.Backoff<<min(retries, 16), cfg.MaxBackoff)
	return wait + rand.N(wait/4+1)
}

func newBreaker(cfg Config) circuitbreaker.CircuitBreaker[any] {
	return circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(cfg.BreakerFailures).
		WithSuccessThreshold(1).
		WithDelay(cfg.BreakerPause).
		Build()
}

// attempt sends the request once, if the breaker allows it, and decides whether to retry.
func (c *Client) attempt(ctx context.Context, body []byte, a *answer) (llm.Reply, error) {
	if !c.breaker.TryAcquirePermit() {
		return llm.Reply{}, &failure{kind: unreachable, mayPass: true, after: c.breaker.RemainingDelay(), err: errOpen}
	}
	reply, err := c.send(ctx, body, a)
	c.record(ctx, err)
	if f := asFailure(err); f.kind == unreachable && f.mayPass && !a.begun {
		f.again = timeFor(ctx, f.after) && !c.breaker.IsOpen()
	}
	return reply, err
}

// record tells the breaker whether the service works. A call that the caller cancelled, or whose onDelta failed, proves
// nothing, unless it was the probe: then the breaker stays open for another pause.
func (c *Client) record(ctx context.Context, err error) {
	f := asFailure(err)
	switch {
	case errors.Is(ctx.Err(), context.Canceled), errors.As(err, new(deltaError)):
		if c.breaker.IsHalfOpen() {
			c.breaker.RecordFailure()
		}
	case f.mayPass:
		c.breaker.RecordFailure()
	default:
		c.breaker.RecordSuccess()
	}
}

func timeFor(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > wait)
}

// send makes one attempt and reads its stream to the end. The answer's stall bounds the wait for bytes, without the
// time that onDelta takes.
func (c *Client) send(ctx context.Context, body []byte, a *answer) (llm.Reply, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(a.stall, func() { cancel(errStalled) })
	defer idle.Stop()

	res, err := c.post(ctx, body)
	if err != nil {
		return llm.Reply{}, because(ctx, err)
	}
	idle.Stop()
	defer res.Body.Close()
	defer context.AfterFunc(ctx, func() { _ = res.Body.Close() })() // for transports that ignore the context

	buffer := c.buffers.Get().(*readBuffer)
	defer c.buffers.Put(buffer)
	reply, err := a.read(&watched{r: res.Body, left: c.cfg.MaxStream, idle: idle, stall: a.stall}, buffer[:])
	if err != nil {
		return llm.Reply{}, because(ctx, err)
	}
	idle.Reset(drainTime)
	_, _ = io.CopyN(io.Discard, res.Body, 1024)
	return reply, nil
}

// post sends the body and returns the response if it is a stream.
func (c *Client) post(ctx context.Context, body []byte) (*http.Response, error) {
	req := c.request.WithContext(ctx)
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody() // which cannot fail
	res, err := c.cfg.HTTPClient.Do(req)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	return res, refuseFailure(res)
}

// watched bounds the bytes of a stream, and the time it waits for them.
type watched struct {
	r     io.Reader
	left  int
	idle  *time.Timer
	stall time.Duration
}

func (w *watched) Read(p []byte) (int, error) {
	if w.left == 0 {
		return 0, errFlood
	}
	w.idle.Reset(w.stall)
	defer w.idle.Stop()
	n, err := w.r.Read(p[:min(len(p), w.left)])
	w.left -= n
	return n, err
}

// refuseFailure turns a response that is not a stream into a failure with its status and an excerpt of its body.
func refuseFailure(res *http.Response) error {
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode == http.StatusOK && (media == "text/event-stream" || media == "") {
		return nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxExcerpt)) // an incomplete excerpt is enough
	return statusFailure(res, body)
}
