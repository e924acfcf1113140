package when

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// bridged reports whether at most so many words stand in tokens from to to.
func (p *parser) bridged(from, to, words int) bool {
	if to-from > words+4 {
		return false
	}
	for j := from; j < to; j++ {
		if p.at(j).kind != mark {
			words--
		}
	}
	return words >= 0
}

// timed reports whether an item is a day, a time of day or a length.
func (it item) timed() bool {
	return it.placed() || it.kind == lengthItem
}

// placed reports whether an item says when something is.
func (it item) placed() bool { return it.kind == dateItem || it.kind == timeItem }

// corrected withdraws what corrections take back.
func (p *parser) corrected(items []item) []item {
	for n := 0; n < len(items); n++ {
		if items[n].kind != correctionItem {
			continue
		}
		if !p.corrects(items, n) {
			items[n].kind, items[n].link = linkItem, noLink
			continue
		}
		for n > 0 && items[n-1].kind == linkItem && items[n-1].to == items[n].from {
			items = slices.Delete(items, n-1, n)
			n--
		}
		// The preposition of what was never said goes with the correction: "friday at, no wait".
		for j := items[n].from - 1; n > 0 && j >= items[n-1].to &&
			(p.at(j).kind == mark || p.is(j, "at", "on", "for", "by")); j-- {
			items[n].from = j
		}
	}
	return items
}

// corrects withdraws what the correction n takes back, and reports whether there is anything.
func (p *parser) corrects(items []item, n int) bool {
	m, gap := n+1, 1
	for m < len(items) && m < n+4 && (items[m].kind == linkItem || items[m].kind == correctionItem) {
		m++
	}
	if items[n].sure {
		gap = 4
	}
	if m == len(items) || !items[m].timed() || !p.bridged(items[m-1].to, items[m].from, gap) {
		return false
	}
	taken := false
	for k := m; k < len(items) && k < m+3 && items[k].timed(); k++ {
		taken = p.withdraw(items, n, k) || taken
	}
	return taken
}

// withdraw takes back the phrases of the kind of item b that stand before the correction n, and reports whether there
// are any.
func (p *parser) withdraw(items []item, n, b int) bool {
	last := n - 1
	for last >= 0 && n-last < maxBack && !replaces(items[b], items[last]) {
		if !items[n].sure && items[last].kind != linkItem {
			return false
		}
		last--
	}
	if last < 0 || n-last >= maxBack || !items[n].sure && !p.bridged(items[last].to, items[n].from, 1) {
		return false
	}
	first := last
	for first > 0 && last-first < maxBack && (items[first-1].kind == items[b].kind || items[first-1].kind == linkItem &&
		items[first-1].link != stopLink) {
		first--
	}
	if slices.ContainsFunc(items[first:last+1], func(old item) bool {
		return chosenFrom(items[b], old, items[n].sure, first < last)
	}) {
		return false
	}
	for k := first; k <= last; k++ {
		items[b].inherit(items[k])
		switch items[k].kind {
		case items[b].kind:
			items[k].kind = withdrawnItem
		case timeItem:
			items[k].days = days{} // "tonight, no wait, tomorrow"
		default:
			items[k].link = noLink
		}
	}
	return true
}

// chosenFrom reports whether days are part of what was said before, so that they narrow it: "monday or tuesday, better
// tuesday", "next week, actually thursday".
func chosenFrom(it, old item, sure, several bool) bool {
	return it.kind == dateItem && old.kind == dateItem && (!sure && wide(old.days) && len(it.days.weekdays) > 0 ||
		several && one(it.days) && old.days.has(it.days.first()))
}

// inherit gives what replaces another phrase what only that one said: the half of the day, or the month.
func (it *item) inherit(old item) {
	switch {
	case it.kind != old.kind:
	case it.kind == timeItem && len(it.times) == 1:
		it.times[0].from = it.times[0].from.instead(old.times[0].from)
	case it.kind == dateItem && it.days.monthless && one(old.days):
		d := old.days.first()
		it.days = single(dayBehind(interval.Date{Year: d.Year, Month: d.Month, Day: 1}, it.days.first().Day))
	}
}

// maxBack is how many items before a correction it can take back.
const maxBack = 8

// replaces reports whether an item speaks of what another did: of a day, an hour or a length.
func replaces(it, old item) bool {
	return old.timed() && (it.kind == old.kind || it.kind == dateItem && !old.days.empty())
}

// busy is that people are taken, unless it is free time that they have.
func (m *match) busy() item {
	sure, _ := m.means("busyWords", m.from)
	if sure != "true" && m.is(m.to-1, "have", "got", "i've") && m.has("notBusy", m.to) {
		return item{}
	}
	return item{kind: busyItem, sure: sure == "true"}
}

// busied gathers what clauses say about someone's busy times.
func (p *parser) busied(items []item) []item {
	var out []item
	for n := 0; n < len(items); n++ {
		it := items[n]
		if it.kind != busyItem {
			out = append(out, it)
			continue
		}
		before := p.itemsBefore(out, it)
		end := n + 1
		for end < len(items) && end-n < maxBack && p.goesOn(items, n, end) {
			end++
		}
		for end > n+1 && !items[end-1].timed() {
			end--
		}
		inner := slices.Concat(out[before:], items[n+1:end])
		if !slices.ContainsFunc(inner, item.placed) || !it.sure && !p.wishesElse(it, inner, items) {
			continue
		}
		if before < len(out) {
			it.from = out[before].from
		}
		if end > n+1 {
			it.to = max(it.to, items[end-1].to)
		}
		it.inner = inner
		out = append(out[:before], it)
		n = end - 1
	}
	return out
}

// itemsBefore is the first of the items right before the busy words that belong to their clause: "on Tuesday I'm at a
// conference". Several days do if they begin the clause: "but Monday and Tuesday I'm away".
func (p *parser) itemsBefore(items []item, it item) int {
	first, at := len(items), it.from
	for first > 0 && len(items)-first < 3 && items[first-1].timed() && items[first-1].to == at &&
		!(items[first-1].kind == dateItem && slices.ContainsFunc(items[first:], func(o item) bool {
			return o.kind == dateItem
		})) {
		first--
		at = items[first].from
	}
	list := first
	for first < len(items) && list > 1 && len(items)-list < maxBack && items[list-1].link == andLink &&
		items[list-1].to == items[list].from && items[list-2].kind == dateItem && items[list-2].to == items[list-1].from {
		list -= 2
	}
	if list == first {
		return first
	}
	if before := items[list].from - 1; p.at(before).kind != mark && !p.has("clauseStarts", before) {
		return first
	}
	return list
}

// goesOn reports whether item end belongs to the clause of the busy words n.
func (p *parser) goesOn(items []item, n, end int) bool {
	it, last := items[end], items[end-1].to
	switch {
	case it.kind == linkItem && it.link == stopLink, it.kind == linkItem && it.link == butLink:
		return false
	case it.kind == linkItem:
		// A list goes on, another clause does not.
		return end+1 < len(items) && items[end+1].timed() && items[end+1].from <= it.to+1 && end > n+1 &&
			items[end+1].kind == items[end-1].kind && (p.endsClause(items[end+1].to) || p.has("tails", items[end+1].to))
	case !it.timed() && it.kind != allDayItem || it.from-last > 8:
		return false
	}
	for j := last; j < it.from; j++ {
		if p.at(j).kind == mark && !p.is(j, "'", "’") || p.has("clauseStarts", j) {
			return false
		}
	}
	return true
}

// endsClause reports whether a clause or its list goes no further than token i.
func (p *parser) endsClause(i int) bool {
	return i >= len(p.tokens) || p.at(i).kind == mark || p.is(i, "and", "or", "but", "so", "from", "at", "until", "all")
}

// wishesElse reports whether a text wishes for something beside what the inner items of busy words say.
func (p *parser) wishesElse(it item, inner, items []item) bool {
	if !p.setting.Start.IsZero() {
		return true
	}
	for j := range p.tokens[:min(len(p.tokens), maxLooks)] {
		if p.has("recordWords", j) {
			return false
		}
	}
	from, to := min(inner[0].from, it.from), max(inner[len(inner)-1].to, it.to)
	for n := 0; n < 2*maxBack && to < len(p.tokens) && p.at(to).kind != mark && !p.has("clauseStarts", to); n++ {
		to++
	}
	for _, other := range items {
		if other.timed() && (other.to <= from || other.from >= to) {
			return true
		}
	}
	for j := range p.tokens[:min(len(p.tokens), maxLooks)] {
		if (j < from || j >= to) && p.has("wishWords", j) {
			return true
		}
	}
	return false
}

// busy refuses what the clause of busy words names.
func (a *assembler) busy(it item) {
	if len(a.refused) >= maxParts {
		return
	}
	sub := &assembler{p: a.p, hint: a.hint}
	for _, one := range it.inner {
		switch one.kind {
		case linkItem:
			sub.linked(one.link)
			continue
		case dateItem:
			sub.date(one)
		case timeItem:
			sub.time(one)
		case lengthItem:
			sub.lengths = append(sub.lengths, one.length)
		default:
		}
		sub.link, sub.lastEnd = noLink, one.to
	}
	sub.joinTimeless()
	for _, w := range sub.wishes {
		if len(sub.lengths) > 0 {
			w.length = sub.lengths[0]
		}
		a.refused = append(a.refused, w)
	}
}

// turned turns bounds round that are denied: "can't go past 9:30" is a bound before it.
func (p *parser) turned(items []item) []item {
	var out []item
	for n, it := range items {
		last := 0
		if n > 0 {
			last = items[n-1].to
		}
		switch {
		case !it.bound():
		case n > 0 && items[n-1].kind == negationItem && p.bridged(last, it.from, 4):
			it, out = p.opposite(it, items[n-1].from), out[:len(out)-1]
		default:
			if j := p.deniedAt(last, it.from); j >= 0 {
				it = p.opposite(it, j)
			}
		}
		out = append(out, it)
	}
	return out
}

// deniedAt is the token of the words that deny the bound at token i; -1 if there are none after token last.
func (p *parser) deniedAt(last, i int) int {
	for j := i - 1; j >= last && i-j <= 7 && p.at(j).kind != mark; j-- {
		if p.has("limitWords", j) && !p.has("noLimit", j) && !p.has("noLimit", j-1) {
			return j
		}
	}
	return -1
}

// bound reports whether an item bounds the times or the days on one side.
func (it item) bound() bool {
	switch it.kind {
	case timeItem:
		return len(it.times) == 1 && it.days.empty() &&
			(it.times[0].kind == after || it.times[0].kind == before || it.times[0].kind == until)
	case dateItem:
		return it.days.openStart || it.days.openEnd && !it.days.every
	default:
		return false
	}
}

// opposite is the bound on the other side of the same clock or day, whose words begin at token from.
func (p *parser) opposite(it item, from int) item {
	it.from = from
	if it.kind == dateItem {
		it.days = p.otherSide(it.days)
		return it
	}
	h := it.times[0]
	if h.kind == after {
		h.kind, h.to = before, h.from.late()
	} else {
		h.kind, h.from = after, h.to
	}
	it.times = []hours{h}
	return it
}

// late is a clock by which people leave: an hour said without am or pm is in the evening.
func (c clock) late() clock {
	if c.half == open && c.minutes < 11*60 {
		c.half = pm
	}
	return c
}

// otherSide is the days on the other side of the same day.
func (p *parser) otherSide(d days) days {
	if d.openStart {
		return from(d.limit)
	}
	bounded := p.untilDay(d.first().AddDays(-1))
	bounded.openStart, bounded.limit = true, d.first()
	return bounded
}

// blocks makes a part of a day that is kept as a whole the length of the event, and a day an event of all day: "block
// Friday afternoon".
func (a *assembler) blocks(said []resolved) {
	if len(said) != 1 || len(a.lengths) > 0 || a.span > 0 || a.firstTimed == 0 {
		return
	}
	i := a.firstTimed - 1
	for n := 0; n < 4 && a.p.is(i, "the", "my", "off", "out", "all", "of", "whole", "entire", "on", "our", "this"); n++ {
		i--
	}
	for n := 0; n < 2 && i > 0 && !a.p.has("blockVerbs", i); n++ {
		i--
	}
	if i < 0 || !a.p.has("blockVerbs", i) {
		return
	}
	r := &said[0]
	switch {
	case len(r.windows) == 1 && !r.windows[0].Exact() && a.partOnly():
		a.reading.Duration = time.Duration(r.windows[0].End-r.windows[0].Start) * time.Minute
		r.windows = []interval.Window{{Start: r.windows[0].Start, End: r.windows[0].Start}}
	case len(r.windows) == 0 && len(r.ranges) > 0 && len(a.wishes[0].days) == 1 && !a.wishes[0].days[0].every:
		a.reading.AllDay = true
	default:
		return
	}
}

// partOnly reports whether the only hours wished are a part of the day.
func (a *assembler) partOnly() bool {
	return len(a.wishes) == 1 && len(a.wishes[0].times) == 1 && len(a.wishes[0].times[0]) == 1 &&
		a.wishes[0].times[0][0].kind == during
}
