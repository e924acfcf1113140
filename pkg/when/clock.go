package when

import (
	"time"

	"convene/pkg/interval"
)

// half says what is known of a clock's half of the day.
type half uint8

const (
	// open clocks were said without am or pm; the context decides.
	open half = iota
	am
	pm
	// fixed clocks are of 24 hours.
	fixed
	// fed is a hint only: of lunch or of dinner, so that 11 is before noon and all else after it.
	fed
)

// clock is a time of day as it was said.
type clock struct {
	minutes int
	half    half
	zone    *time.Location
	// about marks "4ish".
	about bool
}

// in is the clock in the half of the day that it was said in, or else the one hinted, or else the usual one: 7 to 11
// are in the morning, 12 to 6 in the afternoon.
func (c clock) in(hint half) interval.Clock {
	h := c.half
	if h == open {
		h = hint
	}
	if h == open {
		h = pm
		if c.minutes >= 7*60 && c.minutes < 12*60 {
			h = am
		}
	}
	m := c.minutes
	if h == fed {
		h = pm
		if m >= 11*60 && m < 12*60 {
			h = am
		}
	}
	switch {
	case h == pm && m < 12*60:
		m += 12 * 60
	case h == am && m >= 12*60 && m < 13*60:
		m -= 12 * 60
	}
	return interval.Clock(m)
}

// clock reads a time of day. bare says that a preposition or a day stands before it, so that a mere number will do.
func (p *parser) clock(i int, bare bool) (clock, int) {
	c, end := p.namedClock(i)
	if end == i {
		c, end = p.pastClock(i)
	}
	if end == i {
		c, end = p.figureClock(i, bare)
	}
	if end == i {
		c, end = p.spokenClock(i, bare)
	}
	if end == i {
		return c, i
	}
	end = p.past("sharpWords", end)
	if e := p.past("ishWords", end); e > end {
		c.about, end = true, e
	}
	c.zone, end = p.zone(end)
	return c, end
}

func (p *parser) namedClock(i int) (clock, int) {
	j := i
	if t := p.at(i); t.kind == number && t.value == 12 {
		j++
	}
	switch {
	case p.is(j, "high") && p.is(j+1, "noon"):
		return clock{minutes: 12 * 60, half: fixed}, j + 2
	case p.is(j, "noon", "noonish", "noontime"):
		return clock{minutes: 12 * 60, half: fixed, about: p.is(j, "noonish")}, p.skip(j+1, "time")
	case p.is(j, "midday") && p.is(j-1, "at", "before", "after", "until", "by", "from", "to", "past", "-", "and", "since"):
		return clock{minutes: 12 * 60, half: fixed}, j + 1
	case p.is(j, "midnight"):
		return clock{minutes: 24 * 60, half: fixed}, j + 1
	}
	return clock{}, i
}

// pastClock reads "half past two", "quarter to 5", "twenty past nine", "half seven".
func (p *parser) pastClock(i int) (clock, int) {
	minutes, j, sure := p.minutesOff(i)
	if j == i {
		return clock{}, i
	}
	switch {
	case p.is(j, "past"), sure && p.is(j, "after", "passed"):
		j++
	case sure && p.is(j, "to", "before", "until", "of"):
		minutes, j = -minutes, j+1
	case p.is(i, "half") && (p.at(j).kind == word && cardinals[p.at(j).text] > 1 ||
		p.at(j).kind == number && p.is(i-1, "at")):
	default:
		return clock{}, i
	}
	if c, end := p.namedClock(j); end > j {
		c.minutes += minutes
		if c.minutes > int(interval.EndOfDay) {
			c.minutes -= int(interval.EndOfDay) // past midnight
		}
		return c, end
	}
	h, end := p.cardinal(j)
	long := p.tongue.longHours && h > 12 && h < 24 && (minutes >= 0 || p.is(i, "quarter") || p.is(j-2, "minutes"))
	if end == j || h < 1 || h > 12 && !long || p.is(i-1, "for") && p.is(j-2, "minutes") {
		return clock{}, i
	}
	if _, e := p.unit(end); e > end && !long {
		return clock{}, i
	}
	if long {
		return clock{minutes: h*60 + minutes, half: fixed}, p.skip(end, "hours")
	}
	c := clock{minutes: (h*60+minutes+11*60)%(12*60) + 60}
	return p.meridiem(c, end)
}

// minutesOff reads the minutes before or after the hour. It is sure where they cannot be an hour themselves, as in
// "ten to five".
func (p *parser) minutesOff(i int) (minutes, end int, sure bool) {
	j := p.skip(i, "a")
	if end := p.past("halfHour", j); end > j && p.is(end, "before", "past") {
		return 30, end, true
	}
	if p.is(i, "an", "one") && p.is(i+1, "hours") && p.is(i+2, "before") {
		return 60, i + 2, true
	}
	switch {
	case p.is(j, "half"):
		return 30, j + 1, true
	case p.is(j, "quarter"):
		return 15, j + 1, true
	}
	n, j := p.cardinal(i)
	if j == i || n >= 60 || p.at(i).digits > 2 {
		return 0, i, false
	}
	end = p.skip(j, "minutes")
	return n, end, end > j || n > 12 && n%5 == 0 || p.minutesTo(i, n)
}

// minutesTo reports whether the number n at token i, with a "to" after it, is of minutes rather than the start of a
// range: "ten to nine", "10 to 9".
func (p *parser) minutesTo(i, n int) bool {
	if n != 5 && n != 10 || !p.is(i+1, "to", "until", "of", "before", "after") ||
		p.is(i-1, "from", "between", ",", "for") {
		return false
	}
	h, end := p.cardinal(i + 2)
	return end > i+2 && h >= 1 && h <= 12 && (p.at(i).kind == word && p.at(i+2).kind == word ||
		h == n-1 && !p.is(i+1, "after"))
}

// figureClock reads "3pm", "15:30", "9.30 am", "1700", "730".
func (p *parser) figureClock(i int, bare bool) (clock, int) {
	t := p.at(i)
	if t.kind != number || t.digits > 4 || p.numbered(i) || p.addressed(i) || t.glued && p.is(i-1, "$", "#", "/") {
		return clock{}, i
	}
	h, m, j := t.value, 0, i+1
	if t.digits > 2 {
		h, m = t.value/100, t.value%100
	} else if m, j = p.minutes(i + 1); j == i && !p.frenchClock(i) {
		return clock{}, i
	}
	if h > 24 || m > 59 || h == 24 && m > 0 {
		return clock{}, i
	}
	c := clock{minutes: h*60 + m}
	if paired, end := p.pairClock(i, c); end > i {
		return paired, end
	}
	if h > 12 || h == 0 || t.digits == 4 || t.digits == 2 && t.text[0] == '0' {
		c.half = fixed
	}
	written := j > i+1
	if written && p.is(j, ":") && p.at(j).glued && p.at(j+1).kind == number && p.at(j+1).glued && p.at(j+1).digits == 2 {
		j += 2 // seconds
	}
	withHalf, end := p.meridiem(c, j)
	switch {
	case end > j:
		return withHalf, end
	case written && p.is(i+1, ":"):
		return c, j
	case !bare && !written && !p.military(i) && !p.has("ishWords", j) && !p.has("sharpWords", j), p.otherNumber(j),
		t.digits > 2 && m%5 != 0 && t.text[0] != '0':
		return clock{}, i
	}
	return c, j
}

// pairClock reads a clock of a number and the word or number after it: "16h", "1400 hours", "9 30 am". c is what the
// number alone says.
func (p *parser) pairClock(i int, c clock) (clock, int) {
	t, mm := p.at(i), p.at(i+1)
	if p.frenchClock(i) && p.at(i+2).kind != number {
		return clock{minutes: t.value * 60, half: fixed}, i + 2
	}
	if mm.kind == number && mm.digits == 2 && mm.value < 60 && t.value <= 12 && t.digits <= 2 {
		if c, end := p.meridiem(clock{minutes: t.value*60 + mm.value}, i+2); end > i+2 {
			return c, end
		}
	}
	if c, end := p.apartClock(i); end > i {
		return c, end
	}
	if p.is(i+1, "h") && p.at(i+1).glued && t.digits == 4 {
		c.half = fixed
		return c, i + 2
	}
	if p.is(i+1, "hours") && (t.digits == 4 || t.digits == 2 && t.value > 12 && t.value < 24 &&
		p.is(i-1, "at", "to", "until")) {
		c.half = fixed
		return c, i + 2
	}
	return c, i
}

// minutes reads the ":30" of a clock, where there is one. It gives the index before its own where what stands there
// makes the number before something else: "4.5", "2h".
func (p *parser) minutes(i int) (minutes, end int) {
	sep, mm := p.at(i), p.at(i+1)
	if !sep.glued || !p.is(i, ":", ".", "h", ";", "|") {
		return 0, i
	}
	switch {
	case p.is(i, ":") && p.is(i+1, "am", "pm"):
		return 0, i + 1
	case p.is(i, ".") && p.tongue.dottedDays && !p.is(i-2, "@") && mm.digits == 2 && mm.value >= 1 && mm.value <= 12:
		return 0, i - 1
	case mm.kind == number && mm.glued && mm.digits == 2 && mm.value < 60:
		return mm.value, i + 2
	case mm.kind == number && mm.glued, sep.text == "h":
		return 0, i - 1
	}
	return 0, i
}

// military reports whether four digits standing alone are a time: "1430" is, a year or a house number is not.
func (p *parser) military(i int) bool {
	t := p.at(i)
	if t.digits != 4 || t.value < 500 || t.value >= 1900 || t.value%5 != 0 && t.text[0] != '0' {
		return false
	}
	following := p.at(i + 1)
	_, day := weekdays[following.text]
	_, month := months[following.text]
	return !following.capital || day || month
}

// numbered reports whether the number at token i is the name of something: a flight, a room, a telephone.
func (p *parser) numbered(i int) bool {
	_, half := p.meridiem(clock{}, i+1)
	if half > i+1 || p.is(i+1, ":") || p.is(i-1, "at", "@", "from", "to", "until", "by", "after", "before") {
		return p.dialled(i)
	}
	if p.has("numberedThings", i-1) || p.is(i-1, ".", "#") && p.has("numberedThings", i-2) ||
		p.at(i-1).capital && p.has("numberedThings", i-2) {
		return true
	}
	return p.dialled(i)
}

// dialled reports whether the number at token i is part of a telephone number: "555-0142".
func (p *parser) dialled(i int) bool {
	t, first, last := p.at(i), i, i
	if t.digits < 3 {
		return false
	}
	for first > i-4 && p.is(first-1, "-") && p.at(first).glued && p.at(first-1).glued && p.at(first-2).kind == number {
		first -= 2
	}
	for last < i+4 && p.is(last+1, "-") && p.at(last+1).glued && p.at(last+2).kind == number && p.at(last+2).glued {
		last += 2
	}
	if last == first {
		return false
	}
	long := 0
	for j := first; j <= last; j += 2 {
		n := p.at(j)
		if n.digits < 3 || n.value%100 > 59 || n.value%5 != 0 || n.value/100 > 24 {
			return n.digits >= 3 || long > 0
		}
		long++
	}
	return last > first+2
}

// otherNumber reports whether what stands after a number makes it something else than a time: a unit, an ordinal, a
// street, people.
func (p *parser) otherNumber(i int) bool {
	if _, end := p.unit(i); end > i {
		return true
	}
	if p.at(i).glued && (p.at(i).kind == word || p.is(i, "/", "%", "+") || p.is(i, "-") && p.at(i+1).kind == word &&
		p.at(i+1).glued) {
		return !p.is(i, "ish", "or", "-")
	}
	return p.has("countables", i)
}

// spokenClock reads "two thirty", "nine o'clock", "seven pm", and "seven" where a preposition allows it.
func (p *parser) spokenClock(i int, bare bool) (clock, int) {
	t := p.at(i)
	if p.chosenOne(i) {
		return clock{}, i
	}
	h, ok := cardinals[t.text]
	if c, end := p.longHour(i); end > i {
		return c, end
	}
	if t.kind != word || !ok || h < 1 || h > 12 {
		return clock{}, i
	}
	c, j, sure := clock{minutes: h * 60}, i+1, false
	k := p.skip(p.skip(j, "-"), "oh", "o")
	if m, end := p.cardinal(k); end > k && p.at(k).kind == word && m < 60 && (m >= 10 || k > j && p.is(k-1, "oh", "o")) {
		if _, e := p.unit(p.skip(end, "-")); e == p.skip(end, "-") {
			c.minutes, j, sure = c.minutes+m, end, true
		}
	}
	if mm := p.at(j); mm.kind == number && mm.digits == 2 && mm.value < 60 && mm.value%5 == 0 && p.ends(j+1) && bare {
		return clock{minutes: h*60 + mm.value}, j + 1 // "at five 30"
	}
	if with, end := p.meridiem(c, j); end > j {
		return with, end
	}
	if sure || p.has("sharpWords", j) || bare && !p.otherNumber(j) && !p.is(j, "-") || p.is(j, "ish") {
		return c, j
	}
	return clock{}, i
}

// meridiem reads what says the half of the day after a clock: "am", "p. m.", "o'clock", "in the morning", "at night".
func (p *parser) meridiem(c clock, i int) (clock, int) {
	meaning, end := p.means("halves", i)
	switch {
	case end == i || meaning == "open":
		return c, end
	case meaning == "am", meaning == "night" && (c.minutes < 5*60 || c.minutes >= 12*60),
		meaning == "evening" && c.minutes/60 == 12 && p.is(end-1, "evening"): // twelve in the evening is midnight
		c.half = am
	case meaning == "morning" && c.minutes == 12*60:
		c.half = fixed // nobody calls midnight a morning
	case meaning == "morning":
		c.half = am
	default:
		c.half = pm
	}
	if (c.minutes >= 13*60 || c.minutes < 60) && c.minutes != 24*60 {
		c.half = fixed
	}
	return c, end
}
