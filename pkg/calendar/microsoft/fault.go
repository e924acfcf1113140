package microsoft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/outbound"
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

// graphError is an error answer of Graph. Its text is dropped, because it may name mailboxes.
type graphError struct {
	status int
	// code is Graph's error code, as ErrorAccessDenied; empty if the answer was not Graph's.
	code   string
	header http.Header
}

// refusal is the error of an answer: a proxy's page has its status alone.
func refusal(res *http.Response) error {
	var answer struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.NewDecoder(res.Body).Decode(&answer)
	return &graphError{status: res.StatusCode, code: answer.Error.Code, header: res.Header}
}

func (e *graphError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("graph answered %d %s", e.status, e.code))
}

// isStatus reports whether err is an answer of Graph with one of the status codes.
func isStatus(err error, codes ...int) bool { return slices.Contains(codes, statusOf(err)) }

// statusOf is the status of an error answer; 0 for other errors.
func statusOf(err error) int {
	if answer, ok := errors.AsType[*graphError](err); ok {
		return answer.status
	}
	return 0
}

// unanswered reports whether Graph may have carried out the request: there is no answer, or one of a proxy that got
// none.
func unanswered(err error) bool {
	_, said := errors.AsType[*fault.Error](err)
	return err != nil && !said && (statusOf(err) == 0 || statusOf(err) >= http.StatusInternalServerError)
}

func hasCode(err error, code string) bool {
	answer, ok := errors.AsType[*graphError](err)
	return ok && strings.EqualFold(answer.code, code)
}

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
	if hasCode(err, "MailboxNotEnabledForRESTAPI") || hasCode(err, "MailboxNotSupportedForRESTAPI") {
		return fault.New(fault.CalendarFailed, msgNoMailbox).Because(err)
	}
	switch status := statusOf(err); {
	case status == http.StatusUnauthorized:
		return fault.New(fault.CalendarFailed, msgReconnect).Because(err)
	case status == http.StatusForbidden:
		return fault.New(fault.CalendarFailed, msgForbidden).Because(err)
	case status == http.StatusNotFound || status == http.StatusGone:
		return fault.New(fault.CalendarFailed, msgGone).Because(err)
	case status == http.StatusConflict || status == http.StatusPreconditionFailed:
		return fault.New(fault.Conflict, msgConflict).Later(0).Because(err)
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		return fault.New(fault.CalendarFailed, msgBusy).Later(retryAfter(err)).Because(err)
	case status >= 400 && status < 500:
		return fault.New(fault.CalendarFailed, msgNotTaken).Because(err)
	default:
		return fault.New(fault.CalendarFailed, msgUnreachable).Later(0).Because(err)
	}
}

// retryAfter is how long Graph asks to wait; 0 if it does not say.
func retryAfter(err error) time.Duration {
	answer, ok := errors.AsType[*graphError](err)
	if !ok {
		return 0
	}
	return outbound.RetryAfter(answer.header)
}
