package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	abstractions "github.com/microsoft/kiota-abstractions-go"
	"github.com/microsoft/kiota-abstractions-go/serialization"

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
	abstractions.ApiError
	// code is Graph's error code, as ErrorAccessDenied; empty if the answer was not Graph's.
	code string
}

func newGraphError(serialization.ParseNode) (serialization.Parsable, error) {
	return &graphError{}, nil
}

func mappings() abstractions.ErrorMappings { return abstractions.ErrorMappings{"XXX": newGraphError} }

func (e *graphError) Error() string {
	if e.code == "" {
		return fmt.Sprintf("graph answered %d", e.ResponseStatusCode)
	}
	return fmt.Sprintf("graph answered %d %s", e.ResponseStatusCode, e.code)
}

// GetFieldDeserializers reads {"error":{"code":…}}.
func (e *graphError) GetFieldDeserializers() map[string]func(serialization.ParseNode) error {
	return fields{"error": inside(fields{"code": text(&e.code)})}
}

// Serialize writes nothing: errors are only read.
func (*graphError) Serialize(serialization.SerializationWriter) error { return nil }

// nodes lets kiota keep the status of an error whose body is not JSON, as a proxy's HTML page is.
type nodes struct{ serialization.ParseNodeFactory }

// GetRootParseNode never fails; reading the node of an unreadable body does.
func (n nodes) GetRootParseNode(contentType string, content []byte) (serialization.ParseNode, error) {
	node, err := n.ParseNodeFactory.GetRootParseNode(contentType, content)
	if err != nil {
		return unreadable{}, nil //nolint:nilerr // the node reports it, beside the status that kiota adds
	}
	return node, nil
}

type unreadable struct{ serialization.ParseNode }

// GetObjectValue is an error to which kiota adds the status.
func (unreadable) GetObjectValue(serialization.ParsableFactory) (serialization.Parsable, error) {
	return nil, &graphError{code: "(not JSON)"}
}

// isStatus reports whether err is an answer of Graph with one of the status codes.
func isStatus(err error, codes ...int) bool { return slices.Contains(codes, statusOf(err)) }

// statusOf is the status of an error answer; 0 for other errors.
func statusOf(err error) int {
	if answer := answerIn(err); answer != nil {
		return answer.GetStatusCode()
	}
	return 0
}

// answerIn is the answer of Graph in err; nil for other errors.
func answerIn(err error) abstractions.ApiErrorable {
	var answer abstractions.ApiErrorable
	if errors.As(err, &answer) {
		return answer
	}
	return nil
}

// unanswered reports whether Graph may have carried out the request: there is no answer, or one of a proxy that got
// none.
func unanswered(err error) bool {
	_, said := errors.AsType[*fault.Error](err)
	return err != nil && !said && (answerIn(err) == nil || statusOf(err) >= http.StatusInternalServerError)
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
	answer := answerIn(err)
	if answer == nil || answer.GetResponseHeaders() == nil {
		return 0
	}
	h := http.Header{}
	for _, name := range []string{"Retry-After", "Date"} {
		h[name] = answer.GetResponseHeaders().Get(name)
	}
	return outbound.RetryAfter(h)
}
