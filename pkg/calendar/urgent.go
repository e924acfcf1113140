package calendar

import (
	"errors"

	"convene/pkg/fault"
)

// Join joins the errors of one person's calendars; nil if all are nil. Errors that the user must act on come before
// temporary ones, because only the first reason is shown.
func Join(errs ...error) error {
	var first, others []error
	for _, err := range errs {
		if urgent(err) {
			first = append(first, err)
		} else {
			others = append(others, err)
		}
	}
	return errors.Join(append(first, others...)...)
}

// urgent reports whether the user must act on the error.
func urgent(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && !f.Retryable
}
