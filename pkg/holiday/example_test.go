package holiday_test

import (
	"fmt"
	"time"

	"convene/pkg/holiday"
	"convene/pkg/interval"
)

// The zone of the time says whose holidays count.
func ExamplePublic() {
	thanksgiving := interval.Date{Year: 2026, Month: time.November, Day: 26}
	for _, name := range []string{"America/Los_Angeles", "Europe/Paris"} {
		zone, err := interval.Zone(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(name, holiday.Public(thanksgiving.Start(zone)))
	}
	// Output:
	// America/Los_Angeles true
	// Europe/Paris false
}
