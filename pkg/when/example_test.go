package when_test

import (
	"fmt"
	"time"

	"convene/pkg/when"
)

// Relative days are read from a time that carries the zone: here a Wednesday.
func ExampleRead() {
	now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)
	r := when.Read("Coffee Thursday or Friday after 4, 90 min", now)
	for _, days := range r.Dates {
		fmt.Println("on", days.Start, "to", days.End)
	}
	fmt.Println("from", r.Hours.Week[time.Thursday][0].Start)
	fmt.Println("for", r.Duration)
	// Output:
	// on 2026-03-05 to 2026-03-06
	// from 16:00
	// for 1h30m0s
}

// The same in Hebrew: tomorrow at four in the afternoon.
func ExampleRead_hebrew() {
	now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC)
	r := when.Read("מחר בארבע אחר הצהריים", now)
	fmt.Println(r.Dates[0].Start, r.Exact)
	// Output: 2026-03-05 16:00
}
