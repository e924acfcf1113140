package slot

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// usualHours are when an activity usually takes place: the start and at least half of the event lie within them. Lunch
// of an hour may begin at 13:30, and one of half an hour at 13:45. Unknown activities have the hours of leisure.
func usualHours(a meet.Activity) interval.Window {
	switch a {
	case meet.Coffee:
		return interval.Window{Start: interval.At(8, 0), End: interval.At(18, 0)}
	case meet.Breakfast:
		return interval.Window{Start: interval.At(7, 0), End: interval.At(10, 30)}
	case meet.Brunch:
		return interval.Window{Start: interval.At(10, 0), End: interval.At(14, 0)}
	case meet.Lunch:
		return interval.Window{Start: interval.At(11, 30), End: interval.At(14, 0)}
	case meet.Dinner:
		return interval.Window{Start: interval.At(17, 30), End: interval.At(21, 30)}
	case meet.Drinks:
		return interval.Window{Start: interval.At(17, 0), End: interval.At(23, 0)}
	case meet.Meeting:
		return interval.Window{Start: interval.At(9, 0), End: interval.At(18, 0)}
	case meet.Call:
		return interval.Window{Start: interval.At(8, 0), End: interval.At(20, 0)}
	default:
		return interval.Window{Start: interval.At(9, 0), End: interval.At(22, 0)}
	}
}

// Usual reports whether the activity usually begins at that time of day.
func Usual(a meet.Activity, at interval.Clock) bool {
	hours := usualHours(a)
	return at >= hours.Start && at < hours.End
}

// favourite is the distance in minutes from the best times of day for the activity. ok is false if the activity has no
// best time.
func favourite(a meet.Activity, at int) (away int, ok bool) {
	near := func(best ...interval.Clock) (int, bool) {
		away = int(interval.EndOfDay)
		for _, b := range best {
			away = min(away, abs(at-int(b)))
		}
		return away, true
	}
	switch a {
	case meet.Coffee:
		return near(interval.At(10, 0), interval.At(15, 0))
	case meet.Breakfast:
		return near(interval.At(8, 30))
	case meet.Brunch:
		return near(interval.At(11, 0))
	case meet.Lunch:
		return near(interval.At(12, 0))
	case meet.Dinner:
		return near(interval.At(18, 30))
	case meet.Drinks:
		return near(interval.At(18, 0))
	case meet.Meeting, meet.Call:
		return 0, false
	default:
		return near(interval.At(11, 0), interval.At(18, 0))
	}
}

// awkwardness orders the times of a day, the best for the activity first: half and full hours before quarters, and
// among them the nearest to a favourite time. Without a favourite, full hours go before half ones, and earlier times
// before later.
func awkwardness(a meet.Activity, at int) int {
	class := 2
	switch {
	case at%60 == 0:
		class = 0
	case at%30 == 0:
		class = 1
	}
	away, ok := favourite(a, at)
	if !ok {
		return class*int(interval.EndOfDay) + at
	}
	return class/2*int(interval.EndOfDay) + away
}

// evening is when leisure may begin on a working day.
const evening = 17 * 60

// SuitsLeisure reports whether the slot is at a weekend, or begins at 17:00 or later, on the clock of its own zone.
func SuitsLeisure(s meet.Slot) bool {
	return atLeisure(s.Start.Weekday(), int(interval.ClockOf(s.Start)))
}

func atLeisure(weekday time.Weekday, at int) bool {
	return weekday == time.Saturday || weekday == time.Sunday || at >= evening
}

// keepsWorkingHours reports whether the person's working hours bound an event of this activity and length. They do on a
// work calendar, unless the activity belongs outside them: dinner shares no time with nine to five, and two hours of
// drinks would fit into a working day but never begin late enough. Then the activity decides.
func keepsWorkingHours(p meet.Person, a meet.Activity, length int64) bool {
	if !p.OnWorkCalendar() {
		return false
	}
	usual := usualHours(a)
	common, fits, room := false, false, false
	for _, windows := range p.WorkingWeek() {
		for _, w := range windows {
			if w.End < w.Start {
				w.End += interval.EndOfDay
			}
			fits = fits || int64(w.End-w.Start)*minute >= length
			for _, shift := range [2]interval.Clock{0, interval.EndOfDay} {
				from, to := max(w.Start, usual.Start+shift), usual.End+shift
				common = common || from < min(w.End, to)
				room = room || int64(w.End-from)*minute >= length && 2*int64(to-from)*minute >= length
			}
		}
	}
	return common && (room || !fits)
}

func abs[T int | int64](n T) T { return max(n, -n) }
