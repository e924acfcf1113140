package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	word tokenKind = iota
	number
	mark
)

// token is a word in lower case with its spelling mended, a number of at most six digits or the eight of a date, or one
// other character.
type token struct {
	kind       tokenKind
	text       string
	start, end int
	// value and digits are of numbers: "07" is 7 of two digits.
	value, digits int
	// glued says that nothing stands between this token and the one before.
	glued bool
	// capital says that the word is written with a capital first letter.
	capital bool
	// slip says that the spelling was put right.
	slip bool
	// begins are the bits of the lists of the grammar that the word begins.
	begins uint64
}

// maxTokens is how many words and marks of a text are read. What stands after them says nothing: no message that a
// person writes is so long.
const maxTokens = 1 << 13

func tokenize(text string) []token {
	tokens := make([]token, 0, min(len(text)/5+1, maxTokens))
	for i := 0; i < len(text) && len(tokens) < maxTokens; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) || ignorable(r) {
			i += size
			continue
		}
		t := next(text, i, r, size)
		t.glued = len(tokens) > 0 && tokens[len(tokens)-1].end == t.start
		tokens = append(tokens, t)
		i = t.end
	}
	return tokens
}

// ignorable characters change how others look and say nothing: variation selectors, keycaps, joiners, marks of
// direction.
func ignorable(r rune) bool {
	return r == '\uFE0F' || r == '\u20E3' || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
}

func next(text string, i int, r rune, size int) token {
	switch {
	case r >= '0' && r <= '9':
		return numeral(text, i)
	case unicode.Is(unicode.Hebrew, r) && unicode.IsLetter(r):
		return abbreviated(wordAt(text, i, i+run(text[i:], hebrewLetter)), text)
	case unicode.IsLetter(r):
		return alphanumeric(text, i, i+run(text[i:], letter))
	default:
		return token{kind: mark, text: text[i : i+size], start: i, end: i + size}
	}
}

// numeral reads digits, or a word that begins with one ("2moro"). More than six digits are a date, or no number of
// time.
func numeral(text string, i int) token {
	n := run(text[i:], digit)
	if all := n + run(text[i+n:], letter); all > n {
		if w := strings.ToLower(text[i : i+min(all, maxWord)]); len(english.turns[w]) > 0 {
			return token{kind: word, text: w, start: i, end: i + all}
		}
	}
	t := token{kind: number, text: text[i : i+n], start: i, end: i + n, digits: n}
	if n > 6 && (n != 8 || t.text[:2] != "20") {
		t.kind = mark
		return t
	}
	for _, c := range t.text {
		t.value = t.value*10 + int(c-'0')
	}
	return t
}

// alphanumeric is the word in text[i:end], with the digits after it where people write it so ("b4").
func alphanumeric(text string, i, end int) token {
	if n := run(text[end:], digit); n > 0 && n < 3 {
		if w := strings.ToLower(text[i : i+min(end-i+n, maxWord)]); len(english.turns[w]) > 0 {
			return token{kind: word, text: w, start: i, end: end + n}
		}
	}
	return wordAt(text, i, end)
}

// maxWord is the longest run of letters, in bytes, that can be a word of time.
const maxWord = 32

func wordAt(text string, start, end int) token {
	t := token{kind: word, start: start, end: end}
	first, _ := utf8.DecodeRuneInString(text[start:])
	t.capital = unicode.IsUpper(first)
	if end-start > maxWord {
		return t
	}
	t.text = folded(text[start:end])
	return t
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// letter accepts apostrophes too, which stand within words: "o'clock", "don't".
func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || r == '\'' || r == '\u2019'
}

// hebrewLetter accepts the marks too that stand within abbreviations.
func hebrewLetter(r rune) bool { return letter(r) || r == '"' || r == '\u05f3' || r == '\u05f4' }

// abbreviated is a Hebrew word without the quotation mark before the last letter of an abbreviation. One that ends the
// word is no part of it.
func abbreviated(t token, text string) token {
	for last, size := utf8.DecodeLastRuneInString(text[t.start:t.end]); last == '"' ||
		last == '\u05f4'; last, size = utf8.DecodeLastRuneInString(text[t.start:t.end]) {
		t.end -= size
	}
	t.text = strings.ReplaceAll(folded(text[t.start:t.end]), "\"", "")
	return t
}

// run is how many bytes at the start of s are characters of the class.
func run(s string, class func(rune) bool) int {
	for i, r := range s {
		if !class(r) || r == utf8.RuneError {
			return i
		}
	}
	return len(s)
}
