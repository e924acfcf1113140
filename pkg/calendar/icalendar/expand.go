package icalendar

import (
	"slices"
	"time"
)

// maxSteps bounds the work on one rule, in days and times looked at: some 270 years of a yearly rule, two months of
// one that repeats every minute.
const maxSteps = 100_000

const day = 24 * time.Hour

// each calls yield with the rule's wall times from from up to, not including, to, in order. start is the DTSTART,
// which gives what the rule leaves out; it is yielded only where the rule hits it. each reports false where it gave
// up because the rule is too much work: there may be times that it did not yield.
func (r rule) each(start, from, to time.Time, yield func(wall time.Time)) bool {
	r = r.completed(start)
	e := expansion{rule: r, start: start, steps: maxSteps}
	until := r.lastWall()
	left := r.count
	for k := r.firstPeriod(start, from); e.steps > 0; k++ {
		first, ok := e.period(k)
		if !ok || !first.Before(to) || !until.IsZero() && first.After(until) {
			return true
		}
		times := e.times(first)
		if e.steps <= 0 {
			return false
		}
		for _, wall := range times {
			switch {
			case wall.Before(start):
				continue
			case !until.IsZero() && wall.After(until), !wall.Before(to):
				return true
			case !wall.Before(from):
				yield(wall)
			}
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// completed fills in from start what the rule leaves open: a weekly rule without days is on the start's weekday.
func (r rule) completed(start time.Time) rule {
	if r.byWeekNo == nil && r.byYearDay == nil && r.byMonthDay == nil && r.byDay == nil {
		switch r.freq {
		case yearly:
			if r.byMonth == nil {
				r.byMonth = []int{int(start.Month())}
			}
			r.byMonthDay = []int{start.Day()}
		case monthly:
			r.byMonthDay = []int{start.Day()}
		case weekly:
			r.byDay = []ordinalDay{{day: start.Weekday()}}
		default:
		}
	}
	if r.byWeekNo != nil && r.byDay == nil && r.byMonthDay == nil && r.byYearDay == nil {
		r.byDay = []ordinalDay{{day: start.Weekday()}}
	}
	if r.freq < hourly && r.byHour == nil {
		r.byHour = []int{start.Hour()}
	}
	if r.freq < minutely && r.byMinute == nil {
		r.byMinute = []int{start.Minute()}
	}
	if r.freq < secondly && r.bySecond == nil {
		r.bySecond = []int{start.Second()}
	}
	return r
}

// lastWall is the last wall time that UNTIL allows; the zero time where there is no UNTIL. A date includes its day.
func (r rule) lastWall() time.Time {
	if r.until.date {
		return r.until.wall.Add(day - time.Second)
	}
	return r.until.wall
}

// firstPeriod is the period to begin with: with COUNT the first of all, since every one counts, otherwise one that
// lies safely ahead of from.
func (r rule) firstPeriod(start, from time.Time) int {
	if r.count > 0 || !from.After(start) {
		return 0
	}
	ahead := from.Sub(start)
	var periods int
	switch r.freq {
	case yearly:
		periods = from.Year() - start.Year()
	case monthly:
		periods = (from.Year()-start.Year())*12 + int(from.Month()) - int(start.Month())
	case weekly:
		periods = int(ahead / (7 * day))
	case daily:
		periods = int(ahead / day)
	case hourly:
		periods = int(ahead / time.Hour)
	case minutely:
		periods = int(ahead / time.Minute)
	case secondly:
		periods = int(ahead / time.Second)
	}
	return max(0, periods/r.interval-1)
}

// expansion walks through the periods of a completed rule.
type expansion struct {
	rule
	start time.Time
	steps int
}

// period is the first moment of the k-th period; ok is false where it lies beyond all calendars.
func (e *expansion) period(k int) (first time.Time, ok bool) {
	n := k * e.interval
	y, m, d := e.start.Date()
	hour, minute, second := e.start.Clock()
	// time.Date takes any number of hours or seconds, where a time.Duration would overflow after 292 years.
	switch e.freq {
	case yearly:
		first = time.Date(y+n, 1, 1, 0, 0, 0, 0, time.UTC)
	case monthly:
		first = time.Date(y, m+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	case weekly:
		back := int(e.start.Weekday()-e.weekStart+7) % 7
		first = time.Date(y, m, d-back+7*n, 0, 0, 0, 0, time.UTC)
	case daily:
		first = time.Date(y, m, d+n, 0, 0, 0, 0, time.UTC)
	case hourly:
		first = time.Date(y, m, d, hour+n, 0, 0, 0, time.UTC)
	case minutely:
		first = time.Date(y, m, d, hour, minute+n, 0, 0, time.UTC)
	case secondly:
		first = time.Date(y, m, d, hour, minute, second+n, 0, time.UTC)
	}
	return first, first.Year() < 10000
}

// times are the wall times of the rule in the period that begins at first, in order.
func (e *expansion) times(first time.Time) []time.Time {
	var all []time.Time
	end := e.periodEnd(first)
	for date := first.Truncate(day); date.Before(end) && e.steps > 0; {
		e.steps--
		if next, skip := e.skipMonth(date); skip {
			date = next
			continue
		}
		if e.onDay(date) {
			all = e.timesOf(all, date, first)
		}
		date = date.Add(day)
	}
	if e.bySetPos == nil {
		return all
	}
	var chosen []time.Time
	for _, pos := range e.bySetPos {
		i := pos - 1
		if pos < 0 {
			i = len(all) + pos
		}
		if i >= 0 && i < len(all) {
			chosen = append(chosen, all[i])
		}
	}
	slices.SortFunc(chosen, time.Time.Compare)
	return slices.Compact(chosen)
}

func (e *expansion) periodEnd(first time.Time) time.Time {
	switch e.freq {
	case yearly:
		return first.AddDate(1, 0, 0)
	case monthly:
		return first.AddDate(0, 1, 0)
	case weekly:
		return first.Add(7 * day)
	default:
		return first.Truncate(day).Add(day)
	}
}

// skipMonth jumps over a month that BYMONTH leaves out.
func (e *expansion) skipMonth(date time.Time) (next time.Time, skip bool) {
	if e.byMonth == nil || slices.Contains(e.byMonth, int(date.Month())) {
		return date, false
	}
	return time.Date(date.Year(), date.Month()+1, 1, 0, 0, 0, 0, time.UTC), true
}

// onDay reports whether the day parts of the rule all allow the date.
func (e *expansion) onDay(date time.Time) bool {
	return e.onWeekday(date) && e.onMonthDay(date) && e.onYearDay(date) && e.onWeekNo(date)
}

func (e *expansion) onWeekday(date time.Time) bool {
	if e.byDay == nil {
		return true
	}
	for _, d := range e.byDay {
		if d.day != date.Weekday() {
			continue
		}
		if d.n == 0 {
			return true
		}
		index, size := date.Day(), daysInMonth(date)
		if e.freq == yearly && e.byMonth == nil {
			index, size = date.YearDay(), daysInYear(date.Year())
		}
		if d.n == (index-1)/7+1 || d.n == -((size-index)/7+1) {
			return true
		}
	}
	return false
}

func (e *expansion) onMonthDay(date time.Time) bool {
	return e.byMonthDay == nil || slices.Contains(e.byMonthDay, date.Day()) ||
		slices.Contains(e.byMonthDay, date.Day()-daysInMonth(date)-1)
}

func (e *expansion) onYearDay(date time.Time) bool {
	return e.byYearDay == nil || slices.Contains(e.byYearDay, date.YearDay()) ||
		slices.Contains(e.byYearDay, date.YearDay()-daysInYear(date.Year())-1)
}

// onWeekNo counts weeks as ISO 8601 does, with the rule's first day of the week: week 1 is the first with at least
// four days in the year.
func (e *expansion) onWeekNo(date time.Time) bool {
	if e.byWeekNo == nil {
		return true
	}
	number, year := weekOf(date, e.weekStart)
	weeks, _ := weekOf(time.Date(year, 12, 28, 0, 0, 0, 0, time.UTC), e.weekStart)
	return slices.Contains(e.byWeekNo, number) || slices.Contains(e.byWeekNo, number-weeks-1)
}

// weekOf is the number of the week that date lies in, and the year whose week that is: the year of its fourth day.
func weekOf(date time.Time, weekStart time.Weekday) (number, year int) {
	into := int(date.Weekday()-weekStart+7) % 7
	fourth := date.AddDate(0, 0, 3-into)
	return (fourth.YearDay()-1)/7 + 1, fourth.Year()
}

// timesOf appends the times on date. For rules below a day the period itself gives the coarser parts, and the BY
// parts of these restrict it.
func (e *expansion) timesOf(all []time.Time, date, first time.Time) []time.Time {
	hours, minutes, seconds := e.byHour, e.byMinute, e.bySecond
	if e.freq >= hourly {
		hours = only(hours, first.Hour())
	}
	if e.freq >= minutely {
		minutes = only(minutes, first.Minute())
	}
	if e.freq >= secondly {
		seconds = only(seconds, first.Second())
	}
	for _, h := range hours {
		for _, m := range minutes {
			e.steps -= len(seconds)
			if e.steps < 0 {
				return all
			}
			for _, s := range seconds {
				all = append(all, date.Add(time.Duration(h*3600+m*60+s)*time.Second))
			}
		}
	}
	return all
}

// only is the one value, where the list allows it.
func only(allowed []int, value int) []int {
	if allowed != nil && !slices.Contains(allowed, value) {
		return nil
	}
	return []int{value}
}

func daysInMonth(date time.Time) int {
	return time.Date(date.Year(), date.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func daysInYear(year int) int { return time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC).YearDay() }
