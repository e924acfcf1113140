package gmail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	gapi "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/remote"
	"convene/pkg/outbound"
)

// Send hands a mail to Gmail, which files it among the sent ones. One that is there is not sent again.
func (b *box) Send(ctx context.Context, e mail.Envelope, commit func() error) error {
	head, err := remote.HeadToSend(e)
	if err != nil {
		return err
	}
	var open error // leaves it open whether the mail was sent
	err = b.with(ctx, func(ctx context.Context, s *session) error {
		if err := errors.Join(s.mayBe(ctx, e.From), s.refresh(ctx)); err != nil {
			return err
		}
		there, err := s.sentBefore(ctx, head)
		if err != nil || there {
			return err
		}
		references := slices.Concat([]string{head.InReplyTo}, head.References)
		conversation, err := s.conversation(ctx, references...)
		if err != nil {
			return err
		}
		err, open = remote.Hand(ctx, commit, func() error {
			return s.hand(ctx, marked(e.Content, head.MessageID), conversation)
		}, statusOf)
		return err
	})
	return errors.Join(err, open)
}

// hand asks Gmail once to send a mail.
func (s *session) hand(ctx context.Context, content []byte, conversation string) error {
	made, err := s.large.Messages.Send(me, &gapi.Message{ThreadId: conversation}).
		Media(bytes.NewReader(content), googleapi.ContentType("message/rfc822"), googleapi.ChunkSize(0)).
		Context(outbound.Once(ctx)).Do()
	if err != nil {
		return fmt.Errorf("send: %w", outbound.Cause(err))
	}
	_, _, _ = s.head(ctx, made.Id, asked{}) // so that it is found at once; otherwise it is looked for
	return nil
}

// mayBe is a fault if Gmail would put another sender in the place of an address.
func (s *session) mayBe(ctx context.Context, from string) error {
	if strings.EqualFold(from, s.account.Address) {
		return nil
	}
	list, err := s.api.Settings.SendAs.List(me).Context(ctx).Do()
	if err != nil {
		return err
	}
	for _, as := range list.SendAs {
		if strings.EqualFold(as.SendAsEmail, from) && (as.IsPrimary || as.VerificationStatus == "accepted") {
			return nil
		}
	}
	return fault.New(fault.Unavailable, "Gmail does not send mail of %s from the account %s.", from, s.account.Address)
}

// sentBefore reports whether a mail is among the sent ones.
func (s *session) sentBefore(ctx context.Context, head mail.Mail) (bool, error) {
	since := listing{labels: []string{sent}, search: fmt.Sprintf("after:%d", max(0, head.Date.Add(-time.Hour).Unix()))}
	ids, err := s.sentAs(ctx, []string{head.MessageID}, since)
	if err != nil || len(ids) > 0 {
		return len(ids) > 0, err
	}
	there, err := s.find(ctx, mail.Query{Folders: []mail.Folder{mail.Sent}, MessageIDs: []string{head.MessageID}})
	return len(there) > 0, err
}

var _ remote.Box = (*box)(nil)
