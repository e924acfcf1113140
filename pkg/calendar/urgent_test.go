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
	if err := calendar.Join(nil, nil); err != nil {
		t.Errorf("nothing went wrong, and it is %v", err)
	}
	for name, test := range map[string]struct {
		errs  []error
		first string
	}{
		"one":                             {[]error{nil, passes}, "try again"},
		"what is to be done first":        {[]error{passes, nil, reconnect}, "reconnect"},
		"the first of two to be done":     {[]error{passes, reconnect, choose}, "reconnect"},
		"before what has no words at all": {[]error{context.DeadlineExceeded, reconnect}, "reconnect"},
	} {
		got := calendar.Join(test.errs...)
		if said := fault.As(got).Message; said != test.first {
			t.Errorf("%s: %q is first, want %q", name, said, test.first)
		}
		for _, err := range test.errs {
			if err != nil && !errors.Is(got, err) {
				t.Errorf("%s: %v is lost in %v", name, err, got)
			}
		}
	}
}
