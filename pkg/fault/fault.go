// Package fault holds the only text about a failure that a person may read. Adapters turn their vendor's errors
// into faults at their edge; everything between passes them on; the top renders them.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Code is stable across releases; clients may branch on it.
type Code string

// The codes that leave the service.
const (
	Internal          Code = "internal"
	InvalidRequest    Code = "invalid_request"
	NotFound          Code = "not_found"
	SlotGone          Code = "slot_gone"
	Conflict          Code = "conflict"
	TooLarge          Code = "too_large"
	Unsupported       Code = "unsupported_media_type"
	Overloaded        Code = "overloaded"
	Unavailable       Code = "unavailable"
	DeadlineExceeded  Code = "deadline_exceeded"
	Cancelled         Code = "cancelled"
	ModelUnavailable  Code = "model_unavailable"
	ModelAnswer       Code = "model_answer"
	CalendarFailed    Code = "calendar_failed"
	PlacesUnavailable Code = "places_unavailable"
)

// Error is a failure with words for the user. Message reveals nothing internal: no host, key or vendor's text. Err, if
// set, is the cause, for the log only.
type Error struct {
	Code    Code
	Message string
	// Field names the wrong part of the request, for example "participants[0].timezone".
	Field string
	// Retryable says that the same request may succeed later; RetryAfter says when, if that is known.
	Retryable  bool
	RetryAfter time.Duration
	Err        error
}

// New is a fault with a message for the user.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Invalid is a fault of the request: field is the wrong part, the message says how.
func Invalid(field, format string, args ...any) *Error {
	return &Error{Code: InvalidRequest, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Because attaches the cause to the fault.
func (e *Error) Because(err error) *Error {
	e.Err = err
	return e
}

// Later marks the fault as worth another try, after d if d is not zero.
func (e *Error) Later(d time.Duration) *Error {
	e.Retryable, e.RetryAfter = true, d
	return e
}

func (e *Error) Error() string {
	s := string(e.Code) + ": "
	if e.Field != "" {
		s += e.Field + ": "
	}
	s += e.Message
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// As is err as a fault. Any other error becomes Internal, with a general message.
func As(err error) *Error {
	if f, ok := errors.AsType[*Error](err); ok {
		return f
	}
	return &Error{Code: Internal, Message: "Something went wrong on our side.", Retryable: true, Err: err}
}

// CodeOf is the code of err, Internal if err is not a fault, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return As(err).Code
}

// Wrap adds the operation to the error that *err points to, for the log; a nil error stays nil.
func Wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}
