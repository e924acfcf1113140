package calendar_test

import (
	"context"
	"errors"
	"testing"

	"convene/pkg/calendar"
	"convene/pkg/fault"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	passes := fault.New(fault.CalendarFailed, "try again").Later(0)
	reconnect, choose := fault.New(fault.CalendarFailed, "reconnect"), fault.New(fault.CalendarFailed, "choose")
	for name, test := range map[string]struct {
		errs  []error
		first error
	}{
		"nothing":                         {nil, nil},
		"nothing of two":                  {[]error{nil, nil}, nil},
		"one":                             {[]error{nil, passes}, passes},
		"what is to be done first":        {[]error{passes, nil, reconnect}, reconnect},
		"the first of two to be done":     {[]error{passes, reconnect, choose}, reconnect},
		"before what has no words at all": {[]error{context.DeadlineExceeded, reconnect}, reconnect},
	} {
		got := calendar.Join(test.errs...)
		if f, _ := errors.AsType[*fault.Error](got); test.first == nil && got != nil || test.first != nil && error(f) != test.first {
			t.Errorf("%s: %v, want %v first", name, got, test.first)
		}
		for _, err := range test.errs {
			if err != nil && !errors.Is(got, err) {
				t.Errorf("%s: %v is lost in %v", name, err, got)
			}
		}
	}
}
