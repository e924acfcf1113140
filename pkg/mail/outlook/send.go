package outlook

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"convene/pkg/account/graph"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
)

// Send makes a draft of a mail and has Graph send it, which files it among the sent ones. Until then nothing has left,
// and a draft can be sent only once. A mail that is among the sent ones is not sent again.
func (b *box) Send(ctx context.Context, e mail.Envelope, commit func() error) error {
	head, err := remote.HeadToSend(e)
	if err != nil {
		return err
	}
	if !strings.EqualFold(e.From, b.account.Address) || !head.From.Is(e.From) {
		return fault.New(fault.Unavailable, "Outlook does not send mail of %s from the account %s.", e.From,
			b.account.Address)
	}
	l, err := read(e.Content)
	if err != nil {
		return err
	}
	var open error // leaves it open whether the mail was sent
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		there, err := s.sentBefore(ctx, head.MessageID)
		if err != nil || there {
			return err
		}
		draft, err := s.make(ctx, l, mail.State{Folder: mail.Drafts, Read: true})
		if err != nil {
			return err
		}
		if err = s.asMeant(draft, e); err == nil {
			err, open = remote.Hand(ctx, commit, func() error { return s.hand(ctx, draft) }, graph.StatusOf)
		}
		switch {
		case err != nil:
			s.discard(ctx, draft)
		case open == nil:
			s.sent(head.MessageID, draft.ID)
		}
		return err
	})
	return errors.Join(err, open)
}

// hand asks Graph once to send a draft.
func (s *session) hand(ctx context.Context, draft *message) error {
	err := s.call(ctx, graph.Request{Method: http.MethodPost, Target: path(draft.ID) + "/send", Once: true})
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// asMeant is a fault if Graph has read other people out of a letter than those who were confirmed.
func (s *session) asMeant(draft *message, e mail.Envelope) error {
	is := mail.Mail{To: addresses(draft.To), CC: addresses(draft.CC), BCC: addresses(draft.BCC)}
	if draft.From != nil && !address(draft.From).Is(e.From) || !remote.GoesTo(is, e.To) {
		return fault.New(fault.Unavailable, "Outlook would send the mail from or to another address.")
	}
	return nil
}

// sentBefore reports whether a mail is among the sent ones. What an earlier attempt left among the drafts is taken
// away.
func (s *session) sentBefore(ctx context.Context, messageID string) (bool, error) {
	if s.wasSent(messageID) != "" {
		return true, nil
	}
	there, err := s.called(ctx, mail.Query{Folders: []mail.Folder{mail.Sent}, MessageIDs: []string{messageID}})
	if err != nil || len(there) > 0 {
		return len(there) > 0, err
	}
	left, err := s.messages(ctx, graph.WithProperty(ownProperty, messageID))
	for _, m := range left {
		if !m.IsDraft {
			return true, nil
		}
		if s.folders.is[m.Folder] == mail.Drafts {
			s.discard(ctx, m)
		}
	}
	return false, err
}

var _ remote.Box = (*box)(nil)
