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
	d, exists := c.days(p.since(halfYear))
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
	return read(p, p.calendar, i)
}

func (c calendarDay) empty() bool { return c.month == 0 }

// calendarRules are what en/rules.txt says of days with their month: its slots fill one in.
var calendarRules = map[string]func(m *match) calendarDay{
	"day": func(m *match) calendarDay {
		if len(m.counts) > 0 {
			m.written.year = m.counts[0]
		}
		return m.written
	},
}

// calendarSlots are those of days with their month.
var calendarSlots = map[string]func(m *match, i int) int{
	"dayNo": func(m *match, i int) int {
		n, end := m.dayNumber(i)
		return m.oneDay(n, end)
	},
	"spokenDay": func(m *match, i int) int {
		if n, end := m.cardinal(i); m.at(i).kind == word && n >= 1 && n <= 31 {
			return m.oneDay(n, end)
		}
		return i
	},
	"dayWord": func(m *match, i int) int {
		n, end := m.cardinal(i)
		if m.at(i).kind != word || n < 1 || n > 31 || m.tongue == english && !m.plainNumber(end) {
			return i
		}
		return m.oneDay(n, end)
	},
	"toDay": func(m *match, i int) int { return m.untilNumber(m.dayNumber(i)) },
	"lastDay": func(m *match, i int) int {
		m.written.apart = m.apart(m.from, i)
		return max(i, m.untilNumber(m.lastDay(i)))
	},
	"orDay": func(m *match, i int) int {
		if !m.is(i, "or", "&", "/") {
			return i
		}
		m.written.apart = m.apart(m.from, i)
		return m.untilNumber(m.dayNumber(m.skip(m.skip(i+1, "on"), "the")))
	},
	"dotted": func(m *match, i int) int {
		c, end := m.dottedDay(i)
		if end == i || c.first <= m.written.first {
			return i
		}
		c.first = m.written.first
		m.written = c
		return end
	},
	"monthWord": func(m *match, i int) int {
		name, ok := months[m.at(i).text]
		if !ok || m.at(i).kind != word {
			return i
		}
		m.written.month = name
		return i + 1
	},
}

// oneDay takes a number as the day.
func (m *match) oneDay(n, end int) int {
	m.written.first, m.written.last = n, n
	return end
}

// untilNumber takes a number as the last of the days, if it is after the first; end is -1 otherwise.
func (m *match) untilNumber(n, end int) int {
	if n <= m.written.first {
		return -1
	}
	m.written.last = n
	return end
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

// since is the day from which on the next one of a name is meant: today or, of what has been, so many days before.
func (p *parser) since(back int) interval.Date {
	if !p.setting.Past {
		return p.today
	}
	return p.today.AddDays(-back)
}

// How far back days are that have been: those of a month are nearer to today than those of another year.
const halfYear, oneMonth = 183, 30

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
	from := p.since(oneMonth)
	year, m := from.Year, from.Month
	if e := p.past("ofMonthAfterNext", end); e > end {
		end, m = e, m+2
	} else if e := p.past("ofNextMonth", end); e > end {
		end, m = e, m+1
	} else if n < from.Day {
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

// plainNumber reports whether what stands after a number in words makes it no clock, length or count: "March fifteen".
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
