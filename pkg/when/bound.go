package when

import (
	"convene/pkg/interval"
)

// openDays is how far a wish with no end reaches ("after the 28th"), in days.
const openDays = 28

// dateRange reads "Monday to Wednesday", "between Dec 3 and Dec 10", "from the 3rd through the 5th".
func dateRange(p *parser, i int) (days, int) {
	j := p.skip(i, "from", "between", "starting")
	first, k := p.articleDate(j, 1)
	if j > i && p.is(j, "now") {
		first, k = single(p.today), j+1
	}
	if k == j || first.empty() {
		return days{}, i
	}
	if first.run && p.is(i, "from", "between") {
		return first, k
	}
	l := p.daysLink(i, j, k)
	if l == k {
		return days{}, i
	}
	article := p.skip(l, "the")
	l = p.skip(l, "on")
	second, end := p.articleDate(l, 1)
	if end <= l || second.empty() || second.every {
		return days{}, i
	}
	if p.origin(i, k) {
		return second, end
	}
	if day, ok := weekdays[p.at(end-1).text]; ok && p.is(article, "following", "next") && end == article+2 {
		second = single(p.weekdayBy(day, first, 1))
	}
	last := second.last()
	if after := last.DaysUntil(first.first()); second.weekly && after > 0 {
		last = last.AddDays((after + 6) / 7 * 7)
	}
	start := first.first()
	switch {
	case second.monthless && !first.monthless && one(second):
		last = dayBehind(start, last.Day)
	case second.monthless && last.Before(start) && start.DaysUntil(last) > -31:
		last = addMonths(last, 1)
	}
	if a, b, e := p.inNamedWeek(first, second, end); e > end {
		return p.runFrom(i, a, b), e
	}
	if last.Before(start) && last.DaysUntil(start) > 180 {
		// The first day was earlier this year, so that the stretch runs already.
		start.Year--
	}
	return p.runFrom(i, start, last), end
}

// dayBehind is the next day of the month with that number, from d on: the 15th in "from June 1st to the 15th".
func dayBehind(d interval.Date, n int) interval.Date {
	if n < d.Day {
		d = addMonths(interval.Date{Year: d.Year, Month: d.Month, Day: 1}, 1)
	}
	return interval.Date{Year: d.Year, Month: d.Month, Day: min(n, monthLength(d.Year, d.Month))}
}

// runFrom is the days from a to b, of whose phrase the first token is i. Days between two are a choice and no run.
func (p *parser) runFrom(i int, a, b interval.Date) days {
	d := stretch(a, b)
	d.run = !p.is(i, "between")
	return d
}

// daysLink is the index after what leads on at token k to the last of several days, of whose phrase the tokens are i
// and that of the first day j.
func (p *parser) daysLink(i, j, k int) int {
	switch {
	case p.is(k, "/") && p.at(k).glued && p.at(j).digits == 4:
		return k + 1 // as ISO 8601 writes an interval
	case p.is(k, "and") && !p.is(i, "between"):
		return k
	}
	return p.skip(k, "to", "through", "until", "-", "–", "—", "and")
}

// inNamedWeek moves two mere weekdays into the week that is named after them at token i: "from Tuesday to Thursday
// next week".
func (p *parser) inNamedWeek(first, second days, i int) (a, b interval.Date, end int) {
	from, ok := oneWeekday(first)
	to, also := oneWeekday(second)
	j := p.skip(i, "of", "in")
	week, end := p.readDays("week", j)
	if !ok || !also || end == j {
		return a, b, i
	}
	monday := week.first()
	a, b = monday.AddDays(p.inWeek(from)), monday.AddDays(p.inWeek(to))
	if b.Before(a) {
		b = b.AddDays(7)
	}
	if a.Before(p.today) && !b.Before(p.today) {
		a = p.today
	}
	return a, b, end
}

// exactly is a distance to the day.
func (m *match) exactly() days {
	if d := m.days[0]; d.whole == (interval.DateRange{}) {
		return d
	}
	return single(m.days[0].whole.Start)
}

// boundedBy is the days until last, whose bound was said as limit.
func (p *parser) boundedBy(last, limit interval.Date) days {
	d := p.untilDay(last)
	d.openStart, d.limit = true, limit
	return d
}

// from is the days from d on.
func from(d interval.Date) days {
	open := stretch(d, d.AddDays(openDays-1))
	open.openEnd = true
	return open
}

// articleDate is date where an article may stand before it.
func (p *parser) articleDate(i, depth int) (days, int) {
	d, end := p.date(i, depth)
	if j := p.skip(i, "the"); j > i {
		if d2, e := p.date(j, depth); e > max(end, j) {
			return d2, e
		}
	}
	return d, end
}

func (p *parser) untilDay(d interval.Date) days {
	if d.Before(p.today) {
		return single(d)
	}
	return stretch(p.today, d)
}
