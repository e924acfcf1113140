package stages

import (
	"testing"
	"time"
)

// In Santiago the clock goes from 23:59 to 01:00 on 7 September 2031: at half past midnight, that day has to be named
// too.
func TestDaysAreNamedIfAnHourIsLeftOut(t *testing.T) {
	t.Parallel()
	santiago, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2031, time.August, 30, 0, 30, 0, 0, santiago)
	for i, day := range nextDays(now) {
		date := time.Date(2031, time.August, 30+i, 12, 0, 0, 0, time.UTC)
		if day.Date != date.Format(time.DateOnly) || day.Weekday != date.Weekday().String() {
			t.Errorf("day %d is named %s, %s, want %s, %s", i, day.Weekday, day.Date, date.Weekday(), date.Format(time.DateOnly))
		}
	}
}
