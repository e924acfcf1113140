package when

import (
	"maps"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// slotsOf are what stands in angle brackets in en/grammar.txt.
func (g *grammar) slotsOf() map[string]element {
	figures, anything := []string{anyFigures}, []string{anyWord}
	named := slices.Collect(maps.Keys(weekdays))
	cardinal := slices.AppendSeq(figures, maps.Keys(cardinals))
	counted := append(slices.Clone(cardinal), "a", "an", "couple", "few", "several", "fortnight")
	ordinal := slices.AppendSeq(append(slices.Clone(cardinal), "last"), maps.Keys(ordinals))
	seasonal := append(g.firsts("seasonLeads"), "the", "on")
	seasonal = slices.AppendSeq(seasonal, maps.Keys(seasons))
	yearly := append(slices.Clone(ordinal), "the", "next", "coming", "following", "upcoming", "this", "current", "q", "h", "year")
	var plural []string
	for _, day := range named {
		plural = append(plural, day+"s")
	}
	return map[string]element{
		"ends":        {test: (*parser).ends},
		"house":       {test: (*parser).house},
		"start":       {test: func(_ *parser, i int) bool { return i == 0 }},
		"second":      {test: func(_ *parser, i int) bool { return i == 1 }},
		"early":       {test: func(_ *parser, i int) bool { return i <= 3 }},
		"end":         {test: func(p *parser, i int) bool { return i >= len(p.tokens) }},
		"stop":        {test: func(p *parser, i int) bool { return p.at(i).kind == mark }},
		"hand":        {test: func(p *parser, _ int) bool { return !p.setting.Start.IsZero() }},
		"mere":        {test: (*parser).mereHour},
		"any":         {slot: func(m *match, i int) int { return min(i+1, len(m.tokens)) }, firsts: anything},
		"glued":       {test: func(p *parser, i int) bool { return p.at(i).glued }},
		"gluedWord":   {test: func(p *parser, i int) bool { return p.at(i).glued && p.at(i).kind != mark }},
		"figure":      {test: func(p *parser, i int) bool { return p.at(i).kind == number }},
		"mark":        {test: func(p *parser, i int) bool { return p.at(i).kind == mark }},
		"behindDay":   {test: (*parser).dated},
		"leadsHour":   {test: (*parser).leadsHour},
		"listsHours":  {test: (*parser).listsHours},
		"moved":       {test: func(p *parser, i int) bool { return p.has("moves", i+1) }},
		"disputed":    {test: func(p *parser, _ int) bool { return p.disputes() }},
		"correction":  {test: func(p *parser, i int) bool { return p.correctedAt > 0 && p.bridged(p.correctedAt, i, 1) }},
		"hour":        {slot: func(m *match, i int) int { return m.readClock(i, true) }, firsts: anything},
		"clock":       {slot: func(m *match, i int) int { return m.readClock(i, false) }, firsts: anything},
		"part":        {slot: func(m *match, i int) (end int) { m.part, end = m.partOfDay(i); return end }, firsts: g.firsts("parts")},
		"unit":        {slot: func(m *match, i int) (end int) { m.length, end = m.parser.unit(i); return end }, firsts: anything},
		"length":      {slot: func(m *match, i int) (end int) { m.length, end = m.parser.length(i); return end }, firsts: anything},
		"hour12":      {slot: numbers((*parser).hour12), firsts: cardinal},
		"far":         {slot: (*match).readFar, firsts: anything},
		"days":        {slot: dated((*match).several), firsts: anything},
		"n":           {slot: numbers((*parser).count), firsts: counted},
		"number":      {slot: numbers((*parser).cardinal), firsts: cardinal},
		"nth":         {slot: numbers((*parser).nth), firsts: ordinal},
		"edge":        {slot: numbers((*parser).edgeWord), firsts: []string{"first", "last", "final"}},
		"weekday":     {slot: (*match).readWeekday, firsts: named},
		"wd":          {slot: func(m *match, i int) int { return m.readDay(i, false) }, firsts: named},
		"wds":         {slot: func(m *match, i int) int { return m.readDay(i, true) }, firsts: plural},
		"wdx":         {slot: (*match).readAnyDay, firsts: append(plural, named...)},
		"step":        {slot: (*match).readStep, firsts: anything},
		"steps":       {slot: (*match).readSteps, firsts: counted},
		"orMore":      {slot: (*match).readOrMore, firsts: []string{"or"}},
		"besides":     {slot: (*match).readBesides, firsts: anything},
		"stretch":     {slot: (*match).readStretch, firsts: g.firsts("stretchParts")},
		"day":         {slot: dated(func(m *match, i int) (days, int) { return m.date(i, m.depth+1) }), firsts: anything},
		"theday":      {slot: dated(func(m *match, i int) (days, int) { return m.articleDate(i, m.depth+1) }), firsts: anything},
		"dated":       {slot: dated((*match).dated), firsts: anything},
		"amonth":      {slot: dated((*match).wholeMonth), firsts: anything},
		"ayear":       {slot: dated(func(m *match, i int) (days, int) { return m.yearPart(i, true) }), firsts: anything},
		"whole":       {slot: dated((*match).whole), firsts: anything},
		"holiday":     {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.holidayDates, i) }), firsts: anything},
		"month":       {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.grammar.months, i) }), firsts: anything},
		"monthName":   {slot: (*match).readMonthName, firsts: slices.Collect(maps.Keys(months))},
		"itsYear":     {slot: numbers((*parser).yearBehind), firsts: anything},
		"holidayName": {slot: func(m *match, i int) (end int) { m.stretch, end = m.means("holidays", i); return end }, firsts: g.firsts("holidays")},
		"season":      {slot: dated(func(m *match, i int) (days, int) { return m.season(i, false) }), firsts: seasonal},
		"partSeason":  {slot: dated(func(m *match, i int) (days, int) { return m.season(i, true) }), firsts: seasonal},
		"years":       {slot: dated(func(m *match, i int) (days, int) { return m.yearPart(i, false) }), firsts: yearly},
		"partYears":   {slot: dated(func(m *match, i int) (days, int) { return m.yearPart(i, true) }), firsts: yearly},
		"week":        {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.weeks, i) }), firsts: anything},
		"near":        {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.near, i) }), firsts: anything},
		"ahead":       {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.ahead, i) }), firsts: counted},
		"apart":       {slot: dated(func(m *match, i int) (days, int) { return read(m.parser, m.grammar.behind, i) }), firsts: counted},
		"origin": {slot: func(m *match, i int) int {
			o, end := read(m.parser, m.grammar.origins, i)
			if end > i {
				m.origins = append(m.origins, o)
			}
			return end
		}, firsts: anything},
	}
}

// firsts are the words that the expressions of a list begin with.
func (g *grammar) firsts(name string) []string { return slices.Collect(maps.Keys(g.list(name).lines)) }

// numbers is a slot for a number.
func numbers(read func(p *parser, i int) (n, end int)) func(m *match, i int) int {
	return func(m *match, i int) int {
		n, end := read(m.parser, i)
		if end > i {
			m.counts = append(m.counts, n)
		}
		return end
	}
}

// dated is a slot for days.
func dated(read func(m *match, i int) (days, int)) func(m *match, i int) int {
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
	day, ok := weekdays[m.parser.at(i).text]
	if !ok || m.parser.at(i).kind != word {
		return i
	}
	m.weekday = day
	return i + 1
}

// readDay reads a weekday in the singular or the plural that is no word of its own: "he sat".
func (m *match) readDay(i int, plural bool) int {
	t := m.parser.at(i)
	day, many, ok := weekdayNamed(t.text)
	if !ok || many != plural || t.kind != word || !t.capital && t.end-t.start == 3 && m.verbal(i) {
		return i
	}
	m.weekday = day
	return i + 1
}

func (m *match) readAnyDay(i int) int {
	day, ok := weekdays[strings.TrimSuffix(m.parser.at(i).text, "s")]
	if !ok {
		return i
	}
	m.weekday = day
	return i + 1
}

func (m *match) readStretch(i int) (end int) {
	m.stretch, end = m.means("stretchParts", i)
	return end
}

func (m *match) readStep(i int) (end int) {
	m.step, end = m.stepUnit(i)
	return end
}

// readSteps reads how many steps of which unit, and how many at most: "two or three weeks", "a week or two".
func (m *match) readSteps(i int) int {
	n, k := m.count(i)
	if k == i && m.is(i, "fortnight") {
		n = 1
	} else if k == i {
		return i
	}
	most, k := m.upTo(n, k)
	end := m.readStep(k)
	if end == k || n > 500 {
		return i
	}
	m.behind = k + 1
	m.counts = append(m.counts, n, most)
	if e := m.readOrMore(end); e > end {
		end, m.counts = e, append(m.counts[:len(m.counts)-2], m.counts[len(m.counts)-1])
	}
	return end
}

// readOrMore reads the "or two" of "a week or two".
func (m *match) readOrMore(i int) int {
	most, end := m.cardinal(i + 1)
	if !m.is(i, "or") || end != i+2 || m.parser.at(i+1).kind != word || most <= m.counts[len(m.counts)-1] || most >= 13 {
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

// dated is a day of the month, with or without the month.
func (m *match) dated(i int) (days, int) {
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
	d, end := read(m.parser, m.grammar.months, j)
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
	if d, end := read(m.parser, m.weeks, j); end > j {
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
