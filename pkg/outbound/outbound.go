// Package outbound makes the HTTP clients with which Convene calls others: every call has a deadline, is repeated where
// that may help, is not made where the other side is known to be down, and reads no more than it should.
package outbound

import (
	"net/http"
	"time"
)

// Config is how one other side is called. The zero value is a client for a well-behaved public API.
type Config struct {
	// Name is the other side in errors: google, microsoft, caldav.
	Name string
	// Base makes the connections. Defaults to a transport of the client's own.
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
	// Retryable says which answers beside 429, 502, 503 and 504 are worth another attempt. It may read the body.
	Retryable func(*http.Response) bool
}

// Client is an HTTP client after cfg. It is safe for concurrent use, and one breaker stands for all that is called
// with it.
func Client(cfg Config) *http.Client {
	return &http.Client{Transport: cfg.Base, Timeout: cfg.Deadline}
}
