package fault_test

import (
	"errors"
	"fmt"

	"convene/pkg/fault"
)

// The cause is for the log; a person reads the message only, whatever wraps it on the way.
func Example() {
	read := func() (err error) {
		defer fault.Wrap(&err, "read calendar %q", "work")
		return fault.New(fault.CalendarFailed, "Please reconnect the calendar.").Because(errors.New("401 from 10.0.0.7"))
	}
	err := read()
	fmt.Println("person:", fault.As(err).Message)
	fmt.Println("log:", err)
	// Output:
	// person: Please reconnect the calendar.
	// log: read calendar "work": calendar_failed: Please reconnect the calendar.: 401 from 10.0.0.7
}
