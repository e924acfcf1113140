package calendar_test

import (
	"context"
	"fmt"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// A Directory asks the calendars of several people at once. Who has none is unknown, never free.
func ExampleDirectory() {
	files := local.New(&localtest.Memory{}, map[string][]byte{"al.ics": []byte(`BEGIN:VCALENDAR
BEGIN:VEVENT
UID:1
DTSTART:20260303T090000Z
DTEND:20260303T100000Z
END:VEVENT
END:VCALENDAR
`)})
	directory := calendar.Directory{Sources: []calendar.Provider{files}}
	nine := interval.From(time.Date(2026, time.March, 3, 9, 0, 0, 0, time.UTC), time.Hour)
	readings, err := directory.Busy(context.Background(), meet.BusyQuery{
		People: []meet.Person{{ID: "al", Name: "Al"}, {ID: "zoe", Name: "Zoe"}}, Span: nine,
	})
	fmt.Println("Al is", readings["al"].Availability.State(nine))
	fmt.Println("Zoe is", readings["zoe"].Availability.State(nine), "because", readings["zoe"].Status.Reason)
	fmt.Println(err)
	// Output:
	// Al is busy
	// Zoe is unknown because no calendar is connected
	// <nil>
}
