package when

import (
	"time"

	"convene/pkg/interval"
)

var months = map[string]time.Month{
	"january": time.January, "february": time.February, "march": time.March, "april": time.April, "may": time.May,
	"june": time.June, "july": time.July, "august": time.August, "september": time.September, "october": time.October,
	"november": time.November, "december": time.December,
	// The name of towns and people too, so that it is a month only beside a number.
	"mar": time.March,
}

// monthEnd is the last day of a month.
func monthEnd(year int, m time.Month) interval.Date {
	return interval.Date{Year: year, Month: m, Day: monthLength(year, m)}
}

func monthLength(year int, m time.Month) int {
	return time.Date(year, m+1, 0, 12, 0, 0, 0, time.UTC).Day()
}

// stretchOf is the part of a stretch of days that a word like "early" or "end of" leaves.
func stretchOf(part string, first, last interval.Date) days {
	n := first.DaysUntil(last) + 1
	third := (n + 2) / 3
	if n >= 28 && n <= 31 {
		third = 10
	}
	switch {
	case part == "" || part == "rest":
		return stretch(first, last)
	case n == 7:
		return workWeekPart(part, first)
	case part == "half" || part == "second":
		second := secondHalf(first, n)
		if part == "half" {
			return stretch(first, second.AddDays(-1))
		}
		return stretch(second, last)
	}
	switch part {
	case "early":
		return stretch(first, first.AddDays(third-1))
	case "mid":
		return stretch(first.AddDays(third), first.AddDays(2*third-1))
	case "earlymid":
		return stretch(first, first.AddDays(2*third-1))
	case "midlate":
		return stretch(first.AddDays(third), last)
	case "late":
		return stretch(first.AddDays(min(2*third, n-1)), last)
	default:
		return stretch(last.AddDays(1-endOf(n, third, last)), last)
	}
}

// endOf is how many days the end of a stretch of n days has: the last week of a month, the last month of a year, a
// third of all else.
func endOf(n, third int, last interval.Date) int {
	switch {
	case n <= 31:
		return min(third, 7)
	case n > 200:
		return last.Day
	}
	return third
}

// workWeekPart is part of a week, whose beginning and end are meant of its working days.
func workWeekPart(part string, first interval.Date) days {
	spans := map[string][2]int{"early": {0, 1}, "mid": {1, 3}, "earlymid": {0, 2}, "midlate": {2, 4}, "half": {0, 2}}
	span, ok := spans[part]
	if !ok {
		span = [2]int{3, 4}
	}
	return stretch(first.AddDays(span[0]), first.AddDays(span[1]))
}

// secondHalf is the day on which the second half of a stretch of n days begins: the 16th of a month, July of a year.
func secondHalf(first interval.Date, n int) interval.Date {
	switch {
	case n >= 28 && n <= 31:
		return first.AddDays(15)
	case n > 360:
		return addMonths(first, 6)
	}
	return first.AddDays((n + 1) / 2)
}

// month is a month or a part of it.
func (m *match) month() days {
	first := m.thisMonth()
	if len(m.days) > 0 {
		first = m.days[0].first()
	}
	part := m.stretch
	if part == "rest" && m.is(m.from, "later") && m.today.Before(first) {
		part = "late"
	}
	d := stretchOf(part, first, monthEnd(first.Year, first.Month))
	if d.last().Before(m.today) && m.is(m.to-1, "month") && !m.is(m.to-2, "this", "current", "last", "previous", "past") {
		first = addMonths(first, 1) // that part of this month is over
		d = stretchOf(part, first, monthEnd(first.Year, first.Month))
	}
	return m.whatIsLeft(d)
}

// thisMonth is the first day of the month that runs.
func (p *parser) thisMonth() interval.Date {
	return interval.Date{Year: p.today.Year, Month: p.today.Month, Day: 1}
}

// monthFrom is all of the month that begins on a day.
func monthFrom(first interval.Date) days { return stretch(first, monthEnd(first.Year, first.Month)) }

// monthNamed is "June", "December 2026": the one that is not over, unless a year is said.
func (m *match) monthNamed() days {
	first := interval.Date{Year: m.today.Year, Month: m.monthName, Day: 1}
	switch {
	case len(m.counts) > 0:
		first.Year = m.counts[0]
	case monthEnd(first.Year, first.Month).Before(m.since(halfYear)):
		first.Year++
	}
	return monthFrom(first)
}

// readMonthName reads the name of a month that is no other word there: "may", "march", "Mar".
func (m *match) readMonthName(i int) int {
	name, ok := months[m.at(i).text]
	if !ok || m.at(i).kind != word || m.is(i, "mar") ||
		m.is(i, "may", "march") && !m.at(i).capital && !m.leadsMonth(i-1) {
		return i
	}
	m.monthName = name
	return i + 1
}

// yearBehind reads "2027", "of '27", "of next year"; it is 0 if none stands at token i.
func (p *parser) yearBehind(i int) (year, end int) {
	if e := p.past("ofNextYear", i); e > i {
		return p.today.Year + 1, e
	}
	if year, end = p.year(p.skip(i, ",", "/", "of", "from", "-")); year == 0 {
		return 0, i
	}
	return year, end
}

// notYetPast leaves out the days of a stretch that are past, where some are not, and remembers all of it.
func (p *parser) notYetPast(d days) days {
	d.whole = d.ranges[0]
	if d.first().Before(p.today) && !d.last().Before(p.today) {
		d.ranges[0].Start = p.today
	}
	return d
}

// whatIsLeft is notYetPast of a stretch that may be a part of a longer one.
func (m *match) whatIsLeft(d days) days {
	d = m.notYetPast(d)
	if m.stretch != "" {
		d.whole = interval.DateRange{}
	}
	return d
}

// leadsMonth reports whether token i makes the "may" or "march" after it a month.
func (p *parser) leadsMonth(i int) bool {
	return p.is(i, "in", "of", "early", "late", "mid", "-", "next", "this", "during", "throughout") ||
		p.tongue != english && p.is(i, "on")
}

// numericMonth is "06/2026" or "2026-06".
func (m *match) numericMonth() days {
	first, second := m.at(m.from), m.at(m.from+2)
	year, month := second, first
	if m.is(m.from+1, "-") {
		year, month = first, second
	}
	if !m.at(m.from+1).glued || year.digits != 4 || year.value < 2000 || year.value >= 2100 || month.digits > 2 ||
		month.value < 1 || month.value > 12 || m.is(m.from+1, "-") &&
		(!second.glued || second.digits != 2 || m.is(m.to, "-") && m.at(m.to).glued) {
		return days{}
	}
	return monthFrom(interval.Date{Year: year.value, Month: time.Month(month.value), Day: 1})
}

// year reads a year at token i: "2027", "'27". It is 0 where none stands there.
func (p *parser) year(i int) (year, end int) {
	if p.is(i, "'") && p.at(i+1).glued && p.at(i+1).digits == 2 {
		return 2000 + p.at(i+1).value, i + 2
	}
	if t := p.at(i); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		return t.value, i + 1
	}
	return 0, i
}
