// Package outlook keeps the mailboxes of people at Microsoft 365 and Outlook.com through Microsoft Graph (v1.0, the
// scopes Mail.ReadWrite and Mail.Send). outlook.go has what is done with all of a person's accounts; session.go one
// call for one account, folder.go what its folders are called, message.go what a mail is at Graph, list.go and
// search.go how mails are found, change.go what is done with them, letter.go what is written and send.go how it leaves.
//
// Every request asks for immutable ids, which stay when a mail is moved. Graph keeps no mail as it was sent: what it is
// given has an extended property with its Message-ID, by which it is found if Exchange puts another one in its place.
package outlook

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/meet"
)

// Name is the provider's.
const Name = string(account.Outlook)

// Config configures a Provider. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API, version included. Defaults to graph.DefaultEndpoint.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the provider's own.
	Base http.RoundTripper
	// Limit bounds each call with all that it asks Graph. Defaults to 30 s.
	Limit time.Duration
}

// Provider is a mail.Keeper and a mail.Outlet.
type Provider struct {
	*remote.Provider[*box]
	graph *graph.Client
}

// New makes a Provider. It makes no calls.
func New(cfg Config) (*Provider, error) {
	cfg.Limit = cmp.Or(cfg.Limit, 30*time.Second)
	client, err := graph.New(graph.Config{
		Accounts: cfg.Accounts, Endpoint: cfg.Endpoint, Base: cfg.Base, Deadline: cfg.Limit, MaxBody: mail.MostContent,
	})
	if err != nil {
		return nil, err
	}
	return &Provider{graph: client, Provider: &remote.Provider[*box]{
		Kind: account.Outlook, Accounts: cfg.Accounts,
		Box: func(a account.Account) *box {
			return &box{graph: client, limit: cfg.Limit, account: a, handed: map[string]string{}}
		},
	}}, nil
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
	from := graph.Given(credential)
	if address, err = l.graph.Owner(ctx, from); err == nil {
		inbox := graph.Get("/me/mailFolders/inbox", graph.Query{}.With("$select", "id"))
		_, err = graph.Ask[folder](ctx, l.graph, from, inbox) // an account without a mailbox says so
	}
	if graph.IsStatus(err, http.StatusUnauthorized) {
		err = fault.New(fault.CalendarFailed, "connect the Outlook mailbox once more")
	}
	return address, nil, remote.Explain(ctx, err, reason)
}
