// Package remote makes a mail.Keeper of the mailboxes that people have connected, each in an account at a server.
package remote

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Box is the mailbox of one account. Its methods are those of a mail.Keeper.
type Box interface {
	Folders(ctx context.Context) ([]mail.Folder, error)
	List(ctx context.Context, q mail.Query) (mail.Page, error)
	// Read is a mail and its content; ErrGone if it is not there.
	Read(ctx context.Context, id string) (mail.Mail, []byte, error)
	// Apply makes a change; ErrGone if the mail is not there.
	Apply(ctx context.Context, a mail.Amendment) (mail.State, error)
	Add(ctx context.Context, content []byte, s mail.State) (id string, err error)
}

// ErrGone says that an account does not have a mail.
var ErrGone = errors.New("no mail has this id")

// Provider is a mail.Keeper of all accounts at one kind of server. It is safe for concurrent use.
type Provider[B Box] struct {
	// Kind is whose accounts they are, and the provider's name.
	Kind     account.Provider
	Accounts account.Opener
	// Box is the mailbox of an account. It connects to nothing.
	Box func(account.Account) B
	// End ends what a mailbox keeps open. Nil ends nothing.
	End func(B)

	mu    sync.Mutex
	boxes map[account.ID]opened[B]
}

// opened is a mailbox and whose it is.
type opened[B Box] struct {
	box   B
	owner meet.PersonID
}

// Close ends what nothing uses.
func (p *Provider[B]) Close() {
	p.forget(func(meet.PersonID) bool { return true })
}

// Forget ends the mailboxes of a person, whose accounts have changed, with all that is remembered of them.
func (p *Provider[B]) Forget(person meet.PersonID) {
	p.forget(func(owner meet.PersonID) bool { return owner == person })
}

func (p *Provider[B]) forget(of func(owner meet.PersonID) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, b := range p.boxes {
		if !of(b.owner) {
			continue
		}
		if p.End != nil {
			p.End(b.box)
		}
		delete(p.boxes, id)
	}
}

// mostBoxes bounds the accounts of which something is kept.
const mostBoxes = 1000

// Of are the person's accounts, in the order in which they were connected. ErrNotConnected says that there are none.
func (p *Provider[B]) Of(ctx context.Context, person meet.Person) ([]B, error) {
	accounts, err := p.Accounts.Accounts(ctx, person.ID, p.Kind)
	if err != nil {
		return nil, err
	}
	if len(accounts) == 0 {
		return nil, mail.ErrNotConnected
	}
	boxes := make([]B, len(accounts))
	for i, a := range accounts {
		boxes[i] = p.open(a)
	}
	return boxes, nil
}

func (p *Provider[B]) open(a account.Account) B {
	p.mu.Lock()
	full := len(p.boxes) >= mostBoxes
	p.mu.Unlock()
	if full {
		p.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b, known := p.boxes[a.ID]
	if !known {
		b = opened[B]{p.Box(a), a.Person}
		if p.boxes == nil {
			p.boxes = map[account.ID]opened[B]{}
		}
		p.boxes[a.ID] = b
	}
	return b.box
}

// one is an account as a mail.Provider.
type one struct {
	mail.Provider
	box Box
}

func (o one) Folders(ctx context.Context, _ meet.Person) ([]mail.Folder, error) {
	return o.box.Folders(ctx)
}

func (o one) List(ctx context.Context, _ meet.Person, q mail.Query) (mail.Page, error) {
	return o.box.List(ctx, q)
}

// together are the person's accounts as one mailbox.
func (p *Provider[B]) together(ctx context.Context, person meet.Person) (d mail.Directory, err error) {
	boxes, err := p.Of(ctx, person)
	for _, b := range boxes {
		d.Providers = append(d.Providers, one{box: b})
	}
	return d, err
}

// Name is that of the accounts' provider.
func (p *Provider[B]) Name() string { return string(p.Kind) }

// Folders are those with a purpose, and the others that are there.
func (p *Provider[B]) Folders(ctx context.Context, person meet.Person) ([]mail.Folder, error) {
	d, err := p.together(ctx, person)
	if err != nil {
		return nil, err
	}
	return d.Folders(ctx, person)
}

// List is a page of the mails that a query means.
func (p *Provider[B]) List(ctx context.Context, person meet.Person, q mail.Query) (mail.Page, error) {
	d, err := p.together(ctx, person)
	if err != nil {
		return mail.Page{}, err
	}
	return d.List(ctx, person, q)
}

// Open is a mail and its content.
func (p *Provider[B]) Open(
	ctx context.Context, person meet.Person, id string,
) (m mail.Mail, content io.ReadCloser, err error) {
	boxes, err := p.Of(ctx, person)
	if err != nil {
		return m, nil, err
	}
	var raw []byte
	err = first(boxes, func(b B) (err error) {
		m, raw, err = b.Read(ctx, id)
		return err
	})
	if errors.Is(err, ErrGone) {
		err = mail.NotFound()
	}
	return m, io.NopCloser(bytes.NewReader(raw)), err
}

// Apply makes a change of a mail.
func (p *Provider[B]) Apply(ctx context.Context, person meet.Person, a mail.Amendment) (now mail.State, err error) {
	boxes, err := p.Of(ctx, person)
	if err != nil {
		return now, err
	}
	err = first(boxes, func(b B) (err error) {
		now, err = b.Apply(ctx, a)
		return err
	})
	if errors.Is(err, ErrGone) {
		err = mail.Changed()
	}
	return now, err
}

// Add puts a mail, as it is sent (RFC 5322), into a folder of the person's first account. A repeat finds the mail with
// its Message-ID there, and adds nothing.
func (p *Provider[B]) Add(
	ctx context.Context, person meet.Person, content []byte, s mail.State,
) (id string, err error) {
	boxes, err := p.Of(ctx, person)
	if err != nil {
		return "", err
	}
	return boxes[0].Add(ctx, content, s)
}

// first calls do for the accounts until one has the mail. An account that cannot be read may have it.
func first[B Box](boxes []B, do func(B) error) error {
	err := ErrGone
	for _, b := range boxes {
		switch one := do(b); {
		case one == nil:
			return nil
		case !errors.Is(one, ErrGone):
			if fault.CodeOf(one) != fault.Unavailable {
				return one
			}
			err = one
		}
	}
	return err
}

// PageOf is the page of a query that begins with some mails, each once: one that is there twice counts where it comes
// first. They may be more than fit into it.
func PageOf(q mail.Query, mails []mail.Mail) mail.Page {
	seen := map[string]bool{}
	mails = slices.DeleteFunc(mails, func(m mail.Mail) bool {
		double := seen[m.ID]
		seen[m.ID] = true
		return double
	})
	slices.SortFunc(mails, mail.Compare)
	n := min(len(mails), q.Size())
	return mail.Page{Mails: append([]mail.Mail{}, mails[:n]...), More: n < len(mails), Total: -1}
}

// HeadToAdd is the header of a mail that is added in a state, and has a Message-ID.
func HeadToAdd(content []byte, s mail.State) (mail.Mail, error) {
	head, err := mail.ReadHead(bytes.NewReader(content))
	if err == nil {
		err = s.Check()
	}
	if err == nil && head.MessageID == "" {
		err = fault.Invalid("content", "has no Message-ID")
	}
	return head, err
}

// Explain is the fault of an error, for the mailbox's owner. Cancellation, faults and ErrGone stay what they are; any
// other error has the fault that reason makes of it.
func Explain(ctx context.Context, err error, reason func(error) *fault.Error) error {
	if err == nil || errors.Is(err, ErrGone) || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		if f.Code == fault.CalendarFailed {
			return fault.New(fault.Unavailable, "The mailbox cannot be read: please %s.", strings.TrimSuffix(f.Message, ".")).
				Because(err)
		}
		return err
	}
	return reason(err)
}
