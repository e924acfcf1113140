package when

import (
	"maps"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// tests are what stands in angle brackets in en/rules.txt and reads nothing.
var tests = map[string]func(p *parser, i int) bool{
	"start":      func(p *parser, i int) bool { return i == 0 || i == 2 && p.has("reports", 1) },
	"second":     func(_ *parser, i int) bool { return i == 1 },
	"early":      func(_ *parser, i int) bool { return i <= 3 },
	"end":        func(p *parser, i int) bool { return i >= len(p.tokens) },
	"figure":     func(p *parser, i int) bool { return p.at(i).kind == number },
	"mark":       func(p *parser, i int) bool { return p.at(i).kind == mark },
	"glued":      func(p *parser, i int) bool { return p.at(i).glued },
	"gluedWord":  func(p *parser, i int) bool { return p.at(i).glued && p.at(i).kind != mark },
	"hand":       func(p *parser, _ int) bool { return !p.setting.Start.IsZero() },
	"disputed":   func(p *parser, _ int) bool { return p.disputes() },
	"saidTime":   func(p *parser, _ int) bool { return p.saidTime },
	"moved":      func(p *parser, i int) bool { return p.has("moves", i+1) },
	"correction": func(p *parser, i int) bool { return p.correctedAt > 0 && p.bridged(p.correctedAt, i, 1) },
	"ends":       (*parser).ends,
	"house":      (*parser).house,
	"mere":       (*parser).mereHour,
	"behindDay":  (*parser).dated,
	"timed":      (*parser).timed,
	"timedAhead": func(p *parser, i int) bool { return p.timed(p.skip(i, "on", "at")) },
	"drawn":      (*parser).drawn,
	"leadsHour":  (*parser).leadsHour,
	"listsHours": (*parser).listsHours,
}

// slots are what stands there and reads something: the index after it, or one that is not if it is not there. The
// names of lists of rules for days are slots too.
var slots = map[string]func(m *match, i int) int{
	"drawnIs":     func(m *match, i int) int { return m.drawnIs(i) },
	"any":         func(m *match, i int) int { return min(i+1, len(m.tokens)) },
	"n":           numberSlot((*parser).count),
	"number":      numberSlot((*parser).cardinal),
	"hour12":      numberSlot((*parser).hour12),
	"nth":         numberSlot((*parser).nth),
	"edge":        numberSlot((*parser).edgeWord),
	"itsYear":     numberSlot((*parser).yearBehind),
	"weekday":     (*match).readWeekday,
	"wd":          func(m *match, i int) int { return m.readDay(i, false) },
	"wds":         func(m *match, i int) int { return m.readDay(i, true) },
	"wdx":         (*match).readAnyDay,
	"monthName":   (*match).readMonthName,
	"holidayName": func(m *match, i int) (end int) { m.stretch, end = m.means("holidays", i); return end },
	"stretch":     func(m *match, i int) (end int) { m.stretch, end = m.means("stretchParts", i); return end },
	"part":        func(m *match, i int) (end int) { m.part, end = m.partOfDay(i); return end },
	"unit":        func(m *match, i int) (end int) { m.length, end = m.unit(i); return end },
	"length":      func(m *match, i int) (end int) { m.length, end = m.parser.length(i); return end },
	"step":        func(m *match, i int) (end int) { m.step, end = m.stepUnit(i); return end },
	"steps":       (*match).readSteps,
	"orMore":      (*match).readOrMore,
	"besides":     (*match).readBesides,
	"far":         (*match).readFar,
	"hour":        func(m *match, i int) int { return m.readClock(i, true) },
	"clock":       func(m *match, i int) int { return m.readClock(i, false) },
	"day":         daySlot(func(m *match, i int) (days, int) { return m.date(i, m.depth+1) }),
	"theday":      daySlot(func(m *match, i int) (days, int) { return m.articleDate(i, m.depth+1) }),
	"days":        daySlot((*match).several),
	"dated":       daySlot((*match).numberedDay),
	"amonth":      daySlot((*match).wholeMonth),
	"whole":       daySlot((*match).whole),
	"season":      daySlot(func(m *match, i int) (days, int) { return m.season(i, false) }),
	"partSeason":  daySlot(func(m *match, i int) (days, int) { return m.season(i, true) }),
	"year":        daySlot(func(m *match, i int) (days, int) { return m.yearPart(i, false) }),
	"partYear":    daySlot(func(m *match, i int) (days, int) { return m.yearPart(i, true) }),
	"origin": func(m *match, i int) int {
		o, end := read(m.parser, m.originList, i)
		if end > i {
			m.origins = append(m.origins, o)
		}
		return end
	},
}

// starts are the words that slots begin with; any word may begin those that are not here.
func (g *grammar) starts() map[string][]string {
	day := slices.Collect(maps.Keys(weekdays))
	var plural []string
	for _, name := range day {
		plural = append(plural, name+"s")
	}
	cardinal := slices.AppendSeq([]string{anyFigures}, maps.Keys(cardinals))
	counted := append(slices.Clone(cardinal), "a", "an", "couple", "few", "several", "fortnight")
	ordinal := slices.AppendSeq(append(slices.Clone(cardinal), "last"), maps.Keys(ordinals))
	year := append(slices.Clone(ordinal), strings.Fields("the next coming following upcoming this current q h year")...)
	season := slices.AppendSeq(append(g.firsts("seasonLeads"), "the", "on"), maps.Keys(seasons))
	month := slices.Collect(maps.Keys(months))
	return map[string][]string{
		"n": counted, "steps": counted, "number": cardinal, "hour12": cardinal, "dayWord": cardinal, "spokenDay": cardinal,
		"nth": ordinal, "dayNo": ordinal, "edge": {"first", "last", "final"}, "orMore": {"or"},
		"weekday": day, "wd": day, "wds": plural, "wdx": append(day, plural...), "monthName": month, "monthWord": month,
		"holidayName": g.firsts("holidays"), "stretch": g.firsts("stretchParts"), "part": g.firsts("parts"),
		"season": season, "partSeason": season, "year": year, "partYear": year,
	}
}

// slot is what a name in angle brackets stands for.
func (g *grammar) slot(name string) element {
	e := element{test: g.tests[name], slot: g.slots[name], firsts: g.firstsOf[name]}
	switch {
	case e.test != nil:
	case e.slot == nil && len(g.rows[name]) > 0:
		e.slot = daySlot(func(m *match, i int) (days, int) { return m.readDays(name, i) })
		e.firsts = g.firsts(name)
	case e.slot == nil:
		panic("when: no slot " + name)
	}
	if e.firsts == nil {
		e.firsts = []string{anyWord}
	}
	return e
}

// readDays is what the rules of a name make of token i.
func (p *parser) readDays(name string, i int) (days, int) { return read(p, p.dayLists[name], i) }

// readPhrase is the same for phrases.
func (p *parser) readPhrase(name string, i int) (item, int) { return read(p, p.itemLists[name], i) }

// firsts are the words that the expressions of a list begin with.
func (g *grammar) firsts(name string) []string { return slices.Collect(maps.Keys(g.list(name).lines)) }

// numberSlot is a slot for a number.
func numberSlot(read func(p *parser, i int) (n, end int)) func(m *match, i int) int {
	return func(m *match, i int) int {
		n, end := read(m.parser, i)
		if end > i {
			m.counts = append(m.counts, n)
		}
		return end
	}
}

// daySlot is a slot for days.
func daySlot(read func(m *match, i int) (days, int)) func(m *match, i int) int {
	return func(m *match, i int) int {
		d, end := read(m, i)
		if end <= i || d.empty() {
			return i
		}
		m.days = append(m.days, d)
		return end
	}
}

// nth reads an ordinal, or "last" as -1.
func (p *parser) nth(i int) (n, end int) {
	if p.is(i, "last") {
		return -1, i + 1
	}
	return p.ordinal(i)
}

// hour12 reads a number that a clock shows.
func (p *parser) hour12(i int) (n, end int) {
	if n, end = p.cardinal(i); n < 1 || n > 12 {
		return 0, i
	}
	return n, end
}

// readClock reads a time of day. bare says that what stands before it makes a mere number one.
func (m *match) readClock(i int, bare bool) int {
	c, end := m.clock(i, bare)
	if end > i {
		m.clocks = append(m.clocks, c)
	}
	return end
}

// readFar reads how far something is moved.
func (m *match) readFar(i int) int {
	n, unit, end := m.shiftLength(i)
	m.shift = unit.times(n)
	return end
}

// several are days that are more than one.
func (m *match) several(i int) (days, int) {
	d, end := m.date(i, m.depth+1)
	if end == i || len(d.ranges) != 1 || one(d) {
		return days{}, i
	}
	return d, end
}

// edgeWord reads which end of a stretch is meant.
func (p *parser) edgeWord(i int) (n, end int) {
	if p.is(i, "first") {
		return 1, i + 1
	}
	return -1, p.skip(i, "last", "final")
}

func (m *match) readWeekday(i int) int {
	day, ok := weekdays[m.at(i).text]
	if !ok || m.at(i).kind != word {
		return i
	}
	m.weekday = day
	return i + 1
}

// readDay reads a weekday in the singular or the plural that is no word of its own: "he sat".
func (m *match) readDay(i int, plural bool) int {
	t := m.at(i)
	day, many, ok := weekdayNamed(t.text)
	if !ok || many != plural || t.kind != word || !t.capital && t.end-t.start == 3 && m.verbal(i) {
		return i
	}
	m.weekday = day
	return i + 1
}

func (m *match) readAnyDay(i int) int {
	day, ok := weekdays[strings.TrimSuffix(m.at(i).text, "s")]
	if !ok {
		return i
	}
	m.weekday = day
	return i + 1
}

// readSteps reads a number of steps, their unit, and the most there may be: "two or three weeks", "a week or two".
func (m *match) readSteps(i int) int {
	n, k := m.count(i)
	if k == i && m.is(i, "fortnight") {
		n = 1
	} else if k == i {
		return i
	}
	most, k := m.upTo(n, k)
	step, end := m.stepUnit(k)
	if end == k || n > 500 {
		return i
	}
	m.step, m.after = step, k+1
	m.counts = append(m.counts, n, most)
	if e := m.readOrMore(end); e > end {
		end, m.counts = e, append(m.counts[:len(m.counts)-2], m.counts[len(m.counts)-1])
	}
	return end
}

// readOrMore reads the "or two" of "a week or two".
func (m *match) readOrMore(i int) int {
	most, end := m.cardinal(i + 1)
	if !m.is(i, "or") || end != i+2 || m.at(i+1).kind != word || most <= m.counts[len(m.counts)-1] || most >= 13 {
		return i
	}
	m.counts = append(m.counts, most)
	return end
}

// readBesides reads what is added to a distance of whole steps, in days: the "and two days" of "a week and two days",
// the half of "a month and a half".
func (m *match) readBesides(i int) int {
	n, end := m.countedBesides(m.step, i)
	if end > i {
		m.counts = append(m.counts, n)
	}
	return end
}

// numberedDay is a day of the month, with or without the month.
func (m *match) numberedDay(i int) (days, int) {
	for _, r := range []func(*parser, int) (days, int){monthDay, ordinalDay} {
		if d, end := r(m.parser, i); end > i && one(d) {
			return d, end
		}
	}
	return days{}, i
}

// wholeMonth is a month with its past days, where an article may stand before it.
func (m *match) wholeMonth(i int) (days, int) {
	j := m.skipArticle(i)
	d, end := m.readDays("month", j)
	if end == j {
		return days{}, i
	}
	return d, end
}

// whole reads a month, a week, a quarter, a season or a year with its past days.
func (m *match) whole(i int) (days, int) {
	if d, end := m.wholeMonth(i); end > i {
		return d, end
	}
	j := m.skip(i, "the")
	if d, end := m.readDays("week", j); end > j {
		return d, end
	}
	if m.is(j, "week") {
		return m.weekFrom(m.today), j + 1
	}
	if d, end := m.season(i, true); end > i {
		return d, end
	}
	return m.yearPart(i, true)
}

// weekFrom is all of the week of a day.
func (p *parser) weekFrom(d interval.Date) days {
	return stretch(p.weekOf(d), p.weekOf(d).AddDays(6))
}
