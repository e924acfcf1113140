package world

import (
	"errors"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// DetailedError is a fault with a value that helps a program.
type DetailedError struct {
	Fault   *fault.Error
	Details any
}

func (e *DetailedError) Error() string { return e.Fault.Error() }

// Unwrap is the fault.
func (e *DetailedError) Unwrap() error { return e.Fault }

// explained is the result of a handler that could not do it, with the details of its error.
func explained(result Result, err error) (Result, error) {
	detailed, ok := errors.AsType[*DetailedError](err)
	result, err = refused(result, err)
	if ok && err == nil {
		result.Response.Error.Details, err = meet.MarshalLine(detailed.Details)
	}
	return result, err
}
