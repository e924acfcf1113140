package ground

import (
	"convene/pkg/interval"
)

// moment is the one time that is said, as a day or a local time. Of a part of a day that is its end, if the time is a
// deadline, and else its beginning; at night that is eight, and about an hour it is the hour.
func (r *reading) moment(deadline bool) any {
	points := r.points()
	if len(points) != 1 || len(points[0].Dates) > 1 {
		return nil
	}
	t := points[0]
	day, clock := interval.DateOf(r.Now), t.Exact
	switch {
	case t.Moment != nil:
		t.used = true
		return t.Moment.In(r.Now.Location()).Format(localTime)
	case len(t.Dates) == 1 && deadline:
		day = t.Dates[0].End
	case len(t.Dates) == 1:
		day = t.dayIn(day)
	case clock == nil && t.EndsAt == nil && t.Hours.Empty():
		return nil
	}
	if clock == nil {
		clock = t.EndsAt
	}
	if windows := t.windows(day); clock == nil && len(windows) > 0 {
		if clock = &windows[0].Start; deadline || *clock == 0 { // "before 6"
			clock = &windows[len(windows)-1].End
		}
		if w := windows[0]; t.About && len(windows) == 1 && w.Start < w.End {
			middle := (w.Start + w.End) / 2 // "8 ish"
			clock = &middle
		}
		if night := interval.At(20, 0); !deadline && *clock < night && form("at night").MatchString(t.text) {
			clock = &night
		}
	}
	if t.used = true; clock == nil {
		return day.String()
	}
	if len(t.Dates) == 0 && *clock <= interval.ClockOf(r.Now) {
		day = day.AddDays(1)
	}
	return day.String() + "T" + clock.String()
}

// dayIn is the day of a span on which something is to be done: the first one if it is still to come, the last one if
// the span has begun, and in whole weeks from now that of today's weekday.
func (t *timed) dayIn(today interval.Date) interval.Date {
	d := t.Dates[0]
	if weeks := today.DaysUntil(d.Start) + 6; weeks > 7 && d.Start != d.End && form("in weeks").MatchString(t.text) {
		for day := d.Start; !d.End.Before(day); day = day.AddDays(1) {
			if day.Weekday() == today.Weekday() {
				return day
			}
		}
	}
	if !today.Before(d.Start) {
		return d.End // "by Friday"
	}
	return d.Start
}

// deadline is the one time that is said, which is not past.
func (r *reading) deadline() any {
	points := r.points()
	if len(points) != 1 || len(points[0].Dates) == 1 && points[0].Dates[0].End.Before(interval.DateOf(r.Now)) {
		return nil
	}
	if points[0].Exact != nil && points[0].Duration > 0 {
		return nil // "from 1 to 3" is no deadline
	}
	return r.moment(true)
}
