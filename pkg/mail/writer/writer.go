// Package writer makes changes of mails, and takes them back.
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
	Apply(ctx context.Context, person meet.Person, a mail.Amendment) (mail.State, error)
}

// Writer makes changes of mails: a change.Writer, change.Chainer and change.Looker whose deeds are mail.Amendments.
type Writer struct{ Mails Mails }

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
