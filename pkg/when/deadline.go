package when

// momentBound reads a bound that is a day with a time of day: "by Friday at 3", "before tomorrow 5pm". Behind "before"
// and "after" an "at" tells when the event is on those days, but for today and tomorrow, behind which nobody would
// count days.
func momentBound(p *parser, i int) (item, int) {
	kind, j := before, p.past("deadlines", i)
	plain := j > i
	if !plain {
		if j = p.past("beforeDay", i); j == i {
			kind, j = after, p.past("afterDay", i)
		}
	}
	d, k := p.articleDate(j, 1)
	if j == i || k == j || !one(d) || d.openEnd || d.openStart {
		return item{}, i
	}
	l := p.skip(p.skip(k, ","), "at", "@")
	if !plain && l > k && !p.is(k-1, "today", "tomorrow") {
		return item{}, i
	}
	c, end := p.clock(l, true)
	if end == l || p.is(end, "-", "–", "to", "until", "or") {
		return item{}, i
	}
	return item{kind: timeItem, days: single(d.first()), times: []hours{{kind: kind, from: c, to: c}}}, end
}
