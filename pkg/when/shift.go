package when

import (
	"time"

	"convene/pkg/interval"
)

// shiftPhrase reads a move relative to an earlier proposal: "an hour later", "push it back 30 minutes", "the week
// after".
func shiftPhrase(p *parser, i int) (item, int) {
	if s, end := p.directedShift(i); end > i {
		return item{kind: shiftItem, shift: s}, end
	}
	if s, end := p.directedBy(i); end > i {
		return item{kind: shiftItem, shift: s}, end
	}
	j := p.skip(i, "by", "for")
	n, unit, end := p.shiftLength(j)
	if end == j {
		return item{}, i
	}
	sign := 0
	switch {
	case p.is(end, "later"):
		sign = 1
	case p.is(end, "earlier", "sooner"):
		sign = -1
	default:
		if sign, end = p.countedShift(i, end); sign == 0 {
			return item{}, i
		}
		end--
	}
	return item{kind: shiftItem, shift: unit.times(sign * n)}, end + 1
}

// directedBy reads "earlier by 20 minutes", and "back by an hour" of an event at hand.
func (p *parser) directedBy(i int) (Shift, int) {
	sign := 0
	switch {
	case p.is(i, "later"), p.is(i, "back") && !p.setting.Start.IsZero():
		sign = 1
	case p.is(i, "earlier", "sooner"), p.is(i, "forward", "up", "ahead") && !p.setting.Start.IsZero():
		sign = -1
	}
	if sign == 0 || !p.is(i+1, "by") {
		return Shift{}, i
	}
	n, unit, end := p.shiftLength(i + 2)
	if end == i+2 {
		return Shift{}, i
	}
	return unit.times(sign * n), end
}

// shiftLength reads how far: a length of time in minutes, or days or weeks.
func (p *parser) shiftLength(i int) (n int, unit Shift, end int) {
	if d, end := p.length(i); end > i && d <= maxShift {
		return int(d / time.Minute), Shift{Minutes: 1}, end
	}
	n, j := p.count(i)
	switch {
	case j == i || n > 60:
	case p.is(j, "day", "days"):
		return n, Shift{Days: 1}, j + 1
	case p.is(j, "week", "weeks"):
		return n, Shift{Days: 7}, j + 1
	case p.is(j, "month", "months") && !p.setting.Start.IsZero() && n <= 12:
		start := interval.DateOf(p.setting.Start)
		return start.DaysUntil(addMonths(start, n)), Shift{Days: 1}, j + 1
	}
	return 0, Shift{}, i
}

func (s Shift) times(n int) Shift { return Shift{s.Minutes * n, s.Days * n, s.Weeks * n} }

// directedShift reads a move whose verb gives the direction, and weeks counted from the earlier proposal.
func (p *parser) directedShift(i int) (Shift, int) {
	for _, v := range []struct {
		verbs []string
		sign  int
	}{
		{[]string{"push", "pushed", "move", "bump", "nudge", "shift", "set", "delay", "postpone"}, 1},
		{[]string{"bring", "pull"}, -1},
	} {
		if !p.is(i, v.verbs...) {
			continue
		}
		j := p.past("movedThings", i+1)
		k := p.past("movedBy", j)
		if k == j && !p.is(i, "delay", "postpone", "push", "shift", "bump", "nudge") || p.is(i, "set") && j == i+1 {
			continue // "set up 20 minutes" moves nothing
		}
		n, unit, end := p.shiftLength(k)
		if end == k || p.is(end, "later", "earlier", "sooner") {
			continue
		}
		sign := v.sign
		if p.is(j, "up", "forward", "ahead") {
			sign = -1
		}
		return unit.times(sign * n), end
	}
	return p.nextShift(i)
}

// nextShift reads "the week after", "the following week", "the next day" where nothing says after what.
func (p *parser) nextShift(i int) (Shift, int) {
	j := p.skip(p.skip(i, "to", "for"), "the")
	if end := p.past("weekAfter", j); end > j {
		if _, e := p.date(end, 1); e == end && !p.is(end, "next") {
			return Shift{Weeks: 1}, end
		}
	}
	if end := p.past("weekBefore", j); end > j {
		if _, e := p.date(end, 1); e == end {
			return Shift{Weeks: -1}, end
		}
	}
	if end := p.past("dayAfter", j); end > j {
		if _, e := p.date(end, 1); e == end && !p.is(end, "the", "my", "our", "your", "his", "her", "their", "a", "i",
			"we", "he", "she", "they") {
			return Shift{Days: 1}, end
		}
	}
	if end := p.past("dayBefore", j); end > j {
		if _, e := p.date(end, 1); e == end && !p.is(end, "the", "my", "our", "your", "his", "her", "their", "a", "i",
			"we", "he", "she", "they") {
			return Shift{Days: -1}, end
		}
	}
	return Shift{}, i
}
