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

// maxBody bounds a request's body in bytes; maxChat that of a client that sends the whole chat each time.
const (
	maxBody = 100 << 10
	maxChat = 1 << 20
)

// recoverPanic turns a panic into a problem that tells nothing; the log gets the stack.
func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler: // a value of net/http, which compares it too
				panic(p) // net/http's own way of cutting a connection
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

// resourcePolicy is whose pages may load what is at the path: everybody's, if it is what they build upon.
func resourcePolicy(path string) string {
	if path == "/widget.js" || path == "/client.d.ts" {
		return "cross-origin"
	}
	return "same-origin"
}

// addressBehind finds a client's address: that of the connection or, where it comes from a trusted proxy, the nearest
// one in X-Forwarded-For that is no such proxy.
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

// CheckListen refuses any address that others could reach. Without keys the server cannot tell who is calling.
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

// readBody reads the whole body before a handler runs, within its limits of size and time. The deadline is lifted
// afterwards: left in place, it would end a long stream.
func (s *Server) readBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch {
			return next(c)
		}
		control := http.NewResponseController(c.Response().Writer)
		_ = control.SetReadDeadline(time.Now().Add(s.cfg.BodyTimeout)) // not all transports have one
		body, err := io.ReadAll(http.MaxBytesReader(c.Response().Writer, r.Body, cmp.Or(s.routeOf(c).mostBody, maxBody)))
		if err != nil {
			return unreadable(err) // the deadline stays, or net/http would wait for the rest of the body
		}
		_ = control.SetReadDeadline(time.Time{})
		if len(body) > 0 && !isJSON(r.Header) {
			return notJSON()
		}
		noteOf(r.Context()).body = body
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
	return fault.New(fault.Unsupported, "The body must be plain JSON, sent with the header Content-Type: application/json.")
}
