package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/account"
	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Bounds of a request that connects a calendar.
const (
	maxAddress = 2048 // bytes of an address
	maxLogin   = 512  // bytes of a user name or a password
	maxLabel   = 200  // characters of a name
)

// The ports to connected calendars. Their errors are faults.
type (
	// Accounts keeps connected accounts. Another person's account is fault.NotFound.
	Accounts interface {
		List(ctx context.Context, person meet.PersonID) ([]account.Account, error)
		Choose(ctx context.Context, person meet.PersonID, id account.ID, choices []account.Choice) (account.Account, error)
		Remove(ctx context.Context, person meet.PersonID, id account.ID) error
		// RemoveAll disconnects all accounts of the person; having none is not an error.
		RemoveAll(ctx context.Context, person meet.PersonID) error
	}
	// Connector connects calendars.
	Connector interface {
		// Offers returns a fault if calendars at the provider cannot be connected here.
		Offers(p account.Provider) error
		Begin(ctx context.Context, r account.Request) (address string, err error)
		Finish(ctx context.Context, r account.Return) (account.Landing, error)
		AddCalDAV(ctx context.Context, person meet.PersonID, login account.ServerLogin) (account.Account, error)
		AddFeed(ctx context.Context, person meet.PersonID, address, name string) (account.Account, error)
	}
)

// Calendars configures the routes of connected calendars. Without Accounts they do not exist.
type Calendars struct {
	Accounts  Accounts
	Connector Connector
	// PublicURL is where browsers reach this server, as https://convene.example; CallbackPath below it is registered with
	// providers.
	PublicURL string
	// ReturnTo are the origins, as https://app.example, besides this server's own, whose pages may send people to connect
	// a calendar and get them back.
	ReturnTo []string
}

// connectedAccount is an account as its owner sees it.
type connectedAccount struct {
	ID        account.ID         `json:"id"`
	Provider  account.Provider   `json:"provider" enum:"google,microsoft,caldav,ics"`
	Access    account.Access     `json:"access" enum:"read,write" doc:"Events can be written with write only."`
	Tasks     bool               `json:"tasks,omitempty" doc:"Whether tasks at Google or Microsoft are read and changed too."`
	Address   string             `json:"address" doc:"An email address, a user name, or the name of a feed."`
	Server    string             `json:"server,omitempty" doc:"The calendar home of a CalDAV account."`
	State     string             `json:"state" enum:"connected,problem"`
	Problem   string             `json:"problem,omitempty" doc:"What the user has to do before the account can be read again."`
	Connected time.Time          `json:"connected"`
	Calendars []account.Calendar `json:"calendars" doc:"An empty list means the account's main calendar."`
}

func viewOf(a account.Account) connectedAccount {
	state := "connected"
	if a.Problem != "" {
		state = "problem"
	}
	return connectedAccount{
		ID: a.ID, Provider: a.Provider, Access: a.Access, Tasks: a.Tasks, Address: a.Address, Server: a.Server,
		State: state, Problem: a.Problem, Connected: a.Connected, Calendars: append([]account.Calendar{}, a.Calendars...),
	}
}

type accountInput struct {
	ID      string `path:"id" doc:"The person's id."`
	Account string `path:"cid" doc:"The connected account's id."`
}

type accountOutput struct{ Body connectedAccount }

type accountsOutput struct {
	Body struct {
		Accounts []connectedAccount `json:"accounts"`
	}
}

// caldavRequest is the body that connects an account at a CalDAV server.
type caldavRequest struct {
	_        struct{} `additionalProperties:"false"`
	Server   string   `json:"server" maxLength:"2048" doc:"The server's https address, its name, or an email address at it." example:"https://caldav.fastmail.com"`
	Username string   `json:"username" maxLength:"512"`
	Password string   `json:"password" maxLength:"512" doc:"An app password, if the provider has them. It is stored encrypted and never shown."`
}

// feedRequest is the body that connects a published calendar.
type feedRequest struct {
	_    struct{} `additionalProperties:"false"`
	URL  string   `json:"url" maxLength:"2048" doc:"The calendar's address: https, http or webcal. It is stored encrypted and never shown."`
	Name string   `json:"name,omitempty" maxLength:"200" doc:"Left out, the calendar's own."`
}

// choicesRequest is the body that chooses calendars of an account.
type choicesRequest struct {
	_         struct{}               `additionalProperties:"false"`
	Calendars []raw[calendarRequest] `json:"calendars"`
}

// calendarRequest chooses how one calendar is used.
type calendarRequest struct {
	_      struct{} `additionalProperties:"false"`
	ID     string   `json:"id"`
	Blocks *bool    `json:"blocks,omitempty" doc:"Its events make the person busy."`
	Target *bool    `json:"target,omitempty" doc:"Confirmed events are written to it; at most one of an account's calendars is the target."`
}

func (s *Server) accountRoutes() {
	if s.cfg.Calendars.Accounts == nil {
		return
	}
	const base = "/v1/people/{id}/calendars"
	handle(s, s.operation("listCalendars", http.MethodGet, base, "List a person's connected calendars").
		to(withToken), s.listCalendars)
	handleBody(s, s.operation("connectCalDAV", http.MethodPost, base+"/caldav",
		"Connect a CalDAV account, as iCloud, Fastmail or Nextcloud").
		to(withToken), s.connectCalDAV)
	handleBody(s, s.operation("connectFeed", http.MethodPost, base+"/ics",
		"Connect a calendar that is published at an address, read only").
		to(withToken), s.connectFeed)
	handleBody(s, s.operation("chooseCalendars", http.MethodPatch, base+"/{cid}",
		"Choose which calendars make the person busy, and which one is written to").
		to(withToken), s.chooseCalendars)
	handle(s, s.operation("disconnectCalendar", http.MethodDelete, base+"/{cid}",
		"Disconnect an account and revoke its tokens").
		to(withToken), s.disconnectCalendar)
	s.connectRoutes(base)
}

// owner is the stored person whose calendars a request is about.
func (s *Server) owner(ctx context.Context, segment string) (meet.PersonID, error) {
	id, err := personID(segment)
	if err != nil {
		return "", err
	}
	if !auth.CallerOf(ctx).MayOrganize(id) {
		return "", noPerson()
	}
	_, err = s.cfg.People.Person(ctx, id)
	return id, err
}

func (s *Server) listCalendars(ctx context.Context, in *personInput) (*accountsOutput, error) {
	accounts, err := s.accountsOf(ctx, in.ID, func(a account.Account) bool { return !a.Provider.KeepsMail() })
	out := &accountsOutput{}
	out.Body.Accounts, _ = first(len(accounts), accounts, viewOf)
	return out, err
}

// accountsOf are a person's accounts of a kind.
func (s *Server) accountsOf(
	ctx context.Context, segment string, of func(account.Account) bool,
) ([]account.Account, error) {
	person, err := s.owner(ctx, segment)
	if err != nil {
		return nil, err
	}
	accounts, err := s.cfg.Calendars.Accounts.List(ctx, person)
	return slices.DeleteFunc(accounts, func(a account.Account) bool { return !of(a) }), err
}

func (s *Server) connectCalDAV(ctx context.Context, in *personInput, request caldavRequest) (*accountOutput, error) {
	person, err := s.owner(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	login := account.ServerLogin{
		Server: strings.TrimSpace(request.Server), Username: strings.TrimSpace(request.Username), Password: request.Password,
	}
	if err := checkLogin(login, "https://caldav.fastmail.com"); err != nil {
		return nil, err
	}
	added, err := s.cfg.Calendars.Connector.AddCalDAV(ctx, person, login)
	return &accountOutput{viewOf(added)}, refused(err)
}

func (s *Server) connectFeed(ctx context.Context, in *personInput, request feedRequest) (*accountOutput, error) {
	person, err := s.owner(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	address, err := feedAddress(request.URL)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(request.Name)
	if utf8.RuneCountInString(name) > maxLabel {
		return nil, fault.Invalid("name", "is too long: at most %d characters", maxLabel)
	}
	added, err := s.cfg.Calendars.Connector.AddFeed(ctx, person, address, name)
	return &accountOutput{viewOf(added)}, refused(err)
}

// refused gives a calendar that cannot be opened with the credentials or address of the request the status 422: the
// request has to change.
func refused(err error) error {
	if fault.CodeOf(err) == fault.CalendarFailed && !fault.As(err).Retryable {
		return statusError{err, http.StatusUnprocessableEntity}
	}
	return err
}

// checkLogin refuses members that are missing or too long. The connector checks the server's address.
func checkLogin(login account.ServerLogin, example string) error {
	switch {
	case login.Server == "":
		return fault.Invalid("server", "is missing: the server's address, as %s", example)
	case login.Username == "":
		return fault.Invalid("username", "is missing")
	case login.Password == "":
		return fault.Invalid("password", "is missing: most providers want an app password")
	case len(login.Server) > maxAddress:
		return fault.Invalid("server", "is too long")
	case len(login.Username) > maxLogin:
		return fault.Invalid("username", "is too long")
	case len(login.Password) > maxLogin:
		return fault.Invalid("password", "is too long")
	}
	return nil
}

// feedAddress checks the address of a feed; webcal stands for https. Faults do not repeat it, because it is a secret.
func feedAddress(given string) (string, error) {
	given = strings.TrimSpace(given)
	if scheme, rest, ok := strings.Cut(given, "://"); ok &&
		(strings.EqualFold(scheme, "webcal") || strings.EqualFold(scheme, "webcals")) {
		given = "https://" + rest
	}
	address, err := url.Parse(given)
	switch {
	case given == "" || len(given) > maxAddress:
		return "", fault.Invalid("url", "must be an address of at most %d characters", maxAddress)
	case err != nil, address.Scheme != "https" && address.Scheme != "http", address.Hostname() == "":
		return "", fault.Invalid("url", "must be a web address such as https://calendar.example/name")
	case address.User != nil:
		return "", fault.Invalid("url", "must not hold a user name or a password")
	}
	return address.String(), nil
}

func (s *Server) chooseCalendars(
	ctx context.Context, in *accountInput, request choicesRequest,
) (*accountOutput, error) {
	person, id, err := s.ownAccount(ctx, in)
	if err != nil {
		return nil, err
	}
	if len(request.Calendars) == 0 {
		return nil, fault.Invalid("calendars", "is missing: a list of calendars with blocks or target")
	}
	var choices []account.Choice
	for i, part := range request.Calendars {
		choice, err := part.decode(fmt.Sprintf("calendars[%d]", i))
		if err != nil {
			return nil, err
		}
		choices = append(choices, account.Choice{Calendar: choice.ID, Blocks: choice.Blocks, Target: choice.Target})
	}
	chosen, err := s.cfg.Calendars.Accounts.Choose(ctx, person, id, choices)
	return &accountOutput{viewOf(chosen)}, err
}

func (s *Server) disconnectCalendar(ctx context.Context, in *accountInput) (*struct{}, error) {
	person, id, err := s.ownAccount(ctx, in)
	if err != nil {
		return nil, err
	}
	return nil, s.cfg.Calendars.Accounts.Remove(ctx, person, id)
}

func (s *Server) ownAccount(ctx context.Context, in *accountInput) (meet.PersonID, account.ID, error) {
	person, err := s.owner(ctx, in.ID)
	if err != nil {
		return "", "", err
	}
	id, err := idOf[account.ID](in.Account, fault.New(fault.NotFound, "This calendar is not connected."))
	return person, id, err
}
