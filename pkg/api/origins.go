package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

// What pages of other origins may send and read.
const (
	sharedMethods  = "GET, POST, PUT, PATCH, DELETE"
	sharedRequest  = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
	sharedResponse = "Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id"
	// preflightLife is how many seconds a browser may cache the answer, the most that any does.
	preflightLife = "7200"
)

// IsOrigin reports whether s is an origin as browsers write it: https://app.example, without a path.
func IsOrigin(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return false
	}
	return s == u.Scheme+"://"+u.Host && s == strings.ToLower(s)
}

// share lets pages of the allowed origins read responses. Cookies authenticate nothing, so credentials are not allowed.
func (s *Server) share(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, h := c.Request(), c.Response().Header()
		if !guarded(r.URL.Path) {
			return next(c)
		}
		h.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		allowed := slices.Contains(s.cfg.Origins, origin)
		if allowed {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", sharedResponse)
		}
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			return next(c)
		}
		if !allowed {
			return otherSite()
		}
		h.Set("Access-Control-Allow-Methods", sharedMethods)
		h.Set("Access-Control-Allow-Headers", sharedRequest)
		h.Set("Access-Control-Max-Age", preflightLife)
		return c.NoContent(http.StatusNoContent)
	}
}

func otherSite() *fault.Error {
	return fault.New(auth.Forbidden, "Requests from other web sites are not accepted.")
}

// answers protects an open server from requests to an unknown host name, which may point at this machine (DNS
// rebinding). While the door is closed, any name is allowed.
func (s *Server) answers(r *http.Request) error {
	if s.answersTo(r.Host) {
		return nil
	}
	if closed, err := s.cfg.Door.Closed(r.Context()); err == nil && closed {
		return nil
	}
	return fault.New(auth.Forbidden, "This server answers to localhost and 127.0.0.1 only.")
}

// fromOwnPage protects an open server from other web pages in the user's browser: by the origin of a request that
// changes something, and by its host name.
func (s *Server) fromOwnPage(r *http.Request) error {
	if err := s.answers(r); err != nil {
		return err
	}
	return s.unlessCrossSite(r)
}

func (s *Server) unlessCrossSite(r *http.Request) error {
	if err := s.crossSite.Check(r); err != nil {
		return otherSite().Because(err)
	}
	return nil
}

// fromItsOrigin restricts a token to the pages that it was made for. Browsers send Origin with every request whose
// response a page of another site could read, and otherwise Sec-Fetch-Site. Other clients send neither, and could send
// anything.
func (s *Server) fromItsOrigin(bound string, c echo.Context) error {
	h := c.Request().Header
	origin, site := h.Get("Origin"), h.Get("Sec-Fetch-Site")
	ok := false
	switch {
	case !s.trustsOrigin(bound):
	case origin != "":
		ok = origin == bound
	case site == "same-origin":
		ok = bound == s.ownOrigin()
	case site == "", site == "none":
		ok = true
	default:
		ok = h.Get("Sec-Fetch-Mode") == "navigate" && s.routeOf(c).inAddress // a link to a calendar file
	}
	if !ok {
		return fault.New(auth.Forbidden, "This token was made for the pages of another web site.")
	}
	return nil
}

// trustsOrigin reports whether pages of the origin may get tokens.
func (s *Server) trustsOrigin(origin string) bool {
	return slices.Contains(s.cfg.Origins, origin) || origin == s.ownOrigin()
}

// ownOrigin is the origin of this server's own pages.
func (s *Server) ownOrigin() string {
	u, err := url.Parse(s.cfg.Calendars.PublicURL)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
