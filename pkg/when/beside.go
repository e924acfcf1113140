package when

import "convene/pkg/interval"

// besideDay reads a part of the day that is told from another day: "the night before Christmas", "the morning after the
// 10th".
func (p *parser) besideDay(i int) (item, int) {
	j := p.skip(i, "on")
	if !p.is(j, "the") || !p.is(j+1, "morning", "afternoon", "evening", "night") || !p.is(j+2, "before", "after") {
		return item{}, i
	}
	d, end := p.articleDate(j+3, 1)
	if end == j+3 || d.openEnd || d.openStart || !one(d) {
		return item{}, i
	}
	day := d.last().AddDays(1)
	if p.is(j+2, "before") {
		day = d.first().AddDays(-1)
	}
	part, _ := p.partOfDay(j + 1)
	return item{kind: timeItem, days: single(day), times: []hours{{kind: during, part: part.window, hint: part.hint}}}, end
}

// thisTime reads "this time tomorrow": the clock as it is now, to the next five minutes, on a single other day.
func (p *parser) thisTime(i int) (item, int) {
	j := p.skip(p.skip(i, "about", "around"), "at")
	if !p.is(j, "this") || !p.is(j+1, "time") {
		return item{}, i
	}
	d, end := p.date(p.skip(j+2, "on"), 1)
	if end <= p.skip(j+2, "on") || !one(d) || d.openEnd || d.openStart {
		return item{}, i
	}
	now := (int(interval.ClockOf(p.now)) + 4) / 5 * 5
	if now >= int(interval.EndOfDay) {
		return item{}, i
	}
	return item{kind: timeItem, days: d, times: []hours{{kind: exactly, from: clock{minutes: now, half: fixed}}}}, end
}

// begins is a start in the half of the day that is hinted, or after midnight where a night is meant.
func (a *assembler) begins(c clock, together []hours, hint half, today bool) interval.Clock {
	if smallHours(together) {
		return c.in(am)
	}
	return a.notPast(c, hint, today)
}

// smallHours reports whether a start said without am or pm of a night is after midnight, on the day behind: "tonight at
// 1", "Friday night at 12".
func smallHours(together []hours) bool {
	night, early := false, false
	for _, h := range together {
		switch h.kind {
		case during:
			night = night || h.part.Start >= interval.At(18, 0)
		case exactly, around:
			early = early || h.from.half == open && (h.from.minutes < 4*60 || h.from.minutes >= 12*60 && h.from.minutes < 13*60)
		default:
		}
	}
	return night && early
}
