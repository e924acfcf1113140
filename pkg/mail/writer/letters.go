package writer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// isLetter reports whether a change makes a mail.
func isLetter(c meet.Change) bool { return c.Kind == meet.SendThing || c.Kind == meet.CreateThing }

// Sends reports whether the change sends a mail.
func (w Writer) Sends(c meet.Change) bool { return c.Kind == meet.SendThing }

// letterOf is the deed of a change that makes a mail.
func letterOf(c meet.Change) (l mail.Letter, err error) {
	if err := json.Unmarshal(c.Deed, &l); err != nil {
		return l, fmt.Errorf("mail: deed: %w", err)
	}
	return l, l.Check()
}

// composed is the letter of a change with its attachments as it is sent, and the mailbox from which it is. A fault
// Changed says that an attachment is not what was shown.
func (w Writer) composed(
	ctx context.Context, owner meet.Person, c meet.Change,
) (l mail.Letter, home mail.Home, content []byte, err error) {
	if l, err = letterOf(c); err != nil {
		return l, home, nil, err
	}
	home, err = w.Mails.Home(ctx, owner)
	if err == nil && home.Provider != l.Provider {
		err = mail.Changed()
	}
	if errors.Is(err, mail.ErrNotConnected) {
		err = fault.New(fault.Unavailable, "No mailbox is connected here.")
	}
	if err != nil {
		return l, home, nil, err
	}
	files, err := w.enclosed(ctx, owner, l)
	if err != nil {
		return l, home, nil, err
	}
	content, err = compose(l, files)
	return l, home, content, err
}

// enclosed are the attachments of a letter, which must be those that were shown.
func (w Writer) enclosed(ctx context.Context, owner meet.Person, l mail.Letter) (files []mail.File, err error) {
	var all []mail.File
	of := ""
	for _, e := range l.Enclosures {
		if e.Of != of {
			all, err = w.Mails.Files(ctx, owner, e.Of)
			if fault.CodeOf(err) == fault.NotFound {
				err = mail.Changed()
			}
			if err != nil {
				return nil, err
			}
			of = e.Of
		}
		i := slices.IndexFunc(all, func(f mail.File) bool { return f.Enclosure(e.Of) == e })
		if i < 0 {
			return nil, mail.Changed()
		}
		files = append(files, all[i])
	}
	return files, nil
}

// standing is a fault Changed if the letter can no longer be what was shown.
func (w Writer) standing(ctx context.Context, owner meet.Person, c meet.Change) error {
	_, _, _, err := w.composed(ctx, owner, c)
	return err
}

// draft puts a letter among the drafts.
func (w Writer) draft(ctx context.Context, owner meet.Person, c meet.Change) error {
	l, _, content, err := w.composed(ctx, owner, c)
	if err == nil {
		_, err = w.Mails.Add(ctx, owner, l.Provider, content, mail.State{Folder: mail.Drafts, Read: true})
	}
	return err
}

// Send sends a letter, and files it. Without a server it goes to the mailboxes that are here: a repeat of that does
// nothing twice, so that it commits to nothing.
func (w Writer) Send(ctx context.Context, owner meet.Person, c meet.Change, commit func() error) error {
	l, home, content, err := w.composed(ctx, owner, c)
	if err != nil {
		return err
	}
	if home.Sender == nil {
		if err := w.deliver(ctx, l, content); err != nil {
			return err
		}
		return w.file(ctx, owner, l, content)
	}
	e := mail.Envelope{From: l.From.Email, Content: content}
	for _, a := range l.Recipients() {
		e.To = append(e.To, a.Email)
	}
	if err := home.Sender.Send(ctx, e, commit); err != nil {
		return err
	}
	if err := w.file(ctx, owner, l, content); err != nil { // it is sent all the same
		zerolog.Ctx(ctx).Warn().Err(err).Str("mail", l.MessageID).Msg("a mail that was sent could not be filed")
	}
	return nil
}

// deliver puts a mail into the inboxes that are here of those to whom it goes.
func (w Writer) deliver(ctx context.Context, l mail.Letter, content []byte) error {
	if w.Local == nil {
		return nil
	}
	for _, a := range l.Recipients() {
		people, err := w.Local(ctx, a.Email)
		if err != nil {
			return err
		}
		for _, p := range people {
			home, err := w.Mails.Home(ctx, p)
			if err == nil && home.Sender == nil {
				_, err = w.Mails.Add(ctx, p, home.Provider, content, mail.State{Folder: mail.Inbox})
			}
			if err != nil && !errors.Is(err, mail.ErrNotConnected) {
				return err
			}
		}
	}
	return nil
}

// file puts a mail that was sent among the sent ones, and its draft into the trash.
func (w Writer) file(ctx context.Context, owner meet.Person, l mail.Letter, content []byte) error {
	at, err := w.at(ctx, owner, l)
	if err == nil && at == nil { // no server has done it
		_, err = w.Mails.Add(ctx, owner, l.Provider, content, mail.State{Folder: mail.Sent, Read: true})
	}
	if l.Draft == "" || err != nil {
		return err
	}
	draft := mail.State{Folder: mail.Drafts}
	gone := mail.Amendment{Key: l.Key + "-draft", ID: l.Draft, Provider: l.Provider, From: draft, To: draft}
	gone.To.Folder = mail.Trash
	if _, err := w.Mails.Apply(ctx, owner, gone); fault.CodeOf(err) != mail.ChangedCode {
		return err
	}
	return nil
}

// at is the letter where it was put; nil if it is not there.
func (w Writer) at(ctx context.Context, owner meet.Person, l mail.Letter) (*mail.Mail, error) {
	page, err := w.Mails.List(ctx, owner, mail.Query{Folders: []mail.Folder{l.Folder}, MessageIDs: []string{l.MessageID}})
	for _, m := range page.Mails {
		if m.Provider == l.Provider {
			return &m, nil
		}
	}
	return nil, err
}

// found tells whether the letter is where it was to be put. What is not among the sent mails may be on its way.
func (w Writer) found(ctx context.Context, owner meet.Person, c meet.Change) (meet.ChangeOutcome, error) {
	l, err := letterOf(c)
	if err != nil {
		return meet.ChangeUnknown, err
	}
	at, err := w.at(ctx, owner, l)
	switch {
	case err != nil, at == nil && l.Folder == mail.Sent:
		return meet.ChangeUnknown, err
	case at == nil:
		return meet.ChangeFailed, nil
	}
	return meet.ChangeDone, nil
}

// discard is the change that moves a draft to the trash.
func (w Writer) discard(ctx context.Context, owner meet.Person, c meet.Change) (meet.Change, error) {
	l, err := letterOf(c)
	if err != nil {
		return c, err
	}
	at, err := w.at(ctx, owner, l)
	if err == nil && at == nil {
		err = mail.Changed()
	}
	if err != nil {
		return c, err
	}
	gone := mail.Amendment{Key: l.Key + "-undo", ID: at.ID, Provider: at.Provider, From: at.State, To: at.State}
	gone.To.Folder = mail.Trash
	back, err := gone.Change(*at)
	back.ID, back.Class, back.DependsOn = c.ID, c.Class, c.DependsOn
	return back, err
}
