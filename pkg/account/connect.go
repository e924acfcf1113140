package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/oauth2"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// connectWithin is how long a person may take at the provider. The pending connection expires then too.
const connectWithin = 10 * time.Minute

// ConnectorConfig configures a Connector. Store and Pending are required.
type ConnectorConfig struct {
	Store   *Store
	Pending Pending
	// RedirectURL is the redirect URI as it is registered at the providers.
	RedirectURL string
	// Listers are for the providers with OAuth.
	Listers   map[Provider]Lister
	CalDAV    Discoverer
	Feeds     Checker
	Mailboxes MailChecker
}

// Connector connects accounts: with OAuth by Begin and Finish, others at once.
type Connector struct {
	cfg   ConnectorConfig
	store *Store
}

// NewConnector makes a Connector that stores accounts in cfg.Store.
func NewConnector(cfg ConnectorConfig) *Connector { return &Connector{cfg: cfg, store: cfg.Store} }

// Request asks to connect an account.
type Request struct {
	Person   meet.PersonID
	Provider Provider
	// Access defaults to that of an account of the person's that must be reconnected, and else to Read: Write is requested
	// when the first event is written.
	Access Access
	// Tasks asks for the account's tasks too. An account that has them keeps them.
	Tasks bool
	// ReturnTo is returned by Finish.
	ReturnTo string
	// Browser is a random value that only the person's browser has, in a cookie.
	Browser string
}

// Return has the parameters with which the provider redirects the person's browser back.
type Return struct {
	State, Code string
	// Failure is the provider's error code, if it refused.
	Failure string
	Browser string
}

// Landing is the state of a connection. It comes with an error too, as far as it is known.
type Landing struct {
	// Tenant is the tenant for which the connection was begun.
	Tenant   meet.Tenant
	Provider Provider
	Account  Account
	ReturnTo string
	// Again, if set, is the address at which the person must be asked once more, for explicit consent: the provider gave
	// no lasting access, and nothing is connected yet.
	Again string
}

// connection is kept while the person is at the provider. It is stored sealed.
type connection struct {
	Tenant   meet.Tenant `json:",omitempty"`
	Person   meet.PersonID
	Provider Provider
	Access   Access
	Tasks    bool `json:",omitempty"`
	Redirect string
	ReturnTo string
	Verifier string
	// Browser is the fingerprint of the browser for this person, provider and redirect.
	Browser string
	Began   time.Time
	// Consent says that the person was asked for explicit consent.
	Consent bool
}

// Format keeps the verifier out of formatted text.
func (connection) Format(f fmt.State, _ rune) { hide(f) }

// Begin is the provider's authorization URL, valid for ten minutes and for one use by the same browser.
func (c *Connector) Begin(ctx context.Context, r Request) (address string, err error) {
	usual, tasks, err := c.usual(ctx, r)
	if err != nil {
		return "", err
	}
	return c.begin(ctx, r.Browser, connection{
		Tenant: meet.TenantOf(ctx), Person: r.Person, Provider: r.Provider, ReturnTo: r.ReturnTo,
		Access: cmp.Or(r.Access, usual), Tasks: r.Tasks || tasks,
	})
}

// Offers is a fault if accounts at the provider cannot be connected here.
func (c *Connector) Offers(p Provider) error {
	if _, ok := c.store.providers[p]; !ok || c.cfg.Listers[p] == nil {
		return notConfigured(p)
	}
	return nil
}

// usual is Write for a person who must reconnect a writable account, and tasks for one who has an account with them.
func (c *Connector) usual(ctx context.Context, r Request) (access Access, tasks bool, err error) {
	accounts, err := c.store.Accounts(ctx, r.Person, r.Provider)
	access = Read
	for _, a := range accounts {
		tasks = tasks || a.Tasks
		if a.Problem != "" && a.Access == Write {
			access = Write
		}
	}
	return access, tasks, err
}

func (c *Connector) begin(ctx context.Context, browser string, pending connection) (address string, err error) {
	if err := c.Offers(pending.Provider); err != nil {
		return "", err
	}
	p := c.store.providers[pending.Provider]
	pending.Redirect, pending.Verifier, pending.Began = c.cfg.RedirectURL, oauth2.GenerateVerifier(), c.store.cfg.Now()
	pending.Browser = pending.fingerprint(browser)
	plain, err := json.Marshal(pending)
	if err != nil {
		return "", fmt.Errorf("begin connection: %w", err)
	}
	state := rand.Text()
	name := nameOf(state)
	sealed, err := c.store.cfg.Secrets.Seal(plain, connectionPurpose(name)...)
	if err != nil {
		return "", fmt.Errorf("begin connection: %w", err)
	}
	if err := c.cfg.Pending.Keep(ctx, name, sealed); err != nil {
		return "", fmt.Errorf("begin connection: %w", err)
	}
	return p.address(state, pending), nil
}

// Finish connects the account, for the tenant for which that was begun, not that of ctx: a provider's redirect has no
// key. A state is valid for one call, whatever its result.
func (c *Connector) Finish(ctx context.Context, r Return) (Landing, error) {
	pending, err := c.take(ctx, r)
	landing := Landing{Tenant: pending.Tenant, Provider: pending.Provider, ReturnTo: pending.ReturnTo}
	if err != nil {
		return landing, err
	}
	ctx = meet.InTenant(ctx, pending.Tenant)
	if r.Failure != "" || r.Code == "" {
		return landing, declined(pending.Provider, r.Failure)
	}
	p, ok := c.store.providers[pending.Provider]
	if !ok {
		return landing, notConfigured(pending.Provider)
	}
	token, err := p.exchange(ctx, r.Code, pending)
	if err != nil {
		return landing, notExchanged(pending.Provider, err)
	}
	access, ok := p.granted(token, pending.Access)
	if !ok {
		c.discard(ctx, p, pending.Person, token)
		return landing, tooLittle(pending.Provider)
	}
	if token.RefreshToken == "" {
		landing.Again, err = c.again(ctx, r.Browser, pending)
		return landing, err
	}
	pending.Access, pending.Tasks = access, pending.Tasks && p.grantsTasks(token)
	landing.Account, err = c.connect(ctx, pending, secretOf(token, c.store.cfg.Now()))
	return landing, err
}

// take returns the pending connection of the state, to the browser that began it.
func (c *Connector) take(ctx context.Context, r Return) (connection, error) {
	name := nameOf(r.State)
	sealed, err := c.cfg.Pending.Take(ctx, name)
	if fault.CodeOf(err) == fault.NotFound {
		return connection{}, stale(err)
	}
	if err != nil {
		return connection{}, fmt.Errorf("finish connection: %w", err)
	}
	plain, err := c.store.cfg.Secrets.Open(sealed, connectionPurpose(name)...)
	if err != nil {
		return connection{}, stale(err)
	}
	var pending connection
	if err := json.Unmarshal(plain, &pending); err != nil {
		return connection{}, stale(err)
	}
	if pending.Redirect != c.cfg.RedirectURL || c.store.cfg.Now().Sub(pending.Began) > connectWithin {
		return connection{}, stale(nil)
	}
	if r.Browser == "" || subtle.ConstantTimeCompare([]byte(pending.fingerprint(r.Browser)),
		[]byte(pending.Browser)) != 1 {
		return connection{},
			invalidState("This connection was begun in another browser. Please connect the account again, " +
				"and stay in one browser with cookies allowed.")
	}
	return pending, nil
}

// again asks for explicit consent, without which Google gives no lasting access to a person who agreed before.
func (c *Connector) again(ctx context.Context, browser string, pending connection) (string, error) {
	if pending.Consent {
		return "", fault.New(fault.CalendarFailed, "%s gave no lasting access to the %s. Please try again.",
			pending.Provider.Title(), pending.Provider.Thing())
	}
	pending.Consent = true
	return c.begin(ctx, browser, pending)
}

// connect lists the account's calendars and stores it, with the access that was granted.
func (c *Connector) connect(ctx context.Context, pending connection, x secret) (Account, error) {
	address, calendars, err := c.cfg.Listers[pending.Provider].List(ctx, x.Credential)
	if err != nil {
		return Account{}, fmt.Errorf("list what a new account has: %w", err)
	}
	if address == "" {
		return Account{}, fault.New(fault.CalendarFailed, "%s did not say whose %s this is.", pending.Provider.Title(),
			pending.Provider.Thing())
	}
	return c.store.add(ctx, Account{
		Person: pending.Person, Provider: pending.Provider, Access: pending.Access, Tasks: pending.Tasks,
		Address: address, Calendars: calendars,
	}, strings.ToLower(address), x)
}

// discard revokes unused tokens, unless that would end what others may do.
func (c *Connector) discard(ctx context.Context, p *provider, person meet.PersonID, token *oauth2.Token) {
	shared, err := c.store.shares(ctx, person, p.name, "")
	if err == nil && !shared {
		err = p.revoke(ctx, cmp.Or(token.RefreshToken, token.AccessToken))
	}
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("unused tokens could not be revoked")
	}
}

// tooLittle is the fault for access without which nothing can be read.
func tooLittle(p Provider) error {
	what := "see when your " + p.Title() + " calendars are busy"
	if p.KeepsMail() {
		what = "read and change your mail"
	}
	return fault.New(fault.Cancelled, "Nothing was connected: Convene needs to be allowed to %s. Please try again and "+
		"leave all boxes ticked.", what)
}

// fingerprint binds a browser to its connection.
func (p connection) fingerprint(browser string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{browser, string(p.Person), string(p.Provider), p.Redirect}))
	return hex.EncodeToString(sum[:])
}

// nameOf is the storage name of the connection with a state; the state cannot be derived from it.
func nameOf(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}

func connectionPurpose(name string) []string { return []string{"connection", name} }

func stale(cause error) error {
	return invalidState("This connection has expired or was used already. Please connect the account again.").
		Because(cause)
}

func invalidState(message string) *fault.Error {
	return &fault.Error{Code: fault.InvalidRequest, Field: "state", Message: message}
}

// declined is the fault for a provider's error code.
func declined(p Provider, code string) error {
	cause := fmt.Errorf("authorization: error %q", codeWord(code))
	switch code {
	case "access_denied", "consent_required", "interaction_required", "login_required", "":
		return fault.New(fault.Cancelled, "Nothing was connected, because access to the %s %s was not given.",
			p.Title(), p.Thing()).Because(cause)
	case "temporarily_unavailable", "server_error":
		return unavailable(p, cause)
	default:
		return misconfigured(p, cause)
	}
}

// notExchanged is the fault for a code that could not be exchanged. If it has expired or was used, the person must
// begin again.
func notExchanged(p Provider, err error) error {
	said, ok := errors.AsType[*tokenError](err)
	switch {
	case !ok || said.status >= http.StatusInternalServerError || said.status == http.StatusTooManyRequests:
		return unavailable(p, err)
	case said.code == "invalid_grant":
		return stale(err)
	default:
		return misconfigured(p, err)
	}
}

func unavailable(p Provider, cause error) error {
	return fault.New(fault.CalendarFailed, "%s cannot connect accounts at the moment. Please try again in a few minutes.",
		p.Title()).Later(time.Minute).Because(cause)
}

func misconfigured(p Provider, cause error) error {
	return fault.New(fault.CalendarFailed, "%s does not let this server connect accounts. Its operator finds the reason "+
		"in the log.", p.Title()).Because(cause)
}
