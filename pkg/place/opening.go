package place

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

const (
	dayMinutes  = 24 * 60
	weekMinutes = 7 * dayMinutes
)

// Opening is a stretch of the week in which a place is open, in minutes on its own clock since Sunday 00:00. One that
// ends at or before its beginning continues into the next week; equal ends mean the whole week.
type Opening struct {
	From, To int
}

// MinuteOfWeek is a time of day on a weekday, in the unit of Opening.
func MinuteOfWeek(day time.Weekday, clock interval.Clock) int {
	return int(day)*dayMinutes + int(clock)
}

// WeekOf converts openings to the hours of a week; nil, which means unknown, if there are none.
func WeekOf(openings []Opening) *interval.Week {
	if len(openings) == 0 {
		return nil
	}
	var week interval.Week
	for _, o := range openings {
		o.into(&week)
	}
	for day := range week {
		slices.SortFunc(week[day], func(a, b interval.Window) int { return int(a.Start - b.Start) })
		week[day] = slices.Compact(week[day])
	}
	return &week
}

// into adds the opening. One that runs past a single midnight stays whole, on the day on which it began; a longer one
// is split by day.
func (o Opening) into(week *interval.Week) {
	from := mod(o.From, weekMinutes)
	length := mod(o.To-o.From-1, weekMinutes) + 1
	day, start := from/dayMinutes, from%dayMinutes
	if end := start + length; end > dayMinutes && end-dayMinutes < start {
		week[day] = append(week[day], interval.Window{Start: interval.Clock(start), End: interval.Clock(end - dayMinutes)})
		return
	}
	for length > 0 {
		end := min(start+length, dayMinutes)
		week[day] = append(week[day], interval.Window{Start: interval.Clock(start), End: interval.Clock(end)})
		length -= end - start
		day, start = (day+1)%7, 0
	}
}

func mod(a, b int) int { return ((a % b) + b) % b }
