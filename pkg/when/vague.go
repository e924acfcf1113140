package when

import "convene/pkg/interval"

// earlyOrLate reads "early" or "late" beside a single day: "early tomorrow", "Friday late".
func (p *parser) earlyOrLate(i int) (item, int) {
	part, ok := map[string]dayPart{"early": span(7, 0, 10, 0, am), "late": span(16, 0, 20, 0, pm)}[p.at(i).text]
	if !ok || p.has("measured", i-1) {
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

// narrowed is the early or late part of the part of the day that stands behind a day at token i: "late tomorrow
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

// listsHours reports whether hours are listed from token i of which only the last says that they are: "9, 10 or 11am".
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
