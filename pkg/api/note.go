package api

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"regexp"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/rs/zerolog"

	"convene/pkg/auth"
	"convene/pkg/meet"
)

// note collects facts about a request for its line in the log. It never holds messages or headers.
type note struct {
	request      string
	turn         meet.TurnID
	conversation meet.ConversationID
	proposal     meet.ProposalID
	// The caller: the ids of a key and of a token, which are no secrets.
	tenant meet.Tenant
	key    auth.KeyID
	token  string
	// turnedAway is the error that a stream reports to a reader who has to come back later.
	turnedAway error
	// stream is the reason why a stream ended.
	stream streamEnd
	err    error
	// body is the request's body, read in full.
	body []byte
	// unread is true until the request's body has been read to its end.
	unread bool
}

type noteKey struct{}

// noteOf returns the request's note; outside a request, an unused one.
func noteOf(ctx context.Context) *note {
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		return n
	}
	return &note{}
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// annotate gives the request its id, the client's own if it is a plain one, and writes its line in the log.
func (s *Server) annotate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		began := time.Now()
		n := &note{request: c.Request().Header.Get(echo.HeaderXRequestID)}
		if !requestID.MatchString(n.request) {
			n.request = rand.Text()
		}
		c.Response().Header().Set(echo.HeaderXRequestID, n.request)
		logger := s.cfg.Logger.With().Str("request", n.request).Logger()
		ctx := context.WithValue(logger.WithContext(c.Request().Context()), noteKey{}, n)
		c.SetRequest(c.Request().WithContext(ctx))
		answered := func() {
			route, method := s.label(c)
			s.cfg.Answered(route, method, c.Response().Status, time.Since(began))
		}
		c.Response().Before(answered)
		if err := next(c); err != nil {
			renderProblem(err, c)
		}
		if !c.Response().Committed {
			answered()
		}
		s.logRequest(c, n, time.Since(began))
		return nil
	}
}

// label returns the request's route and method as labels with few values, whatever clients send.
func (s *Server) label(c echo.Context) (route, method string) {
	route, method = cmp.Or(s.routeOf(c).template, otherLabel), c.Request().Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return route, method
	default:
		return route, otherLabel
	}
}

// otherLabel stands for unknown routes and methods.
const otherLabel = "other"

// logRequest writes one line, without the query, which may carry a token.
func (s *Server) logRequest(c echo.Context, n *note, took time.Duration) {
	status := c.Response().Status
	line := s.cfg.Logger.WithLevel(level(status, c.Path()))
	if n.err != nil {
		line = line.Str("code", string(faultOf(n.err).Code)).Str("field", clip(faultOf(n.err).Field))
		if status >= http.StatusInternalServerError {
			line = line.Err(n.err)
		}
	}
	for _, field := range [...]struct{ name, value string }{
		{"turn", string(n.turn)}, {"conversation", string(n.conversation)}, {"proposal", string(n.proposal)},
		{"stream", string(n.stream)}, {"tenant", string(n.tenant)}, {"key", string(n.key)}, {"token", n.token},
	} {
		if field.value != "" {
			line = line.Str(field.name, field.value)
		}
	}
	line.Str("request", n.request).Str("method", clip(c.Request().Method)).Str("path", clip(c.Request().URL.Path)).
		Int("status", status).Int64("bytes", c.Response().Size).Str("ip", c.RealIP()).
		Float64("ms", float64(took.Microseconds())/1000).Msg("request")
}

// level is error for the server's own failures, and debug for probes, which come every few seconds.
func level(status int, route string) zerolog.Level {
	switch {
	case status >= http.StatusInternalServerError:
		return zerolog.ErrorLevel
	case route == "/healthz" || route == "/readyz" || route == "/metrics":
		return zerolog.DebugLevel
	default:
		return zerolog.InfoLevel
	}
}

// clip bounds client input in the log.
func clip(s string) string { return s[:min(len(s), 200)] }
