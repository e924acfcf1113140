package icalendar_test

import (
	"context"
	"fmt"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// The busy times of a week, of a file with a daily event without one of its instances.
func ExampleSchedule_Instances() {
	schedule, err := icalendar.Parse([]byte(`BEGIN:VCALENDAR
BEGIN:VEVENT
UID:standup
DTSTART:20260302T090000Z
DTEND:20260302T091500Z
RRULE:FREQ=DAILY;COUNT=3
EXDATE:20260303T090000Z
END:VEVENT
END:VCALENDAR
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	week := interval.From(time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC), 7*24*time.Hour)
	times, _, err := schedule.Instances(context.Background(), week, icalendar.Owner{})
	for _, one := range times {
		fmt.Println(one.Span.Start.Format("Mon 15:04"), one.Span.Duration())
	}
	fmt.Println(err)
	// Output:
	// Mon 09:00 15m0s
	// Wed 09:00 15m0s
	// <nil>
}
