package clause

import (
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

// mostWays is in how many ways a clause is put into one frame.
const mostWays = 24

// parse puts a clause into a frame, in the ways in which every word finds a place. A frame that begins with a head needs
// one.
func (b *book) parse(frame, text string, head bool) (ways []filled) {
	budget := 4000
	var place func(rest string, so filled)
	place = func(rest string, so filled) {
		if budget--; budget < 0 || len(ways) >= mostWays {
			return
		}
		if rest == "" {
			if len(so) > 0 {
				ways = append(ways, append(filled{}, so...))
			}
			return
		}
		for _, p := range b.frames[frame] {
			if (p.name == "head") != (head && len(so) == 0) || p.open && so.has(p.name) {
				continue
			}
			n := len(p.form.FindString(rest))
			if n == 0 && !p.open || n == 0 && p.form.String() != anything {
				continue
			}
			g := got{name: p.name, text: strings.Trim(rest[:n], " ,.:;?!")}
			if !p.open {
				place(rest[n:], append(so[:len(so):len(so)], g))
				continue
			}
			for _, end := range wordEnds(rest[n:]) {
				if p.whole && n+end < len(rest) {
					continue
				}
				g.rest = trimmed(rest[n : n+end])
				place(strings.TrimLeft(rest[n+end:], " ,.:;?!"), append(so[:len(so):len(so)], g))
			}
		}
		if n := len(b.forms["filler"].FindString(rest)); n > 0 && len(so) > 0 {
			place(rest[n:], so)
		}
	}
	place(text, nil)
	return ways
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
