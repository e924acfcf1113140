package when

import (
	"time"

	"convene/pkg/interval"
)

var months = map[string]time.Month{
	"january": time.January, "february": time.February, "march": time.March, "april": time.April, "may": time.May,
	"june": time.June, "july": time.July, "august": time.August, "september": time.September, "october": time.October,
	"november": time.November, "december": time.December,
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
	if n == 7 && part != "" && part != "rest" {
		// The beginning and the end of a week are meant of its working days.
		third = 2
		last = last.AddDays(-2)
	}
	switch part {
	case "early":
		return stretch(first, first.AddDays(third-1))
	case "mid":
		if n == 7 {
			return stretch(first.AddDays(1), first.AddDays(3))
		}
		return stretch(first.AddDays(third), first.AddDays(2*third-1))
	case "late":
		if n >= 28 && n <= 31 {
			return stretch(first.AddDays(20), last)
		}
		return stretch(last.AddDays(1-third), last)
	case "end":
		if n <= 31 {
			third = min(third, 7) // the end of a month is its last week
		}
		return stretch(last.AddDays(1-third), last)
	case "half":
		return stretch(first, first.AddDays((n+1)/2-1))
	case "second":
		return stretch(first.AddDays((n+1)/2), last)
	}
	return stretch(first, last)
}

var stretchParts = index(map[string]string{
	"early|early in|early in the|beginning of|the beginning of|start of|the start of|first part of|earlier": "early",
	"mid|middle of|the middle of|mid -":                                                     "mid",
	"late|late in|late in the|later in":                                                     "late",
	"end of|the end of|toward the end of|end of around":                                     "end",
	"first half of|the first half of":                                                       "half",
	"second half of|the second half of|latter half of":                                      "second",
	"rest of|the rest of|remainder of|later|the remainder of|remaining of|the remaining of": "rest",
})

// monthPhrase reads "in June", "next month", "early December", "the end of the month".
func monthPhrase(p *parser, i int) (days, int) {
	part, j := stretchParts.at(p, i)
	j = p.skip(j, "-")
	j = monthOf.end(p, j)
	first, end := p.month(j)
	if end == j && j > i && p.is(j, "month") {
		end = j + 1
	}
	if end == j {
		return days{}, i
	}
	last := monthEnd(first.Year, first.Month)
	d := p.notYetPast(stretchOf(part, first, last))
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
	if end := thisMonth.end(p, i); end > i {
		return first, end
	}
	if p.is(i, "month") && p.is(i-1, "of", "in") {
		return first, i + 1
	}
	if end := lastMonth.end(p, i); end > i {
		return addMonths(first, -1), end
	}
	if end := monthAfterNext.end(p, i); end > i {
		return addMonths(first, 2), end
	}
	if end := nextMonth.end(p, i); end > i {
		return monthEnd(first.Year, first.Month).AddDays(1), end
	}
	j := monthLeads.end(p, i)
	m, ok := months[p.at(j).text]
	if !ok || p.at(j).kind != word || p.is(j, "may", "march") && !p.at(j).capital && !p.is(j-1, "in", "of", "early", "late", "mid", "-", "next", "this") {
		return first, i
	}
	first.Month = m
	k := p.skip(j+1, ",", "/", "of", "from")
	if t := p.at(k); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		first.Year = t.value
		return first, k + 1
	}
	if end := ofNextYear.end(p, j+1); end > j+1 {
		first.Year++
		return first, end
	}
	if monthEnd(first.Year, m).Before(p.today) {
		first.Year++
	}
	return first, j + 1
}

// seasons are by the day on which they begin in the north.
var seasons = map[string]struct{ first, last calendarDay }{
	"spring": {calendarDay{month: time.March, first: 20}, calendarDay{month: time.June, first: 20}},
	"summer": {calendarDay{month: time.June, first: 21}, calendarDay{month: time.September, first: 23}},
	"autumn": {calendarDay{month: time.September, first: 23}, calendarDay{month: time.December, first: 20}},
	"winter": {calendarDay{month: time.December, first: 21}, calendarDay{month: time.March, first: 20}},
}

// season reads "this summer", "next winter": the one that is not over yet. A bare word is no date.
func season(p *parser, i int) (days, int) {
	j := p.skip(i, "this", "next", "in", "during", "coming")
	s, ok := seasons[p.at(p.skip(j, "the")).text]
	j = p.skip(j, "the")
	if !ok || j == i || p.at(j).kind != word {
		return days{}, i
	}
	year := p.today.Year
	first := interval.Date{Year: year, Month: s.first.month, Day: s.first.first}
	last := interval.Date{Year: year, Month: s.last.month, Day: s.last.first}
	if last.Before(first) {
		last.Year++
	}
	if before := addMonths(last, -12); !before.Before(p.today) {
		first, last = addMonths(first, -12), before
	}
	if last.Before(p.today) || p.is(i, "next") && first.Before(p.today) {
		first.Year, last.Year = first.Year+1, last.Year+1
	}
	return p.notYetPast(stretch(first, last)), j + 1
}

// yearPhrase reads quarters and years: "next quarter", "Q3 2027", "the second quarter", "next year", "in 2028".
func yearPhrase(p *parser, i int) (days, int) {
	j := p.skip(i, "the")
	thisYear := interval.Date{Year: p.today.Year, Month: time.January, Day: 1}
	switch n, k := p.ordinal(j); {
	case p.is(j, "next", "this", "current", "coming") && p.is(j+1, "year"):
		if p.is(j, "next", "coming") {
			thisYear.Year++
		}
		return p.notYetPast(stretch(thisYear, addMonths(thisYear, 12).AddDays(-1))), j + 2
	case p.is(j, "next", "this", "current", "coming") && p.is(j+1, "quarter"):
		q := (int(p.today.Month) - 1) / 3
		if p.is(j, "next", "coming") {
			q++
		}
		return p.quarter(addMonths(thisYear, 3*q)), j + 2
	case k > j && p.is(k, "quarter") && n >= 1 && n <= 4 && !p.is(k+1, "hours") && !p.is(k+2, "an", "hours"):
		return p.quarterIn(n, k+1)
	case p.is(j, "q") && p.at(j+1).glued && p.at(j+1).kind == number && p.at(j+1).value >= 1 && p.at(j+1).value <= 4:
		return p.quarterIn(p.at(j+1).value, j+2)
	case p.is(i-1, "in", "during") && p.at(i).kind == number && p.at(i).digits == 4 && p.at(i).value >= p.today.Year && p.at(i).value < 2100:
		thisYear.Year = p.at(i).value
		return p.notYetPast(stretch(thisYear, addMonths(thisYear, 12).AddDays(-1))), i + 1
	}
	return days{}, i
}

// quarterIn is the nth quarter of the year that may be written at token i, or else the one that is not over.
func (p *parser) quarterIn(n, i int) (days, int) {
	first := interval.Date{Year: p.today.Year, Month: time.Month(3*n - 2), Day: 1}
	j := p.skip(i, "of", "in")
	if t := p.at(j); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		first.Year = t.value
		return p.quarter(first), j + 1
	}
	if addMonths(first, 3).AddDays(-1).Before(p.today) {
		first.Year++
	}
	return p.quarter(first), i
}

func (p *parser) quarter(first interval.Date) days {
	return p.notYetPast(stretch(first, addMonths(first, 3).AddDays(-1)))
}

// What the rules of this file look for: expressions of one or more words.
var (
	monthOf        = anyOf("the month of|month of")
	thisMonth      = anyOf("this month|the month|current month")
	lastMonth      = anyOf("last month|the last month|the previous month|previous month|the past month")
	monthAfterNext = anyOf("the month after next|month after next")
	nextMonth      = anyOf("next month|the next month|the coming month|the following month")
	monthLeads     = anyOf("next|this coming|this")
)
