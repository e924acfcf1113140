package when

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
