package microsoft

import (
	"context"
	"errors"
	"net/http"

	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
)

// The messages of faults. Each reads well after a name: "Al: reconnect …".
const (
	msgReconnect   = "reconnect the Microsoft calendar"
	msgForbidden   = "Microsoft does not let Convene see the calendar; reconnect it and allow access to calendars"
	msgGone        = "the Microsoft calendar is no longer there; choose the calendars again"
	msgNoMailbox   = "the Microsoft account has no calendar that can be read; connect another account"
	msgNone        = "no Microsoft calendar is connected"
	msgConflict    = "the event was changed in the Microsoft calendar at the same time; try again"
	msgBusy        = "Microsoft asks for a little patience; try again in a moment"
	msgUnreachable = "the Microsoft calendar could not be reached; try again in a moment"
	msgNotTaken    = "the Microsoft calendar did not accept the request"
)

// asFault is err as a fault for the calendar's owner. A fault stays, and so does the end of a context: the caller knows
// best what it means.
func asFault(err error) error {
	if _, already := errors.AsType[*fault.Error](err); err == nil || already {
		return err
	}
	if errors.Is(err, calendar.ErrNoCalendar) {
		return fault.New(fault.CalendarFailed, msgNone).Because(err)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if graph.HasCode(err, "MailboxNotEnabledForRESTAPI", "MailboxNotSupportedForRESTAPI") {
		return fault.New(fault.CalendarFailed, msgNoMailbox).Because(err)
	}
	switch status := graph.StatusOf(err); {
	case status == http.StatusUnauthorized:
		return fault.New(fault.CalendarFailed, msgReconnect).Because(err)
	case status == http.StatusForbidden:
		return fault.New(fault.CalendarFailed, msgForbidden).Because(err)
	case status == http.StatusNotFound || status == http.StatusGone:
		return fault.New(fault.CalendarFailed, msgGone).Because(err)
	case status == http.StatusConflict || status == http.StatusPreconditionFailed:
		return fault.New(fault.Conflict, msgConflict).Later(0).Because(err)
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return fault.New(fault.CalendarFailed, msgBusy).Later(graph.RetryAfter(err)).Because(err)
	case status >= 400 && status < 500:
		return fault.New(fault.CalendarFailed, msgNotTaken).Because(err)
	default:
		return fault.New(fault.CalendarFailed, msgUnreachable).Later(0).Because(err)
	}
}
