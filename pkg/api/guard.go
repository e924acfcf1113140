package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"convene/pkg/fault"
)

// maxBody bounds a request's body in bytes; maxChat bounds it for clients that send the whole chat each time.
const (
	maxBody = 100 << 10
	maxChat = 1 << 20
)

// recoverPanic turns a panic into a problem without details; the log gets the stack.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p) // net/http cuts the connection
			default:
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		return next(c)
	}
}

func (s *Server) secureHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	encrypted := strings.HasPrefix(s.cfg.Calendars.PublicURL, "https:")
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Cross-Origin-Resource-Policy", resourcePolicy(c.Request().URL.Path))
		if encrypted {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if guarded(c.Request().URL.Path) {
			h.Set("Cache-Control", "no-store")
		}
		return next(c)
	}
}

// resourcePolicy lets pages of every site load the files that they build upon.
func resourcePolicy(path string) string {
	if path == "/widget.js" || path == "/client.d.ts" {
		return "cross-origin"
	}
	return "same-origin"
}

// addressBehind extracts a client's address: that of the connection or, if it comes from a trusted proxy, the nearest
// one in X-Forwarded-For that is not a trusted proxy.
func addressBehind(proxies []*net.IPNet) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, network := range proxies {
		trust = append(trust, echo.TrustIPRange(network))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}

func (s *Server) answersTo(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return loopback(host) || slices.ContainsFunc(s.cfg.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// loopback reports whether host names this machine and no other.
func loopback(host string) bool {
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// CheckListen refuses an address that other machines can reach. Without keys the server cannot identify callers.
func CheckListen(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("listen address %q is not of the form host:port", addr)
	}
	if !loopback(host) {
		return fmt.Errorf("cannot listen on %q: with no keys configured Convene answers on loopback only; "+
			"use an address such as 127.0.0.1:8080, [::1]:8080 or localhost:8080, or make a key with 'convene key new'", addr)
	}
	return nil
}

// lingerTime is how long the rest of an unread body is still read: otherwise the connection would be reset, and the
// response could be lost (RFC 9112, section 9.6).
const lingerTime = time.Second

// answerTime is how long a client may take to receive a response. Streams have a deadline for each write instead.
const answerTime = time.Minute

// bound keeps a slow client from holding a connection beyond the ReadTimeout that net/http gives a request. A response
// that does not depend on the body does not wait for it, and ends the connection.
func (s *Server) bound(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		n, control := noteOf(c.Request().Context()), http.NewResponseController(c.Response().Writer)
		// Not all transports have deadlines.
		c.Response().Before(func() { _ = control.SetWriteDeadline(time.Now().Add(answerTime)) })
		// In HTTP/2 the rest of a body holds up nothing.
		if c.Request().ContentLength == 0 || c.Request().ProtoMajor > 1 {
			return next(c)
		}
		n.unread = true
		c.Response().Header().Set("Connection", "close")
		defer func() {
			if n.unread {
				_ = control.SetReadDeadline(time.Now().Add(lingerTime))
			}
		}()
		return next(c)
	}
}

// stay refuses with 503, before anything is done, requests that would start something on a server that is leaving, so
// that a proxy can ask another server. Reading continues: EventSource gives up for good on any status but 200, and a
// stream that begins now ends soon and resumes elsewhere. Either way the connection ends with the response.
func (s *Server) stay(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.leaving.Load() {
			return next(c)
		}
		c.Response().Header().Set("Connection", "close")
		switch c.Request().Method {
		case http.MethodGet, http.MethodHead, http.MethodOptions:
			return next(c)
		default:
			return fault.New(fault.Unavailable, "This server is shutting down. Please send the request again.").
				Later(time.Second)
		}
	}
}

// readBody reads the whole body before a handler runs, within its limits of size and time. It does not wait for a body
// that the headers already disqualify.
func (s *Server) readBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, n, route := c.Request(), noteOf(c.Request().Context()), s.routeOf(c)
		limit := cmp.Or(route.mostBody, maxBody)
		switch {
		case !route.takesBody:
			return next(c)
		case r.ContentLength > limit:
			return tooLarge(limit)
		case r.ContentLength > 0 && !isJSON(r.Header):
			return notJSON()
		}
		body, err := io.ReadAll(http.MaxBytesReader(c.Response().Writer, r.Body, limit))
		if err != nil {
			return unreadable(err)
		}
		n.unread = false
		c.Response().Header().Del("Connection")
		if len(body) > 0 && !isJSON(r.Header) {
			return notJSON()
		}
		n.body = body
		r.Body = io.NopCloser(bytes.NewReader(body))
		return next(c)
	}
}

func unreadable(err error) error {
	var timeout net.Error
	limit, exceeded := errors.AsType[*http.MaxBytesError](err)
	switch {
	case exceeded:
		return tooLarge(limit.Limit)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fault.New(codeRequestTimeout, "The body of the request took too long to arrive.").Later(0).Because(err)
	default:
		return fault.New(fault.InvalidRequest, "The body of the request could not be read.").Because(err)
	}
}

func isJSON(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	encoding := h.Get("Content-Encoding")
	return err == nil && kind == "application/json" && (encoding == "" || encoding == "identity")
}

func tooLarge(limit int64) *fault.Error {
	return fault.New(fault.TooLarge, "The request is too large; at most %d kB are accepted.", limit>>10)
}

func notJSON() *fault.Error {
	return fault.New(fault.Unsupported,
		"The body must be plain JSON, sent with the header Content-Type: application/json.")
}
