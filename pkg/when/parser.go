package when

import (
	"strings"
	"time"

	"convene/pkg/interval"
)

// parser holds one text and the moment at which it is read. Its rules are methods that take a token's index and give
// back what they read and the index after it; an index that did not move means that the rule does not apply.
type parser struct {
	*grammar
	text string
	// saidTime says that a day, a time or a length was found, and correctedAt is the token after the last
	// correction.
	saidTime    bool
	correctedAt int
	tokens      []token
	tongue      *tongue
	now         time.Time
	today       interval.Date
	setting     Setting
	// steps counts the looks at a token, which tests hold to be linear in the length of the text.
	steps int
	// dates remembers what date read at the last few tokens, for each depth that a text came to.
	dates [maxDepth + 1]*[8]memo
	// plain remembers what plainDate read there.
	plain [16]memo
	// disputed remembers what disputes found.
	disputed *bool
	// elsewhere remembers what whereabouts found.
	elsewhere **time.Location
	// matches are those of the expressions that are being read, as many as level.
	matches []*match
	level   int
	// depth is how far the date that is read leans on others.
	depth int
	// negation is the first negation of the text, or as far as it has been looked for.
	negation struct {
		at    int
		found bool
	}
}

// itemKind says what the grammar found.
type itemKind uint8

const (
	noItem itemKind = iota
	dateItem
	timeItem
	lengthItem
	travelItem
	shiftItem
	// linkItem joins or separates; negationItem turns what follows it into what is not wanted, refusalItem what stands
	// before it ("Monday is out").
	linkItem
	negationItem
	refusalItem
	// notThisItem turns the nearest occurrence down: "a weekend, not this one".
	notThisItem
	soonItem
	allDayItem
	noDayItem
	// spanItem is a number of days that something lasts, nowItem the present moment.
	spanItem
	nowItem
	// correctionItem takes back what stands before it, which is withdrawn; busyItem says that someone is taken when inner
	// says; unreadItem is of what was read and cannot be expressed.
	correctionItem
	withdrawnItem
	busyItem
	unreadItem
	// zoneItem says in whose time the clocks of the text are.
	zoneItem
)

// item is one phrase: tokens[from:to] and what it says.
type item struct {
	kind     itemKind
	from, to int
	days     days
	times    []hours
	length   time.Duration
	side     Side
	shift    Shift
	link     link
	// moment is what a time counted from now is to the minute; its zero value is none.
	moment time.Time
	// count is of days that something lasts.
	count int
	// name is of a day that does not exist.
	name string
	// origin says that it tells when something was that is moved.
	origin bool
	// sure is of a correction and of busy words; inner are the items of the clause of these.
	sure  bool
	inner []item
	// zone is of a zoneItem.
	zone *time.Location
	// exception is of a negation: it takes days out and no hours.
	exception bool
}

type link uint8

const (
	noLink link = iota
	orLink
	andLink
	commaLink
	stopLink
	butLink
)

// rule reads one phrase at token i.
type phraseRule func(p *parser, i int) (item, int)

// maxLooks is at how many words that may begin a phrase the rules look. No message that a person writes has so many,
// and what stands after them says nothing.
const maxLooks = 1024

// items applies the rules from left to right; where several apply, the longest phrase wins.
func (p *parser) items() []item {
	rules := []phraseRule{
		firstPhrase, negationPhrase, linkPhrase, saidPhrase, lengthPhrase,
		datePhrase, timePhrase, zonePhrase, noDayPhrase, spanPhrase, crossing, lastPhrase,
	}
	var found []item
	looks := 0
	for i := 0; i < len(p.tokens) && looks < maxLooks; {
		if !p.opens(i) {
			i++
			continue
		}
		looks++
		best, end := item{}, i
		for _, r := range rules {
			if it, e := r(p, i); e > end {
				best, end = it, e
			}
		}
		if end == i {
			i++
			continue
		}
		best.from, best.to = i, end
		found = append(found, best)
		p.saidTime = p.saidTime || best.timed()
		switch best.kind {
		case correctionItem:
			p.correctedAt = end
		case timeItem:
			if e := p.unknownZone(end); e > end {
				found = append(found, item{kind: unreadItem, from: end, to: e})
				end = e
			}
		default:
		}
		i = end
	}
	return found
}

// opens reports whether a phrase may begin at token i.
func (p *parser) opens(i int) bool {
	t := p.at(i)
	return t.kind == number || p.openings[t.text] || strings.HasPrefix(t.text, zoneMark) && len(t.text) > 1
}

// at is token i, or one that is nothing behind either end.
func (p *parser) at(i int) token {
	p.steps++
	if i < 0 || i >= len(p.tokens) {
		return token{kind: mark}
	}
	return p.tokens[i]
}

// is reports whether token i is one of the words.
func (p *parser) is(i int, words ...string) bool {
	t := p.at(i)
	if t.kind == number || t.text == "" {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

// skip is the index after token i where that is one of the words, i otherwise.
func (p *parser) skip(i int, words ...string) int {
	if p.is(i, words...) {
		return i + 1
	}
	return i
}

// phrase is the index after the words of s where they stand at i, i otherwise.
func (p *parser) phrase(i int, s string) int {
	j := i
	for s != "" {
		var w string
		w, s, _ = strings.Cut(s, " ")
		if j > i {
			j = p.skip(j, "-")
		}
		if !p.is(j, w) {
			return i
		}
		j++
	}
	return j
}

func linkPhrase(p *parser, i int) (item, int) {
	l, end := p.link(i)
	if end > i && l == commaLink {
		// ", or" is an or.
		if following, e := p.link(end); e > end && following != stopLink && following != butLink {
			l, end = following, e
		}
	}
	return item{kind: linkItem, link: l}, end
}

func negationPhrase(p *parser, i int) (item, int) { return p.readPhrase("negating", i) }

// negation turns what follows it into what is not wanted, unless it refuses what stands before it: "Tuesday won't work,
// Friday?".
func (m *match) negation() item {
	meaning, _ := m.means("negations", m.from)
	if m.is(m.from, "but") && m.to == m.from+1 && !m.excepting(m.from) || m.trails(m.from, m.to) ||
		m.refused(m.from) && m.timed(m.from-1) && (m.at(m.to).kind == mark || m.has("afterRefusal", m.to)) {
		return item{}
	}
	return item{kind: negationItem, exception: meaning == "false"}
}

// excepting reports whether the "but" at token i takes something out of all that came before it: "any morning but
// Monday".
func (p *parser) excepting(i int) bool {
	if d, end := p.date(p.skip(i+1, "on"), 1); end <= i+1 || len(d.weekdays) == 0 && !one(d) {
		return false
	}
	for j := i - 1; j >= 0 && i-j <= 5 && p.at(j).kind != mark; j-- {
		if p.is(j, "any", "every", "anytime", "all") {
			return true
		}
	}
	return false
}

func firstPhrase(p *parser, i int) (item, int) { return p.readPhrase("firstPhrases", i) }

func saidPhrase(p *parser, i int) (item, int) { return p.readPhrase("phrases", i) }

func lastPhrase(p *parser, i int) (item, int) {
	it, end := p.readPhrase("lastTimes", i)
	if other, e := p.readPhrase("lastPhrases", i); e > end {
		return other, e
	}
	return it, end
}

// spanPhrase reads how many days something lasts: "for 3 days", "five days", "a full week". Distances ("in 3 days") are
// longer phrases and go first.
func spanPhrase(p *parser, i int) (item, int) {
	j := p.past("spanLeads", i)
	k := p.skip(p.skip(p.skip(j, "all", "another", "full", "whole"), "a"), "full", "whole", "entire", "good", "solid")
	n, end := p.count(k)
	if end == k {
		if k == j && !p.is(k-1, "a", "whole") {
			return item{}, i
		}
		n = 1
	}
	end = p.skip(p.skip(end, "-"), "full", "whole", "more", "working", "business", "work", "consecutive", "straight")
	switch {
	case n < 1 || n > 60 || p.at(i).text == "a" || p.at(i).text == "an":
		return item{}, i
	case p.is(end, "day", "days") && !p.is(k-1, "all") && !p.is(k-2, "all"):
	case p.is(end, "week", "weeks"):
		n *= 7
	default:
		return item{}, i
	}
	if _, e := p.date(p.skip(end+2, "the"), 1); p.is(end+1, "of", "in") && e > end+2 {
		return item{}, i
	}
	if p.is(end+1, "before", "after", "ago", "later", "earlier", "out", "notice", "prior", "pass", "a") ||
		n == 1 && j == i && !p.is(k-1, "another", "all", "whole", "full") {
		return item{}, i
	}
	return item{kind: spanItem, count: n}, end + 1
}
