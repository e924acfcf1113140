package when

import "time"

// numericDay reads "12/3", "12/3/26", "2026-12-03". A month beyond the twelfth is none.
func (p *parser) numericDay(i int) (calendarDay, int) {
	t := p.at(i)
	if t.kind != number {
		return calendarDay{}, i
	}
	if c, end := p.isoDay(i); end > i {
		return c, end
	}
	if c, end := p.dottedDay(i); end > i {
		return c, end
	}
	second := p.at(i + 2)
	if second.kind != number || t.digits > 2 || second.digits > 2 || !p.slashed(i) {
		return calendarDay{}, i
	}
	m, d := t.value, second.value
	if m > 12 && d <= 12 || p.tongue.dayFirst && d <= 12 || p.behindDayFirst(i) && d <= 12 {
		m, d = d, m
	}
	if _, e := p.unit(p.skip(p.skip(i+3, "of"), "a", "an")); e > i+3 || m < 1 || m > 12 || d < 1 || d > 31 ||
		t.value == 24 {
		return calendarDay{}, i
	}
	c := calendarDay{month: time.Month(m), first: d, last: d}
	if year := p.at(i + 4); p.at(i+3).text == p.at(i+1).text && p.at(i+3).glued && year.kind == number &&
		(year.digits == 2 || year.digits == 4) {
		c.year = fullYear(year)
		return c, i + 5
	}
	c.year, i = p.yearBehind(i + 3)
	return c, i
}

// behindDayFirst reports whether a day stands before the one at token i that can only be written day first: "20/7 -
// 7/8".
func (p *parser) behindDayFirst(i int) bool {
	if !p.is(i-1, "-", "–", "to", "until", "and", "through") {
		return false
	}
	if p.at(i-2).digits == 4 && p.is(i-3, "/", "-") && p.is(i-5, "/", "-") && p.at(i-6).kind == number {
		return p.at(i-6).value > 12 && p.at(i-6).digits <= 2 // "28-4-2026 to 2-5-2026"
	}
	return p.is(i-3, "/") && p.at(i-4).kind == number && p.at(i-4).value > 12 && p.at(i-4).digits <= 2
}

// isoDay reads "2026-12-03", "2026.12.03" and "20261203".
func (p *parser) isoDay(i int) (calendarDay, int) {
	t := p.at(i)
	year, m, d, end := t.value, p.at(i+2).value, p.at(i+4).value, i+5
	switch {
	case t.digits == 8:
		year, m, d, end = t.value/10000, t.value/100%100, t.value%100, i+1
	case t.digits != 4 || !p.is(i+1, "-", ".", "/") || !p.is(i+3, p.at(i+1).text) || !p.at(i+1).glued ||
		p.at(i+2).kind != number || p.at(i+4).kind != number:
		return calendarDay{}, i
	}
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return calendarDay{}, i
	}
	return calendarDay{month: time.Month(m), first: d, last: d, year: year}, end
}

// slashed reports whether the number at token i and the one after it are written as a day: "12/3", "2 / 15", and where
// the day comes first "17-2".
func (p *parser) slashed(i int) bool {
	sep, second := p.at(i+1), p.at(i+2)
	switch {
	case sep.glued != second.glued:
		return false
	case p.is(i+1, "/"):
		return sep.glued || second.value > 12
	case p.is(i+1, "-") && p.is(i+3, "-") && p.at(i+3).glued && p.at(i+4).glued &&
		(p.at(i+4).digits == 4 || p.at(i+4).digits == 2 && p.at(i+4).value >= 20):
		return sep.glued
	case p.is(i+1, "-"):
		return p.tongue.dayFirst && sep.glued && p.at(i).value > 12 && second.value <= 12 && !p.is(i+3, ":")
	}
	return false
}

// dottedDay reads "14.9.2026", "03.08.", "5-6.10.26": the day first, as everybody writes who uses dots.
func (p *parser) dottedDay(i int) (calendarDay, int) {
	first, j := p.at(i).value, i
	if p.is(i+1, "-") && p.at(i+2).kind == number && p.at(i+2).glued && p.at(i+2).digits <= 2 {
		j = i + 2
	}
	day, month := p.at(j), p.at(j+2)
	if j == i && p.monthFirst(i) {
		day, month, first = month, day, month.value
	}
	if !p.is(j+1, ".") || !p.at(j+1).glued || month.kind != number || day.kind != number || !p.at(j+2).glued ||
		day.digits > 2 || month.digits > 2 ||
		day.value < 1 || day.value > 31 || month.value < 1 || month.value > 12 || first > day.value || first < 1 {
		return calendarDay{}, i
	}
	c := calendarDay{month: time.Month(month.value), first: first, last: day.value}
	if !p.is(j+3, ".") || !p.at(j+3).glued {
		if p.plainDotted(i, j) {
			return c, j + 3
		}
		return calendarDay{}, i
	}
	year := p.at(j + 4)
	switch {
	case year.kind == number && year.glued && (year.digits == 2 || year.digits == 4):
		c.year = fullYear(year)
		return c, j + 5
	case month.digits == 2 && month.value%5 != 0 && p.plainDay(i, j+4):
		return c, j + 4
	case (month.digits == 1 || year.kind == number || p.is(i-1, "-", "–") && p.is(i-2, ".") ||
		p.is(j+4, "-", "–") && p.at(j+5).kind == number) &&
		(!p.is(i-1, "at", "@", "from", "to", "until", "-") || p.is(i-2, ".")):
		return c, j + 4
	}
	return calendarDay{}, i
}

// fullYear is a year that may be written with its last two figures alone.
func fullYear(t token) int {
	if t.digits == 2 {
		return 2000 + t.value
	}
	return t.value
}

// monthFirst reports whether a date with dots is written as with slashes: "3.16.2026", which can only be in March.
func (p *parser) monthFirst(i int) bool {
	year := p.at(i + 4)
	return p.at(i).value <= 12 && p.at(i+2).value > 12 && p.is(i+3, ".") && p.at(i+3).glued && year.glued &&
		year.digits == 4
}

// plainDotted reports whether two numbers with a dot between, and none after, are a day and no clock. The first word
// of the phrase is token i, and its day token j.
func (p *parser) plainDotted(i, j int) bool {
	month, next := p.at(j+2), p.at(j+3)
	if p.plainDay(i, j+3) {
		// No clock that people plan by has minutes that are no multiple of five.
		return p.tongue.dayFirst || month.digits == 2 && month.value%5 != 0 || next.kind == number && p.is(j+4, ":")
	}
	// No clock has minutes of one digit.
	_, e := p.unit(j + 3)
	return (month.digits == 1 || p.tongue.dottedDays) && p.tongue.dayFirst && !next.glued && e == j+3 &&
		p.is(i-1, "at", "from", "to", "until", "on")
}

// plainDay reports whether nothing beside the two numbers in tokens i to end makes them a clock.
func (p *parser) plainDay(i, end int) bool {
	if _, e := p.meridiem(clock{}, end); e > end {
		return false
	}
	if _, e := p.unit(end); e > end {
		return false
	}
	return !p.is(i-1, "at", "@", "from", "to", "until", "for", "about", "around", "$", "v") && !p.at(end).glued
}
