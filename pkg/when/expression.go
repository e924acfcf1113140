package when

import (
	"slices"
	"strings"
	"time"
)

// element is one part of an expression; the head of en/rules.txt tells how they are written.
type element struct {
	// words are those that may stand there; or else list has the expressions, slot reads what stands there, or
	// test tells whether something is so.
	words []string
	list  *list[string]
	slot  func(m *match, i int) int
	test  func(p *parser, i int) bool
	mode  mode
	// back is how many tokens before its place the element looks, hyphen that one may stand before it.
	back   int
	hyphen bool
	firsts []string
}

// mode says what an element demands.
type mode uint8

const (
	// required elements are read, optional ones if they are there. A following one is left unread, and a missing one must
	// not be there.
	required mode = iota
	optional
	following
	missing
)

// line is an expression with what it means.
type line[T any] struct {
	elements []element
	value    T
}

// list is expressions by the words that they can begin with. Its bit tells quickly of most words that they begin none;
// several lists share one.
type list[T any] struct {
	bit   uint64
	lines map[string][]line[T]
}

// What a list has by other keys than words.
const (
	anyWord    = "*"
	anyFigures = "#"
)

// match is a text at the place of an expression, with what its slots have read there, in order.
type match struct {
	*parser
	// from and to are the tokens of the expression. Its line in the grammar has a word and a number for its rule.
	from, to int
	arg      string
	n        int
	counts   []int
	days     []days
	origins  []origin
	// after is the token after a unit.
	after     int
	clocks    []clock
	monthName time.Month
	written   calendarDay
	weekday   time.Weekday
	part      dayPart
	stretch   string
	step      stepKind
	shift     Shift
	length    time.Duration
}

// rule makes something of a match. A result that is empty, or ends before it begins, is none.
type rule[T any] struct {
	read func(m *match) T
	arg  string
	n    int
}

// add takes the expressions of a line into a list.
func (l *list[T]) add(g *grammar, said string, value T) {
	for expression := range strings.SplitSeq(said, " | ") {
		new := line[T]{value: value}
		for _, w := range strings.Fields(expression) {
			e := g.element(w)
			e.hyphen = len(new.elements) > 0 && e.words != nil && e.back == 0
			new.elements = append(new.elements, e)
		}
		firsts := firstsOf(new.elements)
		for _, first := range firsts {
			g.begins[first] |= l.bit
			if _, known := l.lines[first]; !known {
				l.lines[first] = slices.Clone(l.lines[anyWord])
			}
		}
		for first := range l.lines {
			if firsts[0] == anyWord || slices.Contains(firsts, first) {
				l.lines[first] = append(l.lines[first], new)
			}
		}
	}
}

// firstsOf are the words that an expression can begin with.
func firstsOf(elements []element) []string {
	var all []string
	for _, e := range elements {
		if e.mode == missing || e.mode == following || e.back > 0 || e.test != nil {
			continue
		}
		all = append(all, e.firsts...)
		if e.mode == required {
			break
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 || slices.Contains(all, anyWord) {
		return []string{anyWord}
	}
	return all
}

// element reads "of/in?", "$list", "<slot>", "(follows)", "!missing" and "^before".
func (g *grammar) element(w string) element {
	var e element
	if len(w) > 1 {
		switch w[0] {
		case '!':
			e = g.element(w[1:])
			e.mode = missing
			return e
		case '^':
			e = g.element(w[1:])
			e.back++
			return e
		case '(':
			e = g.element(strings.Trim(w, "()"))
			e.mode = following
			return e
		case '$':
			name, maybe := strings.CutSuffix(w[1:], "?")
			if e.list = g.list(name); maybe {
				e.mode = optional
			}
			e.firsts = g.firsts(name)
			return e
		}
		if s, maybe := strings.CutSuffix(w, "?"); maybe {
			e = g.element(s)
			e.mode = optional
			return e
		}
		if s := strings.Trim(w, "<>"); len(s) == len(w)-2 {
			return g.slot(s)
		}
		e.words = strings.Split(w, "/")
	} else {
		e.words = []string{w}
	}
	e.firsts = e.words
	return e
}

// bitOf is the bit of a list's name.
func bitOf(name string) uint64 {
	return 1 << ((uint(len(name))*5 + uint(name[0])*3 + uint(name[len(name)-1])) % 64)
}

// mayBegin reports whether an expression of a list with that bit may begin at token i.
func (p *parser) mayBegin(bit uint64, i int) bool {
	p.steps++
	return bit&p.always != 0 || i >= 0 && i < len(p.tokens) && bit&p.tokens[i].begins != 0
}

// starting are the lines that may stand at token i.
func (l *list[T]) starting(p *parser, i int) []line[T] {
	if !p.mayBegin(l.bit, i) {
		return nil
	}
	t := p.at(i)
	first := t.text
	if t.kind == number {
		first = anyFigures
	}
	if lines, known := l.lines[first]; known {
		return lines
	}
	return l.lines[anyWord]
}

// at is what the longest expression at token i means, and where it ends; end is i where there is none.
func (l *list[T]) at(p *parser, i int) (value T, end int) {
	end = i
	lines := l.starting(p, i)
	if len(lines) == 0 {
		return value, i
	}
	m := p.match()
	for n := range lines {
		m.reset(i)
		if m.fits(lines[n].elements) && m.to > end {
			value, end = lines[n].value, m.to
		}
	}
	p.level--
	return value, end
}

// read is what the rule with the longest expression at token i makes of it; the first of several counts.
func read[T interface{ empty() bool }](p *parser, rules *list[rule[T]], i int) (best T, end int) {
	end = i
	lines := rules.starting(p, i)
	if len(lines) == 0 {
		return best, i
	}
	m := p.match()
	for n := range lines {
		m.reset(i)
		r := &lines[n].value
		if !m.fits(lines[n].elements) || m.to <= end {
			continue
		}
		m.arg, m.n = r.arg, r.n
		if got := r.read(m); !got.empty() && m.to > end {
			best, end = got, m.to
		}
	}
	p.level--
	return best, end
}

// match is one that no other reading uses.
func (p *parser) match() *match {
	if p.level == len(p.matches) {
		p.matches = append(p.matches, &match{parser: p})
	}
	p.level++
	return p.matches[p.level-1]
}

// reset forgets what was read.
func (m *match) reset(i int) {
	m.from, m.to, m.counts, m.days, m.clocks, m.stretch = i, i, m.counts[:0], m.days[:0], m.clocks[:0], ""
	m.origins, m.written = m.origins[:0], calendarDay{}
}

// fits reports whether the elements stand where the match is, and moves it after them.
func (m *match) fits(elements []element) bool {
	for n := range elements {
		e := &elements[n]
		end := e.end(m, m.to)
		switch {
		case e.mode == missing:
			if end >= 0 {
				return false
			}
		case end >= 0 && e.mode != following:
			m.to = end
		case end < 0 && e.mode != optional:
			return false
		}
	}
	return true
}

// end is the index after the element at token i, -1 if it does not stand there.
func (e *element) end(m *match, i int) int {
	at := i - e.back
	var end int
	switch {
	case e.test != nil:
		if e.test(m.parser, at) {
			return i
		}
		return -1
	case e.slot != nil:
		end = e.slot(m, at)
	case e.list != nil:
		_, end = e.list.at(m.parser, at)
	default:
		if e.hyphen && m.is(at, "-") && !slices.Contains(e.words, "-") {
			at++
		}
		end = m.skip(at, e.words...)
	}
	switch {
	case end <= at:
		return -1
	case e.back > 0:
		return i
	}
	return end
}

// past is the index after the longest expression of a list of the grammar at token i, i where there is none.
func (p *parser) past(name string, i int) int {
	_, end := p.means(name, i)
	return end
}

// means is what that expression means.
func (p *parser) means(name string, i int) (meaning string, end int) {
	if !p.mayBegin(bitOf(name), i) {
		return "", i
	}
	return p.lists[name].at(p, i)
}

// has reports whether an expression of the list stands at token i.
func (p *parser) has(name string, i int) bool { return p.past(name, i) > i }
