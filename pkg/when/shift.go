package when

import (
	"time"

	"convene/pkg/interval"
)

// phraseRules are what en/rules.txt says of phrases that are no days and no times.
var phraseRules = map[string]func(m *match) item{
	"correction": func(m *match) item {
		sure, _ := m.means("corrections", m.from)
		return item{kind: correctionItem, sure: sure == "true"}
	},
	"busy":     (*match).busy,
	"thatWeek": (*match).thatWeek,
	"notThis":  func(*match) item { return item{kind: notThisItem} },
	"negation": (*match).negation,
	"refusal":  func(m *match) item { return item{kind: refusalItem} },
	"trailing": func(m *match) item {
		if !m.trails(m.from, m.to) {
			return item{}
		}
		return item{kind: refusalItem}
	},
	"soon":    func(*match) item { return item{kind: soonItem} },
	"allDay":  func(*match) item { return item{kind: allDayItem} },
	"now":     func(m *match) item { return item{kind: nowItem, moment: m.now} },
	"shift":   func(m *match) item { return item{kind: shiftItem, shift: m.shift.times(m.n)} },
	"weeksOn": func(m *match) item { return item{kind: shiftItem, shift: Shift{Weeks: m.n}} },
	"daysOn":  func(m *match) item { return item{kind: shiftItem, shift: Shift{Days: m.n}} },
	// "The Tuesday after" is beside the event at hand, and "not this Tuesday, the next one" a week after it.
	"weekdayBeside": func(m *match) item {
		return item{kind: dateItem, days: single(m.weekdayBy(m.weekday, single(dateOf(m.setting.Start)), m.n))}
	},
	"nextOne": func(m *match) item {
		if !m.negatedBefore(m.from) {
			return item{}
		}
		return item{kind: dateItem, days: single(dateOf(m.setting.Start).AddDays(7))}
	},
}

func (it item) empty() bool { return it.kind == noItem }

// shiftLength reads how far: a length of time in minutes, or days or weeks.
func (p *parser) shiftLength(i int) (n int, unit Shift, end int) {
	if d, end := p.length(i); end > i && d <= maxShift {
		return int(d / time.Minute), Shift{Minutes: 1}, end
	}
	n, j := p.count(i)
	switch {
	case j == i || n > 60:
	case p.is(j, "day", "days"):
		return n, Shift{Days: 1}, j + 1
	case p.is(j, "week", "weeks"):
		return n, Shift{Days: 7}, j + 1
	case p.is(j, "month", "months") && !p.setting.Start.IsZero() && n <= 12:
		start := interval.DateOf(p.setting.Start)
		return start.DaysUntil(addMonths(start, n)), Shift{Days: 1}, j + 1
	}
	return 0, Shift{}, i
}

func (s Shift) times(n int) Shift { return Shift{s.Minutes * n, s.Days * n, s.Weeks * n} }
