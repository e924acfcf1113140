package gmail

import (
	"context"
	"errors"
	"net"
	"net/http"

	"google.golang.org/api/googleapi"

	"convene/pkg/account/google"
	"convene/pkg/fault"
	"convene/pkg/outbound"
)

var (
	// errNotUnderstood says that an answer of Gmail lacks what was asked for.
	errNotUnderstood = errors.New("the answer is not understood")
	// errTooMuch says that there are more pages than are read.
	errTooMuch = errors.New("the answer has too many pages")
)

// statusOf is the HTTP status of a refusal; 0 for other errors.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*googleapi.Error](err); ok {
		return answer.Code
	}
	return 0
}

// reason is the fault of an error, for the mailbox's owner.
func reason(err error) *fault.Error {
	failed := func(message string) *fault.Error {
		return fault.New(fault.Unavailable, "%s", message).Because(outbound.Cause(err))
	}
	if answer, ok := errors.AsType[*googleapi.Error](err); ok {
		return refused(answer)
	}
	slow, isNet := errors.AsType[net.Error](err)
	down, isDown := errors.AsType[*outbound.OpenError](err)
	_, tooLarge := errors.AsType[*outbound.TooLargeError](err)
	switch {
	case isDown:
		return failed("Gmail is not answering. Please try again in a moment.").Later(down.After)
	case tooLarge:
		return failed("The mail is too large to be read here.")
	case errors.Is(err, google.ErrAccount):
		return failed("The Gmail account could not be opened. Please try again in a moment.").Later(0)
	case errors.Is(err, context.DeadlineExceeded), isNet && slow.Timeout():
		return failed("Gmail did not answer in time. Please try again in a moment.").Later(0)
	case isNet:
		return failed("Gmail could not be reached. Please try again in a moment.").Later(0)
	}
	return failed("Gmail gave an answer that could not be read. Please try again in a moment.").Later(0)
}

// refused is the fault of a refusal: it says what the owner can do.
func refused(answer *googleapi.Error) *fault.Error {
	why := google.RefusalOf(answer)
	failed := func(message string) *fault.Error { return fault.New(fault.Unavailable, "%s", message).Because(why) }
	switch {
	case why.Limits():
		return failed("Gmail asks to wait before it answers again. Please try again in a minute.").
			Later(outbound.RetryAfter(answer.Header))
	case why.Status == http.StatusUnauthorized:
		return failed("The mailbox cannot be read: please reconnect the Gmail mailbox.")
	case why.Status == http.StatusForbidden:
		return failed("Gmail does not let Convene use this mailbox. Please connect it again, with all boxes ticked.")
	case why.Status == http.StatusRequestEntityTooLarge:
		return failed("The mail is too large for Gmail.")
	case why.Status >= http.StatusInternalServerError:
		return failed("Gmail is not answering. Please try again in a moment.").Later(outbound.RetryAfter(answer.Header))
	}
	return failed("Gmail did not accept the request.")
}
