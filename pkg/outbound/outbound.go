// Package outbound makes the HTTP clients with which Convene calls other servers: every call has a deadline, a bounded
// answer, retries after temporary failures, and a circuit breaker for servers that are down.
package outbound

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// maxRedirects bounds the redirects of one call.
const maxRedirects = 5

// Config configures a client. The zero value is for a well-behaved public API.
type Config struct {
	// Name is the server in errors: google, microsoft, caldav.
	Name string
	// Base makes the connections. Defaults to a transport of the client's own. With PublicOnly it must be an
	// *http.Transport, whose TLS settings alone are used, or every call fails, because others may connect anywhere.
	Base http.RoundTripper
	// Attempts bounds the attempts of one call. Defaults to 3.
	Attempts int
	// Deadline bounds one call with all its attempts, the body included. Defaults to 10 s; an earlier deadline of the
	// request's context counts.
	Deadline time.Duration
	// MaxBody bounds the bytes of an answer; more is an error. Defaults to 16 MiB.
	MaxBody int64
	// PublicOnly refuses to connect to loopback, private, link-local and other addresses that are not public, also
	// after a redirect and whatever a name resolves to.
	PublicOnly bool
	// Retryable says which answers beside 429, 502, 503 and 504 are retried. It may read the body. It is only called for
	// answers with a status of 400 or more.
	Retryable func(*http.Response) bool
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "the other side")
	c.Attempts = cmp.Or(c.Attempts, 3)
	c.Deadline = cmp.Or(c.Deadline, 10*time.Second)
	c.MaxBody = cmp.Or(c.MaxBody, 16<<20)
	return c
}

// Client makes an HTTP client. It is safe for concurrent use. Each host has a circuit breaker: after repeated network
// failures or 5xx answers, calls fail at once with an *OpenError for a while. All of this is in the client's Transport,
// which may be used in another client; only the bounds on redirects and their total time are the client's own.
//
// The error of a call quotes the called address. If that is a secret, use Cause.
func Client(cfg Config) *http.Client {
	cfg = cfg.withDefaults()
	return &http.Client{Transport: newTransport(cfg), Timeout: cfg.Deadline, CheckRedirect: checkRedirect}
}

// checkRedirect refuses to follow from https to http: a password would be sent to the same host unencrypted.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("sent on more than %d times", maxRedirects)
	}
	if req.URL.Scheme != "https" && via[len(via)-1].URL.Scheme == "https" {
		return errors.New("sent on from https to an address without encryption")
	}
	return nil
}

// Cause is the error of a call without the addresses that http.Client adds: there are several if one client is the
// transport of another.
func Cause(err error) error {
	for {
		call, ok := errors.AsType[*url.Error](err)
		if !ok {
			return err
		}
		err = call.Err
	}
}
