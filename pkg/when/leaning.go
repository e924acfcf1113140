package when

import (
	"time"

	"convene/pkg/interval"
)

// leaning reads dates that are told from another: "the day after Thanksgiving", "the week of Nov 30", "two weeks from
// Monday", "Wednesday before Christmas".
func (p *parser) leaning(i, depth int) (days, int) {
	j := p.skip(i, "the")
	if d, end := p.counted(j, depth); end > j {
		return d, end
	}
	if n := p.skip(j, "first", "last"); weekdays[p.at(n).text] > 0 || p.is(n, "sunday", "weekend") {
		j = n
	}
	sign, k := 0, j+1
	switch {
	case p.is(k, "after", "following"):
		sign = 1
	case p.is(k, "before", "preceding"):
		sign = -1
	case p.is(k, "of", "containing", "beginning", "starting", "commencing"), p.is(j, "week") &&
		p.is(k, "ending", "including", "with"):
	default:
		return days{}, i
	}
	day, isWeekday := weekdays[p.at(j).text]
	if !isWeekday && !p.is(j, "day", "week", "weekend") || p.at(j).kind != word {
		return days{}, i
	}
	anchor, end := p.date(k+1, depth+1)
	if d, e := p.date(p.skip(k+1, "the"), depth+1); e > end {
		anchor, end = d, e
	}
	if end <= p.skip(k+1, "the") || anchor.empty() {
		return days{}, i
	}
	switch {
	case p.is(j, "week"):
		monday := p.weekOf(anchor.first()).AddDays(7 * sign)
		return stretch(monday, monday.AddDays(6)), end
	case p.is(j, "day") && sign > 0:
		return single(anchor.last().AddDays(1)), end
	case p.is(j, "day") && sign < 0:
		return single(anchor.first().AddDays(-1)), end
	case p.is(j, "day"):
		return anchor, end
	case p.is(j, "weekend"):
		return p.weekendBy(anchor, sign), end
	case sign == 0:
		return onWeekdays(interval.DateRange{Start: anchor.first(), End: anchor.last()}, []time.Weekday{day}), end
	}
	return single(p.weekdayBy(day, anchor, sign)), end
}

// weekendBy is the weekend of the anchor, or the closest after or before it.
func (p *parser) weekendBy(anchor days, sign int) days {
	start := p.weekendOf(anchor.first())
	switch {
	case sign > 0:
		start = p.weekdayBy(p.tongue.weekend, anchor, 1)
	case sign < 0:
		start = p.weekdayBy(p.tongue.weekend, days{
			ranges: []interval.DateRange{{Start: anchor.first().AddDays(-1), End: anchor.last()}},
		}, -1)
	}
	return stretch(start, start.AddDays(1))
}
