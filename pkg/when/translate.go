package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// translate writes the tokens of a text in the words of the grammar. A word that the language does not know says
// nothing about time.
func (t *tongue) translate(raw []token) (out []token, steps int) {
	switch {
	case t.particles != "":
		raw = t.split(raw)
	case t == english:
		raw = unglued(raw)
	}
	for i := range raw {
		if raw[i].kind == word {
			mended := t.mended(raw[i].text)
			raw[i].slip = raw[i].slip || !strings.HasPrefix(raw[i].text, mended) && len(t.turns[raw[i].text]) == 0
			raw[i].text = mended
		}
	}
	s := &said{tongue: t, tokens: raw, known: make([]beginning, len(raw))}
	out = make([]token, 0, len(raw)+8)
	for i := 0; i < len(raw) && len(out) < 2*maxTokens; {
		u, end, slots := s.turnAt(i)
		switch {
		case end > i:
			n := len(out)
			out = s.write(out, u, slots, i, end)
			if n < len(out) {
				out[n].glued = raw[i].glued
			}
			i = end
		case raw[i].kind == word && t != english && (t.script == nil || !ascii(raw[i].text)):
			raw[i].text = ""
			fallthrough
		default:
			out = append(out, raw[i])
			i++
		}
	}
	return out, s.steps
}

// said is a text in the words of its language.
type said struct {
	*tongue
	tokens []token
	// known is what has been read at each token, so that none is read twice however turns lean on one another.
	known []beginning
	// steps counts the words of turns that were held against a token.
	steps int
}

// beginning is the number and the noun of time that begin at a token: one more than the index after each, 0 while that
// is unread, and the grammar's words for the noun and the place.
type beginning struct {
	number, noun, place int
	word, zone          string
}

// mended is a word as turns of phrase have it: with its slip put right and without the "'s" of a day that owns what
// happens on it.
func (t *tongue) mended(w string) string {
	if t.script != nil && ascii(w) {
		return english.lone(w)
	}
	if len(t.turns[w]) > 0 || t.vocabulary[w] {
		return w
	}
	bare := strings.TrimSuffix(w, "'s")
	if len(t.turns[bare]) > 0 {
		return bare
	}
	corrected := t.spelling.Correct(bare)
	if bare != w && !theGrammar.words["possessives"][corrected] {
		return w
	}
	return corrected
}

// lone is a word that stands in a text of another language.
func (t *tongue) lone(w string) string {
	w = t.mended(w)
	if list := t.turns[w]; len(list) > 0 && len(list[0].words) == 1 {
		return list[0].out[0]
	}
	return w
}

// filled is what a turn's slots stand for, as stretches of the raw tokens.
type filled struct{ n, m, t, month, place, someone [2]int }

// maxTurns bounds the words of a turn, whose slots may be several tokens long.
const maxTurns = 12

// turnAt is the longest turn of phrase at token i, and the index after what it takes; a number is one too.
func (s *said) turnAt(i int) (best turn, end int, slots filled) {
	reach := i
	end = i
	try := func(list []turn) {
		for _, u := range list {
			m, taken, seen := s.fits(u, i)
			if seen > reach || seen == reach && taken > end {
				best, end, reach, slots = u, taken, seen, m
			}
		}
	}
	if s.tokens[i].kind != number {
		list := s.turns[s.tokens[i].text]
		if len(list) == 0 {
			return best, i, slots
		}
		try(list)
		if len(s.turns["<t>"]) > 0 && s.noun(i) > i {
			try(s.turns["<t>"])
		}
	}
	if len(s.turns["<n>"]) > 0 {
		if k := s.number(i); k > i {
			if k > reach {
				best, end, reach, slots = justNumber, k, k, filled{n: [2]int{i, k}}
			}
			try(s.turns["<n>"])
		}
	}
	return best, end, slots
}

// justNumber is a number as it stands.
var justNumber = turn{words: []string{"<n>"}, taken: 1, out: []string{"<n>"}}

// fits matches a turn at token i. taken is the index after what it takes, seen the one after all that must be there;
// both are i where it does not fit.
func (s *said) fits(u turn, i int) (m filled, taken, seen int) {
	j := i
	for n, w := range u.words {
		if n > 0 && j < len(s.tokens) && s.tokens[j].kind == mark &&
			(s.tokens[j].text == "-" || s.tokens[j].text == "\u05be") && w != "-" {
			j++
		}
		k := s.fill(&m, w, j)
		if k == j || k-i > maxTurns {
			return m, i, i
		}
		j = k
		if n+1 == u.taken {
			taken = j
		}
	}
	return m, taken, j
}

// fill is the index after one word of a turn at token j, or after what stands in its slot there; j where it does not
// fit.
func (s *said) fill(m *filled, w string, j int) int {
	s.steps++
	k := j
	switch w {
	case "<n>":
		k = s.number(j)
		m.n = [2]int{j, k}
	case "<m>":
		k = s.number(j)
		m.m = [2]int{j, k}
	case "<t>":
		k = s.noun(j)
		m.t = [2]int{j, k}
	case "<month>":
		if k = s.noun(j); k > j && months[s.known[j].word] == 0 {
			return j
		}
		m.month = [2]int{j, k}
	case "<z>":
		k = s.place(j)
		m.place = [2]int{j, k}
	case "<w>":
		if t := at(s.tokens, j); t.kind == word {
			k = j + 1
		}
		m.someone = [2]int{j, k}
	default:
		if t := at(s.tokens, j); t.kind != number && t.text == w {
			return j + 1
		}
	}
	return k
}

// number is the index after a number at token i: figures with their minutes, or words.
func (s *said) number(i int) int {
	if i >= len(s.tokens) {
		return i
	}
	if s.known[i].number == 0 {
		s.known[i].number = s.readNumber(i) + 1
	}
	return s.known[i].number - 1
}

func (s *said) readNumber(i int) int {
	if s.tokens[i].kind == number {
		if i+2 < len(s.tokens) && s.tokens[i+1].glued && s.tokens[i+2].glued && s.tokens[i+2].kind == number &&
			s.tokens[i+2].digits == 2 &&
			(s.tokens[i+1].text == ":" || s.tokens[i+1].text == ".") {
			return i + 3
		}
		return i + 1
	}
	value, end := s.cardinal(i)
	if end == i || value < 20 || value%10 != 0 {
		return end
	}
	// "Thirty and five" is one number.
	for _, u := range s.turns[at(s.tokens, end).text] {
		if len(u.words) == 1 && len(u.out) == 1 && u.out[0] == "and" {
			if unit, e := s.cardinal(end + 1); e > end+1 && unit > 0 && unit < 10 {
				return e
			}
		}
	}
	return end
}

// cardinal is the longest turn at token i that is a number word.
func (s *said) cardinal(i int) (value, end int) {
	end = i
	if i >= len(s.tokens) {
		return 0, i
	}
	for _, u := range s.turns[s.tokens[i].text] {
		n, ok := u.cardinal()
		if !ok {
			continue
		}
		if _, e, _ := s.fits(u, i); e > end {
			value, end = n, e
		}
	}
	return value, end
}

// cardinal is the number that a turn is the word for.
func (u turn) cardinal() (value int, ok bool) {
	for _, w := range u.out {
		n, known := cardinals[w]
		if !known || u.taken != len(u.words) {
			return 0, false
		}
		value += n
	}
	return value, true
}

// timeNouns are the grammar's words for stretches of time, which "next", "this" and "last" go with.
var timeNouns = timeNounWords()

func timeNounWords() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields("day week weekend month year morning afternoon evening night days weeks months " +
		"hours minutes spring summer autumn winter quarter years") {
		set[w] = true
	}
	for w := range weekdays {
		set[w] = true
	}
	for w := range months {
		set[w] = true
	}
	return set
}

// noun is the index after a noun of time at token i.
func (s *said) noun(i int) int {
	if i >= len(s.tokens) {
		return i
	}
	if s.known[i].noun == 0 {
		word, end := s.readNoun(i)
		s.known[i].noun, s.known[i].word = end+1, word
	}
	return s.known[i].noun - 1
}

func (s *said) readNoun(i int) (word string, end int) {
	end = i
	for _, u := range s.turns[s.tokens[i].text] {
		if len(u.out) != 1 || !timeNouns[u.out[0]] || u.words[0] == "<t>" {
			continue
		}
		if _, e, seen := s.fits(u, i); seen > i && e > end {
			word, end = u.out[0], e
		}
	}
	return word, end
}

// write adds a turn in the grammar's words. Each stands for all of what was said, because the order may differ.
func (s *said) write(out []token, u turn, slots filled, i, j int) []token {
	start, end := s.tokens[i].start, s.tokens[j-1].end
	written := len(out)
	for _, w := range u.out {
		switch w {
		case "<n>":
			out = s.writeNumber(out, slots.n)
		case "<m>":
			out = s.writeNumber(out, slots.m)
		case "<t>":
			out = append(out, token{kind: word, text: s.known[slots.t[0]].word})
		case "<month>":
			out = append(out, token{kind: word, text: s.known[slots.month[0]].word})
		case "<z>":
			out = append(out, token{kind: word, text: s.known[slots.place[0]].zone})
		case "<w>":
			out = append(out, token{kind: word, text: someone})
		case "_":
		default:
			out = append(out, token{kind: kindOf(w), text: w, glued: w == "th" || w == "/" || w == "-"})
		}
	}
	slip := false
	for _, w := range s.tokens[i:j] {
		slip = slip || w.slip
	}
	for n := written; n < len(out); n++ {
		out[n].slip = slip
	}
	if len(u.words) > 1 || len(u.out) != 1 || u.words[0] != "<n>" {
		for n := written; n < len(out); n++ {
			out[n].start, out[n].end = start, end
			out[n].glued = out[n].glued && n > written
		}
	}
	return out
}

func kindOf(w string) tokenKind {
	if r, size := utf8.DecodeRuneInString(w); unicode.IsLetter(r) || size < len(w) {
		return word
	}
	return mark
}

// writeNumber adds the number that stands in a slot.
func (s *said) writeNumber(out []token, slot [2]int) []token {
	for i := slot[0]; i < slot[1]; {
		if s.tokens[i].kind != word {
			out = append(out, s.tokens[i])
			i++
			continue
		}
		n, end := s.cardinal(i)
		for _, u := range s.turns[s.tokens[i].text] {
			if value, ok := u.cardinal(); ok && value == n && end > i {
				for _, w := range u.out {
					out = append(out, token{kind: word, text: w, start: s.tokens[i].start, end: s.tokens[end-1].end})
				}
				break
			}
		}
		// The "and" between tens and units is left out.
		i = max(end, i+1)
	}
	return out
}

// at is token i, or an empty mark after the last.
func at(tokens []token, i int) token {
	if i < 0 || i >= len(tokens) {
		return token{kind: mark}
	}
	return tokens[i]
}

// split takes the particles off the words that they are written with: "and-on-Monday" becomes three tokens.
func (t *tongue) split(raw []token) []token {
	out := make([]token, 0, len(raw)*3/2)
	for i, w := range raw {
		if w.kind == mark && (w.text == "-" || w.text == "\u05be") && w.glued && len(out) > 0 &&
			t.particle(out[len(out)-1].text) && at(raw, i+1).glued {
			continue
		}
		if w.kind != word || ascii(w.text) || t.vocabulary[w.text] && len(w.text) > 2 {
			out = append(out, w)
			continue
		}
		if corrected := t.spelling.Correct(w.text); corrected != w.text {
			w.text, w.slip = corrected, true
			out = append(out, w)
			continue
		}
		n := t.particlesOf(w.text, i+1 < len(raw) && raw[i+1].glued)
		start := w.start
		for range n {
			_, size := utf8.DecodeRuneInString(w.text)
			p := w
			p.text, p.start, p.end = w.text[:size], start, start+size
			out = append(out, p)
			start += size
			w.text = w.text[size:]
			w.start, w.capital = start, false
		}
		if w.text != "" {
			out = append(out, w)
		}
	}
	return out
}

// particle reports whether a word is nothing but one particle.
func (t *tongue) particle(w string) bool {
	r, size := utf8.DecodeRuneInString(w)
	return size == len(w) && size > 0 && strings.ContainsRune(t.particles, r)
}

// maxParticles is how many particles one word can have.
const maxParticles = 3

// particlesOf is how many letters at the head of a word are particles, because what is left is a known word, or nothing
// where a number is glued to it.
func (t *tongue) particlesOf(w string, glued bool) int {
	rest := w
	for n := 1; n <= maxParticles; n++ {
		r, size := utf8.DecodeRuneInString(rest)
		if !strings.ContainsRune(t.particles, r) {
			return 0
		}
		rest = rest[size:]
		if rest == "" {
			if glued || n == 1 {
				return n
			}
			return 0
		}
		if t.vocabulary[rest] && len(rest) > 2 || t.vocabulary[t.spelling.Correct(rest)] && len(rest) >= 10 {
			return n
		}
	}
	return 0
}
