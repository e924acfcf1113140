package imap

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"slices"
	"syscall"

	"github.com/emersion/go-imap/v2"

	"convene/pkg/fault"
	"convene/pkg/mail/remote"
	"convene/pkg/outbound"
)

// errPlain says that an address would send the password unencrypted.
var errPlain = errors.New("the address is without encryption")

// refusal is a server's no to a user name and a password.
type refusal struct{ answer *imap.Error }

func (r *refusal) Error() string { return r.answer.Error() }

// isRefusal reports whether the password is wrong, and not only the time.
func isRefusal(err error) bool {
	no, ok := errors.AsType[*refusal](err)
	if !ok {
		return false
	}
	temporary := []imap.ResponseCode{
		imap.ResponseCodeUnavailable, imap.ResponseCodeInUse, imap.ResponseCodeLimit, imap.ResponseCodeServerBug,
	}
	return !slices.Contains(temporary, no.answer.Code)
}

// isLost reports whether a connection broke before it was used.
func isLost(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET)
}

// isDeleted reports whether there is no such folder: another program may have deleted it.
func isDeleted(err error) bool {
	answer, ok := errors.AsType[*imap.Error](err)
	return ok && answer.Code == imap.ResponseCodeNonExistent
}

// isExpunged reports whether another program took a mail away while something was done to it (RFC 5530 section 3).
func isExpunged(err error) bool {
	answer, ok := errors.AsType[*imap.Error](err)
	return ok && answer.Code == "EXPUNGEISSUED"
}

// explain is the fault of an error, for the mailbox's owner.
func (b *box) explain(ctx context.Context, err error) error { return remote.Explain(ctx, err, reason) }

// reason is the fault of an error that the mailbox's owner did not cause, and that is mostly temporary.
func reason(err error) *fault.Error {
	failed := func(message string) *fault.Error { return fault.New(fault.Unavailable, "%s", message).Because(err) }
	_, private := errors.AsType[*outbound.NotPublicError](err)
	_, strange := errors.AsType[*tls.CertificateVerificationError](err)
	answer, _ := errors.AsType[*imap.Error](err)
	switch {
	case strange:
		return failed("The mail server's certificate is not valid for its address.")
	case private:
		return failed("The mail server's address is not a public one.")
	case errors.Is(err, errPlain):
		return failed("The mail server's address must begin with imaps://.")
	case answer != nil && answer.Code == imap.ResponseCodeOverQuota:
		return failed("The mailbox has no space left.")
	case answer != nil:
		return failed("The mail server does not do it at the moment. Please try again later.").Later(0)
	case errors.Is(err, context.DeadlineExceeded):
		return failed("The mail server did not answer in time. Please try again in a moment.").Later(0)
	}
	return failed("The mail server could not be reached. Please try again in a moment.").Later(0)
}
