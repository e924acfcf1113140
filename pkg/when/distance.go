package when

import (
	"strings"

	"convene/pkg/interval"
)

// counted reads distances: "in three days", "two weeks from today", "a week after Thanksgiving", "in two weeks".
func (p *parser) counted(i, depth int) (days, int) {
	j := p.skip(i, "in")
	if j > i {
		j = p.skip(j, "exactly", "about", "roughly", "around", "like", "maybe", "just", "another")
	}
	if d, end := p.distance(j, j > i, depth); end > j {
		return d, end
	}
	return days{}, i
}

// distance reads how far away a day is. ahead says that an "in" stands before it, so that nothing else has to say from
// where it is counted.
func (p *parser) distance(i int, ahead bool, depth int) (days, int) {
	n, k := p.count(i)
	if k == i && p.is(i, "fortnight") {
		n, k = 1, i
	} else if k == i {
		return days{}, i
	}
	if n > 500 || !ahead && p.is(i-1, "for", "lasting") && p.is(k+1, "from") && !p.is(k+2, "now") {
		return days{}, i
	}
	if d, end := p.recurringAhead(n, k); end > k && (ahead || end > k+1) {
		return d, end
	}
	if !ahead && p.is(i-1, "in") && p.is(k+1, "on") {
		return days{}, i
	}
	most, k := p.upTo(n, k)
	step, l := p.stepUnit(k)
	if l == k {
		return days{}, i
	}
	if m, end := p.cardinal(l + 1); p.is(l, "or") && end == l+2 && m > n && m < 13 && p.at(l+1).kind == word {
		most, l = m, end // "a week or two"
	}
	besides, l := p.countedBesides(step, l)
	from, end := p.stepStart(l, depth)
	if ahead && p.is(l, "on") {
		from, end = fromHere(p.today), l // "in two weeks, on Tuesday"
	}
	if end == l && !ahead {
		return days{}, i
	}
	at, upTo := p.step(from.day.last(), from.sign*n, step), p.step(from.day.last(), from.sign*most, step)
	at, upTo = at.AddDays(from.sign*besides), upTo.AddDays(from.sign*besides)
	if step == weekStep && from.now && besides == 0 {
		d := stretch(p.weekOf(at), p.weekOf(upTo).AddDays(6))
		d.whole = interval.DateRange{Start: at, End: upTo}
		return d, end
	}
	return stretch(at, upTo), end
}

// recurringAhead reads the weekdays or weekends at token i of which the nth from today is meant: "in three Fridays",
// "two weekends from now".
func (p *parser) recurringAhead(n, i int) (days, int) {
	if n < 1 || n > 60 {
		return days{}, i
	}
	end := fromToday.end(p, i+1)
	if day, ok := weekdays[strings.TrimSuffix(p.at(i).text, "s")]; ok {
		return single(p.upcoming(day).AddDays(7 * (n - 1))), end
	}
	if p.is(i, "weekends", "weekend") {
		first := p.weekendBy(single(p.today), 1).first().AddDays(7 * (n - 1))
		return stretch(first, first.AddDays(1)), end
	}
	return days{}, i
}

// countedBesides reads what is added to a distance of whole steps, in days: the "and two days" of "a week and two
// days", the half of "a month and a half".
func (p *parser) countedBesides(step stepKind, i int) (n, end int) {
	if end := andAHalf.end(p, i); end > i {
		halves := map[stepKind]int{weekStep: 3, fortnightStep: 7, monthStep: 15, yearStep: 182}
		if n, ok := halves[step]; ok {
			return n, end
		}
	}
	n, j := p.count(p.skip(i, "and", ","))
	switch {
	case p.is(i, "and", ",") && j > i+1 && step != dayStep && n < 32 && p.is(j, "day", "days"):
		return n, j + 1
	case p.is(i, "and", ",") && j > i+1 && step != dayStep && step != weekStep && n < 5 && p.is(j, "week", "weeks"):
		return 7 * n, j + 1
	}
	return 0, i
}

// stepKind is what distances are counted in.
type stepKind uint8

const (
	dayStep stepKind = iota
	workDayStep
	weekStep
	fortnightStep
	monthStep
	yearStep
)

func (p *parser) stepUnit(i int) (stepKind, int) {
	switch {
	case p.is(i, "day", "days"):
		return dayStep, i + 1
	case p.is(i, "business", "working") && p.is(i+1, "day", "days"):
		return workDayStep, i + 2
	case p.is(i, "week", "weeks"):
		return weekStep, i + 1
	case p.is(i, "fortnight", "fortnights"):
		return fortnightStep, i + 1
	case p.is(i, "month", "months"):
		return monthStep, i + 1
	case p.is(i, "year", "years"):
		return yearStep, i + 1
	}
	return dayStep, i
}

// step is the day n steps after d, or before it where n is negative.
func (p *parser) step(d interval.Date, n int, kind stepKind) interval.Date {
	switch kind {
	case workDayStep:
		return p.workDay(d, n)
	case weekStep:
		return d.AddDays(7 * n)
	case fortnightStep:
		return d.AddDays(14 * n)
	case monthStep:
		return addMonths(d, n)
	case yearStep:
		return addMonths(d, 12*n)
	default:
		return d.AddDays(n)
	}
}

// origin is the day from which a distance is counted, and in which direction. now says that it is today, so that weeks
// are counted roughly.
type origin struct {
	day  days
	sign int
	now  bool
}

// fromHere counts from today on.
func fromHere(today interval.Date) origin { return origin{single(today), 1, true} }

// stepStart reads from where a distance is counted, behind its unit: "from now", "after Thanksgiving", "before Friday",
// "hence", "ago". Where nothing is said, it is from today on.
func (p *parser) stepStart(i, depth int) (origin, int) {
	today := fromHere(p.today)
	exact := origin{single(p.today), 1, false}
	if end := fromNow.end(p, i); end > i {
		return today, end
	}
	sign := 1
	switch {
	case p.is(i, "time") && !p.is(i+1, "off"):
		return today, i + 1
	case p.is(i, "out", "hence"):
		return exact, i + 1
	case p.is(i, "ago"):
		exact.sign = -1
		return exact, i + 1
	case p.is(i, "before"):
		sign = -1
	case p.is(i, "from", "after", "following"), p.is(i, "on") && p.is(i-1, "week", "weeks", "fortnight"):
	default:
		return today, i
	}
	j := p.skip(i+1, "the")
	d, end := p.date(j, depth+1)
	if end == j || d.empty() || p.is(i, "on") && len(d.weekdays) != 1 {
		return today, i
	}
	return origin{d, sign, false}, end
}
