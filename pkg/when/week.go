package when

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// workDay is the nth working day after d, or before it where n is negative.
func (p *parser) workDay(d interval.Date, n int) interval.Date {
	step, days := 1, p.workDays()
	if n < 0 {
		step, n = -1, -n
	}
	for n > 0 {
		d = d.AddDays(step)
		if slices.Contains(days, d.Weekday()) {
			n--
		}
	}
	return d
}

// addMonths is the same day n months on, or the last of that month where it has no such day.
func addMonths(d interval.Date, n int) interval.Date {
	first := interval.DateOf(time.Date(d.Year, d.Month+time.Month(n), 1, 12, 0, 0, 0, time.UTC))
	return interval.Date{Year: first.Year, Month: first.Month, Day: min(d.Day, monthLength(first.Year, first.Month))}
}
