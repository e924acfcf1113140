package when

import (
	"time"

	"convene/pkg/interval"
)

// unit reads a unit of time.
func (p *parser) unit(i int) (time.Duration, int) {
	t := p.at(i)
	if t.kind == number {
		return 0, i
	}
	if t.text == "'" && t.glued && p.at(i-1).kind == number && p.drawnIs(i) == i {
		return time.Minute, i + 1
	}
	switch t.text {
	case "minutes":
		return time.Minute, p.skip(i+1, ".")
	case "hours":
		return time.Hour, i + 1
	case "h", "m", "min":
		if t.glued || p.at(i-1).kind == number {
			if t.text == "h" {
				return time.Hour, i + 1
			}
			return time.Minute, i + 1
		}
	}
	return 0, i
}

// length reads a length of time: "90 minutes", "an hour and a half", "2h30", "1.5 hours", "half an hour".
func (p *parser) length(i int) (time.Duration, int) {
	if d, end := p.fraction(i); end > i {
		return d, end
	}
	if d, end := p.oneAndAHalf(i); end > i {
		return d, end
	}
	if d, end := p.uncounted(i); end > i {
		return d, end
	}
	n, j := p.count(i)
	if j == i || p.at(i).digits > 1 && p.at(i).text[0] == '0' {
		return 0, i
	}
	// "1.5 hours", "2,5 hours".
	if p.is(j, ".", ",") && p.at(j).glued && p.at(j+1).kind == number && p.at(j+1).glued {
		unit, end := p.unit(p.skip(j+2, "-"))
		if end == p.skip(j+2, "-") {
			return 0, i
		}
		scale := 1
		for range p.at(j + 1).digits {
			scale *= 10
		}
		return time.Duration(n)*unit + unit*time.Duration(p.at(j+1).value)/time.Duration(scale), end
	}
	// "one and a half hours".
	if k := p.past("andAHalf", p.skip(j, "-")); k > p.skip(j, "-") {
		if unit, end := p.unit(p.skip(k, "-")); end > k {
			return time.Duration(n)*unit + unit/2, end
		}
	}
	k := p.skip(j, "-", "full", "solid", "whole", "good", "more", "fewer", "entire", "extra", "additional")
	if p.frenchClock(i) || p.at(i).digits == 4 {
		return 0, i
	}
	unit, end := p.unit(k)
	if end == k {
		return 0, i
	}
	return p.lengthTail(time.Duration(n)*unit, unit, end)
}

// uncounted reads a length without a whole number: ".5 hours", "hour and a half", "hour long".
func (p *parser) uncounted(i int) (time.Duration, int) {
	tenths := p.at(i + 1)
	if p.is(i, ".") && tenths.kind == number && tenths.glued && (!p.at(i).glued || p.at(i-1).kind != number) &&
		tenths.digits <= 2 {
		scale := 10
		if tenths.digits == 2 {
			scale = 100
		}
		if unit, end := p.unit(p.skip(i+2, "-")); end > p.skip(i+2, "-") {
			return unit * time.Duration(tenths.value) / time.Duration(scale), end
		}
	}
	if !p.is(i, "hours") || p.is(i-1, "many", "few", "last", "next", "-") || p.at(i-1).kind == number ||
		cardinals[p.at(i-1).text] > 0 {
		return 0, i
	}
	if d, end := p.lengthTail(time.Hour, time.Hour, i+1); end > i+1 && p.is(i+1, "and") && !p.is(i+2, "hours") {
		return d, end
	}
	if end := p.skip(p.skip(i+1, "-"), "long"); p.is(end-1, "long") {
		return time.Hour, end
	}
	return 0, i
}

// oneAndAHalf reads "1 1/2 hours", "2 3/4 hours".
func (p *parser) oneAndAHalf(i int) (time.Duration, int) {
	n, of := p.at(i+1), p.at(i+3)
	if p.at(i).kind != number || n.kind != number || n.glued || !p.is(i+2, "/") || of.kind != number || of.value < 2 ||
		of.value > 4 || n.value >= of.value {
		return 0, i
	}
	unit, end := p.unit(p.skip(i+4, "-"))
	if end == p.skip(i+4, "-") || p.at(i).digits > 2 {
		return 0, i
	}
	return time.Duration(p.at(i).value)*unit + unit*time.Duration(n.value)/time.Duration(of.value), end
}

// frenchClock reports whether a time of day stands at token i that is written like a length: "15h30", "9h00", "16h".
func (p *parser) frenchClock(i int) bool {
	t := p.at(i)
	if t.digits > 0 && t.digits < 3 && t.value <= 24 && p.is(i-1, "from", "between") && p.is(i+1, "h") &&
		p.is(i+2, "to", "until", "-", "–", "and") {
		return true
	}
	if t.digits == 2 && t.value >= 13 && t.value <= 24 && p.is(i+1, "h") && p.is(i-1, "to", "until", "-") &&
		p.at(i+2).kind != number {
		return true
	}
	if t.kind == number && t.digits == 2 && p.is(i+1, "h") && p.at(i+1).glued && p.at(i+2).kind != number {
		return t.value <= 24 && (t.value >= 13 && !p.is(i-1, "for", "of", "lasting", "in", "last", "next") ||
			p.is(i-1, "at") ||
			p.is(i-1, "to", "-", "until") && p.is(i-3, "h", ":"))
	}
	mm := p.at(i + 2)
	return p.at(i).kind == number && p.at(i).value >= 7 && p.is(i+1, "h") && p.at(i+1).glued && mm.glued &&
		mm.kind == number && mm.digits == 2
}

// lengthTail reads what may follow a length: "and a half", "and 15 minutes", "30" of "2h30".
func (p *parser) lengthTail(d, unit time.Duration, i int) (time.Duration, int) {
	if unit != time.Hour {
		return d, i
	}
	if end := p.past("andAHalf", i); end > i {
		return d + unit/2, end
	}
	if end := p.past("andAQuarter", i); end > i {
		return d + unit/4, end
	}
	if end := p.past("andThreeQuarters", i); end > i {
		return d + unit/4*3, end
	}
	j := p.skip(i, "and", ",", ".")
	if n, k := p.cardinal(j); k > j && n < 60 {
		if minutes, end := p.unit(p.skip(k, "-")); end > k && minutes == time.Minute {
			return d + time.Duration(n)*time.Minute, end
		}
		if p.at(j).kind == number && p.at(j).digits == 2 && (p.at(j).glued || !p.is(i, ",") && n%5 == 0 && p.ends(k)) ||
			!p.is(i, ",") && p.at(j).kind == word && n >= 5 && p.ends(k) {
			return d + time.Duration(n)*time.Minute, k
		}
	}
	return d, i
}

// fraction reads "half an hour", "half hour", "quarter of an hour", "three quarters of an hour".
func (p *parser) fraction(i int) (time.Duration, int) {
	j := p.skip(i, "a")
	if n, of := p.at(j), p.at(j+2); n.kind == number && p.is(j+1, "/") && of.kind == number && n.value > 0 &&
		n.value < of.value && of.value <= 4 {
		k := p.skip(p.skip(j+3, "-", "of"), "a", "an")
		if unit, end := p.unit(k); end > k {
			return unit * time.Duration(n.value) / time.Duration(of.value), end
		}
	}
	if end := p.past("halfHour", j); end > j {
		return 30 * time.Minute, end
	}
	if end := p.past("quarterHour", j); end > j {
		return 15 * time.Minute, end
	}
	if end := p.past("halfDay", j); end > j {
		return 12 * time.Hour, end
	}
	if end := p.past("threeQuarters", j); end > j {
		return 45 * time.Minute, end
	}
	return 0, i
}

// maxLength is the longest event, and maxShift the widest move, that a phrase can ask for.
const (
	maxLength = 24 * time.Hour
	maxShift  = 24 * time.Hour
)

// lengthPhrase reads a length with its prepositions, and tells an event's length from travel time and from a moment
// ("in an hour").
func lengthPhrase(p *parser, i int) (item, int) {
	j := p.past("lengthLeads", i)
	if d, end := p.moment(i); end > i {
		return d, end
	}
	d, end := p.length(j)
	if end == j {
		d, end = p.quick(i)
	}
	if end == j || d <= 0 || d > maxLength {
		return item{}, i
	}
	end = p.past("lengthTails", p.skip(end, "-"))
	side, travel := p.travel(end)
	if said := p.is(i-1, "travel", "buffer", "commute", "drive"); said && travel == end {
		side, end = p.travelSide(end) // "travel 20m before"
		return item{kind: travelItem, length: d, side: side}, end
	}
	if travel > end {
		return item{kind: travelItem, length: d, side: side}, travel
	}
	return item{kind: lengthItem, length: d}, end
}

// quick reads the minutes of "a quick 15": a number that no unit follows, of a thing that takes no longer than an hour.
func (p *parser) quick(i int) (time.Duration, int) {
	j := p.skip(p.skip(i, "for"), "a", "an")
	if !p.is(j, "quick", "short", "brief") {
		return 0, i
	}
	n, end := p.cardinal(p.skip(j+1, "-"))
	if end <= j+1 || n < 5 || n > 60 || n%5 != 0 || p.otherNumber(end) || p.is(end, ":", "am", "pm") {
		return 0, i
	}
	return time.Duration(n) * time.Minute, end
}

// moment reads "in 20 minutes", "an hour from now": a start counted from now, to the next five minutes.
func (p *parser) moment(i int) (item, int) {
	j := p.skip(i, "in")
	if j > i {
		j = p.skip(j, "about", "around", "like", "maybe", "roughly", "approximately", "exactly")
		if it, end := p.momentsBetween(j); end > j {
			return it, end
		}
	}
	d, end := p.length(j)
	if end == j || d <= 0 || d > 31*maxLength {
		return item{}, i
	}
	after := p.past("momentTails", end)
	if (j == i && p.phrase(end, "from now") == end) ||
		p.is(end, "-", "slot", "meeting", "call", "block", "blocks", "slots") {
		return item{}, i
	}
	moment := p.now.Add(d)
	start := moment.Add(5*time.Minute - 1).Truncate(5 * time.Minute)
	at := clock{minutes: start.Hour()*60 + start.Minute(), half: fixed}
	return item{
		kind: timeItem, times: []hours{{kind: exactly, from: at}}, days: single(dateOf(start)), moment: moment,
	}, after
}

// momentsBetween reads the "two to three hours" behind "in": a window that begins then.
func (p *parser) momentsBetween(i int) (item, int) {
	n, j := p.cardinal(i)
	m, k := p.upTo(n, j)
	unit, end := p.unit(k)
	if j == i || k == j || end == k {
		return item{}, i
	}
	first, last := p.now.Add(time.Duration(n)*unit), p.now.Add(time.Duration(m)*unit)
	w := interval.Window{Start: interval.ClockOf(first), End: interval.ClockOf(last)}
	if w.End <= w.Start || m > 24*60 {
		return item{}, i
	}
	return item{kind: timeItem, days: single(dateOf(first)), times: []hours{{kind: during, part: w}}}, end
}
