package when

// crossing reads what begins on one day and ends on another: "Friday 5pm to Sunday 8pm", "10pm today until 6am
// tomorrow". Of more than a day it gives the days with their first and last hour, of less the start and the end.
func crossing(p *parser, i int) (item, int) {
	if p.tongue != english || p.moving(i) {
		return item{}, i
	}
	first, j := p.endpoint(p.skip(i, "from", "between"))
	if j == p.skip(i, "from", "between") || !first.timed {
		return item{}, i
	}
	k := p.skip(j, "to", "until", "through", "-", "–", "—", "and")
	if k == j || p.is(j, "and") && !p.is(i, "between") {
		return item{}, i
	}
	last, end := p.endpoint(k)
	if end == k || !last.timed || last.day.empty() || first.day.empty() && !last.dayFirst {
		return item{}, i
	}
	if first.day.empty() {
		first.day = single(p.today)
	}
	if !one(first.day) || !one(last.day) {
		return item{}, i
	}
	a, b := first.day.first(), last.day.first()
	if b.Before(a) && last.day.weekly {
		b = b.AddDays(7)
	}
	from, to := first.at.in(open), last.at.in(open)
	at := hours{kind: fromTo, from: clock{minutes: int(from), half: fixed, zone: first.at.zone}, to: clock{minutes: int(to), half: fixed, zone: last.at.zone}}
	nights := a.DaysUntil(b)
	switch {
	case nights < 1 || nights > 60:
		return item{}, i
	case nights == 1 && to <= from:
		return item{kind: timeItem, days: single(a), times: []hours{at}}, end
	}
	at.kind = between
	return item{kind: timeItem, days: stretch(a, b), times: []hours{at}}, end
}

// endpoint is a day with a time of day, or a mere time of day.
type endpoint struct {
	day   days
	at    clock
	timed bool
	// dayFirst says that the day stands before the time.
	dayFirst bool
}

// moving reports whether the words before token i speak of a change: "move it from Monday at 3 to Tuesday at 4" names two
// times, and no stretch between them.
func (p *parser) moving(i int) bool {
	for j := i - 1; j >= 0 && i-j <= maxMoving; j-- {
		if p.is(j, "move", "moved", "moving", "change", "changed", "changing", "reschedule", "rescheduled", "rescheduling", "shift", "shifted",
			"push", "pushed", "switch", "switched", "swap", "bump", "postpone", "postponed", "update", "bring", "pull", "set") {
			return true
		}
	}
	return false
}

// maxMoving is how many words may stand between such a verb and the times.
const maxMoving = 12

// endpoint reads "Friday 5pm", "5pm on Friday", "March 10 at 9", "2pm".
func (p *parser) endpoint(i int) (endpoint, int) {
	i = p.skip(p.skip(i, "on"), "the")
	if d, j := p.date(i, 1); j > i && !d.empty() {
		k := p.skip(p.skip(j, ","), "at", "@")
		if c, end := p.clock(k, k > j || p.dated(k)); end > k {
			return endpoint{day: d, at: c, timed: true, dayFirst: len(d.weekdays) == 0}, end
		}
		return endpoint{day: d}, j
	}
	c, j := p.clock(p.skip(i, "at"), true)
	if j <= p.skip(i, "at") {
		return endpoint{}, i
	}
	k := p.skip(p.skip(p.skip(j, ","), "on"), "the")
	if d, end := p.date(k, 1); end > k && !d.empty() {
		return endpoint{day: d, at: c, timed: true}, end
	}
	return endpoint{at: c, timed: true}, j
}
