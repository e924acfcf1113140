package when

import (
	"time"

	"convene/pkg/interval"
)

// edgeDay reads "the first day of next month", "last day of the year", "the last weekday of March", "first business day
// of June".
func edgeDay(p *parser, i int) (days, int) {
	j := p.skip(i, "the", "very")
	first := p.is(j, "first")
	if !first && !p.is(j, "last", "final") {
		return days{}, i
	}
	work := p.is(j+1, "weekday", "workday")
	k := j + 2
	if p.is(j+1, "business", "working", "work") && p.is(j+2, "day") {
		work, k = true, k+1
	}
	if !work && !p.is(j+1, "day") || !p.is(k, "of", "in") {
		return days{}, i
	}
	of, end := p.wholeStretch(k + 1)
	if end == k+1 {
		return days{}, i
	}
	switch {
	case work && first:
		return single(p.workDay(of.Start.AddDays(-1), 1)), end
	case work:
		return single(p.workDay(of.End.AddDays(1), -1)), end
	case first:
		return single(of.Start), end
	}
	return single(of.End), end
}

// wholeStretch reads a month, a week, a quarter, a season or a year with its past days: the one of which the first and
// the last day are asked for.
func (p *parser) wholeStretch(i int) (of interval.DateRange, end int) {
	if first, end := p.month(p.skipArticle(i)); end > p.skipArticle(i) {
		return interval.DateRange{Start: first, End: monthEnd(first.Year, first.Month)}, end
	}
	if monday, end := p.week(p.skip(i, "the"), true); end > p.skip(i, "the") {
		return interval.DateRange{Start: monday, End: monday.AddDays(6)}, end
	}
	d, end := p.season(i, true)
	if end == i {
		d, end = p.yearPart(i, true)
	}
	if end == i {
		return of, i
	}
	return d.ranges[0], end
}

// weekOn is the day behind "today" or "tomorrow" and "week", or behind a week and one of the two: "tomorrow week", "a
// week today", "two weeks Monday".
func (p *parser) weekOn(i int) (days, int) {
	ahead := map[string]int{"today": 0, "tomorrow": 1}
	if n, ok := ahead[p.at(i).text]; ok && p.at(i).kind == word && p.is(i+1, "week") &&
		(p.ends(i+2) || p.is(i+2, "at", "from")) {
		return single(p.today.AddDays(7 + n)), i + 2
	}
	count, j := p.count(i)
	n, ok := ahead[p.at(j+1).text]
	if day, weekday := weekdays[p.at(j+1).text]; weekday && p.ends(j+2) {
		n, ok = p.today.DaysUntil(p.upcoming(day)), true
	}
	if j == i || count < 1 || count > 8 || !p.is(j, "week", "weeks", "fortnight") || !ok || p.at(j+1).kind != word ||
		p.is(i-1, "for", "in", "lasting") {
		return days{}, i
	}
	if p.is(j, "fortnight") {
		count *= 2
	}
	return single(p.today.AddDays(7*count + n)), j + 2
}

// pastWeekday reads "this past Friday": the last one before today.
func (p *parser) pastWeekday(i int) (days, int) {
	j := pastLeads.end(p, i)
	day, ok := weekdays[p.at(j).text]
	if j == i || !ok || p.at(j).kind != word {
		return days{}, i
	}
	back := (int(p.today.Weekday()) - int(day) + 6) % 7
	return single(p.today.AddDays(-1 - back)), j + 1
}

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
	if end := fromThenOn.end(p, i); end > i && (!p.is(end-1, "after", "on") || p.ends(end)) {
		return from(d.first()), end
	}
	if end := atTheLatest.end(p, i); end > i && (!p.is(end-1, "before") || p.ends(end)) && !d.last().Before(p.today) {
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
