package when

import (
	"time"

	"convene/pkg/interval"
)

// listedDays adds the days of the same month that are listed after the first: "April 9, 10 and 11", "May 3 or 4". A
// comma alone lists nothing.
func (p *parser) listedDays(d days, i int) (days, int) {
	end, last, pending := i, d.first(), []interval.DateRange{}
	for len(pending) < maxParts {
		j := p.skip(i, ",")
		k := p.skip(j, "and", "or", "&", "/")
		n, e := p.dayNumber(p.skip(k, "the"))
		if k == i || e == p.skip(k, "the") || n <= last.Day || n > monthLength(last.Year, last.Month) || !p.listed(e) {
			break
		}
		last.Day = n
		pending = append(pending, single(last).ranges...)
		if i = e; k > j {
			end = e
			d.ranges = append(d.ranges, pending...)
			pending = pending[:0]
		}
	}
	return d, end
}

// listed reports whether a number that ends before token i can be a day in a list: it is no clock, no length, no count
// of people, and of no other month.
func (p *parser) listed(i int) bool {
	t := p.at(i)
	return p.plainNumber(i) && (t.kind != word || months[t.text] == 0) && t.kind != number && !p.is(i, "/", ".")
}

// orNext adds to days those that are named after them only as the next of their kind: "this week or next", "Friday or
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

// nextOfKind is the week, weekend, month or weekday after d, of which the word is token i.
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

// upTo reads the second of two possible counts: the 3 of "two or three", "2-3". Where there is none, it
// is the first.
func (p *parser) upTo(n, i int) (most, end int) {
	j := p.skip(i, "or", "to", "-", "–")
	if m, k := p.cardinal(j); j > i && k > j && m > n && m <= 2*n+2 {
		return m, k
	}
	return n, i
}

// besideMonth reports whether the month at token i is one of two that are named as alternatives: "April or May", which
// are nobody's names then, unless someone is met.
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

// everyOne is all the days that a weekday listed after others stands for: the Wednesdays in "every Monday and
// Wednesday".
func (p *parser) everyOne(before, d days) days {
	if !before.every || !d.weekly || len(d.weekdays) != 1 {
		return d
	}
	return p.everyWeekday(d.weekdays[0])
}

// openedAfter is days with what stands after them that leaves an end open: "Thursday onwards", "Friday at the
// latest".
func (p *parser) openedAfter(d days, i int) (days, int) {
	if len(d.ranges) != 1 || d.every {
		return d, i
	}
	if end := p.past("fromThenOn", i); end > i && (!p.is(end-1, "after", "on") || p.ends(end)) {
		return from(d.first()), end
	}
	if end := p.past("atTheLatest", i); end > i && (!p.is(end-1, "before") || p.ends(end)) && !d.last().Before(p.today) {
		bounded := p.untilDay(d.last())
		bounded.openStart, bounded.limit = true, d.last()
		return bounded, end
	}
	return d, i
}

// oneWeekday is the day of the week that a mere weekday names; other days are not ok.
func oneWeekday(d days) (day time.Weekday, ok bool) {
	if !d.weekly || len(d.weekdays) != 1 {
		return 0, false
	}
	return d.weekdays[0], true
}

// frame moves the weekdays listed before the one of a week into that week, as far as they come before it there:
// "Tuesday or Wednesday of next week", but "Friday or Monday of next week". It reports whether it did.
func (a *assembler) frame(w *wish, d days) bool {
	if d.of.Start.IsZero() || len(d.weekdays) != 1 || len(w.times) > 0 {
		return false
	}
	all := make([]days, 0, len(w.days)+1)
	for _, before := range w.days {
		day, ok := oneWeekday(before)
		if !ok || before.every || a.p.inWeek(day) > a.p.inWeek(d.weekdays[0]) {
			return false
		}
		all = append(all, onWeekdays(d.of, []time.Weekday{day}))
	}
	w.days = append(all, d)
	return true
}

// inStretch are the named weekdays of a stretch.
func inStretch(stretch days, named []time.Weekday) days {
	of := interval.DateRange{Start: stretch.first(), End: stretch.last()}
	d := onWeekdays(of, named)
	d.of = of
	return d
}
