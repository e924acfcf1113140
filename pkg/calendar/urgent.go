package calendar

import (
	"errors"
	"slices"

	"convene/pkg/fault"
)

// Join makes one error of what went wrong with several calendars of one person's; nil where nothing did. What somebody
// has to do something about comes before what passes by itself, because of several reasons the first is shown.
func Join(errs ...error) error {
	problems := slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	slices.SortStableFunc(problems, func(a, b error) int {
		switch first := urgent(a); {
		case first == urgent(b):
			return 0
		case first:
			return -1
		default:
			return 1
		}
	})
	return errors.Join(problems...)
}

// urgent reports whether somebody has to do something about the error.
func urgent(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && !f.Retryable
}
