package when

import (
	"time"

	"convene/pkg/interval"
)

// weekPhrase reads weeks: "next week", "this week", "the week after next", "early next week", "first week of December".
func weekPhrase(p *parser, i int) (days, int) {
	if d, end := p.numberedWeek(i); end > i {
		return d, end
	}
	part, j := stretchParts.at(p, i)
	j = p.skip(j, "-")
	monday, end := p.week(j, j > i)
	if end == j {
		return days{}, i
	}
	d := stretchOf(part, monday, monday.AddDays(6))
	if d.first().Before(p.today) && !d.last().Before(p.today) {
		d.ranges[0].Start = p.today
		if part == "rest" {
			d.ranges[0].Start = minDate(p.today.AddDays(1), d.last())
		}
	}
	return d, end
}

func minDate(a, b interval.Date) interval.Date {
	if b.Before(a) {
		return b
	}
	return a
}

// week reads a week and gives its Monday. partial allows "the week" for this one.
func (p *parser) week(i int, partial bool) (interval.Date, int) {
	monday := p.monday(p.today)
	if end := weekAfterNext.end(p, i); end > i {
		return monday.AddDays(14), end
	}
	if end := nextWeek.end(p, i); end > i {
		return monday.AddDays(7), end
	}
	if end := thisWeek.end(p, i); end > i {
		return monday, end
	}
	if partial {
		if end := theWeek.end(p, i); end > i {
			return monday, end
		}
	}
	// "Thanksgiving week", "finals week" has no date of its own.
	if d, end := holidayDate(p, i); end > i && p.is(end, "week") {
		return p.monday(d.first()), end + 1
	}
	return monday, i
}

// numberedWeek reads "the first week of December", "last week in June".
func (p *parser) numberedWeek(i int) (days, int) {
	j := p.skip(i, "the")
	n, k := p.ordinal(j)
	if p.is(j, "last") {
		n, k = -1, j+1
	}
	if k == j || !p.is(k, "week", "weekend") || !p.is(k+1, "of", "in") {
		return days{}, i
	}
	first, end := p.month(p.skipArticle(k + 2))
	if end == p.skipArticle(k+2) || n > 5 {
		return days{}, i
	}
	if p.is(k, "weekend") {
		saturday := nthOf(first, time.Saturday, n)
		return stretch(saturday, saturday.AddDays(1)), end
	}
	last := monthEnd(first.Year, first.Month)
	if n < 0 {
		return stretch(last.AddDays(-6), last), end
	}
	start := first.AddDays(7 * (n - 1))
	return stretch(start, minDate(start.AddDays(6), last)), end
}

// weekendPhrase reads "this weekend", "next weekend", "weekends", "weekdays".
func weekendPhrase(p *parser, i int) (days, int) {
	saturday := p.monday(p.today).AddDays(5)
	if end := weekendAfterNext.end(p, i); end > i {
		return stretch(saturday.AddDays(14), saturday.AddDays(15)), end
	}
	if end := nextWeekend.end(p, i); end > i {
		return stretch(saturday.AddDays(7), saturday.AddDays(8)), end
	}
	if end := weekends.end(p, i); end > i {
		return p.everyWeekday(time.Saturday, time.Sunday), end
	}
	if end := workdays.end(p, i); end > i {
		return p.everyWeekday(time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday), end
	}
	end := thisWeekend.end(p, i)
	if end == i {
		return days{}, i
	}
	d := stretch(saturday, saturday.AddDays(1))
	if saturday.Before(p.today) {
		d = single(p.today)
	}
	d.weekly = true
	d.weekdays = []time.Weekday{time.Saturday, time.Sunday}
	return d, end
}

// nextDays reads runs from today: "the next three days", "next few weeks", "the coming days", "within 10 days".
func nextDays(p *parser, i int) (days, int) {
	j := nextLeads.end(p, i)
	if j == i {
		return days{}, i
	}
	n, k := p.count(j)
	if k == j {
		n = 3
	}
	if n > 60 {
		return days{}, i
	}
	switch {
	case p.is(k, "day", "days"):
		return stretch(p.today, p.today.AddDays(n)), k + 1
	case k > j && p.is(k, "week", "weeks"):
		return stretch(p.today, p.today.AddDays(7*n)), k + 1
	case k > j && p.is(k, "month", "months"):
		return stretch(p.today, p.today.AddDays(30*n)), k + 1
	}
	return days{}, i
}

// What the rules of this file look for: expressions of one or more words.
var (
	weekAfterNext = anyOf("the week after next|week after next|the following week after next")
	nextWeek      = anyOf("next week|the next week|the coming week|coming week|this coming week|upcoming week|" +
		"the upcoming week|week ahead")
	thisWeek         = anyOf("this week|the current week|current week|sometime this week")
	theWeek          = anyOf("the week|week")
	weekendAfterNext = anyOf("the weekend after next|weekend after next")
	nextWeekend      = anyOf("next weekend|the next weekend|the following weekend|following weekend|" +
		"the weekend after")
	weekends    = anyOf("weekends|the weekends|any weekend|a weekend")
	workdays    = anyOf("weekdays|a weekday|any weekday|weekday|week days|during the week|on a weekday")
	thisWeekend = anyOf("this coming weekend|this weekend|the weekend|coming weekend|upcoming weekend|weekend")
	nextLeads   = anyOf("within the next|in the next|over the next|the next|next|within|the coming|coming|" +
		"the following")
)
