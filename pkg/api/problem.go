package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"convene/pkg/auth"
	"convene/pkg/booking"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Codes of problems that only HTTP has.
const (
	codeMethodNotAllowed fault.Code = "method_not_allowed"
	codeRequestTimeout   fault.Code = "request_timeout"
)

// comeBackIn is the default time until the next try.
const comeBackIn = 5 * time.Second

// Problem is an error as a client reads it (RFC 9457), with a stable code.
type Problem struct {
	Type      string          `json:"type" doc:"Always about:blank: the code says what kind of problem it is."`
	Title     string          `json:"title" doc:"The status as text."`
	Status    int             `json:"status"`
	Detail    string          `json:"detail" doc:"What is wrong, for the user."`
	Code      fault.Code      `json:"code" doc:"For programs to branch on. New codes may be added."`
	Field     string          `json:"field,omitempty" doc:"The field of the request that is wrong, as participants[0].timezone."`
	Retryable bool            `json:"retryable,omitempty" doc:"The same request may go through later."`
	RequestID string          `json:"requestId,omitempty"`
	Slots     []meet.Slot     `json:"slots,omitempty" doc:"With slot_gone: times that suit everyone now. They replace the proposal's alternatives.slots: confirm with {\"slot\": i, \"start\": its start} to take the one at index i, from 0."`
	Changes   *meet.ChangeSet `json:"changes,omitempty" doc:"With changed: the changes as they would be now, to be confirmed by their own id and digest."`

	retryAfter time.Duration
}

// problemOf converts err to a Problem, and notes it for the log.
func problemOf(ctx context.Context, err error) *Problem {
	n := noteOf(ctx)
	n.err = err
	f := faultOf(err)
	status := statusOf(f.Code)
	if f.Code == fault.CalendarFailed && !f.Retryable {
		status = http.StatusConflict // only the user can repair it
	}
	if s, ok := errors.AsType[statusError](err); ok {
		status = s.status
	}
	p := &Problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status,
		Detail: f.Message, Code: f.Code, Field: f.Field, Retryable: f.Retryable, RequestID: n.request,
		retryAfter: f.RetryAfter,
	}
	if f.Field != "" {
		p.Detail = f.Field + ": " + f.Message
	}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		p.Retryable = true
		p.retryAfter = max(f.RetryAfter, time.Second)
		if f.RetryAfter == 0 {
			p.retryAfter = comeBackIn
		}
	}
	if g, ok := errors.AsType[*booking.GoneError](err); ok {
		p.Slots = g.Slots
	}
	if c, ok := errors.AsType[*change.ChangedError](err); ok && len(c.Fresh.Changes) > 0 {
		p.Changes = &c.Fresh
	}
	return p
}

// statusError overrides the status that the error's code would have.
type statusError struct {
	error
	status int
}

// Unwrap is for errors.Is and errors.As.
func (e statusError) Unwrap() error { return e.error }

// faultOf converts any error to a fault.
func faultOf(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	if h, ok := errors.AsType[*echo.HTTPError](err); ok {
		return faultOfStatus(h.Code, "").Because(err)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.New(fault.Cancelled, "The request was cancelled before it was answered.").Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.DeadlineExceeded, "This took too long. Please try again.").Later(0).Because(err)
	default:
		return fault.As(err)
	}
}

// faultOfStatus returns the fault of a plain status; detail, if not empty, says what is wrong with the body.
func faultOfStatus(status int, detail string) *fault.Error {
	f := fault.As(nil)
	switch status {
	case http.StatusNotFound:
		f = fault.New(fault.NotFound, "There is nothing at this address. The API is described at /docs.")
	case http.StatusMethodNotAllowed:
		f = fault.New(codeMethodNotAllowed, "This address does not take that method.")
	case http.StatusRequestEntityTooLarge:
		f = tooLarge(maxBody)
	case http.StatusUnsupportedMediaType:
		f = notJSON()
	case http.StatusTooManyRequests:
		f = fault.New(fault.Overloaded, "There are too many requests at the moment.").Later(0)
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		f = fault.New(fault.InvalidRequest, "The request is not valid.")
	}
	if detail != "" && f.Code == fault.InvalidRequest {
		f.Field, f.Message = "body", detail
	}
	return f
}

// statusOf returns the HTTP status of a code; 500 for an unknown one.
func statusOf(code fault.Code) int {
	statuses := map[fault.Code]int{
		fault.InvalidRequest:    http.StatusBadRequest,
		fault.NotFound:          http.StatusNotFound,
		fault.SlotGone:          http.StatusConflict,
		fault.Conflict:          http.StatusConflict,
		fault.Cancelled:         http.StatusConflict,
		change.Changed:          http.StatusConflict,
		change.Expired:          http.StatusConflict,
		change.AlreadyApplied:   http.StatusConflict,
		change.DigestMismatch:   http.StatusConflict,
		change.Refused:          http.StatusConflict,
		fault.TooLarge:          http.StatusRequestEntityTooLarge,
		fault.Unsupported:       http.StatusUnsupportedMediaType,
		fault.Overloaded:        http.StatusTooManyRequests,
		fault.Unavailable:       http.StatusServiceUnavailable,
		fault.ModelUnavailable:  http.StatusServiceUnavailable,
		fault.CalendarFailed:    http.StatusServiceUnavailable,
		fault.PlacesUnavailable: http.StatusServiceUnavailable,
		fault.DeadlineExceeded:  http.StatusGatewayTimeout,
		fault.ModelAnswer:       http.StatusBadGateway,
		auth.Unauthorized:       http.StatusUnauthorized,
		auth.TokenExpired:       http.StatusUnauthorized,
		auth.Forbidden:          http.StatusForbidden,
		codeMethodNotAllowed:    http.StatusMethodNotAllowed,
		codeRequestTimeout:      http.StatusRequestTimeout,
	}
	if status, ok := statuses[code]; ok {
		return status
	}
	return http.StatusInternalServerError
}

func (p *Problem) Error() string { return p.Detail }

// GetStatus is, as ContentType and GetHeaders, for huma, which renders the error.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType ignores what was negotiated (RFC 9457).
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders says when to retry, if known, and how to authenticate.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(seconds(p.retryAfter)))
	}
	switch {
	case p.Code == auth.TokenExpired:
		h.Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="expired"`)
	case p.Status == http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	}
	return h
}

// seconds rounds up, so that no client comes back too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// renderProblem is echo's error handler, for errors that huma does not see: unknown routes, panics, failed streams.
func renderProblem(err error, c echo.Context) {
	ctx := c.Request().Context()
	p := problemOf(ctx, err)
	if c.Response().Committed {
		return
	}
	for name, values := range p.GetHeaders() {
		c.Response().Header()[name] = values
	}
	body, err := json.Marshal(p)
	if err == nil {
		err = c.Blob(p.Status, p.ContentType(""), body)
	}
	if err != nil {
		noteOf(ctx).err = err
	}
}

// ownErrors converts huma's own errors to problems, so that clients see one kind only.
func ownErrors(ctx huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	f := faultOfStatus(e.Status, e.Detail)
	if len(e.Errors) > 0 && f.Code == fault.InvalidRequest {
		_, parameter, _ := strings.Cut(e.Errors[0].Location, ".") // as query.limit
		f = fault.Invalid(parameter, "%s", e.Errors[0].Message)
	}
	p := problemOf(ctx.Context(), f)
	p.Status, p.Title = e.Status, http.StatusText(e.Status)
	return p, nil
}
