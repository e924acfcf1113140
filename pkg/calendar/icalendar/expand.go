package icalendar

import (
	"slices"
	"time"
)

// maxSteps bounds the work on one rule, in visited days and times: two and a half millennia of a yearly rule, a month
// of a minutely one. A period costs stepsPerPeriod, and each yielded time stepsPerTime, which bounds the memory.
const (
	maxSteps       = 1_000_000
	stepsPerPeriod = 4
	stepsPerTime   = 15
)

// each calls yield with the rule's wall times from from until to, which is excluded, in order. start is the DTSTART,
// which completes the rule; it is yielded only if the rule includes it. each adds its steps to spent, and reports false
// if it gave up after too many: it may not have yielded all times.
func (r rule) each(start, from, to time.Time, spent *int, yield func(wall time.Time)) bool {
	allowed := min(maxSteps, maxWork-*spent)
	e := expansion{rule: r.completed(start), start: start, from: from, to: to, steps: allowed}
	whole := e.walk(yield)
	*spent += allowed - e.steps
	return whole
}

// completed completes the rule from start: a weekly rule without days is on the start's weekday.
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

// lastWall is the last wall time that UNTIL allows; zero without UNTIL. A date includes its day.
func (r rule) lastWall() time.Time {
	if r.until.date {
		return r.until.wall.Add(day - time.Second)
	}
	return r.until.wall
}

// expansion walks through the periods of a completed rule.
type expansion struct {
	rule
	start    time.Time
	from, to time.Time
	steps    int
	// all are the times of the current period.
	all []time.Time
}

// walk yields the times between from and to; false means that no steps were left for the rest.
func (e *expansion) walk(yield func(wall time.Time)) bool {
	until := e.lastWall()
	k, left := e.begin()
	if e.count > 0 && left <= 0 {
		return true
	}
	for ; e.steps > 0; k++ {
		e.steps -= stepsPerPeriod
		first, ok := e.period(k)
		if !ok || !first.Before(e.to) || !until.IsZero() && first.After(until) {
			return true
		}
		times := e.times(first)
		if e.steps <= 0 {
			return false
		}
		for _, wall := range times {
			switch {
			case wall.Before(e.start):
				continue
			case !until.IsZero() && wall.After(until), !wall.Before(e.to):
				return true
			case !wall.Before(e.from):
				e.steps -= stepsPerTime
				yield(wall)
			}
			if left--; left == 0 {
				return true
			}
		}
	}
	return false
}

// begin is the first period to expand, and how many of COUNT are left from it on. With COUNT it is the first of all,
// because every time counts, unless the number of times in the skipped periods is known.
func (e *expansion) begin() (k, left int) {
	k = e.periodBefore()
	if e.count == 0 {
		return k, 0
	}
	each, uniform := e.timesInPeriod()
	if k < 2 || !uniform {
		return 0, e.count
	}
	first, _ := e.period(0)
	left = e.count - (k-1)*each
	for _, wall := range e.times(first) {
		if !wall.Before(e.start) {
			left--
		}
	}
	return k, left
}

// timesInPeriod is the number of times of each period but the first, if it is uniform.
func (e *expansion) timesInPeriod() (n int, uniform bool) {
	if e.byMonth != nil || e.byWeekNo != nil || e.byYearDay != nil || e.byMonthDay != nil || e.bySetPos != nil {
		return 0, false
	}
	n = len(e.byHour) * len(e.byMinute) * len(e.bySecond)
	switch e.freq {
	case weekly:
		return n * len(e.byDay), true
	case daily:
		return n, e.byDay == nil
	default:
		return 0, false
	}
}

// periodBefore is a period safely before all requested times.
func (e *expansion) periodBefore() int {
	if !e.from.After(e.start) {
		return 0
	}
	// A time.Duration would end after 292 years.
	ahead := int(e.from.Unix() - e.start.Unix())
	var periods int
	switch e.freq {
	case yearly:
		periods = e.from.Year() - e.start.Year()
	case monthly:
		periods = (e.from.Year()-e.start.Year())*12 + int(e.from.Month()) - int(e.start.Month())
	case weekly:
		periods = ahead / (7 * 24 * 60 * 60)
	case daily:
		periods = ahead / (24 * 60 * 60)
	case hourly:
		periods = ahead / (60 * 60)
	case minutely:
		periods = ahead / 60
	case secondly:
		periods = ahead
	}
	return max(0, periods/e.interval-1)
}

// period is the first moment of the k-th period; ok is false if it is beyond all calendars.
func (e *expansion) period(k int) (first time.Time, ok bool) {
	n := k * e.interval
	y, m, d := e.start.Date()
	hour, minute, second := e.start.Clock()
	// time.Date takes any number of hours or seconds; a time.Duration would overflow after 292 years.
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

// times are the wall times of the rule in the period that begins at first, in order. They are valid until the next
// call.
func (e *expansion) times(first time.Time) []time.Time {
	e.all = e.all[:0]
	begin, end := numberOf(first), numberOf(e.periodEnd(first))
	if e.count == 0 && e.bySetPos == nil {
		// Without counting, other days need not be visited.
		begin, end = max(begin, numberOf(e.from)), min(end, numberOf(e.to)+1)
	}
	for date := dayOf(begin); date.number < end && e.steps > 0; {
		e.steps--
		if e.byMonth != nil && !slices.Contains(e.byMonth, int(date.month)) {
			date = dayOf(date.number + date.inMonth - date.day + 1)
			continue
		}
		if e.onDay(&date) {
			e.addTimes(date.wall(), first)
		}
		date.advance()
	}
	return e.chosen()
}

// chosen are the period's times that BYSETPOS selects.
func (e *expansion) chosen() []time.Time {
	if e.bySetPos == nil {
		return e.all
	}
	var chosen []time.Time
	for _, pos := range e.bySetPos {
		i := pos - 1
		if pos < 0 {
			i = len(e.all) + pos
		}
		if i >= 0 && i < len(e.all) {
			chosen = append(chosen, e.all[i])
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

// onDay reports whether all day parts of the rule allow the date.
func (e *expansion) onDay(date *civilDay) bool {
	return e.onWeekday(date) && e.onMonthDay(date) && e.onYearDay(date) && e.onWeekNo(date)
}

func (e *expansion) onWeekday(date *civilDay) bool {
	if e.byDay == nil {
		return true
	}
	for _, d := range e.byDay {
		if d.day != date.weekday {
			continue
		}
		if d.n == 0 {
			return true
		}
		index, size := date.day, date.inMonth
		if e.freq == yearly && e.byMonth == nil {
			index, size = date.yearDay, daysInYear(date.year)
		}
		if d.n == (index-1)/7+1 || d.n == -((size-index)/7+1) {
			return true
		}
	}
	return false
}

func (e *expansion) onMonthDay(date *civilDay) bool {
	return e.byMonthDay == nil || slices.Contains(e.byMonthDay, date.day) ||
		slices.Contains(e.byMonthDay, date.day-date.inMonth-1)
}

func (e *expansion) onYearDay(date *civilDay) bool {
	return e.byYearDay == nil || slices.Contains(e.byYearDay, date.yearDay) ||
		slices.Contains(e.byYearDay, date.yearDay-daysInYear(date.year)-1)
}

func (e *expansion) onWeekNo(date *civilDay) bool {
	if e.byWeekNo == nil {
		return true
	}
	number, year := date.week(e.weekStart)
	return slices.Contains(e.byWeekNo, number) ||
		slices.Contains(e.byWeekNo, number-weeksInYear(year, e.weekStart)-1)
}

// addTimes adds the times on date. For rules below a day the period has the coarser parts, which their BY parts
// restrict.
func (e *expansion) addTimes(date, first time.Time) {
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
				return
			}
			for _, s := range seconds {
				e.all = append(e.all, date.Add(time.Duration(h*3600+m*60+s)*time.Second))
			}
		}
	}
}

// only is the value, if the list allows it.
func only(allowed []int, value int) []int {
	if allowed != nil && !slices.Contains(allowed, value) {
		return nil
	}
	return []int{value}
}
