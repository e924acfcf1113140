package slot_test

import (
	"fmt"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// A call of an hour on Thursday between nine and noon, when one of two people is busy until half past ten. Starts on
// the hour come first.
func ExampleFind() {
	thursday := interval.Date{Year: 2026, Month: time.March, Day: 5}
	nine := thursday.Start(time.UTC).Add(9 * time.Hour)
	result := slot.Find(slot.Query{
		Now: nine.AddDate(0, 0, -1),
		Template: meet.Template{
			EventType: meet.Video, Activity: meet.Call, Duration: 60,
			Dates: []interval.DateRange{{Start: thursday, End: thursday}},
			Hours: &meet.Hours{Week: interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(12, 0)})},
		},
		Attendees: []slot.Attendee{
			{Person: meet.Person{ID: "me"}},
			{Person: meet.Person{ID: "al"}, Availability: interval.Availability{
				Busy: interval.NewSet(interval.From(nine, 90*time.Minute)),
			}},
		},
	})
	for _, s := range result.Slots {
		fmt.Println(s.Start.Format("15:04"), "to", s.End.Format("15:04"))
	}
	// Output:
	// 11:00 to 12:00
	// 10:30 to 11:30
	// 10:45 to 11:45
}
