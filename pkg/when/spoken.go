package when

// militaryWords reads "sixteen thirty" and "eighteen hundred hours"; h is the hour at token i. Twenty and a number from
// twenty on are a year.
func (p *parser) militaryWords(h, i int) (clock, int) {
	j := p.skip(i+1, "-")
	if p.is(j, "hundred") && (p.is(j+1, "hours") || p.is(i-1, "at")) {
		return clock{minutes: h * 60, half: fixed}, p.skip(j+1, "hours")
	}
	m, end := p.cardinal(j)
	_, u := p.unit(p.skip(end, "-"))
	if end == j || p.at(j).kind != word || m < 10 || m > 59 || h == 20 && m >= 20 || u > p.skip(end, "-") ||
		p.otherNumber(end) {
		return clock{}, i
	}
	return clock{minutes: h*60 + m, half: fixed}, end
}

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

// earlyWords reads "oh nine hundred" and "oh six thirty hours" behind the "oh" at token i.
func (p *parser) earlyWords(i int) (clock, int) {
	h, j := p.cardinal(i + 1)
	if j != i+2 || h < 1 || h > 9 || p.at(i+1).kind != word {
		return clock{}, i
	}
	m, end := p.cardinal(j)
	if p.is(j, "hundred") {
		m, end = 0, j+1
	}
	if end == j || m > 59 || !p.is(i-1, "at", "from", "to", "until", "by") && !p.is(end, "hours") {
		return clock{}, i
	}
	return clock{minutes: h*60 + m, half: fixed}, p.skip(end, "hours")
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
