// Package writer makes changes of mails, and takes them back. writer.go has the changes of mails that are there,
// letters.go those that are drafted and sent, and compose.go what is sent.
package writer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"convene/pkg/change"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// Mails are all mailboxes of people, which can be changed.
type Mails interface {
	List(ctx context.Context, person meet.Person, q mail.Query) (mail.Page, error)
	Files(ctx context.Context, person meet.Person, id string) ([]mail.File, error)
	Apply(ctx context.Context, person meet.Person, a mail.Amendment) (mail.State, error)
	Home(ctx context.Context, person meet.Person) (mail.Home, error)
	Add(ctx context.Context, person meet.Person, provider string, content []byte, s mail.State) (id string, err error)
}

// Writer makes changes of mails: a change.Writer, change.Chainer, change.Looker and change.Sender whose deeds are
// mail.Amendments or, if the change makes a mail, mail.Letters.
type Writer struct {
	Mails Mails
	// Local are the people with an address whose mailboxes may be here. Nil delivers to nobody here.
	Local func(ctx context.Context, email string) ([]meet.Person, error)
}

// read is the amendment of a change, and the mail as it stands; a fault Changed if it is gone.
func (w Writer) read(
	ctx context.Context, owner meet.Person, c meet.Change,
) (a mail.Amendment, m mail.Mail, err error) {
	if a, err = amendmentOf(c); err != nil {
		return a, m, err
	}
	page, err := w.Mails.List(ctx, owner, mail.Query{IDs: []string{a.ID}})
	for _, m := range page.Mails {
		if m.Provider == a.Provider {
			return a, m, nil
		}
	}
	if err == nil {
		err = mail.Changed()
	}
	return a, m, err
}

// Standing reads the mail again. What the change does not set may have changed.
func (w Writer) Standing(ctx context.Context, owner meet.Person, c meet.Change) (*meet.Change, error) {
	if isLetter(c) {
		return nil, w.standing(ctx, owner, c)
	}
	a, m, err := w.read(ctx, owner, c)
	if err != nil {
		return nil, err
	}
	onto, clash := a.On(m.State)
	if !clash {
		return nil, nil //nolint:nilnil // it stands as it was
	}
	fresh, err := fresh(c, onto, m)
	return &fresh, err
}

// Write makes the change.
func (w Writer) Write(ctx context.Context, owner meet.Person, c meet.Change) (change.Written, error) {
	if isLetter(c) {
		return change.Written{}, w.draft(ctx, owner, c)
	}
	a, err := amendmentOf(c)
	if err == nil {
		_, err = w.Mails.Apply(ctx, owner, a)
	}
	return change.Written{}, err
}

// Onto is the change on the mail as the one before it leaves it.
func (w Writer) Onto(_ meet.Person, c, before meet.Change, _ *change.Written) (meet.Change, error) {
	a, err := amendmentOf(c)
	first, failed := amendmentOf(before)
	var m mail.Mail
	if err := errors.Join(err, failed, json.Unmarshal(before.After, &m)); err != nil {
		return c, err
	}
	onto, _ := a.On(first.To)
	return fresh(c, onto, m)
}

// Look reads the mail, and tells whether the change was made.
func (w Writer) Look(
	ctx context.Context, owner meet.Person, c meet.Change,
) (outcome meet.ChangeOutcome, _ change.Written, err error) {
	if isLetter(c) {
		outcome, err = w.found(ctx, owner, c)
		return outcome, change.Written{}, err
	}
	a, m, err := w.read(ctx, owner, c)
	if err != nil {
		return meet.ChangeUnknown, change.Written{}, err
	}
	if onto, _ := a.On(m.State); onto.To.Same(m.State) {
		return meet.ChangeDone, change.Written{}, nil
	}
	return meet.ChangeFailed, change.Written{}, nil
}

// Inverse is the change that brings back what c changed, unless the mail was moved since.
func (w Writer) Inverse(
	ctx context.Context, owner meet.Person, c meet.Change, _ change.Written,
) (meet.Change, error) {
	if isLetter(c) {
		return w.discard(ctx, owner, c)
	}
	a, m, err := w.read(ctx, owner, c)
	if err != nil {
		return c, err
	}
	back, clash := a.Back().On(m.State)
	if clash || back.To.Same(m.State) {
		return c, mail.Changed()
	}
	return back.Change(m)
}

// fresh is the change as another amendment of the mail.
func fresh(c meet.Change, a mail.Amendment, m mail.Mail) (meet.Change, error) {
	is, err := a.Change(m)
	is.ID, is.Class, is.DependsOn = c.ID, c.Class, c.DependsOn
	return is, err
}

// amendmentOf is the deed of a change.
func amendmentOf(c meet.Change) (a mail.Amendment, err error) {
	if err := json.Unmarshal(c.Deed, &a); err != nil {
		return a, fmt.Errorf("mail: deed: %w", err)
	}
	return a, nil
}
