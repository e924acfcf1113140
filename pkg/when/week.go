package when

import (
	"slices"
	"strings"
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
	if end == j && p.is(j-1, "midweek") {
		monday = p.weekOf(p.today)
	} else if end == j {
		return days{}, i
	}
	if part == "rest" && p.is(i, "later") && p.today.Before(monday) {
		part = "late"
	}
	d := stretchOf(part, monday, monday.AddDays(6))
	if p.is(end-2, "working", "work", "business") || p.is(end-1, "workweek") {
		d = stretch(monday, monday.AddDays(4))
	}
	if part != "" && d.last().Before(p.today) && p.is(end-2, "the") {
		d = days{ranges: moved(d.ranges, 7)} // the beginning of this week is over
	}
	d = p.notYetPast(d)
	if part != "" {
		d.whole = interval.DateRange{}
	}
	if part == "rest" && d.first() == p.today {
		d.ranges[0].Start = minDate(p.today.AddDays(1), d.last())
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
	monday := p.weekOf(p.today)
	if end := weekAfterNext.end(p, i); end > i {
		return monday.AddDays(14), end
	}
	if end := nextWeek.end(p, i); end > i {
		return monday.AddDays(7), end
	}
	if end := thisWeek.end(p, i); end > i {
		return monday, end
	}
	if end := lastWeek.end(p, i); end > i {
		return monday.AddDays(-7), end
	}
	if partial {
		if end := theWeek.end(p, i); end > i {
			return monday, end
		}
	}
	// "Thanksgiving week", "finals week" has no date of its own.
	if d, end := holidayDate(p, i); end > i && p.is(end, "week") {
		return p.weekOf(d.first()), end + 1
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
	if d, end := p.someOf(n, k); k > j && end > k {
		return d, end
	}
	if k == j || !p.is(k, "week", "weekend") || !p.is(k+1, "of", "in") {
		return days{}, i
	}
	first, end := p.month(p.skipArticle(k + 2))
	last := monthEnd(first.Year, first.Month)
	if end == p.skipArticle(k+2) {
		var year days
		if year, end = p.yearPart(k+2, true); end == k+2 {
			return days{}, i
		}
		first, last = year.first(), year.last()
	}
	if n > 5 {
		return days{}, i
	}
	if p.is(k, "weekend") {
		start := nthOf(first, p.tongue.weekend, n)
		return stretch(start, start.AddDays(1)), end
	}
	if n < 0 {
		return stretch(last.AddDays(-6), last), end
	}
	begin := first.AddDays(7 * (n - 1))
	return stretch(begin, minDate(begin.AddDays(6), last)), end
}

// someOf reads the "two weeks of June" behind "the first" or "the last".
func (p *parser) someOf(n, i int) (days, int) {
	size, j := p.count(i)
	if j == i || n != 1 && n != -1 || size < 1 || !p.is(j, "days", "weeks") || !p.is(j+1, "of", "in") {
		return days{}, i
	}
	if p.is(j, "weeks") {
		size *= 7
	}
	k := p.skipArticle(j + 2)
	first, end := p.month(k)
	if end == k {
		return days{}, i
	}
	last := monthEnd(first.Year, first.Month)
	size = min(size, last.Day)
	if n < 0 {
		return stretch(last.AddDays(1-size), last), end
	}
	return stretch(first, first.AddDays(size-1)), end
}

// weekendPhrase reads "this weekend", "next weekend", "weekends", "weekdays".
func weekendPhrase(p *parser, i int) (days, int) {
	start := p.weekendOf(p.today)
	if end := weekendAfterNext.end(p, i); end > i {
		return stretch(start.AddDays(14), start.AddDays(15)), end
	}
	if end := nextWeekend.end(p, i); end > i {
		return stretch(start.AddDays(7), start.AddDays(8)), end
	}
	if end := weekends.end(p, i); end > i {
		return p.everyWeekday(p.weekendDays()...), end
	}
	if end := workdays.end(p, i); end > i {
		return p.everyWeekday(p.workDays()...), end
	}
	if end := lastWeekend.end(p, i); end > i {
		return stretch(start.AddDays(-7), start.AddDays(-6)), end
	}
	if d, end := holidayDate(p, i); end > i && p.is(end, "weekend") {
		// The weekend that the holiday lies in or touches.
		return p.weekendBy(days{ranges: []interval.DateRange{{Start: d.first().AddDays(-2), End: d.last()}}}, 0), end + 1
	}
	end := thisWeekend.end(p, i)
	if end == i {
		return days{}, i
	}
	d := stretch(start, start.AddDays(1))
	if start.Before(p.today) {
		d = single(p.today)
	}
	d.weekly = true
	d.weekdays = p.weekendDays()
	return d, end
}

// nextDays reads runs from today: "the next three days", "next few weeks", "the coming days", "within 10 days".
func nextDays(p *parser, i int) (days, int) {
	j := nextLeads.end(p, i)
	if end := withinWeek.end(p, i); end > i {
		return stretch(p.today, p.today.AddDays(7)), end
	}
	n, k := p.count(j)
	if j == i && (k == i || !p.is(k, "next", "upcoming", "coming")) {
		return days{}, i
	}
	if k == j {
		if d, end := p.nextOne(i, j); end > j {
			return d, end
		}
		n = 3
	}
	if n > 60 {
		return days{}, i
	}
	from := p.today
	if p.is(j-1, "next", "coming", "following", "upcoming") || p.is(k, "next", "upcoming", "coming") {
		// The next two days begin tomorrow; "within two days" is from now on.
		from = p.today.AddDays(1)
	}
	k = p.skip(k, "next", "upcoming", "coming", "more")
	name := strings.TrimSuffix(p.at(k).text, "s")
	if day, ok := weekdays[name]; ok && k > j && p.is(j-1, "next", "coming", "following") && name != p.at(k).text {
		d := p.everyWeekday(day)
		d.ranges = d.ranges[:min(n, len(d.ranges))]
		return d, k + 1
	}
	more := 0
	if m, end := p.cardinal(k + 2); k > j && p.is(k+1, "or") && end == k+3 && p.at(k+2).kind == word && m > n && m < 13 {
		n, more = m, 2 // "a day or two"
	}
	switch {
	case p.is(k, "business", "working", "work") && p.is(k+1, "day", "days"):
		return stretch(from, p.workDay(p.today, n)), k + 2
	case k > j && p.is(k, "weekdays", "workdays"):
		return stretch(from, p.workDay(p.today, n)), k + 1
	case p.is(k, "day", "days"):
		d := stretch(from, p.today.AddDays(n))
		d.run = p.is(i, "for")
		return d, k + 1 + more
	case k > j && p.is(k, "week"), p.is(k, "weeks"):
		return stretch(from, p.today.AddDays(7*n)), k + 1 + more
	case p.is(k, "fortnight"):
		return stretch(from, p.today.AddDays(14)), k + 1 + more
	case k > j && p.is(k, "month", "months"):
		return stretch(from, addMonths(p.today, n)), k + 1 + more
	}
	return days{}, i
}

// nextOne reads what one comes next, behind the words in tokens i to j: "the next working day", "within the next week".
func (p *parser) nextOne(i, j int) (days, int) {
	running := p.is(i, "within", "over", "during", "inside")
	switch {
	case !p.is(j-1, "next", "following"):
	case p.is(j, "business", "working", "work") && p.is(j+1, "day"):
		return single(p.workDay(p.today, 1)), j + 2
	case running && p.is(j, "week"):
		return stretch(p.today, p.today.AddDays(7)), j + 1
	case running && p.is(j, "month"):
		return stretch(p.today, addMonths(p.today, 1)), j + 1
	}
	return days{}, j
}

// lastDays reads runs up to today: "the last two days", "past 3 weeks", "previous 4 business days".
func lastDays(p *parser, i int) (days, int) {
	j := p.skip(i, "the")
	if !p.is(j, "last", "past", "previous") {
		return days{}, i
	}
	n, k := p.count(j + 1)
	if k == j+1 || n < 1 || n > 60 {
		return days{}, i
	}
	yesterday := p.today.AddDays(-1)
	switch {
	case p.is(k, "days"), p.is(k, "day"):
		return stretch(p.today.AddDays(-n), yesterday), k + 1
	case p.is(k, "business", "working", "work") && p.is(k+1, "days", "day"):
		return stretch(p.workDay(p.today, -n), yesterday), k + 2
	case p.is(k, "weeks", "week"):
		return stretch(p.today.AddDays(-7*n), yesterday), k + 1
	case p.is(k, "months", "month"):
		return stretch(addMonths(p.today, -n), yesterday), k + 1
	}
	return days{}, i
}

// workDay is the nth working day after d, or before it where n is negative.
func (p *parser) workDay(d interval.Date, n int) interval.Date {
	step, days := 1, p.workDays()
	if n < 0 {
		step, n = -1, -n
	}
	for n > 0 {
		d = d.AddDays(step)
		if slices.Contains(days, d.Weekday()) {
			n--
		}
	}
	return d
}

// addMonths is the same day n months on, or the last of that month where it has no such day.
func addMonths(d interval.Date, n int) interval.Date {
	first := interval.DateOf(time.Date(d.Year, d.Month+time.Month(n), 1, 12, 0, 0, 0, time.UTC))
	return interval.Date{Year: first.Year, Month: first.Month, Day: min(d.Day, monthLength(first.Year, first.Month))}
}
