// Package imap keeps the mailboxes of people at servers that speak IMAP (RFC 3501, 9051). imap.go has what is done with
// all of a person's accounts; account.go one account and its connections, session.go one connection, folder.go,
// search.go, list.go and change.go what is done with it.
//
// A mail's id is made of when it came and of what its header says, so that it lasts when any program moves the mail,
// and when a folder gets a new UIDVALIDITY. Nothing is kept here but where mails were seen last, to find them faster.
package imap

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"slices"
	"time"

	"convene/pkg/account"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/meet"
)

// Name is the provider's.
const Name = "imap"

// Config configures a Provider. Accounts and Dialer are required.
type Config struct {
	Accounts account.Opener
	// Dialer makes connections, and may refuse addresses.
	Dialer *net.Dialer
	// Plain allows imap://, which sends passwords unencrypted.
	Plain bool
	// TLS are settings beside the server's name. Defaults to those of the system.
	TLS *tls.Config
	// Limit bounds each call with all it sends. Defaults to 20 s.
	Limit time.Duration
}

// Provider is a mail.Keeper of the accounts that people have connected. Close ends its connections. It is safe for
// concurrent use.
type Provider struct {
	*remote.Provider[*box]
	cfg Config
}

// New is the provider of these accounts.
func New(cfg Config) *Provider {
	cfg.Limit = cmp.Or(cfg.Limit, 20*time.Second)
	p := &Provider{cfg: cfg}
	p.Provider = &remote.Provider[*box]{
		Kind: account.IMAP, Accounts: cfg.Accounts, End: (*box).end,
		Box: func(a account.Account) *box { return newBox(&p.cfg, a) },
	}
	return p
}

// Outgoing is the SMTP server of the person's first account that has one. ErrNotConnected says that there is none.
func (p *Provider) Outgoing(ctx context.Context, person meet.Person) (server string, c account.Credential, err error) {
	accounts, err := p.cfg.Accounts.Accounts(ctx, person.ID, account.IMAP)
	i := slices.IndexFunc(accounts, func(a account.Account) bool { return a.Outgoing != "" })
	if err != nil || i < 0 {
		return "", c, cmp.Or(err, mail.ErrNotConnected)
	}
	c, err = p.cfg.Accounts.Credential(ctx, accounts[i].ID)
	return accounts[i].Outgoing, c, err
}
