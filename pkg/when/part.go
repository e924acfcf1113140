package when

import (
	"time"

	"convene/pkg/interval"
)

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
	// suits says that the zone is of someone whom the part suits: the days are then the reader's.
	suits bool
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
	if h, end := rangePhrase(p, i); end > i {
		return item{kind: timeItem, times: []hours{h}}, end
	}
	it, end := p.readPhrase("times", i)
	if h, e := p.extreme(i); e > i {
		it, end = item{kind: timeItem, times: []hours{h}}, e
	}
	if end > i {
		it.times, end = p.otherClocks(it.times[0], end)
	}
	return it, end
}

// timeRules are what en/rules.txt says of times of day.
var timeRules = map[string]func(m *match) item{
	"tonight": func(m *match) item {
		return inPart(interval.Window{Start: interval.At(m.n, 0), End: interval.At(23+m.n/21, 0)}, pm).on(single(m.today))
	},
	"besideDay": func(m *match) item {
		if !one(m.days[0]) {
			return item{}
		}
		return inPart(m.part.window, m.part.hint).on(single(m.days[0].first().AddDays(m.n)))
	},
	"thisTime": func(m *match) item {
		now := (int(interval.ClockOf(m.now)) + 4) / 5 * 5
		if !one(m.days[0]) || now >= int(interval.EndOfDay) {
			return item{}
		}
		return startAt(clock{minutes: now, half: fixed}).on(m.days[0])
	},
	"coming": (*match).coming,
	"afterPart": func(m *match) item {
		return inPart(interval.Window{Start: m.part.window.End, End: interval.EndOfDay}, m.part.hint)
	},
	"beforePart": func(m *match) item {
		return inPart(interval.Window{Start: 0, End: m.part.window.Start}, m.part.hint)
	},
	"exactly":   func(m *match) item { return startAt(m.clocks[0]) },
	"around":    func(m *match) item { return hours{kind: around, from: m.clocks[0]}.item() },
	"orLater":   func(m *match) item { return hours{kind: after, from: m.clocks[0]}.item() },
	"orEarlier": func(m *match) item { return hours{kind: before, to: m.clocks[0]}.item() },
	"bound":     (*match).bound,
	"dayBound": func(m *match) item {
		if !one(m.days[0]) {
			return item{}
		}
		at := hours{kind: boundKinds[m.arg], from: m.clocks[0], to: m.clocks[0]}
		return at.item().on(single(m.days[0].first()))
	},
	"alone": func(m *match) item {
		if m.to != m.from+1 {
			return item{}
		}
		return startAt(m.clocks[0])
	},
}

// item is a phrase that says one thing about the time of day.
func (h hours) item() item { return item{kind: timeItem, times: []hours{h}} }

func inPart(w interval.Window, hint half) item {
	return hours{kind: during, part: w, hint: hint}.item()
}

// startAt is a start, or one give or take half an hour.
func startAt(c clock) item {
	if c.about {
		return hours{kind: around, from: c}.item()
	}
	return hours{kind: exactly, from: c}.item()
}

// on is a time on days.
func (it item) on(d days) item {
	it.days = d
	return it
}

// partPhrase reads parts of the day, "this afternoon" with its date included.
func (p *parser) partPhrase(i int) (item, int) {
	if it, end := p.earlyOrLate(i); end > i {
		return it, end
	}
	if it, end := p.readPhrase("partTimes", i); end > i {
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
	it := inPart(part.window, part.hint)
	if ahead, said := map[string]int{"this": 0, "next": 1, "last": -1}[p.at(j-1).text]; said && j > i {
		it.days = single(p.today.AddDays(ahead))
	}
	end = p.skip(end, "time", "times", "only")
	if zone, e := p.zone(end); e > end && p.is(e-1, "time", ")") {
		it.times[0].from.zone, end = zone, e
	} else if zone, e := p.suitedZone(i, end); zone != nil {
		there, _ := p.today.At(part.window.Start, zone)
		if _, ok := awake(interval.ClockOf(there.In(p.now.Location())), part.window); !ok {
			return item{kind: unreadItem}, e // it is night here then
		}
		it.times[0].from.zone, it.times[0].suits, end = zone, true, e
	}
	return it, end
}

// awake is what the user is awake for of a part of another's day that begins at an hour of the user's day; not ok if
// that is next to nothing.
func awake(start interval.Clock, part interval.Window) (w interval.Window, ok bool) {
	const least = 30
	for _, from := range []interval.Clock{start, start - interval.EndOfDay} {
		w = interval.Window{Start: max(from, interval.At(7, 0)), End: min(from+part.End-part.Start, interval.At(22, 0))}
		if w.End >= w.Start+least {
			return w, true
		}
	}
	return w, false
}

// suitedZone is the zone of someone whom the part of the day in tokens i to end suits, and where what says so ends:
// "mornings are better for Yuki", "she prefers mornings". Nil if it is of the user, or is not known.
func (p *parser) suitedZone(i, end int) (*time.Location, int) {
	if at := p.past("suitsBetter", end); at > end && p.is(at, "for") && !p.is(at+1, "me", "us") {
		return p.personZone(at)
	}
	if !p.is(i-1, "prefers", "prefer") || p.is(i-2, "i", "we") || p.setting.Zone == nil {
		return nil, i
	}
	who := p.at(i - 2).text
	if of := map[string]string{"she": "her", "he": "his", "they": "their"}[who]; of != "" {
		who = of
	} else if !p.livesElsewhere(i - 2) {
		return nil, i
	}
	return p.setting.Zone(who), end
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
	// Two hours that are the same are a talk one to one.
	second, end := p.clock(p.skip(l, "at", "around", "about", "roughly", "approximately", "like"), true)
	if _, e := p.date(p.skip(end, "on"), 1); (e > p.skip(end, "on") || p.is(end, "tonight") ||
		p.is(end, "this") && p.has("daily", end+1)) && first.minutes != second.minutes || i == 0 && end == len(p.tokens) {
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

// rangeLead reads what stands before a range: whether it bounds the event or is its start and end, and whether mere
// numbers will do after it.
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

// bound is a bound on one side: "after 3", "by 9", "not before 10", "from 3 on".
func (m *match) bound() item {
	meaning, _ := m.means("bounds", m.from)
	kind, c := boundKinds[meaning], m.clocks[0]
	if kind != after {
		return m.ended(hours{kind: kind, to: c}, m.from).item()
	}
	if m.is(m.from, "from", "starting") && m.is(m.from-1, "minutes", "hours", "h", "m", "'") {
		return startAt(c) // "half an hour from 4"
	}
	if _, e := m.parser.length(m.to + 1); m.is(m.from, "from") && m.is(m.to, "for") && e > m.to+1 {
		return startAt(c)
	}
	m.to = m.past("onwards", m.to)
	return hours{kind: after, from: c}.item()
}

// ended is the bound at token i. It is the end of the event unless the words before it speak of when someone is there.
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

// leadsHour reports whether the "for" or "to" at token i leads to a mere hour.
func (p *parser) leadsHour(i int) bool {
	return p.is(i, "for", "to") && (p.dated(i) || p.has("settled", i) || p.movedTo(i+1)) && p.ends(i+2)
}

// ends reports whether the text, or its part, ends at token i.
func (p *parser) ends(i int) bool { return i >= len(p.tokens) || p.has("endings", i) }

// dated reports whether a day stands right before token i, so that a mere number after it is a time.
func (p *parser) dated(i int) bool {
	j := i
	for i-j < 2 && p.is(j-1, ",", "-") {
		j--
	}
	return p.has("dayEnds", j-1) || p.is(j-1, "week") && p.is(j-2, "next", "this")
}
