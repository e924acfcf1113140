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

// monthPhrase reads "in June", "next month", "early December", "the end of the month".
func monthPhrase(p *parser, i int) (days, int) {
	part, j := p.means("stretchParts", i)
	j = p.skip(j, "-")
	j = p.past("monthOf", j)
	first, end := p.month(j)
	if end == j && j > i && p.is(j, "month") {
		end = j + 1
	}
	if end == j {
		return days{}, i
	}
	if part == "rest" && p.is(i, "later") && p.today.Before(first) {
		part = "late"
	}
	d := stretchOf(part, first, monthEnd(first.Year, first.Month))
	if d.last().Before(p.today) && p.is(end-1, "month") && !p.is(end-2, "this", "current", "last", "previous", "past") {
		first = addMonths(first, 1) // that part of this month is over
		d = stretchOf(part, first, monthEnd(first.Year, first.Month))
	}
	d = p.notYetPast(d)
	if part != "" {
		d.whole = interval.DateRange{}
	}
	return d, end
}

// notYetPast leaves out the days of a stretch that are past, where some are not, and remembers all of it.
func (p *parser) notYetPast(d days) days {
	d.whole = d.ranges[0]
	if d.first().Before(p.today) && !d.last().Before(p.today) {
		d.ranges[0].Start = p.today
	}
	return d
}

// month reads a month and gives its first day: "June", "this month", "next month", "December 2026".
func (p *parser) month(i int) (interval.Date, int) {
	first := interval.Date{Year: p.today.Year, Month: p.today.Month, Day: 1}
	if end := p.past("thisMonth", i); end > i {
		return first, end
	}
	if p.is(i, "month") && p.is(i-1, "of", "in") {
		return first, i + 1
	}
	if end := p.past("lastMonth", i); end > i {
		return addMonths(first, -1), end
	}
	if end := p.past("monthAfterNext", i); end > i {
		return addMonths(first, 2), end
	}
	if end := p.past("nextMonth", i); end > i {
		return monthEnd(first.Year, first.Month).AddDays(1), end
	}
	j := p.past("monthLeads", i)
	m, ok := months[p.at(j).text]
	if !ok || p.at(j).kind != word || p.is(j, "mar") || p.is(j, "may", "march") && !p.at(j).capital && !p.leadsMonth(j-1) {
		return p.numericMonth(i, first)
	}
	first.Month = m
	if year, end := p.year(p.skip(j+1, ",", "/", "of", "from", "-")); year > 0 {
		first.Year = year
		return first, end
	}
	if end := p.past("ofNextYear", j+1); end > j+1 {
		first.Year++
		return first, end
	}
	if monthEnd(first.Year, m).Before(p.today) {
		first.Year++
	}
	return first, j + 1
}

// leadsMonth reports whether token i makes the "may" or "march" behind it a month.
func (p *parser) leadsMonth(i int) bool {
	return p.is(i, "in", "of", "early", "late", "mid", "-", "next", "this", "during", "throughout") ||
		p.tongue != english && p.is(i, "on")
}

// numericMonth reads "06/2026" and "2026-06". first is what it gives where there is none.
func (p *parser) numericMonth(i int, first interval.Date) (interval.Date, int) {
	t, year := p.at(i), p.at(i+2)
	if t.digits == 4 && t.value >= 2000 && t.value < 2100 && p.is(i+1, "-") && p.at(i+1).glued && year.glued &&
		year.digits == 2 && year.value >= 1 && year.value <= 12 &&
		(!p.is(i+3, "-") || !p.at(i+3).glued) {
		return interval.Date{Year: t.value, Month: time.Month(year.value), Day: 1}, i + 3
	}
	if p.is(i-1, "/") || t.kind != number || t.digits > 2 || t.value < 1 || t.value > 12 || !p.is(i+1, "/") ||
		!p.at(i+1).glued || year.digits != 4 ||
		year.value < 2000 || year.value >= 2100 {
		return first, i
	}
	return interval.Date{Year: year.value, Month: time.Month(t.value), Day: 1}, i + 3
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
