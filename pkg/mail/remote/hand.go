package remote

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/outbound"
)

// Hand commits, and then has a server take a mail, by a call that is made once. Refused says that the mail was not
// sent, and open leaves it open. StatusOf is the HTTP status of an answer.
func Hand(
	ctx context.Context, commit func() error, call func() error, statusOf func(error) int,
) (refused, open error) {
	err := errors.Join(commit(), ctx.Err())
	if err == nil {
		err = call()
	}
	if surelyNotSent(err, statusOf(err)) {
		return err, nil
	}
	return nil, err
}

// surelyNotSent reports whether a server has said that it does not send the mail, or was never asked.
func surelyNotSent(err error, status int) bool {
	dial, isNet := errors.AsType[*net.OpError](err)
	_, isDown := errors.AsType[*outbound.OpenError](err)
	_, isFault := errors.AsType[*fault.Error](err)
	said := status >= 400 && status < 500 && status != http.StatusRequestTimeout
	return said || isDown || isFault || isNet && dial.Op == "dial"
}

// HeadToSend is the header of a mail for a server that goes by it. It is a fault if it does not say to whom the mail is
// to go, or has no Message-ID.
func HeadToSend(e mail.Envelope) (mail.Mail, error) {
	head, err := mail.ReadHead(bytes.NewReader(e.Content))
	if err == nil && (head.MessageID == "" || !GoesTo(head, e.To)) {
		err = fault.Invalid("content", "does not say to whom it goes, and under which Message-ID")
	}
	return head, err
}

// GoesTo reports whether the recipients of a mail are those to whom it is to go.
func GoesTo(m mail.Mail, to []string) bool {
	all := slices.Concat(m.To, m.CC, m.BCC)
	return len(to) > 0 && !slices.ContainsFunc(all, func(a mail.Address) bool {
		return !slices.ContainsFunc(to, a.Is)
	}) && !slices.ContainsFunc(to, func(email string) bool {
		return !slices.ContainsFunc(all, func(a mail.Address) bool { return a.Is(email) })
	})
}
