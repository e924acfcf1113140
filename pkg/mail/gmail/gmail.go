// Package gmail keeps the mailboxes of people at Gmail (API v1, the scope gmail.modify alone). gmail.go has what is
// done with all of a person's accounts; session.go one call for one account, state.go what labels mean, list.go
// and change.go what is done with mails, send.go how they leave.
//
// Gmail has labels and no folders: what is in the inbox, sent, drafted, junk or in the trash has a label that says so,
// and all else is archived. A mail that was moved into another folder is archived under a label of that name; that the
// label is its folder stands in Convene's own store.
package gmail

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"golang.org/x/time/rate"
	gapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"convene/pkg/account"
	"convene/pkg/account/google"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/record"
)

// Name is the provider's.
const Name = string(account.Gmail)

// Config configures a Provider. Accounts and Moved are required.
type Config struct {
	Accounts account.Opener
	// Moved keeps which label is the folder of a mail.
	Moved record.Book
	// Endpoint is the root of the API. Defaults to Google's own.
	Endpoint string
	// Base makes the connections. Defaults to transports of the clients' own.
	Base http.RoundTripper
	// Limit bounds each call with all that it asks Gmail. Defaults to 30 s.
	Limit time.Duration
}

// Bounds of one answer of Gmail, in bytes: a mail as it is listed, with its beginning; and a whole one, in base64.
const (
	mostGlanced = 2 << 20
	mostWhole   = mail.MostContent/3*4 + 1<<20
)

// Provider is a mail.Keeper and a mail.Outlet.
type Provider struct {
	*remote.Provider[*box]
	at *site
}

// site is Gmail, as it is called for all accounts.
type site struct {
	Config
	// glance makes calls with short answers, and whole those with whole mails.
	glance, whole *http.Client
}

// New makes a Provider. It makes no calls.
func New(cfg Config) *Provider {
	cfg.Limit = cmp.Or(cfg.Limit, 30*time.Second)
	client := func(most int64) *http.Client {
		return outbound.Client(outbound.Config{
			Name: Name, Base: cfg.Base, MaxBody: most, Deadline: cfg.Limit, Retryable: google.WorthAnotherTry,
		})
	}
	at := &site{Config: cfg, glance: client(mostGlanced), whole: client(mostWhole)}
	return &Provider{at: at, Provider: &remote.Provider[*box]{
		Kind: account.Gmail, Accounts: cfg.Accounts,
		Box: func(a account.Account) *box {
			return &box{site: at, account: a, pace: rate.NewLimiter(aSecond, atFirst), heads: map[string]head{}}
		},
	}}
}

// Outgoing sends from the person's first account.
func (p *Provider) Outgoing(ctx context.Context, person meet.Person) (mail.Sender, error) {
	boxes, err := p.Of(ctx, person)
	if err != nil {
		return nil, err
	}
	return boxes[0], nil
}

// Lister knows the address of an account that was just connected.
type Lister struct{ *Provider }

// List is the account's address. It has no calendars.
func (l Lister) List(
	ctx context.Context, credential account.Credential,
) (address string, _ []account.Calendar, err error) {
	again := fault.New(fault.CalendarFailed, "connect the Gmail mailbox once more")
	fresh := google.Fresh{Given: credential, Again: again}
	api, err := l.at.open(ctx, &google.Bearer{Accounts: fresh, Next: l.at.glance})
	if err != nil {
		return "", nil, err
	}
	is, err := api.GetProfile(me).Context(ctx).Do()
	if err != nil {
		return "", nil, remote.Explain(ctx, err, reason)
	}
	return is.EmailAddress, nil, nil
}

// me is Gmail's name for the account whose token is used.
const me = "me"

// open is Gmail's client with the credentials of b. With our own HTTP client Google ignores its options for tokens, and
// its logs would hold mails.
func (s *site) open(ctx context.Context, b *google.Bearer) (*gapi.UsersService, error) {
	options := []option.ClientOption{
		option.WithHTTPClient(&http.Client{Transport: b}), option.WithLogger(slog.New(slog.DiscardHandler)),
	}
	if s.Endpoint != "" {
		options = append(options, option.WithEndpoint(strings.TrimSuffix(s.Endpoint, "/")+"/"))
	}
	api, err := gapi.NewService(ctx, options...)
	if err != nil {
		return nil, fault.New(fault.Internal, "Gmail is not set up correctly.").Because(err)
	}
	return api.Users, nil
}
