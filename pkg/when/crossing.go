package when

import "convene/pkg/interval"

// crossing reads what begins on one day and ends on another: "Friday 5pm to Sunday 8pm", "10pm today until 6am
// tomorrow". Of more than a day it gives the days with their first and last hour, of less the start and the end.
func crossing(p *parser, i int) (item, int) {
	if p.tongue != english || p.moving(i) {
		return item{}, i
	}
	first, j := p.endpoint(p.skip(i, "from", "between"))
	if j == p.skip(i, "from", "between") || !first.timed && !first.vague {
		return item{}, i
	}
	k := p.skip(j, "to", "until", "through", "-", "–", "—", "and")
	if k == j || p.is(j, "and") && !p.is(i, "between") {
		return item{}, i
	}
	last, end := p.endpoint(k)
	vague := first.vague || last.vague
	if !vague && (end == k || !last.timed || first.day.empty() && !last.dayFirst) {
		return item{}, i
	}
	if !vague && first.day.empty() {
		first.day = single(p.today)
	}
	a, b, ok := apartDays(first.day, last.day)
	switch {
	case !ok:
		return item{}, i
	case vague:
		return item{kind: dateItem, days: stretch(a, b)}, end // "Friday evening to Sunday evening"
	}
	from, to := first.at.in(first.hint), last.at.in(last.hint)
	at := hours{
		kind: fromTo, from: clock{minutes: int(from), half: fixed, zone: first.at.zone}, to: clock{
			minutes: int(to), half: fixed, zone: last.at.zone,
		},
	}
	if a.DaysUntil(b) == 1 && to <= from {
		return item{kind: timeItem, days: single(a), times: []hours{at}}, end
	}
	at.kind = between
	return item{kind: timeItem, days: stretch(a, b), times: []hours{at}}, end
}

// apartDays are two single days, the second at most two months after the first. A mere weekday is the next after it.
func apartDays(first, last days) (a, b interval.Date, ok bool) {
	if first.empty() || last.empty() || !one(first) || !one(last) {
		return a, b, false
	}
	a, b = first.first(), last.first()
	if b.Before(a) && last.weekly {
		b = b.AddDays(7)
	}
	nights := a.DaysUntil(b)
	return a, b, nights >= 1 && nights <= 60
}

// endpoint is a day with a time of day, or a mere time of day.
type endpoint struct {
	day   days
	at    clock
	timed bool
	// dayFirst says that the day stands before the time.
	dayFirst bool
	// vague says that a part of the day stands for the time; hint is the half of the day that is said beside the day.
	vague bool
	hint  half
}

// moving reports whether the words before token i speak of a change: "move it from Monday at 3 to Tuesday at 4" names
// two times, and no stretch between them.
func (p *parser) moving(i int) bool {
	for j := i - 1; j >= 0 && i-j <= maxMoving; j-- {
		if p.has("movingVerbs", j) {
			return true
		}
	}
	return false
}

// maxMoving is how many words may stand between such a verb and the times.
const maxMoving = 12

// endpoint reads "Friday 5pm", "5pm on Friday", "March 10 at 9", "2pm", "Sunday evening", "6 tomorrow morning".
func (p *parser) endpoint(i int) (endpoint, int) {
	i = p.skip(p.skip(i, "on"), "the")
	if d, j := p.endpointDay(i); j > i && !d.empty() {
		e := endpoint{day: d, dayFirst: len(d.weekdays) == 0}
		if p.is(j-1, "tonight") {
			e.hint = pm
		}
		part, k := p.partOfDay(p.skip(p.skip(j, "in"), "the"))
		if k > p.skip(p.skip(j, "in"), "the") && !p.is(k-1, "am", "pm") {
			e.vague, e.hint, j = true, part.hint, k
		}
		k = p.skip(p.skip(j, ","), "at", "@")
		if c, end := p.clock(k, k > j || p.dated(k)); end > k {
			e.at, e.timed, e.vague = c, true, false
			return e, end
		}
		return e, j
	}
	c, j := p.clock(p.skip(i, "at"), true)
	if j <= p.skip(i, "at") {
		return endpoint{}, i
	}
	k := p.skip(p.skip(p.skip(j, ","), "on"), "the")
	d, end := p.endpointDay(k)
	if _, e := p.clock(p.skip(end, "at"), true); p.is(j, ",") && e > p.skip(end, "at") {
		end = k // "10-11, Tuesday 2-3"
	}
	if end > k && !d.empty() {
		e := endpoint{day: d, at: c, timed: true}
		if part, after := p.partOfDay(end); after > end && !p.is(end, "am", "pm") {
			e.hint, end = part.hint, after
		} else if p.is(end-1, "tonight") {
			e.hint = pm
		}
		return e, end
	}
	return endpoint{at: c, timed: true}, j
}

// endpointDay reads a day; tonight is one too.
func (p *parser) endpointDay(i int) (days, int) {
	if p.is(i, "tonight") {
		return single(p.today), i + 1
	}
	return p.date(i, 1)
}
