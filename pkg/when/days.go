package when

import (
	"time"

	"convene/pkg/interval"
)

// dayRules are what en/rules.txt says that days are.
var dayRules = map[string]func(m *match) days{
	"on":           func(m *match) days { return single(m.today.AddDays(m.n)) },
	"atHand":       (*match).dayAtHand,
	"upcoming":     func(m *match) days { return single(m.upcoming(m.weekday)) },
	"every":        func(m *match) days { return m.everyWeekday(m.weekday) },
	"everyWeekend": func(m *match) days { return m.everyWeekday(m.weekendDays()...) },
	"everyWorkday": func(m *match) days { return m.everyWeekday(m.workDays()...) },
	"pastWeekday":  func(m *match) days { return single(m.weekdayBy(m.weekday, single(m.today), -1)) },
	"workday":      func(m *match) days { return single(m.workDay(m.today, 1)) },
	"within":       func(m *match) days { return stretch(m.today, m.today.AddDays(m.n)) },
	"withinMonth":  func(m *match) days { return stretch(m.today, addMonths(m.today, 1)) },
	"weekOn":       func(m *match) days { return m.weekFrom(m.today.AddDays(m.n)) },
	"weekOf":       func(m *match) days { return m.weekFrom(m.days[0].first()) },
	"month":        (*match).month,
	"monthOn":      func(m *match) days { return monthFrom(addMonths(m.thisMonth(), m.n)) },
	"monthNamed":   (*match).monthNamed,
	"numericMonth": (*match).numericMonth,
	"yearOn":       func(m *match) days { return yearFrom(addMonths(m.thisYear(), 12*m.n)) },
	"quarterOn": func(m *match) days {
		return monthsFrom(addMonths(m.thisYear(), (int(m.today.Month)-1)/3*3+3*m.n), 3)
	},
	"nthQuarter": (*match).nthQuarter,
	"half":       (*match).halfYear,
	"long": func(m *match) days {
		return m.whatIsLeft(stretchOf(m.stretch, m.days[0].first(), m.days[0].last()))
	},
	"holiday":         (*match).holiday,
	"weeksOn":         (*match).weeksOn,
	"ofNextWeek":      (*match).ofNextWeek,
	"nearest":         (*match).nearest,
	"todays":          (*match).todays,
	"numberedWeekday": (*match).numberedWeekday,
	"inWeek":          (*match).inWeekNamed,
	"falling":         func(m *match) days { return m.days[0].falling(m.weekday) },
	"nthOf":           (*match).nthOf,
	"nthWeek":         (*match).nthWeek,
	"nthWeekendOf":    (*match).nthWeekend,
	"someOf":          (*match).someOf,
	"week":            (*match).week,
	"weekend":         (*match).weekend,
	"thisWeekend":     (*match).thisWeekend,
	"holidayWeekend":  (*match).holidayWeekend,
	"run":             (*match).run,
	"runWorkdays":     func(m *match) days { m.step = workDayStep; return m.run() },
	"runWeekday":      (*match).runWeekday,
	"back":            (*match).back,
	"edge":            (*match).edge,
	"workEdge":        (*match).workEdge,
	"thisOrNext":      (*match).thisOrNext,
	"besideDay":       (*match).besideDay,
	"besideWeek":      (*match).besideWeek,
	"besideWeekend":   func(m *match) days { return m.weekendBy(m.days[0], m.n) },
	"besideWeekday":   (*match).besideWeekday,
	"far":             func(m *match) days { return m.days[0] },
	"distance":        (*match).distance,
	"nthWeekday":      (*match).nthWeekdayAhead,
	"nthWeekend":      (*match).nthWeekendAhead,
	// bounds of days
	"after": func(m *match) days { return from(m.days[0].last().AddDays(1)) },
	"starting": func(m *match) days {
		if m.days[0].run || m.setting.Standing && m.isOf() {
			return m.days[0]
		}
		return from(m.days[0].first())
	},
	"before": func(m *match) days { return m.boundedBy(m.days[0].first().AddDays(-1), m.days[0].first()) },
	"through": func(m *match) days {
		d := m.days[0]
		switch {
		case m.setting.Standing && m.is(m.from, "by") && m.is(m.from+1, "for"):
			return d
		case !one(d):
			return m.boundedBy(d.last(), d.last().AddDays(1))
		}
		return m.boundedBy(d.last(), d.last())
	},
	"least": func(m *match) days { return from(m.exactly().first()) },
	"most":  func(m *match) days { return m.untilDay(m.exactly().last()) },
}

// isOf reports whether "from Thursday" may be what is on Thursday: nothing says that it goes on.
func (m *match) isOf() bool {
	goesOn := m.is(m.to-1, "on", "onwards", "onward", "forward") || m.past("fromThenOn", m.to) > m.to
	return m.is(m.from, "from") && !goesOn
}

// weeksOn is "two weeks today": so many weeks after a day.
func (m *match) weeksOn() days {
	if m.counts[0] < 1 || m.counts[0] > 8 {
		return days{}
	}
	return single(m.days[0].first().AddDays(m.n * m.counts[0]))
}

// nearest is the next such weekday or, of what has been, the last one; or so many days on from the next.
func (m *match) nearest() days {
	day := m.meant(m.weekday)
	switch {
	case m.n != 0:
		return single(day.AddDays(m.n))
	case m.setting.Past:
		day = day.AddDays(-7)
	}
	d := single(day)
	d.weekdays, d.weekly = []time.Weekday{m.weekday}, true
	return d
}

// todays is "this Monday" on a Monday.
func (m *match) todays() days {
	if m.today.Weekday() != m.weekday {
		return m.nearest()
	}
	return single(m.today)
}

// ofNextWeek is the weekday of next week. Those listed with it lie there too.
func (m *match) ofNextWeek() days {
	monday := m.weekOf(m.today).AddDays(7)
	d := single(monday.AddDays(m.inWeek(m.weekday)))
	if m.is(m.from, "next", "following") {
		d.of = interval.DateRange{Start: monday, End: monday.AddDays(6)}
	}
	return d
}

// inWeekNamed is "Monday of this week", whose day may be past.
func (m *match) inWeekNamed() days {
	d := m.days[0].first().AddDays(m.inWeek(m.weekday))
	if !m.is(m.to-1, "week") || !m.is(m.to-2, "this", "last", "previous", "past", "current", "following") ||
		!d.Before(m.today) && !m.is(m.to-2, "following") {
		return days{}
	}
	return single(d)
}

// numberedWeekday is the next such day with the number after it: "Monday 21". A number up to 12 is an hour, unless the
// language has a word before hours and that day is near: "jueves 3".
func (m *match) numberedWeekday() days {
	t, next, near := m.at(m.to-1), m.at(m.to), 400
	if m.tongue.longHours && t.value <= 12 && !m.is(m.to, "to", "-", "until", "till", "and", "or", "half") {
		near = nearNumbered
	} else if t.digits != 2 || t.value <= 12 {
		return days{}
	}
	if t.value > 31 || next.glued && next.kind != mark ||
		m.is(m.to, ":", "/", "-") && next.glued ||
		m.is(m.to, ".") && m.at(m.to+1).kind == number && m.at(m.to+1).glued || m.otherNumber(m.to) {
		return days{}
	}
	if _, e := m.meridiem(clock{}, m.to); e > m.to {
		return days{}
	}
	for d, tries := m.today, 0; tries < near; d, tries = d.AddDays(1), tries+1 {
		if d.Day == t.value && d.Weekday() == m.weekday {
			return single(d)
		}
	}
	return days{}
}

// nearNumbered is how many days ahead a weekday is looked for that has a number which could be an hour.
const nearNumbered = 15

// nthOf is the nth weekday of a month, or of the next where that of the one that runs is past.
func (m *match) nthOf() days {
	first := m.days[0].first()
	if m.counts[0] > 5 {
		return days{}
	}
	d := nthOf(first, m.weekday, m.counts[0])
	if d.Before(m.today) && m.n > 0 {
		d = nthOf(addMonths(first, 1), m.weekday, m.counts[0])
	}
	return single(d)
}

// nthWeek is the nth week of a month or a year, or its last.
func (m *match) nthWeek() days {
	first, last, n := m.days[0].first(), m.days[0].last(), m.counts[0]
	switch {
	case n > 5:
		return days{}
	case n < 0:
		return stretch(last.AddDays(-6), last)
	}
	begin := first.AddDays(7 * (n - 1))
	return stretch(begin, minDate(begin.AddDays(6), last))
}

func (m *match) nthWeekend() days {
	if m.counts[0] > 5 {
		return days{}
	}
	start := nthOf(m.days[0].first(), m.tongue.weekend, m.counts[0])
	return stretch(start, start.AddDays(1))
}

// someOf is "the first two weeks of June".
func (m *match) someOf() days {
	size := m.n * m.counts[1]
	if m.counts[1] < 1 {
		return days{}
	}
	first, last := m.days[0].first(), m.days[0].last()
	size = min(size, last.Day)
	if m.counts[0] < 0 {
		return stretch(last.AddDays(1-size), last)
	}
	return stretch(first, first.AddDays(size-1))
}

// week is a week or a part of it.
func (m *match) week() days {
	monday, part := m.weekOf(m.today), m.stretch
	if len(m.days) > 0 {
		monday = m.days[0].first()
	}
	if part == "rest" && m.is(m.from, "later") && m.today.Before(monday) {
		part = "late"
	}
	d := stretchOf(part, monday, monday.AddDays(6))
	if m.is(m.to-2, "working", "work", "business") || m.is(m.to-1, "workweek") {
		d = stretch(monday, monday.AddDays(4))
	}
	if part != "" && d.last().Before(m.today) && m.is(m.to-2, "the") {
		d = days{ranges: moved(d.ranges, 7)} // the beginning of this week is over
	}
	d = m.whatIsLeft(d)
	if part == "rest" && d.first() == m.today {
		d.ranges[0].Start = minDate(m.today.AddDays(1), d.last())
	}
	return d
}

func minDate(a, b interval.Date) interval.Date {
	if b.Before(a) {
		return b
	}
	return a
}

func (m *match) weekend() days {
	start := m.weekendOf(m.today).AddDays(m.n)
	return stretch(start, start.AddDays(1))
}

// thisWeekend is what is left of the weekend.
func (m *match) thisWeekend() days {
	d := m.weekend()
	if d.first().Before(m.today) {
		d = single(m.today)
	}
	d.weekly, d.weekdays = true, m.weekendDays()
	return d
}

// holidayWeekend is the weekend that the holiday lies in or touches.
func (m *match) holidayWeekend() days {
	d := m.days[0]
	return m.weekendBy(days{ranges: []interval.DateRange{{Start: d.first().AddDays(-2), End: d.last()}}}, 0)
}

// run is "the next three days", which begin tomorrow, and "within two weeks", from now on. Without a number they are
// three.
func (m *match) run() days {
	n := 3
	if len(m.counts) > 0 {
		n = m.counts[len(m.counts)-1]
	} else if !m.is(m.to-1, "days", "day", "weeks", "months", "fortnight") {
		return days{}
	}
	if m.step == fortnightStep {
		n = 1
	}
	if n > 60 || m.step == yearStep {
		return days{}
	}
	d := stretch(m.today.AddDays(m.n), m.stepped(m.today, n, m.step))
	d.run = m.step == dayStep && m.is(m.from, "for")
	return d
}

func (m *match) runWeekday() days {
	d := m.everyWeekday(m.weekday)
	d.ranges = d.ranges[:min(m.counts[0], len(d.ranges))]
	return d
}

// back is "the last two weeks", up to yesterday.
func (m *match) back() days {
	if m.counts[0] < 1 || m.counts[0] > 60 || m.step == yearStep || m.step == fortnightStep {
		return days{}
	}
	return stretch(m.stepped(m.today, -m.counts[0], m.step), m.today.AddDays(-1))
}

// edge is the first or the last day of a stretch, workEdge its first or last working day.
func (m *match) edge() days {
	if m.counts[0] > 0 {
		return single(m.days[0].first())
	}
	return single(m.days[0].last())
}

func (m *match) workEdge() days {
	if m.counts[0] > 0 {
		return single(m.workDay(m.days[0].first().AddDays(-1), 1))
	}
	return single(m.workDay(m.days[0].last().AddDays(1), -1))
}

// thisOrNext is "this or next week": what is named is this one too.
func (m *match) thisOrNext() days {
	next := m.days[0]
	if m.to != m.from+4 || len(next.ranges) != 1 {
		return days{}
	}
	this := interval.DateRange{Start: next.first().AddDays(-7), End: next.last().AddDays(-7)}
	if m.is(m.to-1, "month") {
		this = interval.DateRange{Start: addMonths(next.first(), -1), End: next.first().AddDays(-1)}
	}
	if this.End.Before(m.today) {
		return next
	}
	this.Start = maxDate(this.Start, m.today)
	return days{ranges: append([]interval.DateRange{this}, next.ranges...)}
}

func maxDate(a, b interval.Date) interval.Date {
	if a.Before(b) {
		return b
	}
	return a
}

func (m *match) besideDay() days {
	switch {
	case m.n > 0:
		return single(m.days[0].last().AddDays(1))
	case m.n < 0:
		return single(m.days[0].first().AddDays(-1))
	}
	return m.days[0]
}

func (m *match) besideWeek() days {
	monday := m.weekOf(m.days[0].first()).AddDays(m.n)
	return stretch(monday, monday.AddDays(6))
}

func (m *match) besideWeekday() days {
	anchor := m.days[0]
	if m.n == 0 {
		d := inStretch(anchor, []time.Weekday{m.weekday})
		d.weekdays = []time.Weekday{m.weekday}
		return d
	}
	return single(m.weekdayBy(m.weekday, anchor, m.n))
}

// distance is so many steps from a day, or from today where nothing says from where.
func (m *match) distance() days {
	n, most, besides := m.counts[0], m.counts[1], 0
	if len(m.counts) > 2 {
		besides = m.counts[2]
	}
	if m.n == 0 && (m.is(m.from-1, "for", "lasting") && m.is(m.after, "from") && !m.is(m.after+1, "now") ||
		m.is(m.from-1, "in") && m.is(m.after, "on")) {
		return days{}
	}
	from := fromHere(m.today)
	if len(m.origins) > 0 {
		from = m.origins[0]
	}
	at, upTo := m.stepped(from.day.last(), from.sign*n, m.step), m.stepped(from.day.last(), from.sign*most, m.step)
	at, upTo = at.AddDays(from.sign*besides), upTo.AddDays(from.sign*besides)
	if m.step == weekStep && from.now && besides == 0 {
		d := stretch(m.weekOf(at), m.weekOf(upTo).AddDays(6))
		d.whole = interval.DateRange{Start: at, End: upTo}
		return d
	}
	return stretch(at, upTo)
}

// nthWeekdayAhead is the nth such weekday from today: "in three Fridays".
func (m *match) nthWeekdayAhead() days {
	if m.counts[0] < 1 || m.counts[0] > 60 {
		return days{}
	}
	return single(m.upcoming(m.weekday).AddDays(7 * (m.counts[0] - 1)))
}

func (m *match) nthWeekendAhead() days {
	if m.counts[0] < 1 || m.counts[0] > 60 {
		return days{}
	}
	first := m.weekendBy(single(m.today), 1).first().AddDays(7 * (m.counts[0] - 1))
	return stretch(first, first.AddDays(1))
}

// origin is the day from which a distance is counted, and in which direction. now says that it is today, so that weeks
// are counted roughly.
type origin struct {
	day  days
	sign int
	now  bool
}

func (o origin) empty() bool { return o.sign == 0 }

// fromHere counts from today on.
func fromHere(today interval.Date) origin { return origin{single(today), 1, true} }

var originRules = map[string]func(m *match) origin{
	"now": func(m *match) origin { return fromHere(m.today) },
	"from": func(m *match) origin {
		if len(m.days) == 0 {
			return origin{single(m.today), m.n, false}
		}
		if m.is(m.from, "on") && len(m.days[0].weekdays) != 1 {
			return origin{}
		}
		return origin{m.days[0], m.n, false}
	},
}

// dayAtHand is the day that is being talked about.
func (m *match) dayAtHand() days {
	if m.setting.Day == (interval.Date{}) {
		return days{}
	}
	return single(m.setting.Day)
}
