package clause

import (
	"slices"
	"strings"
)

// got is a part of a frame as it stands in a clause. Rest are the open words after it.
type got struct {
	name, text, rest string
}

// filled is a clause in which each word has a place in a frame.
type filled []got

// all are the texts of the parts of a name, one after the other.
func (f filled) all(names ...string) string {
	var texts []string
	for _, g := range f {
		for _, n := range names {
			if g.name == n {
				texts = append(texts, g.text)
			}
		}
	}
	return strings.Join(texts, " ")
}

// open are the words after an open part; ok is false if there is none.
func (f filled) open(name string) (rest string, ok bool) {
	for _, g := range f {
		if g.name == name {
			return g.rest, true
		}
	}
	return "", false
}

func (f filled) has(name string) bool { return f.count(name) > 0 }

func (f filled) count(name string) (n int) {
	for _, g := range f {
		if g.name == name {
			n++
		}
	}
	return n
}

// anything is the form of an open part that no words begin.
const anything = "(?i)(?:)"

// The limits of a search: how many ways to fill one frame are found, and how many parts are tried.
const (
	mostWays  = 24
	mostTries = 4000
)

// parse puts a clause into a frame, in the ways in which every word finds a place; a frame that has to begin with its
// head, only so.
func (b *book) parse(frame, text string, head bool) []filled {
	p := parser{book: b, parts: b.frames[frame], head: head, left: mostTries}
	p.fill(text, nil)
	return p.ways
}

// parser is a search for the ways to fill a frame.
type parser struct {
	*book
	parts []part
	head  bool
	left  int
	ways  []filled
}

// fill finds places for the rest of a clause after those that are filled.
func (p *parser) fill(rest string, so filled) {
	if p.left--; p.left < 0 || len(p.ways) >= mostWays {
		return
	}
	if rest == "" {
		if len(so) > 0 {
			p.ways = append(p.ways, slices.Clone(so))
		}
		return
	}
	for _, one := range p.parts {
		if (one.name == "head") == (p.head && len(so) == 0) && (!one.open || !so.has(one.name)) {
			p.try(one, rest, so)
		}
	}
	if n := len(p.forms["filler"].FindString(rest)); n > 0 && len(so) > 0 {
		p.fill(rest[n:], so)
	}
}

// try fills one part, and then the others. Open words end with any word.
func (p *parser) try(one part, rest string, so filled) {
	n := len(one.form.FindString(rest))
	if n == 0 && one.form.String() != anything {
		return
	}
	g := got{name: one.name, text: strings.Trim(rest[:n], " ,.:;?!")}
	if !one.open {
		p.fill(rest[n:], append(slices.Clip(so), g))
		return
	}
	for _, end := range wordEnds(rest[n:]) {
		if one.whole && n+end < len(rest) {
			continue
		}
		g.rest = trimmed(rest[n : n+end])
		p.fill(strings.TrimLeft(rest[n+end:], " ,.:;?!"), append(slices.Clip(so), g))
	}
}

// wordEnds are where the words of a text end.
func wordEnds(text string) (ends []int) {
	for i, c := range text {
		if i > 0 && strings.ContainsRune(" ,.:;?!", c) && !strings.HasSuffix(text[:i], " ") {
			ends = append(ends, i)
		}
	}
	if text != "" {
		ends = append(ends, len(text))
	}
	return ends
}
