package when

import (
	"strconv"
	"time"

	"convene/pkg/interval"
)

var months = map[string]time.Month{
	"january": time.January, "february": time.February, "march": time.March, "april": time.April, "may": time.May,
	"june": time.June, "july": time.July, "august": time.August, "september": time.September, "october": time.October,
	"november": time.November, "december": time.December,
}

// calendarDay is a day of the month as it is written, with the number it goes on to in "Dec 3-5"; year is 0 where none is
// written.
type calendarDay struct {
	month       time.Month
	first, last int
	year        int
}

// monthDay reads "Dec 3", "December 5th, 2026", "3rd of December", "Dec 3-5", "12/3/26".
func monthDay(p *parser, i int) (days, int) {
	c, end := p.calendarDay(i)
	if end == i {
		return days{}, i
	}
	d, exists := c.days(p.today)
	if !exists {
		return days{}, i
	}
	return d, end
}

// noDayPhrase reads a day of the month that the month does not have, with its prepositions.
func noDayPhrase(p *parser, i int) (item, int) {
	j := dateArticles.end(p, dateLeads.end(p, i))
	for _, start := range []int{i, j} {
		c, end := p.calendarDay(start)
		if end == start {
			continue
		}
		if _, exists := c.days(p.today); !exists {
			return item{kind: noDayItem, name: c.name(p.today)}, end
		}
	}
	return item{}, i
}

// calendarDay reads a day with its month, whether or not the month has it.
func (p *parser) calendarDay(i int) (calendarDay, int) {
	if c, end := p.numericDay(i); end > i {
		return c, end
	}
	if m, ok := months[p.at(i).text]; ok && p.at(i).kind == word {
		j := p.skip(i+1, ".", ",")
		j = p.skip(j, "the")
		day, end := p.dayNumber(j)
		if end == j {
			return calendarDay{}, i
		}
		last, e := p.lastDay(end)
		if e == end || last <= day {
			last, e = day, end
		}
		return p.inYear(calendarDay{month: m, first: day, last: last}, e)
	}
	day, j := p.dayNumber(i)
	if j == i {
		return calendarDay{}, i
	}
	last, k := p.lastDay(j)
	if k == j || last <= day {
		last, k = day, j
	}
	k = p.skip(k, "of", "-", "/")
	m, ok := months[p.at(k).text]
	if !ok || p.at(k).kind != word {
		return calendarDay{}, i
	}
	return p.inYear(calendarDay{month: m, first: day, last: last}, p.skip(k+1, "."))
}

// inYear adds the year that may be written at token i.
func (p *parser) inYear(c calendarDay, i int) (calendarDay, int) {
	j := p.skip(i, ",")
	if t := p.at(j); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		c.year = t.value
		return c, j + 1
	}
	return c, i
}

// in is the year that the day is meant in: as written, or else the next in which it is not past.
func (c calendarDay) in(today interval.Date) int {
	if c.year > 0 {
		return c.year
	}
	if (interval.Date{Year: today.Year, Month: c.month, Day: c.last}).Before(today) {
		return today.Year + 1
	}
	return today.Year
}

// days are the days meant, and whether all of them exist.
func (c calendarDay) days(today interval.Date) (d days, exist bool) {
	year := c.in(today)
	if max(c.first, c.last) > monthLength(year, c.month) {
		return days{}, false
	}
	return stretch(interval.Date{Year: year, Month: c.month, Day: c.first}, interval.Date{Year: year, Month: c.month, Day: c.last}), true
}

// name is the last of the days in words, with the year where other years have such a day.
func (c calendarDay) name(today interval.Date) string {
	name := c.month.String() + " " + strconv.Itoa(c.last)
	if c.month == time.February && c.last == 29 {
		name += ", " + strconv.Itoa(c.in(today))
	}
	return name
}

// dayNumber reads a day of the month, with or without its ending. A number that goes on as a clock is none.
func (p *parser) dayNumber(i int) (int, int) {
	if n, end := p.ordinal(i); end > i && n >= 1 && n <= 31 {
		return n, end
	}
	t := p.at(i)
	if t.kind != number || t.digits > 2 || t.value < 1 || t.value > 31 {
		return 0, i
	}
	if p.is(i+1, ":") && p.at(i+2).glued || p.is(i+1, "am", "pm", "h") {
		return 0, i
	}
	return t.value, i + 1
}

// lastDay reads the second day of "Dec 3-5" or "the 3rd to the 5th".
func (p *parser) lastDay(i int) (int, int) {
	j := p.skip(i, "-", "–", "to", "through", "and", "until")
	if j == i {
		return 0, i
	}
	n, end := p.dayNumber(p.skip(j, "the"))
	if end <= p.skip(j, "the") {
		return 0, i
	}
	if _, e := p.meridiem(clock{}, end); e > end || p.is(i, "and") && p.at(end-1).kind == number {
		return 0, i
	}
	return n, end
}

// monthEnd is the last day of a month.
func monthEnd(year int, m time.Month) interval.Date {
	return interval.Date{Year: year, Month: m, Day: monthLength(year, m)}
}

func monthLength(year int, m time.Month) int {
	return time.Date(year, m+1, 0, 12, 0, 0, 0, time.UTC).Day()
}

// numericDay reads "12/3", "12/3/26", "2026-12-03". A month beyond the twelfth is none.
func (p *parser) numericDay(i int) (calendarDay, int) {
	t := p.at(i)
	if t.kind != number {
		return calendarDay{}, i
	}
	if t.digits == 4 && p.is(i+1, "-") && p.is(i+3, "-") && p.at(i+2).kind == number && p.at(i+4).kind == number {
		m, d := p.at(i+2).value, p.at(i+4).value
		if m < 1 || m > 12 || d < 1 || d > 31 {
			return calendarDay{}, i
		}
		return calendarDay{time.Month(m), d, d, t.value}, i + 5
	}
	second := p.at(i + 2)
	if !p.is(i+1, "/") || !p.at(i+1).glued || second.kind != number || !second.glued || t.digits > 2 || second.digits > 2 {
		return calendarDay{}, i
	}
	m, d := t.value, second.value
	if m > 12 && d <= 12 {
		m, d = d, m
	}
	if _, e := p.unit(i + 3); e > i+3 || m < 1 || m > 12 || d < 1 || d > 31 || t.value == 24 {
		return calendarDay{}, i
	}
	c := calendarDay{month: time.Month(m), first: d, last: d}
	if year := p.at(i + 4); p.is(i+3, "/") && p.at(i+3).glued && year.kind == number && (year.digits == 2 || year.digits == 4) {
		c.year = year.value
		if year.digits == 2 {
			c.year += 2000
		}
		return c, i + 5
	}
	return p.inYear(c, i+3)
}

// ordinalDay reads "the 27th": the next day of that number. A bare "first" or "second" is no day.
func ordinalDay(p *parser, i int) (days, int) {
	j := p.skip(i, "the")
	n, end := p.ordinal(j)
	if end == j || n < 1 || n > 31 || p.at(j).kind == word && (n < 4 && n > 0 || j == i) {
		return days{}, i
	}
	if p.is(end, "one", "option", "slot", "place", "time", "week", "street", "st", "avenue", "ave", "floor", "birthday", "anniversary", "grade", "choice", "suggestion") {
		return days{}, i
	}
	if e := ofThisMonth.end(p, end); e > end {
		end = e
	}
	year, m := p.today.Year, p.today.Month
	if e := ofNextMonth.end(p, end); e > end {
		end, m = e, m+1
	} else if n < p.today.Day {
		m++
	}
	for range 12 {
		if m > 12 {
			year, m = year+1, 1
		}
		if n <= monthLength(year, m) {
			break
		}
		m++
	}
	return single(interval.Date{Year: year, Month: m, Day: n}), end
}

// stretchOf is the part of a stretch of days that a word like "early" or "end of" leaves.
func stretchOf(part string, first, last interval.Date) days {
	n := first.DaysUntil(last) + 1
	third := (n + 2) / 3
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
	"mid|middle of|the middle of|mid -":                       "mid",
	"late|late in|late in the|later in":                       "late",
	"end of|the end of|toward the end of":                     "end",
	"first half of|the first half of":                         "half",
	"second half of|the second half of|latter half of":        "second",
	"rest of|the rest of|remainder of|later|the remainder of": "rest",
})

// monthPhrase reads "in June", "next month", "early December", "the end of the month".
func monthPhrase(p *parser, i int) (days, int) {
	part, j := stretchParts.at(p, i)
	j = p.skip(j, "-")
	j = monthOf.end(p, j)
	first, end := p.month(j)
	if end == j {
		return days{}, i
	}
	last := monthEnd(first.Year, first.Month)
	d := stretchOf(part, first, last)
	if d.first().Before(p.today) && !d.last().Before(p.today) {
		d.ranges[0].Start = p.today
	}
	return d, end
}

// month reads a month and gives its first day: "June", "this month", "next month", "December 2026".
func (p *parser) month(i int) (interval.Date, int) {
	first := interval.Date{Year: p.today.Year, Month: p.today.Month, Day: 1}
	if end := thisMonth.end(p, i); end > i {
		return first, end
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
	if t := p.at(j + 1); t.kind == number && t.digits == 4 && t.value >= 2000 && t.value < 2100 {
		first.Year = t.value
		return first, j + 2
	}
	if monthEnd(first.Year, m).Before(p.today) {
		first.Year++
	}
	return first, j + 1
}

// nthWeekday reads "the last Friday of the month", "first Monday in December".
func nthWeekday(p *parser, i int) (days, int) {
	j := p.skip(i, "the")
	n, k := p.ordinal(j)
	if p.is(j, "last") {
		n, k = -1, j+1
	}
	day, ok := weekdays[p.at(k).text]
	if k == j || !ok || p.at(k).kind != word || n > 5 {
		return days{}, i
	}
	l := p.skip(k+1, "of", "in")
	first, end := p.month(p.skipArticle(l))
	if end == p.skipArticle(l) || l == k+1 {
		return days{}, i
	}
	d := nthOf(first, day, n)
	if d.Before(p.today) && p.is(p.skipArticle(l), "the", "month") {
		d = nthOf(monthEnd(first.Year, first.Month).AddDays(1), day, n)
	}
	return single(d), end
}

func (p *parser) skipArticle(i int) int {
	if p.phrase(i, "the month") > i {
		return i
	}
	return p.skip(i, "the")
}

// nthOf is the nth such weekday of the month that begins at first; -1 is the last.
func nthOf(first interval.Date, day time.Weekday, n int) interval.Date {
	if n > 0 {
		return first.AddDays((int(day)-int(first.Weekday())+7)%7 + 7*(n-1))
	}
	last := interval.Date{Year: first.Year, Month: first.Month, Day: monthLength(first.Year, first.Month)}
	return last.AddDays(-((int(last.Weekday()) - int(day) + 7) % 7))
}

// What the rules of this file look for: expressions of one or more words.
var (
	ofThisMonth = anyOf("of this month|of the month")
	ofNextMonth = anyOf("of next month")
	monthOf     = anyOf("the month of|month of")
	thisMonth   = anyOf("this month|the month|current month")
	nextMonth   = anyOf("next month|the next month|the coming month|the following month")
	monthLeads  = anyOf("next|this coming|this")
)
