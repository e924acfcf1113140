package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/account"
	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// CallbackPath is the path to which providers send people back.
const CallbackPath = "/v1/oauth/callback"

const (
	// browserCookie identifies the browser in which a connection was begun.
	browserCookie = "convene_connect"
	// browserLife is how long a connection may take.
	browserLife = 10 * time.Minute
)

type providerInput struct {
	ID       string `path:"id" doc:"The person's id."`
	Provider string `path:"provider" doc:"google or microsoft."`
}

type connectInput struct {
	ID       string `path:"id" doc:"The person's id."`
	Provider string `path:"provider" doc:"google or microsoft."`
	Access   string `query:"access" doc:"read to see when the person is busy, or write to put events into the calendar too. Left out, read; for a reconnected account, the access it had."`
	Tasks    bool   `query:"tasks" doc:"Whether the account's tasks are to be read and changed too. An account that has them keeps them."`
	Arrival
}

type connectMailInput struct {
	ID string `path:"id" doc:"The person's id."`
	Arrival
}

// Arrival is a browser in which an account is to be connected.
type Arrival struct {
	ReturnTo string `query:"returnTo" doc:"Where the person is sent back to: a path here, or a page of an allowed origin. Its query gets connected=google, or error= with a code. Left out, they see a page with the result."`
	Browser  string `cookie:"convene_connect" hidden:"true"`

	// visit is how the browser came here.
	visit visit
}

type visit struct {
	host, path, site, referer string
	// page is true if the client accepts HTML.
	page bool
}

// Resolve reads the headers and the address of the request.
func (in *Arrival) Resolve(h huma.Context) []error {
	address := h.URL()
	in.visit = visit{
		host: h.Host(), path: address.RequestURI(), site: h.Header("Sec-Fetch-Site"), referer: h.Header("Referer"),
		page: strings.Contains(h.Header("Accept"), "text/html"),
	}
	return nil
}

type callbackInput struct {
	State   string `query:"state"`
	Code    string `query:"code"`
	Error   string `query:"error"`
	Browser string `cookie:"convene_connect" hidden:"true"`
}

// linkRequest is the body that asks for a link to connect a calendar.
type linkRequest struct {
	_        struct{} `additionalProperties:"false"`
	Access   string   `json:"access,omitempty" enum:"read,write" doc:"See the link's own."`
	Tasks    bool     `json:"tasks,omitempty" doc:"See the link's own."`
	ReturnTo string   `json:"returnTo,omitempty" doc:"See the link's own."`
}

// mailLinkRequest is the body that asks for a link to connect a mailbox.
type mailLinkRequest struct {
	_        struct{} `additionalProperties:"false"`
	ReturnTo string   `json:"returnTo,omitempty" doc:"See the link's own."`
}

// link is the address to which a page sends its visitor.
type link struct {
	URL string `json:"url" doc:"Open it in the person's browser within a minute, as with location.assign(url)."`
}

type linkOutput struct{ Body link }

func (s *Server) connectRoutes(base string) {
	path := base + "/{provider}/connect"
	handleBody(s, s.linking("linkToConnect", path, "Get the address at which a calendar is connected"), s.linkToConnect)
	handle(s, s.connecting("connectCalendar", path, "Connect a calendar at Google or Microsoft, in a browser"), s.connect)

	page := map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}
	callback := s.operation("finishConnecting", http.MethodGet, CallbackPath,
		"Finish connecting: providers send browsers here").to(byEveryone).
		answers(http.StatusOK, "A page with the result.", page).
		answers(http.StatusSeeOther, "Back to returnTo.", nil)
	callback.Responses["default"] = &huma.Response{Description: "A page that says what went wrong.", Content: page}
	handle(s, callback, s.callback)
}

// linking is the operation that gives the address of connecting.
func (s *Server) linking(name, path, summary string) *operation {
	return s.operation(name, http.MethodPost, path, summary).to(withToken).orNoBody()
}

// connecting is the operation that sends a browser to a provider.
func (s *Server) connecting(name, path, summary string) *operation {
	o := s.operation(name, http.MethodGet, path, summary).to(withTicket).
		answers(http.StatusFound, "To the provider, which asks the person.", nil).
		answers(http.StatusSeeOther, "Back to returnTo, if the provider cannot be asked.", nil)
	o.Responses["default"].Description = "What went wrong; for a browser, as a page."
	return o
}

// linkToConnect returns the address of connect, with a ticket for a browser that cannot send headers.
func (s *Server) linkToConnect(ctx context.Context, in *providerInput, request linkRequest) (*linkOutput, error) {
	person, err := s.owner(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	provider := calendars[in.Provider]
	if err := s.checkConnect(account.Request{
		Provider: provider, Access: account.Access(request.Access), ReturnTo: request.ReturnTo,
	}); err != nil {
		return nil, err
	}
	query := url.Values{}
	for name, value := range map[string]string{"access": request.Access, "returnTo": request.ReturnTo} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if request.Tasks {
		query.Set("tasks", "true")
	}
	return s.linkTo(ctx, person, provider, "/calendars/"+in.Provider+"/connect", query)
}

// linkToConnectMail is linkToConnect for a mailbox.
func (s *Server) linkToConnectMail(
	provider, path string,
) func(ctx context.Context, in *personInput, request mailLinkRequest) (*linkOutput, error) {
	return func(ctx context.Context, in *personInput, request mailLinkRequest) (*linkOutput, error) {
		person, err := s.owner(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		if err := s.checkConnect(account.Request{Provider: mailboxes[provider], ReturnTo: request.ReturnTo}); err != nil {
			return nil, err
		}
		query := url.Values{}
		if request.ReturnTo != "" {
			query.Set("returnTo", request.ReturnTo)
		}
		return s.linkTo(ctx, person, mailboxes[provider], path, query)
	}
}

// linkTo returns an address below the person's, with a ticket.
func (s *Server) linkTo(
	ctx context.Context, person meet.PersonID, provider account.Provider, path string, query url.Values,
) (*linkOutput, error) {
	if err := s.offers(provider); err != nil {
		return nil, err
	}
	address := url.URL{Path: "/v1/people/" + string(person) + path, RawQuery: query.Encode()}
	ticket, err := s.cfg.Door.Ticket(ctx, auth.CallerOf(ctx), person, address.RequestURI())
	if err != nil {
		return nil, err
	}
	if ticket != "" {
		query.Set(ticketParameter, ticket)
		address.RawQuery = query.Encode()
	}
	return &linkOutput{link{strings.TrimRight(s.cfg.Calendars.PublicURL, "/") + address.RequestURI()}}, nil
}

// calendars and mailboxes are connected in a browser, by the names of who keeps them.
var (
	calendars = map[string]account.Provider{"google": account.Google, "microsoft": account.Microsoft}
	mailboxes = map[string]account.Provider{"google": account.Gmail, "microsoft": account.Outlook}
)

// checkConnect checks the parameters of a connection.
func (s *Server) checkConnect(r account.Request) error {
	switch {
	case r.Provider == "":
		return fault.New(fault.NotFound, "Only calendars and mail at Google and Microsoft are connected in this way.")
	case r.Access != "" && r.Access != account.Read && r.Access != account.Write:
		return fault.Invalid("access", "must be read or write")
	case !s.mayReturn(r.ReturnTo):
		return fault.Invalid("returnTo", "must be a path on this server, or an address that this server is configured to "+
			"trust")
	}
	return nil
}

// offers returns 501 if accounts at the provider cannot be connected here: only the operator can change that.
func (s *Server) offers(provider account.Provider) error {
	if err := s.cfg.Calendars.Connector.Offers(provider); err != nil {
		return statusError{err, http.StatusNotImplemented}
	}
	return nil
}

func (s *Server) connect(ctx context.Context, in *connectInput) (*huma.StreamResponse, error) {
	return s.send(ctx, in.ID, in.Arrival, account.Request{
		Provider: calendars[in.Provider], Access: account.Access(in.Access), Tasks: in.Tasks, ReturnTo: in.ReturnTo,
	})
}

func (s *Server) connectMail(
	provider string,
) func(ctx context.Context, in *connectMailInput) (*huma.StreamResponse, error) {
	return func(ctx context.Context, in *connectMailInput) (*huma.StreamResponse, error) {
		return s.send(ctx, in.ID, in.Arrival, account.Request{
			Provider: mailboxes[provider], Access: account.Write, ReturnTo: in.ReturnTo,
		})
	}
}

// send sends the browser to the provider, or to a page that says why not: a person does not read problems in JSON.
func (s *Server) send(
	ctx context.Context, segment string, in Arrival, r account.Request,
) (*huma.StreamResponse, error) {
	person, address, err := s.permit(ctx, segment, in.visit, r)
	switch {
	case err != nil && in.visit.page && faultOf(err).Field == "":
		return notConnected(ctx, err, "", r.Provider), nil
	case err != nil:
		return nil, err
	case address != "":
		return redirect(http.StatusFound, address), nil
	}
	browser := in.Browser
	if len(browser) != len(rand.Text()) {
		browser = rand.Text()
	}
	if err = s.offers(r.Provider); err == nil {
		r.Person, r.Browser = person, browser
		address, err = s.cfg.Calendars.Connector.Begin(ctx, r)
	}
	switch {
	case err != nil && (in.visit.page || in.ReturnTo != ""):
		return notConnected(ctx, err, in.ReturnTo, r.Provider), nil
	case err != nil:
		return nil, err
	}
	return &huma.StreamResponse{Body: func(h huma.Context) {
		h.SetHeader("Set-Cookie", s.cookie(browser).String())
		h.SetHeader("Location", address)
		h.SetStatus(http.StatusFound)
	}}, nil
}

// permit returns the person whose account the browser may connect, or the address to which it has to go instead.
func (s *Server) permit(
	ctx context.Context, segment string, v visit, r account.Request,
) (person meet.PersonID, elsewhere string, err error) {
	if !s.mayCome(v) {
		return "", "", fault.New(auth.Forbidden, "Calendars and mail cannot be connected from other web sites. Please "+
			"open this server's own page.")
	}
	if address, ok := s.moved(v); ok {
		return "", address, nil
	}
	if person, err = s.owner(ctx, segment); err != nil {
		return "", "", err
	}
	return person, "", s.checkConnect(r)
}

// notConnected reports a failed connection: at returnTo if given, and otherwise on a page.
func notConnected(ctx context.Context, err error, returnTo string, provider account.Provider) *huma.StreamResponse {
	problem := problemOf(ctx, err)
	if returnTo != "" {
		return redirect(http.StatusSeeOther, withQuery(returnTo, "error", string(problem.Code), provider))
	}
	return landingPage(ctx, problem.Status, outcomeOf(problem), provider, provider.Title())
}

// cookie comes back when the provider redirects the browser here, which needs SameSite=Lax.
func (s *Server) cookie(browser string) *http.Cookie {
	return &http.Cookie{
		Name: browserCookie, Value: browser, Path: "/v1", MaxAge: int(browserLife.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(s.cfg.Calendars.PublicURL, "https:"),
	}
}

// mayCome keeps other sites from making people connect their calendars to a person of the site's choice.
func (s *Server) mayCome(v visit) bool {
	return v.site != "cross-site" || s.trusts(v.referer)
}

// trusts reports whether an address has an allowed origin.
func (s *Server) trusts(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	origin := u.Scheme + "://" + u.Host
	return slices.ContainsFunc(slices.Concat(s.cfg.Calendars.ReturnTo, s.cfg.Origins), func(o string) bool {
		return strings.EqualFold(strings.TrimRight(o, "/"), origin)
	})
}

// mayReturn keeps this server from sending people to pages of other sites.
func (s *Server) mayReturn(address string) bool {
	if len(address) > maxAddress || strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r == '\\' || r == 0x7f
	}) {
		return false
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	here := u.Scheme == "" && u.Host == "" && u.Opaque == "" && strings.HasPrefix(address, "/") &&
		!strings.HasPrefix(address, "//")
	return address == "" || here || (u.Scheme == "https" || u.Scheme == "http") && s.trusts(address)
}

// moved returns the same address under this machine's public name, to which the provider sends people back: a cookie
// belongs to one name. It does so on loopback only, because behind a proxy names may differ.
func (s *Server) moved(v visit) (address string, ok bool) {
	public, err := url.Parse(s.cfg.Calendars.PublicURL)
	if err != nil || !loopback(public.Hostname()) || strings.EqualFold(public.Host, v.host) {
		return "", false
	}
	from := url.URL{Host: v.host}
	if !loopback(from.Hostname()) || from.Port() != public.Port() {
		return "", false
	}
	return strings.TrimRight(public.String(), "/") + v.path, true
}

// callback ends a connection and shows the result to the person at the browser.
func (s *Server) callback(ctx context.Context, in *callbackInput) (*huma.StreamResponse, error) {
	landing, err := s.cfg.Calendars.Connector.Finish(ctx, account.Return{
		State: in.State, Code: in.Code, Failure: in.Error, Browser: in.Browser,
	})
	switch {
	case err == nil && landing.Again != "":
		return redirect(http.StatusFound, landing.Again), nil
	case err != nil:
		return notConnected(ctx, err, landing.ReturnTo, landing.Provider), nil
	case landing.ReturnTo != "":
		return redirect(http.StatusSeeOther, withQuery(landing.ReturnTo, "connected", string(landing.Provider),
			landing.Provider)), nil
	}
	return landingPage(ctx, http.StatusOK, landedWell, landing.Provider, landing.Account.Address), nil
}

func redirect(status int, address string) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(h huma.Context) {
		h.SetHeader("Location", address)
		h.SetStatus(status)
	}}
}

// withQuery adds the result to an address that was checked before.
func withQuery(address, name, value string, provider account.Provider) string {
	u, err := url.Parse(address)
	if err != nil {
		return "/"
	}
	query := u.Query()
	query.Set("provider", string(provider))
	query.Set(name, value)
	u.RawQuery = query.Encode()
	return u.String()
}
