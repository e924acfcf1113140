package when

import (
	"convene/pkg/interval"
)

// longHour reads "twenty two" and "twenty thirty" in a language that counts the hours of the day so.
func (p *parser) longHour(i int) (clock, int) {
	h, end := p.cardinal(i)
	if !p.tongue.longHours || p.at(i).kind != word || h <= 12 ||
		h >= 24 || !p.is(i-1, "at", "from", "to", "and", "between") {
		return clock{}, i
	}
	c := clock{minutes: h * 60, half: fixed}
	if m, e := p.cardinal(end); e > end && p.at(end).kind == word && m >= 10 && m < 60 {
		if _, u := p.unit(e); u == e {
			c.minutes, end = c.minutes+m, e
		}
	}
	return c, p.skip(end, "hours")
}

// apartClock reads a clock whose minutes stand apart: "at 3 15", "5 thirty".
func (p *parser) apartClock(i int) (clock, int) {
	t, mm := p.at(i), p.at(i+1)
	if t.digits > 2 || t.value < 1 || t.value > 12 {
		return clock{}, i
	}
	if mm.kind == number {
		if p.is(i-1, "at", "@") && mm.digits == 2 && mm.value%5 == 0 && mm.value < 60 && !mm.glued && p.ends(i+2) {
			return clock{minutes: t.value*60 + mm.value}, i + 2
		}
		return clock{}, i
	}
	m, end := p.cardinal(i + 1)
	if end == i+1 || m < 10 || m%5 > 0 || m > 59 || p.otherNumber(end) {
		return clock{}, i
	}
	c, e := p.meridiem(clock{minutes: t.value*60 + m}, end)
	if e == end && !p.ends(end) {
		return clock{}, i
	}
	return c, e
}

// otherClocks reads further starts that share the preposition of the first: "at 3 or 4", "3, 4 or 5pm".
func (p *parser) otherClocks(first hours, i int) ([]hours, int) {
	all := []hours{first}
	if first.kind != exactly {
		return all, i
	}
	for len(all) < 8 {
		j := p.skip(i, ",")
		j = p.skip(p.skip(j, "or", "/"), "maybe", "at")
		if j == i {
			break
		}
		c, end := p.clock(j, true)
		if end == j || p.at(j).digits > 2 && c.half == open || c.about {
			break
		}
		// "3 or 4pm": the half belongs to both.
		for k := range all {
			if all[k].from.half == open && c.half != fixed {
				all[k].from.half = c.half
			}
		}
		all, i = append(all, hours{kind: exactly, from: c}), end
	}
	return all, i
}

// earlyOrLate reads "early" or "late" beside a single day: "early tomorrow", "Friday late".
func (p *parser) earlyOrLate(i int) (item, int) {
	part, ok := map[string]dayPart{"early": span(7, 0, 10, 0, am), "late": span(16, 0, 20, 0, pm)}[p.at(i).text]
	if !ok || p.has("measured", i-1) || p.is(i, "early") && p.has("aheadOfUsual", i-1) {
		return item{}, i
	}
	j := p.skip(i+1, "on")
	d, end := p.date(j, 1)
	before := end > j && one(d) && months[p.at(j).text] == 0
	if before {
		part = p.narrowed(part, i, end)
	}
	month := months[p.at(i-1).text] > 0 || p.is(i-1, ".") && months[p.at(i-2).text] > 0
	if !before && (!p.dated(i) && !month || !p.ends(i+1)) {
		return item{}, i
	}
	return inPart(part.window, part.hint), i + 1
}

// narrowed is the early or late part of the part of the day that stands after a day at token i: "late tomorrow
// afternoon" is in the late afternoon. Where none stands there it is the part given.
func (p *parser) narrowed(part dayPart, which, i int) dayPart {
	day, end := p.partOfDay(i)
	half := (day.window.End - day.window.Start) / 2
	switch {
	case end != i+1 || half <= 0:
		return part
	case p.is(which, "late") && day.window.End > interval.At(18, 0):
		// The end of an evening is late enough.
	case p.is(which, "early"):
		day.window.End -= half
	default:
		day.window.Start += half
	}
	return day
}

// halfBehindDay reports whether an "am" or "pm" at token i is a half of the day named before it: "tomorrow pm".
func (p *parser) halfBehindDay(i int) bool {
	_, day := weekdays[p.at(i-1).text]
	return (day || p.is(i-1, "today", "tomorrow")) && !p.is(i+1, "i", "we")
}

// coming is "the next hour", "in the next 3 hours", "within 90 minutes": a window that begins now.
func (m *match) coming() item {
	d, now := m.length, m.now
	from, to := interval.ClockOf(now), interval.ClockOf(now.Add(d))
	switch {
	case d >= maxLength && d <= 31*maxLength:
		return item{kind: dateItem, days: stretch(m.today, dateOf(now.Add(d)))}
	case to <= from || d >= maxLength:
		return item{}
	}
	return inPart(interval.Window{Start: from, End: to}, open).on(single(m.today))
}

// chosenOne reports whether the "one" at token i is no hour but stands for what was shown: "the evening one", "the
// Friday morning one", or begins "one on one".
func (p *parser) chosenOne(i int) bool {
	if !p.is(i, "one") {
		return false
	}
	if _, end := p.meridiem(clock{}, i+1); end > i+1 {
		return false
	}
	if p.has("oneToOne", i) {
		return true
	}
	j := i
	for i-j < 4 && (p.dated(j) || p.at(j-1).kind == number && j < i) {
		j--
	}
	return j < i && p.is(j-1, "the", "that")
}

// listsHours reports whether hours are listed from token i and only the last says that they are: "9, 10 or 11am".
func (p *parser) listsHours(i int) bool {
	for range 4 {
		n, end := p.cardinal(i)
		j := p.skip(p.skip(end, ","), "or")
		if end == i || n < 1 || n > 12 || j == end {
			return false
		}
		if c, e := p.figureClock(j, false); e > j {
			return c.half != open && p.is(j-1, "or")
		}
		if p.is(j-1, "or") && p.has("tonightAt", j) {
			return true
		}
		i = j
	}
	return false
}

// begins is a start in the half of the day that is hinted, or after midnight where a night is meant.
func (a *assembler) begins(c clock, together []hours, hint half, today bool) interval.Clock {
	if smallHours(together) {
		return c.in(am)
	}
	return a.notPast(c, hint, today)
}

// smallHours reports whether a start said without am or pm of a night is after midnight, on the day after: "tonight at
// 1", "Friday night at 12".
func smallHours(together []hours) bool {
	night, early := false, false
	for _, h := range together {
		switch h.kind {
		case during:
			night = night || h.part.Start >= interval.At(18, 0)
		case exactly, around:
			early = early || h.from.half == open && (h.from.minutes < 4*60 || h.from.minutes >= 12*60 && h.from.minutes < 13*60)
		default:
		}
	}
	return night && early
}

// mealHint is the half of the day that the occasion suggests for a bare hour: dinner is in the evening.
func (p *parser) mealHint() half {
	for i := range p.tokens {
		if p.is(i, "table") && p.is(i+1, "for") {
			return fed
		}
		switch m := p.meal(i); m {
		case fed:
			return open
		case open:
		default:
			return m
		}
	}
	switch p.setting.Occasion {
	case Morning:
		return am
	case Meal:
		return fed
	case Evening:
		return pm
	default:
		return open
	}
}

// meal is the half of the day in which the occasion at token i takes place, open where there is none.
func (p *parser) meal(i int) half {
	meaning, _ := p.means("meals", i)
	return map[string]half{"am": am, "pm": pm, "fed": fed}[meaning]
}

// mealBefore is the half of the day of the last occasion in tokens from to to.
func (p *parser) mealBefore(from, to int) half {
	for i := to - 1; i >= from; i-- {
		if m := p.meal(i); m != open {
			return m
		}
	}
	return open
}
