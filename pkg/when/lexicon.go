package when

import (
	"unicode/utf8"
)

// Lexicon recognizes words written with a slip: a letter too many, too few, wrong, or two of them swapped.
type Lexicon struct {
	// known holds the words themselves and those that must be left alone; byInitial only the words.
	known     map[string]bool
	byInitial map[byte][]entry
}

// entry is a word as it is spelled, and with a byte for each letter.
type entry struct{ word, bytes string }

// NewLexicon is the lexicon of words. The words in kept look like some of them and mean something else; they are left
// as they are. All are in lower case.
func NewLexicon(words, kept []string) Lexicon {
	l := Lexicon{known: map[string]bool{}, byInitial: map[byte][]entry{}}
	for _, w := range words {
		l.known[w] = true
		if bytes, ok := lettersOf(w); ok && bytes != "" {
			l.byInitial[bytes[0]] = append(l.byInitial[bytes[0]], entry{w, bytes})
		}
	}
	for _, w := range kept {
		l.known[w] = true
	}
	return l
}

// Correct is the word of the lexicon that w, in lower case, was meant to be, or w itself where there is none. The first
// letter must be right; words of eight letters may have two slips, provided that the last letter is right too.
func (l Lexicon) Correct(w string) string {
	if len(w) < 5 || len(w) > maxWord || l.known[w] {
		return w
	}
	bytes, ok := lettersOf(w)
	if !ok || len(bytes) < 5 || len(bytes) > 16 {
		return w
	}
	for _, known := range l.byInitial[bytes[0]] {
		allowed := 1
		if len(known.bytes) >= 8 && len(bytes) >= 6 && bytes[len(bytes)-1] == known.bytes[len(known.bytes)-1] {
			allowed = 2
		}
		if within(bytes, known.bytes, allowed) {
			return known.word
		}
	}
	return w
}

// lettersOf is a word with a byte for each letter, where its letters are those of ASCII or Hebrew ones.
func lettersOf(w string) (letters string, ok bool) {
	if ascii(w) {
		return w, true
	}
	var buffer [maxWord]byte
	n := 0
	for _, r := range w {
		if r < '\u05d0' || r > '\u05ea' || n == len(buffer) {
			return "", false
		}
		buffer[n] = byte(r - '\u05d0' + utf8.RuneSelf)
		n++
	}
	return string(buffer[:n]), true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// within reports whether at most n slips lead from a to b. It follows only the places where they differ, so that it
// costs little for words that have nothing in common.
func within(a, b string, n int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == "" || b == "" {
		return len(a)+len(b) <= n
	}
	if n == 0 || max(len(a)-len(b), len(b)-len(a)) > n {
		return false
	}
	swapped := len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] && within(a[2:], b[2:], n-1)
	return swapped || within(a[1:], b[1:], n-1) || within(a[1:], b, n-1) || within(a, b[1:], n-1)
}
