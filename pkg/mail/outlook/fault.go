package outlook

import (
	"context"
	"errors"
	"net"
	"net/http"

	"convene/pkg/account/graph"
	"convene/pkg/fault"
	"convene/pkg/mail/remote"
	"convene/pkg/outbound"
)

// gone is remote.ErrGone in place of Graph's words for it.
func gone(err error) error {
	if graph.IsStatus(err, http.StatusNotFound, http.StatusGone) || graph.HasCode(err, "ErrorInvalidIdMalformed") {
		return remote.ErrGone
	}
	return err
}

// reason is the fault of an error, for the mailbox's owner.
func reason(err error) *fault.Error {
	failed := func(message string) *fault.Error {
		return fault.New(fault.Unavailable, "%s", message).Because(err)
	}
	slow, isNet := errors.AsType[net.Error](err)
	down, isDown := errors.AsType[*outbound.OpenError](err)
	_, tooLarge := errors.AsType[*outbound.TooLargeError](err)
	status := graph.StatusOf(err)
	switch {
	case status == http.StatusTooManyRequests:
		return failed("Outlook asks to wait before it answers again. Please try again in a minute.").
			Later(graph.RetryAfter(err))
	case graph.HasCode(err, "MailboxNotEnabledForRESTAPI", "MailboxNotSupportedForRESTAPI"):
		return failed("The Microsoft account has no mailbox that can be read. Please connect another account.")
	case status == http.StatusUnauthorized:
		return failed("The mailbox cannot be read: please reconnect the Outlook mailbox.")
	case status == http.StatusForbidden:
		return failed("Outlook does not let Convene use this mailbox. Please connect it again, and allow all of it.")
	case status == http.StatusRequestEntityTooLarge:
		return failed("The mail is too large for Outlook.")
	case status >= http.StatusInternalServerError:
		return failed("Outlook is not answering. Please try again in a moment.").Later(graph.RetryAfter(err))
	case status != 0:
		return failed("Outlook did not accept the request.")
	case isDown:
		return failed("Outlook is not answering. Please try again in a moment.").Later(down.After)
	case tooLarge:
		return failed("The mail is too large to be read here.")
	case errors.Is(err, graph.ErrAccount):
		return failed("The Outlook account could not be opened. Please try again in a moment.").Later(0)
	case errors.Is(err, context.DeadlineExceeded), isNet && slow.Timeout():
		return failed("Outlook did not answer in time. Please try again in a moment.").Later(0)
	case isNet:
		return failed("Outlook could not be reached. Please try again in a moment.").Later(0)
	}
	return failed("Outlook gave an answer that could not be read. Please try again in a moment.").Later(0)
}
