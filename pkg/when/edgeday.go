package when

import "time"

// everyOne is all the days that a weekday listed behind others stands for: the Wednesdays in "every Monday and
// Wednesday".
func (p *parser) everyOne(before, d days) days {
	if !before.every || !d.weekly || len(d.weekdays) != 1 {
		return d
	}
	return p.everyWeekday(d.weekdays[0])
}

// openedBehind is days with what stands behind them that leaves an end open: "Thursday onwards", "Friday at the
// latest".
func (p *parser) openedBehind(d days, i int) (days, int) {
	if len(d.ranges) != 1 || d.every {
		return d, i
	}
	if end := p.past("fromThenOn", i); end > i && (!p.is(end-1, "after", "on") || p.ends(end)) {
		return from(d.first()), end
	}
	if end := p.past("atTheLatest", i); end > i && (!p.is(end-1, "before") || p.ends(end)) && !d.last().Before(p.today) {
		bounded := p.untilDay(d.last())
		bounded.openStart, bounded.limit = true, d.last()
		return bounded, end
	}
	return d, i
}

// oneWeekday is the day of the week that a mere weekday names; other days are not ok.
func oneWeekday(d days) (day time.Weekday, ok bool) {
	if !d.weekly || len(d.weekdays) != 1 {
		return 0, false
	}
	return d.weekdays[0], true
}
