package when

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// countedBesides reads what is added to a distance of whole steps, in days: the "and two days" of "a week and two
// days", the half of "a month and a half".
func (p *parser) countedBesides(step stepKind, i int) (n, end int) {
	if end := p.past("andAHalf", i); end > i {
		halves := map[stepKind]int{weekStep: 3, fortnightStep: 7, monthStep: 15, yearStep: 182}
		if n, ok := halves[step]; ok {
			return n, end
		}
	}
	n, j := p.count(p.skip(i, "and", ","))
	switch {
	case p.is(i, "and", ",") && j > i+1 && step != dayStep && n < 32 && p.is(j, "day", "days"):
		return n, j + 1
	case p.is(i, "and", ",") && j > i+1 && step != dayStep && step != weekStep && n < 5 && p.is(j, "week", "weeks"):
		return 7 * n, j + 1
	}
	return 0, i
}

// stepKind is what distances are counted in.
type stepKind uint8

const (
	dayStep stepKind = iota
	workDayStep
	weekStep
	fortnightStep
	monthStep
	yearStep
)

func (p *parser) stepUnit(i int) (stepKind, int) {
	switch {
	case p.is(i, "day", "days"):
		return dayStep, i + 1
	case p.is(i, "business", "working") && p.is(i+1, "day", "days"):
		return workDayStep, i + 2
	case p.is(i, "week", "weeks"):
		return weekStep, i + 1
	case p.is(i, "fortnight", "fortnights"):
		return fortnightStep, i + 1
	case p.is(i, "month", "months"):
		return monthStep, i + 1
	case p.is(i, "year", "years"):
		return yearStep, i + 1
	}
	return dayStep, i
}

// step is the day n steps after d, or before it where n is negative.
func (p *parser) stepped(d interval.Date, n int, kind stepKind) interval.Date {
	switch kind {
	case workDayStep:
		return p.workDay(d, n)
	case weekStep:
		return d.AddDays(7 * n)
	case fortnightStep:
		return d.AddDays(14 * n)
	case monthStep:
		return addMonths(d, n)
	case yearStep:
		return addMonths(d, 12*n)
	default:
		return d.AddDays(n)
	}
}

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

// weekendBy is the weekend of the anchor, or the closest after or before it.
func (p *parser) weekendBy(anchor days, sign int) days {
	start := p.weekendOf(anchor.first())
	switch {
	case sign > 0:
		start = p.weekdayBy(p.tongue.weekend, anchor, 1)
	case sign < 0:
		start = p.weekdayBy(p.tongue.weekend, days{
			ranges: []interval.DateRange{{Start: anchor.first().AddDays(-1), End: anchor.last()}},
		}, -1)
	}
	return stretch(start, start.AddDays(1))
}
