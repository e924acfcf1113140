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

// Door says who is calling. Its errors are faults.
type Door interface {
	// Closed reports whether a key or a token is needed at all.
	Closed(ctx context.Context) (bool, error)
	// Caller is whose credential that is; with none it is everybody, where the door is open.
	Caller(ctx context.Context, credential string) (auth.Caller, error)
	// Admit is who was given the ticket to the address.
	Admit(ctx context.Context, ticket, address string) (auth.Caller, error)
	Ticket(ctx context.Context, by auth.Caller, person meet.PersonID, address string) (string, error)
	Mint(ctx context.Context, by auth.Caller, g auth.Grant, life time.Duration) (token string, until time.Time, err error)
}

// openDoor lets everybody in who reaches a server without keys.
type openDoor struct{}

func (openDoor) Closed(context.Context) (bool, error) { return false, nil }

func (openDoor) Caller(ctx context.Context, _ string) (auth.Caller, error) {
	return auth.Everybody(ctx), nil
}

func (openDoor) Admit(ctx context.Context, _, _ string) (auth.Caller, error) {
	return auth.Everybody(ctx), nil
}

func (openDoor) Ticket(context.Context, auth.Caller, meet.PersonID, string) (string, error) {
	return "", nil
}

func (openDoor) Mint(context.Context, auth.Caller, auth.Grant, time.Duration) (string, time.Time, error) {
	return "", time.Time{}, fault.New(auth.Forbidden, "This server has no keys, so that nobody needs a token.")
}

// access is who may ask for a route where the door is closed.
type access int

// The zero access is the strictest: a route about which nothing is said takes a key.
const (
	withKey access = iota
	// withToken is a key too. Whoever handles the route holds the token to what it is bound to.
	withToken
	// withTicket is a token too, and a ticket for this one address.
	withTicket
	// byOperator is a key of the tenant without a name, who runs the service.
	byOperator
	byAnybody
)

// The names of the ways to show who is calling, in the description of the API.
const (
	keyScheme   = "key"
	tokenScheme = "token"
	queryScheme = "tokenInAddress"
)

// noSecurity says that nothing has to be shown; where nothing is said, readers of the document cannot tell.
var noSecurity = []map[string][]string{}

// security is how the access is described.
func (a access) security() []map[string][]string {
	switch a {
	case withToken, withTicket:
		return []map[string][]string{{keyScheme: {}}, {tokenScheme: {}}}
	case byAnybody:
		return noSecurity
	default:
		return []map[string][]string{{keyScheme: {}}}
	}
}

// route is what those who guard a route know of it. The zero route is one about which nothing is said: it takes a key.
type route struct {
	// template is its path as the document has it.
	template string
	access   access
	// inAddress lets a token stand in the query too, for readers that cannot send headers: EventSource and links.
	inAddress bool
	// streams reports whether a request is answered with a stream; nil where none is.
	streams func(echo.Context) bool
	// takesBody says that requests may have a body; otherwise it is not read.
	takesBody bool
	// mostBody bounds a request's body in bytes. 0 is maxBody.
	mostBody int64
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// route is the one at the path, which is as the document has it, for more to be said of it.
func (s *Server) route(method, path string) *route {
	name := method + " " + pathParameter.ReplaceAllString(path, ":$1")
	if s.routes[name] == nil {
		takesBody := method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
		s.routes[name] = &route{template: path, takesBody: takesBody}
	}
	return s.routes[name]
}

// routeOf is the route of a request. That of a calendar file is apart from the one that the router takes it for.
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

// guarded reports whether an address is one behind the door, rather than a page or a probe.
func guarded(path string) bool {
	return strings.HasPrefix(path, "/v1/") || path == "/mcp" || strings.HasPrefix(path, "/mcp/")
}

// enter finds out who is calling, whether they may, and how often. A request for a stream that has to come back later
// is let through to its handler, which says so in a stream.
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
		case err == nil && caller.Kind == "": // whoever it is
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

// caller is who may go on with the request.
func (s *Server) caller(c echo.Context, shown credentials) (auth.Caller, error) {
	r, access := c.Request(), s.routeOf(c).access
	switch {
	case access == byAnybody:
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
			"A key is not taken from an address, which others may see: send it as Authorization: Bearer.")
	case access == byOperator && caller.Tenant != "":
		return caller, forOperators()
	case !caller.Bound():
		return caller, s.unlessCrossSite(r)
	case access != withToken && access != withTicket:
		return caller, fault.New(auth.Forbidden, "This takes a server's key: a browser's token does not open it.")
	}
	return caller, s.fromItsOrigin(caller.Grant.Origin, c)
}

func forOperators() *fault.Error {
	return fault.New(auth.Forbidden, "This is about all tenants: it takes a key that was made with --tenant \"\".")
}

// forwarded reports whether a proxy says that it passes the request on, for somebody who may be anywhere.
func forwarded(h http.Header) bool {
	for name := range h {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// credentials are what a request shows of who is calling.
type credentials struct {
	// bearer is a key or a token.
	bearer string
	// inAddress says that it stood in the query, where only tokens may stand.
	inAddress bool
	// ticket opens one address.
	ticket string
}

// takeCredentials reads them, and takes those in the query out of the request, so that nothing that looks at it later
// can tell them to anybody.
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

// The names under which a query shows who is calling.
const (
	tokenParameter  = "token"
	ticketParameter = "ticket"
)

// without is a query without some parameters, and otherwise as it was written.
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

// isForStream reports whether the request is answered with a stream.
func (s *Server) isForStream(c echo.Context) bool {
	streams := s.routeOf(c).streams
	return streams != nil && streams(c)
}

// always says that every request of a route is answered with a stream.
func always(echo.Context) bool { return true }

// asAccepted says that those requests are answered with a stream that accept one.
func asAccepted(c echo.Context) bool {
	_, streaming, err := negotiate(c.Request().Header.Get("Accept"), c.QueryParam("protocol"))
	return streaming && err == nil
}
