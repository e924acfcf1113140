package google

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/api/googleapi"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// refusal is an error of Google's with its status and documented reasons only: the body may hold addresses, or be a
// page of HTML.
type refusal struct {
	status  int
	reasons []string
}

func (r *refusal) Error() string {
	if len(r.reasons) == 0 {
		return fmt.Sprintf("status %d", r.status)
	}
	return fmt.Sprintf("status %d (%s)", r.status, strings.Join(r.reasons, ", "))
}

// statusOf is the HTTP status of a refusal; 0 for other errors.
func statusOf(err error) int {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status
	}
	return 0
}

// rateLimits reports whether the reasons are rate limits, which have status 403 or 429.
func rateLimits(reasons []string) bool {
	return slices.ContainsFunc(reasons, func(reason string) bool {
		return reason == "rateLimitExceeded" || reason == "userRateLimitExceeded"
	})
}

// forbids reports whether Google denies this account the calendar, or knows no such calendar, so that a retry is
// useless.
func forbids(err error) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && (r.status == http.StatusNotFound || r.status == http.StatusForbidden && !rateLimits(r.reasons))
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
	case errors.Is(err, errAccount):
		return failure("the Google account could not be opened; try again in a moment").Because(outbound.Cause(err)).Later(0)
	case isDown:
		return failure("Google Calendar is not answering; try again in a moment").Because(down).Later(down.After)
	case errors.Is(err, context.DeadlineExceeded), isNet && slow.Timeout():
		return failure("Google Calendar did not answer in time; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	case errors.Is(err, errNotJSON), errors.Is(err, errNotUnderstood), !isNet:
		return failure("Google Calendar gave an answer that could not be read; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	default:
		return failure("Google Calendar could not be reached; try again in a moment").
			Because(outbound.Cause(err)).Later(0)
	}
}

// refused is the fault for a refusal: it says what the user can do.
func refused(answer *googleapi.Error) *fault.Error {
	why := &refusal{status: answer.Code, reasons: reasonsOf(answer)}
	switch {
	case why.status == http.StatusTooManyRequests || rateLimits(why.reasons):
		return failure("Google asks to wait before it answers again; try again in a minute").
			Because(why).Later(outbound.RetryAfter(answer.Header))
	case why.status == http.StatusUnauthorized:
		return failure("reconnect the Google calendar").Because(why)
	case why.status == http.StatusForbidden:
		return failure("Google refused access to this calendar; reconnect it").Because(why)
	case why.status == http.StatusNotFound || why.status == http.StatusGone:
		return failure("a Google calendar is not there any more; choose the calendars again").Because(why)
	case why.status == http.StatusConflict || why.status == http.StatusPreconditionFailed:
		return fault.New(fault.Conflict, "the event was changed in Google Calendar at the same moment; try again").
			Because(why).Later(0)
	case why.status >= http.StatusInternalServerError:
		return failure("Google Calendar is not answering; try again in a moment").
			Because(why).Later(outbound.RetryAfter(answer.Header))
	default:
		return failure("Google Calendar did not accept the request").Because(why)
	}
}

func failure(message string) *fault.Error { return fault.New(fault.CalendarFailed, "%s", message) }

// worthAnotherTry reports whether the status is 500, or 403 for a rate limit. All our calls may be repeated: an event
// has the same id each time, and a change names its version.
func worthAnotherTry(answer *http.Response) bool {
	if answer.StatusCode != http.StatusForbidden {
		return answer.StatusCode == http.StatusInternalServerError
	}
	refused, ok := errors.AsType[*googleapi.Error](googleapi.CheckResponse(answer))
	return ok && rateLimits(reasonsOf(refused))
}

func reasonsOf(refused *googleapi.Error) (reasons []string) {
	for _, item := range refused.Errors {
		reasons = append(reasons, item.Reason)
	}
	return reasons
}
