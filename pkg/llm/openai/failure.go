package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"convene/pkg/fault"
)

// maxExcerpt bounds how much of a vendor's body is read, maxCause how much is logged. The key is redacted between the
// two, so that no cut leaves half of it.
const (
	maxExcerpt = 2048
	maxCause   = 600
)

// kind is the kind of a failure to the user.
type kind int

const (
	none kind = iota
	unreachable
	overlong
	badAnswer
	refusal
)

// failure is why an attempt has no reply.
type failure struct {
	kind kind
	// mayPass is true if the service, not the request, is at fault: the same request may succeed later, and the breaker
	// counts it.
	mayPass bool
	// after is the service's Retry-After.
	after time.Duration
	// again is set by the attempt if another one follows.
	again bool
	err   error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// asFailure returns err as a failure; any other error becomes one of no kind.
func asFailure(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	return &failure{err: err}
}

// outage is a failure of the service or of the way to it.
func outage(err error) *failure {
	return &failure{kind: unreachable, mayPass: true, err: err}
}

// endless is an answer that exceeds a bound.
func endless(format string, args ...any) *failure {
	return &failure{kind: overlong, mayPass: true, err: fmt.Errorf(format, args...)}
}

// unusable is a whole answer without a function call. It does not quote the model, which may repeat the user's message.
func unusable(format string, args ...any) *failure {
	return &failure{kind: badAnswer, err: fmt.Errorf(format, args...)}
}

func declined(format string, args ...any) *failure {
	return &failure{kind: refusal, err: fmt.Errorf(format, args...)}
}

// because adds the cause of the context's end to err, if that broke the attempt. An error of the transport, which is
// not a failure yet, becomes an outage.
func because(ctx context.Context, err error) error {
	if errors.As(err, new(deltaError)) {
		return err
	}
	if ctx.Err() != nil {
		return outage(fmt.Errorf("%w (%w)", context.Cause(ctx), err))
	}
	if f := asFailure(err); f.kind != none {
		return f
	}
	return outage(err)
}

// statusFailure classifies a response that is not a stream. A refused request or an exhausted quota is not retried.
func statusFailure(res *http.Response, body []byte) *failure {
	f := outage(fmt.Errorf("status %d, %q: %s", res.StatusCode, res.Header.Get("Content-Type"), excerpt(body)))
	f.mayPass = res.StatusCode == http.StatusOK || // a proxy's page
		res.StatusCode >= http.StatusInternalServerError && res.StatusCode != http.StatusNotImplemented ||
		res.StatusCode == http.StatusTooManyRequests && errorCode(body) != "insufficient_quota"
	f.after = retryAfter(res.Header)
	return f
}

func errorCode(body []byte) string {
	var b struct {
		Error struct {
			Code string `json:"code"`
			Type string `json:"type"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &b) != nil {
		return ""
	}
	return cmp.Or(b.Error.Code, b.Error.Type)
}

// retryAfter reads milliseconds (OpenAI), seconds or a date; 0 if there is none in the future.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return inFuture(ms, time.Millisecond)
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		return inFuture(seconds, time.Second)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

func inFuture(n float64, unit time.Duration) time.Duration {
	const longest = 24 * time.Hour
	if !(n > 0) { // NaN too
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(longest)))
}

// excerpt returns the beginning of a body as one line without control characters.
func excerpt(body []byte) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(body[:min(len(body), maxExcerpt)]), "?"))
	return strings.Join(strings.Fields(text), " ")
}

// asFault returns a fault whose message names no host, key or vendor; its cause is for the log, with the key redacted.
func (c *Client) asFault(caller, bounded context.Context, err error) error {
	if d, ok := errors.AsType[deltaError](err); ok {
		return d.error
	}
	cause := c.redact(err)
	if errors.Is(caller.Err(), context.Canceled) {
		return fault.New(fault.Cancelled, "The request was cancelled.").Because(cause)
	}
	f := asFailure(err)
	switch {
	case f.kind == badAnswer:
		return fault.New(fault.ModelAnswer, "The language model gave no usable answer.").Because(cause)
	case f.kind == refusal:
		return fault.New(fault.ModelAnswer, "The language model declined to answer this request.").Because(cause)
	case f.kind == overlong:
		return fault.New(fault.ModelUnavailable, "The language model did not come to an end.").Because(cause).Later(0)
	case bounded.Err() != nil || errors.Is(err, errStalled):
		return fault.New(fault.ModelUnavailable, "The language model took too long to answer.").Because(cause).Later(0)
	}
	unavailable := fault.New(fault.ModelUnavailable, "The language model cannot be reached right now.").Because(cause)
	if f.mayPass || f.after > 0 {
		return unavailable.Later(f.after)
	}
	return unavailable
}

// redacted is an error with a text that is safe to log; it wraps the original for errors.Is.
type redacted struct {
	err  error
	text string
}

func (r *redacted) Error() string { return r.text }
func (r *redacted) Unwrap() error { return r.err }

func (c *Client) redact(err error) error {
	text := err.Error()
	if c.cfg.APIKey != "" {
		text = strings.ReplaceAll(text, c.cfg.APIKey, "[key]")
	}
	text = regexp.MustCompile(`\b(sk-|Bearer\s+)[\w*.~+/-]+`).ReplaceAllString(text, "[key]")
	if len(text) > maxCause {
		text = strings.ToValidUTF8(text[:maxCause], "") + " …"
	}
	return &redacted{err: err, text: text}
}
