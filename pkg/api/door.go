package api

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Door identifies callers. Its errors are faults.
type Door interface {
	// Closed reports whether a key or a token is needed at all.
	Closed(ctx context.Context) (bool, error)
	// Caller returns the owner of the credential; with none it is auth.Everybody while the door is open.
	Caller(ctx context.Context, credential string) (auth.Caller, error)
	// Admit returns the caller whom the ticket to the address was given.
	Admit(ctx context.Context, ticket, address string) (auth.Caller, error)
	Ticket(ctx context.Context, by auth.Caller, person meet.PersonID, address string) (string, error)
	Mint(ctx context.Context, by auth.Caller, g auth.Grant, life time.Duration) (token string, until time.Time, err error)
}

// access says who may use a route while the door is closed.
type access int

// The zero access is the strictest: a route without an access needs a key.
const (
	withKey access = iota
	// withToken needs a key or a token. The route's handler enforces what the token is bound to.
	withToken
	// withTicket needs a key, a token, or a ticket for this one address.
	withTicket
	// byOperator needs a key of the tenant without a name, which runs the service.
	byOperator
	byEveryone
)

// The names of the security schemes in the OpenAPI document.
const (
	keyScheme   = "key"
	tokenScheme = "token"
	queryScheme = "tokenInAddress"
)

// noSecurity says explicitly that an operation needs no credential.
var noSecurity = []map[string][]string{}

// security describes the access in the OpenAPI document.
func (a access) security() []map[string][]string {
	switch a {
	case withToken, withTicket:
		return []map[string][]string{{keyScheme: {}}, {tokenScheme: {}}}
	case byEveryone:
		return noSecurity
	default:
		return []map[string][]string{{keyScheme: {}}}
	}
}

// route has what the guards know of a route. The zero route needs a key.
type route struct {
	// template is its path as in the OpenAPI document.
	template string
	access   access
	// inAddress accepts a token in the query too, for EventSource and links, which cannot send headers.
	inAddress bool
	// streams reports whether a request gets a stream; nil if none does.
	streams func(echo.Context) bool
	// takesBody is true if requests may have a body; otherwise it is not read.
	takesBody bool
	// mostBody bounds a request's body in bytes. 0 is maxBody.
	mostBody int64
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// route returns the route of a path of the OpenAPI document, to be completed.
func (s *Server) route(method, path string) *route {
	name := method + " " + pathParameter.ReplaceAllString(path, ":$1")
	if s.routes[name] == nil {
		takesBody := method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
		s.routes[name] = &route{template: path, takesBody: takesBody}
	}
	return s.routes[name]
}

// routeOf returns the route of a request. A calendar file has its own route, which the router does not know.
func (s *Server) routeOf(c echo.Context) route {
	name := c.Request().Method + " " + c.Path()
	if file := s.routes[name+icsSuffix]; file != nil && strings.HasSuffix(c.Request().URL.Path, icsSuffix) {
		return *file
	}
	if known := s.routes[name]; known != nil {
		return *known
	}
	return route{}
}

// guarded reports whether the path is part of the API, not a page or a probe.
func guarded(path string) bool {
	return strings.HasPrefix(path, "/v1/") || path == "/mcp" || strings.HasPrefix(path, "/mcp/")
}

// enter identifies the caller, and checks permission and rate limits. A stream request that must come back later is
// passed on to its handler, which says so in a stream.
func (s *Server) enter(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		shown := s.takeCredentials(c)
		caller, err := s.caller(c, shown)
		n := noteOf(c.Request().Context())
		n.tenant, n.key, n.token = caller.Tenant, caller.Key, caller.Token
		if guarded(c.Request().URL.Path) {
			if full := s.count(c, caller); full != nil {
				err = full
			}
		}
		switch {
		case err == nil && caller.Kind == "": // nobody asked
		case err == nil:
			c.SetRequest(c.Request().WithContext(auth.Calling(c.Request().Context(), caller)))
		case s.isForStream(c) && comesBack(err):
			n.turnedAway = err
		default:
			return err
		}
		return next(c)
	}
}

// caller returns the caller of the request, if they may make it.
func (s *Server) caller(c echo.Context, shown credentials) (auth.Caller, error) {
	r, access := c.Request(), s.routeOf(c).access
	switch {
	case access == byEveryone:
		return auth.Caller{}, s.answers(r)
	case access == withTicket && shown.ticket != "":
		return s.cfg.Door.Admit(r.Context(), shown.ticket, r.URL.RequestURI())
	}
	caller, err := s.cfg.Door.Caller(r.Context(), shown.bearer)
	switch {
	case err != nil:
		return auth.Caller{}, err
	case caller.Kind == auth.Open && access == byOperator && forwarded(r.Header):
		return auth.Caller{}, forOperators()
	case caller.Kind == auth.Open:
		return caller, s.fromOwnPage(r)
	case !caller.Bound() && shown.inAddress:
		return auth.Caller{}, fault.New(auth.Unauthorized,
			"A key is not accepted in an address, which others may see: send it as Authorization: Bearer.")
	case access == byOperator && caller.Tenant != "":
		return caller, forOperators()
	case !caller.Bound():
		return caller, s.unlessCrossSite(r)
	case access != withToken && access != withTicket:
		return caller, fault.New(auth.Forbidden, "This needs a server's key; a browser's token is not enough.")
	}
	return caller, s.fromItsOrigin(caller.Grant.Origin, c)
}

func forOperators() *fault.Error {
	return fault.New(auth.Forbidden, "This is about all tenants: it needs a key that was made with --tenant \"\".")
}

// forwarded reports whether the headers show that a proxy passed the request on.
func forwarded(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// credentials are what a request shows to identify its caller.
type credentials struct {
	// bearer is a key or a token.
	bearer string
	// inAddress is true if it was in the query, where only tokens are accepted.
	inAddress bool
	// ticket opens one address.
	ticket string
}

// takeCredentials reads the credentials, and removes those in the query from the request, so that nothing later can
// disclose them.
func (s *Server) takeCredentials(c echo.Context) (shown credentials) {
	r := c.Request()
	if scheme, value, ok := strings.Cut(r.Header.Get(echo.HeaderAuthorization), " "); ok &&
		strings.EqualFold(scheme, "Bearer") {
		shown.bearer = strings.TrimSpace(value)
	}
	query := r.URL.Query()
	if !query.Has(tokenParameter) && !query.Has(ticketParameter) {
		return shown
	}
	if shown.bearer == "" && s.routeOf(c).inAddress {
		shown.bearer, shown.inAddress = query.Get(tokenParameter), true
	}
	shown.ticket = query.Get(ticketParameter)
	address := *r.URL
	address.RawQuery = without(address.RawQuery, tokenParameter, ticketParameter)
	clean := r.Clone(r.Context())
	clean.URL, clean.RequestURI = &address, address.RequestURI()
	c.SetRequest(clean)
	return shown
}

// The query parameters that hold credentials.
const (
	tokenParameter  = "token"
	ticketParameter = "ticket"
)

// without removes parameters from a query, and leaves the rest as it was written.
func without(query string, names ...string) string {
	var kept []string
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		name, err := url.QueryUnescape(name)
		if err == nil && part != "" && !slices.Contains(names, name) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "&")
}

// isForStream reports whether the request gets a stream.
func (s *Server) isForStream(c echo.Context) bool {
	streams := s.routeOf(c).streams
	return streams != nil && streams(c)
}

// always is for routes that always stream.
func always(echo.Context) bool { return true }

// asAccepted is for routes that stream if the request accepts it.
func asAccepted(c echo.Context) bool {
	_, streaming, err := negotiate(c.Request().Header.Get("Accept"), c.QueryParam("protocol"))
	return streaming && err == nil
}
