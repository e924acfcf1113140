// Package imap keeps the mailboxes of people at servers that speak IMAP (RFC 3501, 9051). imap.go has what is done with
// all of a person's accounts; account.go one account and its connections, session.go one connection, folder.go,
// search.go, list.go and change.go what is done with it.
//
// A mail's id is made of when it came and of what its header says, so that it lasts when any program moves the mail,
// and when a folder gets a new UIDVALIDITY. Nothing is kept here but where mails were seen last, to find them faster.
package imap

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/mail"
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

// Provider is a mail.Provider that can also add mails. It is safe for concurrent use.
type Provider struct {
	cfg   Config
	mu    sync.Mutex
	boxes map[account.ID]*box
}

// New is the provider of the accounts that people have connected. Close ends its connections.
func New(cfg Config) *Provider {
	cfg.Limit = cmp.Or(cfg.Limit, 20*time.Second)
	return &Provider{cfg: cfg, boxes: map[account.ID]*box{}}
}

// Close ends connections that nothing uses.
func (p *Provider) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, b := range p.boxes {
		b.end()
	}
}

// Name is Name.
func (*Provider) Name() string { return Name }

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

// mostBoxes bounds the accounts whose connections and places are kept.
const mostBoxes = 1000

// of are the person's accounts.
func (p *Provider) of(ctx context.Context, person meet.Person) ([]*box, error) {
	accounts, err := p.cfg.Accounts.Accounts(ctx, person.ID, account.IMAP)
	if err != nil {
		return nil, err
	}
	if len(accounts) == 0 {
		return nil, mail.ErrNotConnected
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.boxes) > mostBoxes {
		for _, b := range p.boxes {
			b.end()
		}
		clear(p.boxes)
	}
	boxes := make([]*box, len(accounts))
	for i, a := range accounts {
		b := p.boxes[a.ID]
		if b == nil {
			b = newBox(&p.cfg, a)
			p.boxes[a.ID] = b
		}
		boxes[i] = b
	}
	return boxes, nil
}

// one is an account as a mail.Provider.
type one struct {
	mail.Provider
	box *box
}

func (o one) Folders(ctx context.Context, _ meet.Person) ([]mail.Folder, error) {
	return o.box.folders(ctx)
}

func (o one) List(ctx context.Context, _ meet.Person, q mail.Query) (mail.Page, error) {
	return o.box.list(ctx, q)
}

// together are the person's accounts as one mailbox.
func (p *Provider) together(ctx context.Context, person meet.Person) (d mail.Directory, err error) {
	boxes, err := p.of(ctx, person)
	for _, b := range boxes {
		d.Providers = append(d.Providers, one{p, b})
	}
	return d, err
}

// Folders are those with a purpose, and the others that are there.
func (p *Provider) Folders(ctx context.Context, person meet.Person) ([]mail.Folder, error) {
	d, err := p.together(ctx, person)
	if err != nil {
		return nil, err
	}
	return d.Folders(ctx, person)
}

// List is a page of the mails that a query means.
func (p *Provider) List(ctx context.Context, person meet.Person, q mail.Query) (mail.Page, error) {
	d, err := p.together(ctx, person)
	if err != nil {
		return mail.Page{}, err
	}
	return d.List(ctx, person, q)
}

// Open is a mail and its content, at most mail.MostContent of it.
func (p *Provider) Open(
	ctx context.Context, person meet.Person, id string,
) (m mail.Mail, content io.ReadCloser, err error) {
	boxes, err := p.of(ctx, person)
	if err != nil {
		return m, nil, err
	}
	var raw []byte
	err = first(boxes, func(b *box) (err error) {
		m, raw, err = b.read(ctx, id)
		return err
	})
	if errors.Is(err, errGone) {
		err = mail.NotFound()
	}
	return m, io.NopCloser(bytes.NewReader(raw)), err
}

// Apply sets flags, keywords and the folder of a mail.
func (p *Provider) Apply(ctx context.Context, person meet.Person, a mail.Amendment) (now mail.State, err error) {
	boxes, err := p.of(ctx, person)
	if err != nil {
		return now, err
	}
	err = first(boxes, func(b *box) (err error) {
		now, err = b.apply(ctx, a)
		return err
	})
	if errors.Is(err, errGone) {
		err = mail.Changed()
	}
	return now, err
}

// Add puts a mail, as it is sent (RFC 5322), into a folder of the person's first account. A repeat finds the mail with
// its Message-ID there, and adds nothing.
func (p *Provider) Add(
	ctx context.Context, person meet.Person, content []byte, s mail.State,
) (id string, err error) {
	boxes, err := p.of(ctx, person)
	if err != nil {
		return "", err
	}
	return boxes[0].add(ctx, content, s)
}

// errGone says that an account does not have a mail.
var errGone = errors.New("no mail has this id")

// first calls do for the accounts until one has the mail. An account that cannot be read may have it.
func first(boxes []*box, do func(*box) error) error {
	err := errGone
	for _, b := range boxes {
		switch one := do(b); {
		case one == nil:
			return nil
		case !errors.Is(one, errGone):
			if fault.CodeOf(one) != fault.Unavailable {
				return one
			}
			err = one
		}
	}
	return err
}
