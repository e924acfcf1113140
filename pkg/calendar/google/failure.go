package google

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"google.golang.org/api/googleapi"

	"convene/pkg/account/google"
	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// statusOf is the HTTP status of a refusal; 0 for other errors.
func statusOf(err error) int {
	if r, ok := errors.AsType[*google.Refusal](err); ok {
		return r.Status
	}
	return 0
}

// forbids reports whether Google denies this account the calendar, or knows no such calendar, so that a retry is
// useless.
func forbids(err error) bool {
	r, ok := errors.AsType[*google.Refusal](err)
	return ok && (r.Status == http.StatusNotFound || r.Status == http.StatusForbidden && !r.Limits())
}

// failed is err as a fault, wrapped with the operation. Faults and cancellation stay what they are.
func failed(operation string, err error) error {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return fmt.Errorf("%s: %w", operation, f)
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("%s: %w", operation, context.Canceled)
	}
	return fmt.Errorf("%s: %w", operation, faultOf(err))
}

func faultOf(err error) *fault.Error {
	if answer, ok := errors.AsType[*googleapi.Error](err); ok {
		return refused(answer)
	}
	slow, isNet := errors.AsType[net.Error](err)
	down, isDown := errors.AsType[*outbound.OpenError](err)
	switch {
	case errors.Is(err, google.ErrAccount):
		return failure("the Google account could not be opened; try again in a moment").Because(outbound.Cause(err)).Later(0)
	case isDown:
		return failure("Google Calendar is not answering; try again in a moment").Because(down).Later(down.After)
	case errors.Is(err, context.DeadlineExceeded), isNet && slow.Timeout():
		return failure("Google Calendar did not answer in time; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	case errors.Is(err, google.ErrNotJSON), errors.Is(err, errNotUnderstood), !isNet:
		return failure("Google Calendar gave an answer that could not be read; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	default:
		return failure("Google Calendar could not be reached; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	}
}

// refused is the fault for a refusal: it says what the user can do.
func refused(answer *googleapi.Error) *fault.Error {
	why := google.RefusalOf(answer)
	switch {
	case why.Limits():
		return failure("Google asks to wait before it answers again; try again in a minute").
			Because(why).Later(outbound.RetryAfter(answer.Header))
	case why.Status == http.StatusUnauthorized:
		return failure("reconnect the Google calendar").Because(why)
	case why.Status == http.StatusForbidden:
		return failure("Google refused access to this calendar; reconnect it").Because(why)
	case why.Status == http.StatusNotFound || why.Status == http.StatusGone:
		return failure("a Google calendar is not there any more; choose the calendars again").Because(why)
	case why.Status == http.StatusConflict || why.Status == http.StatusPreconditionFailed:
		return fault.New(fault.Conflict, "the event was changed in Google Calendar at the same moment; try again").
			Because(why).Later(0)
	case why.Status >= http.StatusInternalServerError:
		return failure("Google Calendar is not answering; try again in a moment").
			Because(why).Later(outbound.RetryAfter(answer.Header))
	default:
		return failure("Google Calendar did not accept the request").Because(why)
	}
}

func failure(message string) *fault.Error { return fault.New(fault.CalendarFailed, "%s", message) }
