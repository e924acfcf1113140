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
	it, end := p.readPhrase("lengths", i)
	return it.length, end
}

// lengthRules are what en/rules.txt says of lengths.
var lengthRules = map[string]func(m *match) item{
	"minutes":  func(m *match) item { return lasts(time.Duration(m.n) * time.Minute) },
	"unit":     func(m *match) item { return lasts(time.Hour) },
	"andAHalf": func(m *match) item { return lasts(time.Duration(m.counts[0])*m.length + m.length/2) },
	"fraction": (*match).fraction,
	"decimal":  (*match).decimal,
	"counted":  (*match).counted,
}

func lasts(d time.Duration) item { return item{kind: lengthItem, length: d} }

// fraction is "3/4 of an hour", "1 1/2 hours".
func (m *match) fraction() item {
	whole, n, of := 0, m.counts[0], m.counts[1]
	if len(m.counts) > 2 {
		whole, n, of = n, of, m.counts[2]
		if second := m.at(m.from + 1); second.kind != number || second.glued || m.at(m.from).digits > 2 {
			return item{}
		}
	}
	if n < 1 || n >= of || of > 4 {
		return item{}
	}
	return lasts(time.Duration(whole)*m.length + m.length*time.Duration(n)/time.Duration(of))
}

// decimal is "1.5 hours", ".5 hours".
func (m *match) decimal() item {
	i := m.from
	if len(m.counts) > 1 {
		i++
	} else if m.at(i).glued && m.at(i-1).kind == number {
		return item{}
	}
	tenths, scale := m.at(i+1), 1
	if tenths.kind != number || !tenths.glued || len(m.counts) > 1 && !m.at(i).glued {
		return item{}
	}
	for range tenths.digits {
		scale *= 10
	}
	whole := 0
	if len(m.counts) > 1 {
		whole = m.counts[0]
	}
	return lasts(time.Duration(whole)*m.length + m.length*time.Duration(tenths.value)/time.Duration(scale))
}

// counted is so many units, with what may follow them. "Hour" alone is one if something does.
func (m *match) counted() item {
	n, end := 1, m.to
	if len(m.counts) > 0 {
		n = m.counts[0]
		if t := m.at(m.from); t.digits > 1 && t.text[0] == '0' || t.digits == 4 || m.frenchClock(m.from) {
			return item{}
		}
	}
	d, to := m.lengthTail(time.Duration(n)*m.length, m.length, m.to)
	if m.to = to; m.to == end && len(m.counts) == 0 {
		return item{}
	}
	return lasts(d)
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
	side, travel := p.means("travels", end)
	if said := p.is(i-1, "travel", "buffer", "commute", "drive"); said && travel == end {
		side, travel = p.means("travelsBehind", end) // "travel 20m before"
	} else if travel == end {
		return lasts(d), end
	}
	return item{kind: travelItem, length: d, side: map[string]Side{"before": BeforeIt, "after": AfterIt}[side]}, travel
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

// momentsBetween reads the "two to three hours" after "in": a window that begins then.
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
