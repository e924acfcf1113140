package caldav

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// task is the operation that failed, as the beginning of a sentence. Reading has none, because its reasons follow the
// person's name.
type task string

const (
	toRead   task = ""
	toWrite  task = "The event could not be written: "
	toRemove task = "The event could not be removed: "
)

// Reasons that are used more than once.
const (
	reasonReconnect = "reconnect the CalDAV calendar"
	reasonSlow      = "the calendar did not answer in time; try again in a moment"
	reasonTooLarge  = "the calendar is too large to be read"
	reasonChanged   = "it was changed at the same time; try again"
	reasonElsewhere = "the calendar server sends us on to another address; connect the calendar with that one"
	reasonNoTarget  = "choose the calendar that events are to be written to"
)

// errNoTarget says that the person has chosen no calendar to write to.
var errNoTarget = errors.New("no calendar is chosen to write to")

// explain turns a session's error into a fault for the calendar's owner, and reports a refused credential to the
// accounts. Cancellation and faults stay what they are.
func (c *Calendar) explain(ctx context.Context, s *session, do task, err error) error {
	if err == nil || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	status, ok := errors.AsType[*statusError](err)
	if !ok || status.status != http.StatusUnauthorized {
		return reason(do, err)
	}
	refused := c.cfg.Accounts.Refused(ctx, s.account.ID, s.cred)
	code, message := fault.CalendarFailed, reasonReconnect
	if f, ok := errors.AsType[*fault.Error](refused); ok {
		code, message = f.Code, f.Message
	}
	return do.fault(code, message).Because(errors.Join(err, refused))
}

// fault makes a fault about the task.
func (do task) fault(code fault.Code, reason string) *fault.Error {
	if do != toRead {
		reason = string(do) + strings.TrimSuffix(reason, ".") + "."
	}
	return fault.New(code, "%s", reason)
}

// reason is the fault for an error that the person did not cause, and that is mostly temporary.
func reason(do task, err error) *fault.Error {
	if status, ok := errors.AsType[*statusError](err); ok {
		return statusReason(do, status)
	}
	failed := func(reason string) *fault.Error { return do.fault(fault.CalendarFailed, reason).Because(err) }
	open, isOpen := errors.AsType[*outbound.OpenError](err)
	_, isLarge := errors.AsType[*outbound.TooLargeError](err)
	_, isPrivate := errors.AsType[*outbound.NotPublicError](err)
	switch {
	case isOpen:
		return failed("the calendar server fails at the moment; try again later").Later(open.After)
	case isLarge, errors.Is(err, errTooLarge):
		return failed(reasonTooLarge)
	case isPrivate:
		return failed("the calendar server's address is not a public one")
	case errors.Is(err, errUntrusted):
		return failed(reasonElsewhere)
	case errors.Is(err, errNoTarget):
		return failed(reasonNoTarget)
	case errors.Is(err, errNotDAV):
		return failed("the server's answer was not a calendar's; try again, or " + reasonReconnect).Later(0)
	case errors.Is(err, context.DeadlineExceeded):
		return failed(reasonSlow).Later(0)
	default:
		return failed("the calendar could not be reached; try again in a moment").Later(0)
	}
}

// statusReason is the fault for a status.
func statusReason(do task, e *statusError) *fault.Error {
	failed := func(reason string) *fault.Error { return do.fault(fault.CalendarFailed, reason).Because(e) }
	switch e.status {
	case http.StatusForbidden, http.StatusMethodNotAllowed:
		return failed("the calendar server does not allow it; choose another calendar, or " + reasonReconnect)
	case http.StatusNotFound, http.StatusGone, http.StatusConflict:
		return failed("the calendar is no longer there; choose your calendars again")
	case http.StatusPreconditionFailed:
		return do.fault(fault.Conflict, reasonChanged).Because(e).Later(0)
	case http.StatusRequestEntityTooLarge:
		return failed("it is too large for the calendar")
	case http.StatusLocked:
		return failed("the calendar is locked at the moment; try again shortly").Later(e.after)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return failed("the calendar server asks for a pause; try again later").Later(e.after)
	case http.StatusInsufficientStorage:
		return failed("the calendar has no space left")
	}
	switch {
	case e.status/100 == 3:
		return failed(reasonElsewhere)
	case e.status >= http.StatusInternalServerError:
		return failed("the calendar server fails at the moment; try again later").Later(e.after)
	default:
		return failed("the calendar server did not understand us; " + reasonReconnect)
	}
}
