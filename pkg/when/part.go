package when

import "convene/pkg/interval"

// hoursKind says how a time bounds the event.
type hoursKind uint8

const (
	// exactly is a start; around, a start give or take half an hour.
	exactly hoursKind = iota
	around
	// after and before bound the event on one side; until names its end.
	after
	before
	until
	// between is a window; fromTo, a start with an end.
	between
	fromTo
	// during is a part of the day.
	during
)

// hours is one statement about the time of day.
type hours struct {
	kind     hoursKind
	from, to clock
	// part is the window of a part of the day, and hint its half.
	part interval.Window
	hint half
	// meal is the half of the day of the meal that stands before the time: "lunch at 1 or dinner at 7".
	meal half
}

// slack is how far "around" reaches to either side, in minutes.
const slack = 30

type dayPart struct {
	window interval.Window
	hint   half
}

func span(h1, m1, h2, m2 int, hint half) dayPart {
	return dayPart{interval.Window{Start: interval.At(h1, m1), End: interval.At(h2, m2)}, hint}
}

// timePhrase reads a statement about the time of day with its prepositions.
func timePhrase(p *parser, i int) (item, int) {
	if it, end := p.partPhrase(i); end > i {
		return it, end
	}
	for _, r := range []func(*parser, int) (hours, int){rangePhrase, boundPhrase, aroundPhrase, exactPhrase} {
		if h, end := r(p, i); end > i {
			all, e := p.otherClocks(h, end)
			return item{kind: timeItem, times: all}, e
		}
	}
	return item{}, i
}

// partPhrase reads parts of the day, "tonight" and "this afternoon" with their date included.
func (p *parser) partPhrase(i int) (item, int) {
	if j := p.skip(i, "late", "later"); p.is(j, "tonight") {
		night := span(18, 0, 23, 0, pm)
		if p.is(i, "late") {
			night = span(21, 0, 24, 0, pm)
		}
		return item{
			kind: timeItem, days: single(p.today), times: []hours{{kind: during, part: night.window, hint: pm}},
		}, j + 1
	}
	if it, end := p.earlyOrLate(i); end > i {
		return it, end
	}
	for _, r := range []phraseRule{(*parser).comingHours, (*parser).besideDay, (*parser).thisTime} {
		if it, end := r(p, i); end > i {
			return it, end
		}
	}
	if it, end := p.besidePart(i); end > i {
		return it, end
	}
	j := p.past("partLeads", i)
	part, end := p.partOfDay(j)
	if whole, e := p.partOfDay(i); e > end || e > i && end == j {
		part, j, end = whole, i, e
	}
	if end == j || p.is(j, "am", "pm", "a", "p") && (p.at(j).glued || j == i && !p.halfBehindDay(i)) {
		return item{}, i
	}
	it := item{kind: timeItem, times: []hours{{kind: during, part: part.window, hint: part.hint}}}
	switch {
	case j == i:
	case p.is(j-1, "this"):
		it.days = single(p.today)
	case p.is(j-1, "next"):
		it.days = single(p.today.AddDays(1))
	case p.is(j-1, "last"):
		it.days = single(p.today.AddDays(-1))
	}
	end = p.skip(end, "time", "times", "only")
	if zone, e := p.zone(end); e > end && p.is(e-1, "time", ")") {
		it.times[0].from.zone, end = zone, e
	}
	return it, end
}

// besidePart reads a bound that is a part of the day: "after dinnertime", "before the afternoon".
func (p *parser) besidePart(i int) (item, int) {
	j := p.skip(i, "after", "before")
	if j == i {
		return item{}, i
	}
	if _, end := p.partOfDay(i); end > i {
		return item{}, i
	}
	k := p.skip(j, "the")
	part, end := p.partOfDay(k)
	if end == k || p.is(k, "am", "pm", "midday") {
		return item{}, i
	}
	w := interval.Window{Start: part.window.End, End: interval.EndOfDay}
	if p.is(i, "before") {
		w = interval.Window{Start: 0, End: part.window.Start}
	}
	return item{kind: timeItem, times: []hours{{kind: during, part: w, hint: part.hint}}}, end
}

// rangePhrase reads "from 2 to 4", "between 1 and 5", "9-5", "7-8am".
func rangePhrase(p *parser, i int) (hours, int) {
	kind, bare, j := p.rangeLead(i)
	bare = bare || p.dated(i)
	first, k := p.clock(j, true)
	if k == j && p.is(j, "now") && (j > i || p.is(j+1, "until", "to", "through", "-", "–")) {
		first, k = clock{minutes: int(interval.ClockOf(p.now)), half: fixed}, j+1
	}
	if k == j {
		return hours{}, i
	}
	l := p.skip(p.skip(k, "-", "–", "—", "to", "until", "through", "and", "&", "~", "→"), ">")
	if l == k || p.is(k, "and", "&") && kind != between {
		return hours{}, i
	}
	second, end := p.clock(p.skip(l, "at", "around", "about", "roughly", "approximately", "like"), true)
	if _, e := p.date(p.skip(end, "on"), 1); (e > p.skip(end, "on") || p.is(end, "tonight") ||
		p.is(end, "this") && p.daily(end+1)) && p.sensible(first, second) || i == 0 && end == len(p.tokens) {
		bare = true
	}
	if end <= l || !bare && first.half == open && second.half == open && p.at(k-1).digits < 3 && !p.is(j+1, ":", "h") &&
		!p.is(l+1, ":", "h") {
		return hours{}, i
	}
	if p.origin(i, k) {
		return hours{kind: exactly, from: second.instead(first)}, end
	}
	return hours{kind: kind, from: first, to: second}, end
}

// sensible reports whether two hours said without am or pm can be a range where nothing but a day behind them says so.
// Two that are the same are a talk one to one.
func (p *parser) sensible(first, second clock) bool { return first.minutes != second.minutes }

// rangeLead reads what stands before a range: whether it bounds the event or is its start and end, and whether mere
// numbers will do behind it.
func (p *parser) rangeLead(i int) (kind hoursKind, bare bool, end int) {
	if end = max(p.past("betweenLeads", i), p.past("freeFromLeads", i)); end > i {
		return between, true, end
	}
	if end = p.past("rangeLeads", i); end > i {
		return fromTo, !p.is(i, "for", "on"), end
	}
	if end = p.past("aroundWords", i); end > i && !p.is(i, "like", "near") {
		return fromTo, false, end
	}
	return fromTo, false, i
}

// boundPhrase reads a bound on one side: "after 3", "by 9", "not before 10", "4 or later", "from 3 on".
func boundPhrase(p *parser, i int) (hours, int) {
	meaning, j := p.means("bounds", i)
	kind := boundKinds[meaning]
	if p.has("moves", i+1) {
		return hours{}, i
	}
	if h, end := p.extreme(i); end > i {
		return h, end
	}
	if j == i {
		c, end := p.clock(p.skip(i, "at", "@"), p.is(i, "at", "@") || p.dated(i))
		if end <= i+1 && p.is(i, "at", "@") || end == i {
			return hours{}, i
		}
		if e := p.past("orLater", end); e > end {
			return hours{kind: after, from: c}, e
		}
		if e := p.past("orEarlier", end); e > end {
			return hours{kind: before, to: c}, e
		}
		return hours{}, i
	}
	c, end := p.clock(p.skip(j, "about", "around", "like"), true)
	if end <= j {
		return hours{}, i
	}
	if kind != after {
		return p.ended(hours{kind: kind, to: c}, i), end
	}
	if p.is(i, "from", "starting") && p.is(i-1, "minutes", "hours", "h", "m", "'") {
		// "Half an hour from 4".
		return hours{kind: exactly, from: c}, end
	}
	if p.is(i, "from") && p.is(end, "for") {
		if _, e := p.length(end + 1); e > end+1 {
			return hours{kind: exactly, from: c}, end
		}
	}
	return hours{kind: after, from: c}, p.past("onwards", end)
}

// ended is the bound at token i. It is the end of the event unless the words before it speak of when somebody is there.
func (p *parser) ended(h hours, i int) hours {
	for j := i - 1; h.kind == until && j > i-5 && p.at(j).kind == word; j-- {
		if p.is(j, "only", "around", "available", "free", "here", "stay") {
			return hours{kind: before, to: h.to.late()}
		}
	}
	return h
}

// extreme reads "the earliest that works for me is 9:30", "latest I can do is 3".
func (p *parser) extreme(i int) (hours, int) {
	j := p.skip(i, "the", "my", "our")
	if !p.is(j, "earliest", "latest") {
		return hours{}, i
	}
	for k := j + 1; k < j+8 && p.at(k).kind == word; k++ {
		if !p.is(k, "is", "be", "at", "by", "would") {
			continue
		}
		c, end := p.clock(p.skip(p.skip(p.skip(k+1, "be"), "at"), "like", "around", "about"), true)
		switch {
		case end <= k+1:
		case p.is(j, "earliest"):
			return hours{kind: after, from: c}, end
		default:
			return hours{kind: before, to: c}, end
		}
	}
	return hours{}, i
}

// aroundPhrase reads "around 7", "at about noon".
func aroundPhrase(p *parser, i int) (hours, int) {
	j := p.skip(i, "at", "for", "to", "start")
	k := p.past("aroundWords", j)
	if k == j || p.is(j, "like", "near") && !p.is(i, "at") || p.is(j, "about") && p.is(j-1, "how", "what") {
		return hours{}, i
	}
	c, end := p.clock(k, true)
	if end == k {
		return hours{}, i
	}
	return hours{kind: around, from: c}, p.skip(end, "time")
}

// exactPhrase reads a start: "at 4", "3pm", "starting at noon", "for 5".
func exactPhrase(p *parser, i int) (hours, int) {
	j := p.past("startLeads", i)
	bare := j > i
	if end := p.past("oneToOne", i); end > i {
		return hours{}, i
	}
	if !bare {
		j = p.skip(i, "for", "to", "on")
		bare = j > i && p.is(i, "for", "to") && (p.dated(i) || p.has("settled", i) || p.movedTo(j)) && p.ends(j+1) ||
			p.has("proposed", i) || p.has("tonightAt", i) || p.listsHours(i)
	}
	c, end := p.clock(j, bare)
	if end == j {
		return hours{}, i
	}
	if c.about {
		return hours{kind: around, from: c}, end
	}
	return hours{kind: exactly, from: c}, end
}

// ends reports whether the text, or its part, ends at token i.
func (p *parser) ends(i int) bool { return i >= len(p.tokens) || p.has("endings", i) }

// dated reports whether a day stands right before token i, so that a mere number behind it is a time.
func (p *parser) dated(i int) bool {
	j := i
	for i-j < 2 && p.is(j-1, ",", "-") {
		j--
	}
	return p.has("dayEnds", j-1) || p.is(j-1, "week") && p.is(j-2, "next", "this")
}
