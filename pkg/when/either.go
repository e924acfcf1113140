package when

import (
	"time"

	"convene/pkg/interval"
)

// orNext adds to days those that are named behind them only as the next of their kind: "this week or next", "Friday or
// the one after".
func (p *parser) orNext(d days, i int) (days, int) {
	end := p.past("theNextToo", i)
	if end == i || len(d.ranges) != 1 || d.openEnd || d.openStart || p.is(end-1, "next") && !p.ends(end) {
		return d, i
	}
	later, ok := p.nextOfKind(d, i-1)
	if !ok {
		return d, i
	}
	return days{ranges: append(d.ranges[:1:1], later)}, end
}

// nextOfKind is the week, weekend, month or weekday behind d, of which the word is token i.
func (p *parser) nextOfKind(d days, i int) (interval.DateRange, bool) {
	switch _, weekday := weekdays[p.at(i).text]; {
	case p.is(i, "week"):
		first := p.weekOf(d.last()).AddDays(7)
		return interval.DateRange{Start: first, End: first.AddDays(6)}, true
	case p.is(i, "weekend"):
		first := p.weekendOf(d.last()).AddDays(7)
		return interval.DateRange{Start: first, End: first.AddDays(1)}, true
	case p.is(i, "month"):
		first := addMonths(interval.Date{Year: d.last().Year, Month: d.last().Month, Day: 1}, 1)
		return interval.DateRange{Start: first, End: monthEnd(first.Year, first.Month)}, true
	case weekday && one(d):
		return moved(d.ranges, 7)[0], true
	}
	return interval.DateRange{}, false
}

// upTo reads the second of two counts of which either will do: the 3 of "two or three", "2-3". Where there is none, it
// is the first.
func (p *parser) upTo(n, i int) (most, end int) {
	j := p.skip(i, "or", "to", "-", "–")
	if m, k := p.cardinal(j); j > i && k > j && m > n && m <= 2*n+2 {
		return m, k
	}
	return n, i
}

// besideMonth reports whether the month at token i is one of two that are named as alternatives: "April or May", which
// are nobody's names then, unless somebody is met.
func (p *parser) besideMonth(i int) bool {
	first, second := i, p.skip(i+2, "in")
	if !p.is(i+1, "or", "/") {
		first, second = p.monthBefore(i), i
	}
	if first < 0 || months[p.at(first).text] == time.Month(0) || months[p.at(second).text] == time.Month(0) {
		return false
	}
	return !p.is(first-1, "with", "and", "for", "see", "meet", "call", "ask", "invite", "either")
}

// monthBefore is the token of the month before the "or" that stands before token i, with its preposition; -1 where none
// does.
func (p *parser) monthBefore(i int) int {
	if p.is(i-1, "in") {
		i--
	}
	if !p.is(i-1, "or", "/") {
		return -1
	}
	return i - 2
}
