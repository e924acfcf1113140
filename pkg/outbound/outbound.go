// Package outbound makes the HTTP clients with which Convene calls others: every call has a deadline, is repeated where
// that may help, is not made where the other side is known to be down, and reads no more than it should.
package outbound

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// maxRedirects bounds how often one call is sent on to another address.
const maxRedirects = 5

// Config is how one other side is called. The zero value is a client for a well-behaved public API.
type Config struct {
	// Name is the other side in errors: google, microsoft, caldav.
	Name string
	// Base makes the connections. Defaults to a transport of the client's own. With PublicOnly it is an *http.Transport,
	// of which only the TLS settings are taken, or every call fails: of anything else nobody knows where it connects to.
	Base http.RoundTripper
	// Attempts is how often one call is made at most. Defaults to 3.
	Attempts int
	// Deadline bounds one call with all its attempts, the body included. Defaults to 10 s; an earlier deadline of the
	// request's context counts.
	Deadline time.Duration
	// MaxBody is how many bytes of an answer are read; more is an error. Defaults to 16 MiB.
	MaxBody int64
	// PublicOnly refuses to connect to loopback, private, link-local and other addresses that are not public, also
	// after a redirect and whatever a name resolves to.
	PublicOnly bool
	// Retryable says which answers beside 429, 502, 503 and 504 are worth another attempt. It may read the body. It is
	// asked about failures only, answers with a status of 400 or more.
	Retryable func(*http.Response) bool
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "the other side")
	c.Attempts = cmp.Or(c.Attempts, 3)
	c.Deadline = cmp.Or(c.Deadline, 10*time.Second)
	c.MaxBody = cmp.Or(c.MaxBody, 16<<20)
	return c
}

// Client is an HTTP client after cfg. It is safe for concurrent use. Each host that is called with it has a breaker:
// after repeated failures, of its network or with a status of 5xx, calls fail at once with an *OpenError for a while.
// All of this is in the client's Transport, so that it may be used in another client; only the bound on redirects, and
// on their time taken together, is the client's own.
//
// The error of a call quotes the address that was called. Where that is a secret, use Cause.
func Client(cfg Config) *http.Client {
	cfg = cfg.withDefaults()
	return &http.Client{Transport: newTransport(cfg), Timeout: cfg.Deadline, CheckRedirect: checkRedirect}
}

// checkRedirect refuses to go on without encryption: a password would be sent along to the same host.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("sent on more than %d times", maxRedirects)
	}
	if req.URL.Scheme != "https" && via[len(via)-1].URL.Scheme == "https" {
		return errors.New("sent on from https to an address without encryption")
	}
	return nil
}

// Cause is what went wrong in a call, without the address that http.Client puts before it: each of them, where one
// client is the transport of another.
func Cause(err error) error {
	for {
		call, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = call.Err
	}
}
