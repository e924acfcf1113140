package interval_test

import (
	"fmt"
	"time"

	"convene/pkg/interval"
)

// What is left of working hours after two meetings that overlap.
func ExampleSet_Minus() {
	day := interval.Date{Year: 2026, Month: time.March, Day: 3}
	hours := func(from, to int) interval.Span {
		return interval.Window{Start: interval.At(from, 0), End: interval.At(to, 0)}.On(day, time.UTC)
	}
	busy := interval.NewSet(hours(10, 12), hours(11, 13))
	for _, free := range interval.NewSet(hours(9, 17)).Minus(busy) {
		fmt.Println(free.Start.Format("15:04"), "to", free.End.Format("15:04"))
	}
	// Output:
	// 09:00 to 10:00
	// 13:00 to 17:00
}

// A day on which the clocks go ahead has 23 hours, and one clock time is skipped.
func ExampleDate_At() {
	berlin, err := interval.Zone("Europe/Berlin")
	if err != nil {
		fmt.Println(err)
		return
	}
	day := interval.Date{Year: 2026, Month: time.March, Day: 29}
	fmt.Println(day.Span(berlin).Duration())
	_, exists := day.At(interval.At(2, 30), berlin)
	fmt.Println("02:30 exists:", exists)
	// Output:
	// 23h0m0s
	// 02:30 exists: false
}
