package when

import (
	"strconv"
	"time"

	"convene/pkg/interval"
)

// calendarDay is a day of the month as it is written, with the number it goes on to in "Dec 3-5"; year is 0 where none
// is written.
type calendarDay struct {
	month       time.Month
	first, last int
	year        int
	// apart says that only the first and the last are meant: "June 3rd and 8th".
	apart bool
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
	if c.first != c.last {
		return d, end
	}
	return p.listedDays(d, end)
}

// noDayPhrase reads a day of the month that the month does not have, with its prepositions.
func noDayPhrase(p *parser, i int) (item, int) {
	j := p.past("dateArticles", p.past("dateLeads", i))
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
	if c, end := p.dayRun(i); end > i {
		return c, end
	}
	if c, end := p.monthThenDay(i); end > i {
		return c, end
	}
	return p.dayThenMonth(i)
}

// monthThenDay reads "Dec 3-5", "March fifteen, 2026".
func (p *parser) monthThenDay(i int) (calendarDay, int) {
	m, ok := months[p.at(i).text]
	if !ok || p.at(i).kind != word {
		return calendarDay{}, i
	}
	j := p.skip(i+1, ".", ",", "/", "-")
	j = p.skip(j, "the")
	day, end := p.dayNumber(j)
	if n, e := p.cardinal(j); end == j && n >= 1 && n <= 31 && p.at(j).kind == word &&
		(p.tongue != english || p.plainNumber(e)) {
		day, end = n, e
	}
	if end == j {
		return calendarDay{}, i
	}
	last, e := p.lastDay(end)
	if e == end || last <= day {
		last, e = day, end
	}
	return p.inYear(calendarDay{month: m, first: day, last: last, apart: p.apart(i, end)}, e)
}

// dayThenMonth reads "3rd of December", "3-5 Dec", "five of March".
func (p *parser) dayThenMonth(i int) (calendarDay, int) {
	day, j := p.dayNumber(i)
	if j == i {
		day, j = p.spokenDay(i)
	}
	if j == i {
		return calendarDay{}, i
	}
	last, k := p.lastDay(j)
	if k == j && p.is(j, "or", "&", "/") {
		last, k = p.dayNumber(p.skip(p.skip(j+1, "on"), "the"))
	}
	if k == j || last <= day {
		last, k = day, j
	}
	k = p.skip(p.skip(k, "day"), "of", "-", "/", ".")
	k = p.skip(k, "of")
	m, ok := months[p.at(k).text]
	if !ok || p.at(k).kind != word {
		return calendarDay{}, i
	}
	return p.inYear(calendarDay{month: m, first: day, last: last, apart: p.apart(i, j)}, p.skip(k+1, "."))
}

// apart reports whether two days are meant and not those between: there is an "and" at token and, and no "between"
// before the first of them at token i.
func (p *parser) apart(i, and int) bool {
	lead := i - 1
	if p.is(lead, "the") {
		lead--
	}
	return p.is(and, "and", "or", "&", "/") && !p.is(lead, "between")
}

// dayRun reads "from the 3rd to the 5th of June", "between 3 and 5 June": days of one month that is named behind them.
func (p *parser) dayRun(i int) (calendarDay, int) {
	j := p.skip(i, "from", "between")
	first, k := p.dayNumber(p.skip(j, "the"))
	if k == p.skip(j, "the") {
		return calendarDay{}, i
	}
	if p.is(k, ".") && p.at(k).glued {
		k++ // "10.-14.3."
	}
	l := p.skip(k, "to", "-", "–", "through", "until", "and", "till")
	if c, end := p.dottedDay(l); l > k && end > l && first < c.first && (!p.is(k, "and") || p.is(i, "between")) {
		c.first = first
		return c, end
	}
	last, m := p.dayNumber(p.skip(l, "the"))
	if l == k || m == p.skip(l, "the") || last <= first || p.is(k, "and") && !p.is(i, "between") {
		return calendarDay{}, i
	}
	n := p.skip(p.skip(m, "of"), "-", ".")
	month, ok := months[p.at(n).text]
	if !ok || p.at(n).kind != word {
		return calendarDay{}, i
	}
	return p.inYear(calendarDay{month: month, first: first, last: last}, p.skip(n+1, "."))
}

// spokenDay reads a day of the month in words that has no ending, where a month stands behind it: "five of March".
func (p *parser) spokenDay(i int) (int, int) {
	n, end := p.cardinal(i)
	if end == i || n < 1 || n > 31 || p.at(i).kind != word || !p.is(end, "of") || months[p.at(end+1).text] == 0 {
		return 0, i
	}
	return n, end
}

// inYear adds the year that may be written at token i.
func (p *parser) inYear(c calendarDay, i int) (calendarDay, int) {
	if end := p.past("ofNextYear", i); end > i {
		c.year = p.today.Year + 1
		return c, end
	}
	if year, end := p.year(p.skip(i, ",", "of", "from", "-", "/")); year > 0 {
		c.year = year
		return c, end
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
	d = stretch(interval.Date{Year: year, Month: c.month, Day: c.first}, interval.Date{
		Year: year, Month: c.month, Day: c.last,
	})
	d.run = c.first != c.last
	if c.apart && d.run {
		d.ranges = append(single(d.first()).ranges, single(d.last()).ranges...)
	}
	return d, true
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
	if _, e := p.meridiem(clock{}, end); e > end || p.is(i, "and") && p.at(end-1).kind == number &&
		!p.is(i-3, "between") && !p.is(i-4, "between") {
		return 0, i
	}
	return n, end
}

// ordinalDay reads "the 27th": the next day of that number. A bare "first" or "second" is no day.
func ordinalDay(p *parser, i int) (days, int) {
	n, end := p.dayOfMonth(i)
	if !p.is(i, "the") && !p.is(i-1, "the", "on") && p.crossroads(end) {
		return days{}, i
	}
	if end == i || n < 1 || n > 31 || p.has("ordinalThings", end) {
		return days{}, i
	}
	end = p.skip(end, "day")
	plain := !p.has("ofMonthAfterNext", end) && !p.has("ofThisMonth", end) && !p.has("ofNextMonth", end)
	if !p.has("ofMonthAfterNext", end) {
		end = p.past("ofThisMonth", end)
	}
	year, m := p.today.Year, p.today.Month
	if e := p.past("ofMonthAfterNext", end); e > end {
		end, m = e, m+2
	} else if e := p.past("ofNextMonth", end); e > end {
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
	d := single(interval.Date{Year: year, Month: m, Day: n})
	if plain {
		d = single(p.besideEvent(d.first()))
	}
	d.monthless = m == p.today.Month || m == p.today.Month%12+1
	return d, end
}

// besideEvent is the day of the month of that number that is closest to the event at hand, where one is: the 23rd of
// its own month for an event on Christmas Eve.
func (p *parser) besideEvent(d interval.Date) interval.Date {
	if p.setting.Start.IsZero() {
		return d
	}
	event, best := interval.DateOf(p.setting.Start), d
	for _, months := range []int{0, 1} {
		other := interval.Date{Year: event.Year, Month: event.Month, Day: 1}
		other = addMonths(other, months)
		other.Day = d.Day
		if d.Day <= monthLength(other.Year, other.Month) && !other.Before(p.today) &&
			max(event.DaysUntil(other), other.DaysUntil(event)) < max(event.DaysUntil(best), best.DaysUntil(event)) {
			best = other
		}
	}
	return best
}

// plainNumber reports whether what stands behind a number in words makes it no clock, length or count: "March fifteen".
func (p *parser) plainNumber(i int) bool {
	_, e := p.meridiem(clock{}, i)
	_, u := p.unit(p.skip(i, "-"))
	return e == i && u == p.skip(i, "-") && !p.otherNumber(i) && !p.is(i, ":", "-", "o")
}

// dayOfMonth reads the number of a day without its month: "the 27th", "on the 17", "20 of next month".
func (p *parser) dayOfMonth(i int) (n, end int) {
	j := p.skip(i, "the")
	if n, end := p.ordinal(j); end > j {
		short := n < 4 && n > 0 && !p.alone(i, end) && !p.has("ofMonth", end)
		if p.at(j).kind == word && !p.is(end-1, "th") && (short || j == i && !p.has("ofMonth", end)) {
			return 0, i
		}
		return n, end
	}
	t := p.at(j)
	if t.kind == number && t.digits <= 2 && (p.has("ofMonth", j+1) || j > i && p.bareDay(i, j+1)) {
		return t.value, j + 1
	}
	return p.dayUnsaid(i, j)
}

// dayUnsaid reads a number at token j that can only be a day, in languages that say nothing with it: no clock is said
// with so many hours.
func (p *parser) dayUnsaid(i, j int) (n, end int) {
	if p.tongue == english || !p.is(i-1, "at", "on", "the", "to") {
		return 0, i
	}
	n, end = p.cardinal(j)
	if n <= 12 || n <= 24 && (p.tongue.longHours || p.at(j).kind == number) {
		return 0, i
	}
	if _, e := p.unit(end); e > end || p.is(end, "days", "weeks", ":", ".") {
		return 0, i
	}
	return n, end
}

// bareDay reports whether a mere number in tokens i to end, with its article, is a day of the month by what stands
// around it: "on the 17 at noon".
func (p *parser) bareDay(i, end int) bool {
	return p.is(i-1, "on", "for", "until", "by", "after", "before", "from") && !p.otherNumber(end) &&
		(p.ends(end) || p.is(end, "between", "from", "at", "after", "before", "around", "@"))
}

// alone reports whether what stands in tokens i to end has "on" before it and nothing behind it that it could belong
// to: "on the first".
func (p *parser) alone(i, end int) bool {
	return p.is(i-1, "on") && (end >= len(p.tokens) || p.at(end).kind == mark || p.is(end, "at", "from", "for", "with"))
}
