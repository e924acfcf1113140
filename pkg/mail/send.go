package mail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Keeper is a Provider that takes mails in: what its owner sends and drafts and, if others deliver here, their mail.
type Keeper interface {
	Provider
	// Add puts a mail, as it is sent (RFC 5322), into a folder, which is made if it is not there, and returns its id. A
	// repeat finds the mail with its Message-ID in that folder, and adds nothing.
	Add(ctx context.Context, person meet.Person, content []byte, s State) (id string, err error)
}

// IDOf is an id that a mail can have in a folder: it is the same for mails with the same Message-ID or, without one,
// the same content.
func IDOf(content []byte, f Folder) string {
	of := content
	if m, err := ReadHead(bytes.NewReader(content)); err == nil && m.MessageID != "" {
		of = []byte(m.MessageID)
	}
	sum := sha256.Sum256(append([]byte(f+"\x00"), of...))
	return "convene-" + hex.EncodeToString(sum[:12])
}

// Outlet is a Provider through which the mails of its mailboxes leave.
type Outlet interface {
	// Outgoing is where the person's mails are handed over.
	Outgoing(ctx context.Context, person meet.Person) (Sender, error)
}

// Sender is a server to which mails are handed.
type Sender interface {
	// Send hands a mail over for all of its recipients, or for none. It calls commit before the step after which nobody
	// can tell whether the mail is on its way, and goes no further if that fails. A fault says that the mail was not sent,
	// whenever it comes. Any other error after commit leaves it open.
	Send(ctx context.Context, e Envelope, commit func() error) error
}

// Envelope is a mail with those from whom and to whom it goes (RFC 5321).
type Envelope struct {
	From    string
	To      []string
	Content []byte
}

// Home is where a person's new mails are kept, and from where they leave.
type Home struct {
	// Provider is the name of a Keeper.
	Provider string
	// Sender is nil if no server is connected: then mail reaches the mailboxes that are here, and no others.
	Sender Sender
}

// Home is that of a person: the first mailbox that takes mails in. ErrNotConnected says that there is none.
func (d Directory) Home(ctx context.Context, person meet.Person) (h Home, err error) {
	for _, p := range d.Providers {
		if _, keeps := p.(Keeper); !keeps {
			continue
		}
		_, err := p.Folders(ctx, person)
		if errors.Is(err, ErrNotConnected) {
			continue
		}
		h.Provider = p.Name()
		switch outlet, sends := p.(Outlet); {
		case err != nil:
		case sends:
			h.Sender, err = outlet.Outgoing(ctx, person)
		case d.Outgoing != nil:
			h.Sender, err = d.Outgoing(ctx, person)
		}
		if errors.Is(err, ErrNotConnected) {
			err = nil
		}
		return h, err
	}
	return h, ErrNotConnected
}

// Add puts a mail into a folder of the mailbox at a provider.
func (d Directory) Add(
	ctx context.Context, person meet.Person, provider string, content []byte, s State,
) (id string, err error) {
	for _, p := range d.Providers {
		if keeper, ok := p.(Keeper); ok && p.Name() == provider {
			return keeper.Add(ctx, person, content, s)
		}
	}
	return "", fault.New(fault.Unavailable, "The mailbox of %s is not connected here.", provider)
}
