package when

import (
	"slices"
	"strings"

	"convene/pkg/interval"
)

// disputes reports whether the text turns down a mere number, as in "not 3, 4" or "3 doesn't work", or offers two for
// an event at hand, as in "2 or 4", and whether all of its numbers can be hours. They then are: of what else there is a
// number, the text would say.
func (p *parser) disputes() bool {
	if p.disputed == nil {
		found := (p.refusesNumber() || p.offersNumbers()) && p.onlyHours()
		p.disputed = &found
	}
	return *p.disputed
}

func (p *parser) refusesNumber() bool {
	for i := range p.tokens {
		if p.is(i, "no", "nothing", "except", "outside", "never") {
			continue
		}
		if it, end := negationPhrase(p, i); end > i && it.kind == negationItem && p.mereHour(p.skip(end, "at")) {
			return true
		}
		if (p.mereHour(i) || p.is(i, "noon")) && (p.refused(i+1) || p.drawnIs(i+1) > i+1) {
			return true
		}
	}
	return false
}

// offersNumbers reports whether two mere numbers stand as alternatives in a text about an event at hand, or whether one
// is all that it says beside that it corrects something: "no, 5".
func (p *parser) offersNumbers() bool {
	if !p.setting.Start.IsZero() && p.is(0, "no", "sorry", "wait", "oops", "actually") && p.is(1, ",") && p.mereHour(2) &&
		p.skip(3, ".", "!", "please") >= len(p.tokens) {
		return true
	}
	for i := range p.tokens {
		if !p.setting.Start.IsZero() && p.is(i, "or") && p.mereHour(i-1) && p.mereHour(i+1) {
			return true
		}
	}
	return false
}

// refused reports whether a refusal stands at token i.
func (p *parser) refused(i int) bool { return p.has("refusals", i) }

// mereHour reports whether token i is a number in figures that a clock shows, and nothing behind it says of what.
func (p *parser) mereHour(i int) bool {
	t := p.at(i)
	return t.kind == number && t.value >= 1 && t.value <= 12 && t.digits <= 2 && !p.counts(i)
}

// counts reports whether the number at token i belongs to what stands around it.
func (p *parser) counts(i int) bool {
	if p.is(i-1, "option", "number", "#", "by", "for", "of", "with", "table", "room", ":", "/", "-", "$") ||
		p.is(i-1, ".") && p.at(i).glued {
		return true
	}
	next := i + 1
	if next >= len(p.tokens) || p.refused(next) || p.drawnIs(next) > next {
		return false
	}
	if _, end := p.means("links", next); end > next && !p.is(next, "/", "plus", "+", ":") {
		return false
	}
	if it, end := negationPhrase(p, next); end > next && it.kind == negationItem {
		return false
	}
	return !p.has("afterHour", next)
}

// onlyHours reports whether every number of the text is an hour.
func (p *parser) onlyHours() bool {
	for i := 0; i < len(p.tokens); i++ {
		if p.at(i).kind != number || p.mereHour(i) {
			continue
		}
		c, end := p.clock(i, false)
		if end == i || c.half == open && end == i+1 {
			return false
		}
		i = end - 1
	}
	return true
}

// timed reports whether token i is a word of a day or of a time of day, or a number.
func (p *parser) timed(i int) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	t := p.at(i)
	if t.kind == number || p.is(i, "am", "pm", "today", "tomorrow", "tonight", "noon", "o'clock", "week", "weekend") {
		return true
	}
	w := strings.TrimSuffix(t.text, "'s")
	_, part := p.partOfDay(i)
	_, _, weekday := weekdayNamed(w)
	return t.kind == word && (weekday || w == "tomorrow" || w == "today") || part > i
}

// trails reports whether a negation ends a part of the text right after a time, so that it refuses what stands before
// it: "Tuesday I can't, Thursday?".
func (p *parser) trails(i, end int) bool {
	if end < len(p.tokens) && p.at(end).kind != mark || p.is(i, "except", "besides", "never", "busy") {
		return false
	}
	return p.timed(i-1) || p.timed(i-2) && p.subject(i-1)
}

// subject reports whether token i may be who cannot: "I", or a name.
func (p *parser) subject(i int) bool {
	return p.is(i, "i", "we", "he", "she", "they") || p.at(i).capital && p.at(i).kind == word
}

// drawnIs is the index after the "'s" that is drawn to the number before token i.
func (p *parser) drawnIs(i int) int {
	if t := p.at(i); (t.text == "'" || t.text == "’") && t.glued && p.at(i-1).kind == number && p.is(i+1, "s") &&
		p.at(i+1).glued {
		return i + 2
	}
	return i
}

// drawn reports whether token i is written with more than its word: "Tuesday's".
func (p *parser) drawn(i int) bool {
	t := p.at(i)
	return strings.HasSuffix(t.text, "'s") || t.end-t.start == len(t.text)+len("'s")
}

// movedFrom reports whether what stands at token i is where something is moved from: "change it from".
func (p *parser) movedFrom(i int) bool {
	if p.setting.Start.IsZero() || p.is(i-1, "to") {
		return false
	}
	for j := i; j >= 0 && i-j <= 5; j-- {
		if p.is(j, "change", "move", "switch", "shift", "push", "bump", "reschedule", "swap", "changed", "moved") {
			return true
		}
	}
	return false
}

// moved is a stretch or a range of hours that something is moved along, as the end of it: "move it from Tuesday to
// Thursday" of an event on Tuesday.
func (p *parser) moved(it item) item {
	start := p.setting.Start
	if !p.movedFrom(it.from) {
		return it
	}
	day := interval.DateOf(start)
	switch {
	case it.kind == dateItem && len(it.days.ranges) == 1 && it.days.first() == day && !one(it.days):
		last := it.days.last()
		if before := last.AddDays(-7); p.weekOf(before) == p.weekOf(day) && !before.Before(p.today) {
			last = before // "from Thursday to Tuesday" of one week
		}
		it.days = single(last)
	case it.kind == timeItem && len(it.times) == 1 && it.times[0].kind == fromTo &&
		(hours{from: it.times[0].from}).covers(interval.ClockOf(start)):
		it.times = []hours{{kind: exactly, from: it.times[0].to}}
	}
	return it
}

// corrects reports whether what follows a refusal is wanted in its stead: "not Tuesday, Thursday" of an event on
// Tuesday turns down what is proposed, and names one other. Where nothing is proposed yet, a text that begins with it
// does so of single days: "not Monday, Tuesday with Al at 10".
func (a *assembler) corrects(items []item, n int) bool {
	it := items[n]
	if !a.sawAny || a.sawKind != it.kind || len(a.refused) == 0 || a.link == andLink || a.link == orLink {
		return false
	}
	last := a.refused[len(a.refused)-1]
	switch {
	case a.p.setting.Start.IsZero():
		if n != 3 || it.kind != dateItem || !one(it.days) || len(last.days) != 1 || !one(last.days[0]) ||
			!a.timedBehind(items[n+1:]) {
			return false
		}
	case !a.proposed(last):
		return false
	}
	for _, more := range items[n+1:] {
		if more.kind == it.kind {
			return false
		}
		if more.kind != linkItem {
			break
		}
	}
	switch it.kind {
	case dateItem:
		return !it.days.has(interval.DateOf(a.p.setting.Start))
	case timeItem:
		return it.days.empty()
	default:
		return false
	}
}

// timedBehind reports whether a start is among the items.
func (a *assembler) timedBehind(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.kind == timeItem && it.times[0].kind == exactly })
}

// proposed reports whether a refusal is of the day, or of the start, of the event at hand.
func (a *assembler) proposed(w wish) bool {
	start := a.p.setting.Start
	switch {
	case len(w.days) == 1 && len(w.times) == 0:
		return w.days[0].has(interval.DateOf(start))
	case len(w.days) == 0 && len(w.times) == 1 && len(w.times[0]) == 1:
		return w.times[0][0].covers(interval.ClockOf(start))
	default:
		return false
	}
}

// covers reports whether a start is the one named, in either half of the day, or lies in the part of the day named.
func (h hours) covers(start interval.Clock) bool {
	if h.kind == exactly {
		return h.from.in(am) == start || h.from.in(pm) == start
	}
	return h.part.Start <= start && start < h.part.End
}

// parted takes "not 3pm, 4pm" apart, where the first is the start of the event at hand: the first is turned down, and
// the other wanted.
func (p *parser) parted(items []item) []item {
	if p.setting.Start.IsZero() {
		return items
	}
	for n := range items {
		items[n] = p.moved(items[n])
	}
	for n := 1; n < len(items); n++ {
		it := items[n]
		if it.kind != timeItem || len(it.times) != 2 || items[n-1].kind != negationItem ||
			!it.times[0].covers(interval.ClockOf(p.setting.Start)) {
			continue
		}
		for i := it.from + 1; i < it.to-1; i++ {
			if !p.is(i, ",") {
				continue
			}
			first, link, second := it, item{kind: linkItem, link: commaLink, from: i, to: i + 1}, it
			first.times, first.to = it.times[:1], i
			second.times, second.from = it.times[1:], i+1
			return slices.Replace(slices.Clone(items), n, n+1, first, link, second)
		}
	}
	return items
}

// has reports whether a day is one of the days, or its weekday one of those named.
func (d days) has(day interval.Date) bool {
	return slices.Contains(d.weekdays, day.Weekday()) ||
		slices.ContainsFunc(d.ranges, func(r interval.DateRange) bool { return r.Contains(day) })
}

// weekPart is a part of a week by its first and last days, counted from the first of the week; or what lies before or
// after the day of the event at hand.
type weekPart struct {
	first, last   int
	before, after bool
}

var weekParts = map[string]weekPart{
	"before": {before: true}, "after": {after: true}, "early": {0, 1, false, false}, "mid": {1, 3, false, false},
	"end": {3, 4, false, false},
}

// thatWeek is a part of the week of the event at hand, without the day of the event where that is at its edge. Where
// nothing is left of it, the words say nothing of days.
func (m *match) thatWeek() item {
	meaning, _ := m.means("weekParts", m.from)
	part, p := weekParts[meaning], m.parser
	day := interval.DateOf(p.setting.Start)
	monday := p.weekOf(day)
	first, last := monday.AddDays(part.first), monday.AddDays(part.last)
	switch {
	case part.before:
		first, last = monday, day.AddDays(-1)
	case part.after:
		first, last = day.AddDays(1), monday.AddDays(6)
	case first == day:
		first = day.AddDays(1)
	case last == day:
		last = day.AddDays(-1)
	}
	if first.Before(p.today) {
		first = p.today
	}
	switch {
	case !last.Before(first):
		return item{kind: dateItem, days: stretch(first, last)}
	case part.before || part.after:
		return item{kind: linkItem}
	default:
		return item{}
	}
}

// negatedBefore reports whether a negation stands before token i.
func (p *parser) negatedBefore(i int) bool {
	for !p.negation.found && p.negation.at < i {
		it, end := negationPhrase(p, p.negation.at)
		if p.negation.found = end > p.negation.at && it.kind == negationItem; !p.negation.found {
			p.negation.at++
		}
	}
	return p.negation.found && p.negation.at < i
}
