package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// blame classifies emphasised text that is not a fact, by its first word.
func (r *Reader) blame(text string, whole bool) token {
	c, size := utf8.DecodeRuneInString(text)
	switch {
	case !utf8.FullRuneInString(text) && !whole:
		return waiting()
	case c == utf8.RuneError && size < 2:
		return refused(KindControl)
	case c == '[':
		return refused(KindLink)
	case unicode.IsNumber(c):
		return refused(KindTime)
	}
	word, wait := firstWord(text, whole)
	switch meaning := meaningOf(word); {
	case wait:
		return waiting()
	case meaning != "":
		return refused(meaning)
	case unicode.IsUpper(c):
		return refused(KindName)
	default:
		return refused(KindMarkup)
	}
}

// wordLimit is the longest word that a message may have, in runes.
const wordLimit = 64

// firstWord is the letters that text begins with, including apostrophes between them. An overlong word counts as
// finished.
func firstWord(text string, whole bool) (word string, wait bool) {
	end, runes := 0, 0
	for end < len(text) && runes <= wordLimit {
		c, size := utf8.DecodeRuneInString(text[end:])
		if c == utf8.RuneError && size < 2 {
			return text[:end], !whole && !utf8.FullRuneInString(text[end:])
		}
		if isApostrophe(c) && end > 0 {
			following, n := utf8.DecodeRuneInString(text[end+size:])
			if n < 2 && following == utf8.RuneError && !whole && !utf8.FullRuneInString(text[end+size:]) {
				return "", true
			}
			if !unicode.IsLetter(following) {
				return text[:end], false
			}
		} else if !unicode.IsLetter(c) && !unicode.IsMark(c) {
			return text[:end], false
		}
		end += size
		runes++
	}
	return text[:end], !whole && runes <= wordLimit
}

// word is a word between the facts. It must be an ordinary word of a language that contains all others too.
func (r *Reader) word(whole bool) token {
	if t, attached := r.prefix(whole); attached || t.wait {
		return t
	}
	word, wait := firstWord(r.pending, whole)
	if wait {
		return waiting()
	}
	if utf8.RuneCountInString(word) > wordLimit {
		return refused(KindWord)
	}
	if rest := r.pending[len(word):]; r.hebrew && isLonePrefix(word) &&
		!strings.ContainsRune("-־*_["+isolate, firstRune(rest)) {
		return refused(KindTime)
	}
	folded := strings.Map(foldMark, norm.NFC.String(word))
	if kind := r.ordinary(folded); kind != "" {
		return refused(kind)
	}
	r.sentenceStart, r.prefixed = false, false
	r.sentence.hear(heard{text: folded})
	return token{n: len(word), plain: word}
}

// hebrewPrefixes are the letters that Hebrew writes onto the next word: "and", "in", "to" and the like.
const hebrewPrefixes = "ובלמשה"

// prefix is one or two Hebrew prefixes before a fact.
func (r *Reader) prefix(whole bool) (t token, attached bool) {
	if !r.hebrew || isWordRune(r.last) {
		return token{}, false
	}
	for n := 2; n <= 4 && n <= len(r.pending); n += 2 {
		if letter, _ := utf8.DecodeRuneInString(r.pending[n-2:]); !strings.ContainsRune(hebrewPrefixes, letter) {
			return token{}, false
		}
		f, _, wait := r.index.match(r.pending[n:], whole)
		if wait || (r.pending[n:] == "" && !whole) {
			return waiting(), false
		}
		if f != nil && (isWordRune(firstRune(f.text)) || strings.HasPrefix(f.text, isolate)) &&
			f.roles[0].kind < allowedPhrase {
			r.prefixed = true
			r.sentence.hear(heard{text: r.pending[:n]})
			return token{n: n, plain: r.pending[:n], kind: r.spoken([]string{"he"})}, true
		}
	}
	return token{}, false
}

// isLonePrefix reports whether a word is a single Hebrew prefix. With a mark after it or alone, the letter would be a
// number, and so a weekday.
func isLonePrefix(word string) bool {
	return utf8.RuneCountInString(word) == 1 && strings.Contains(hebrewPrefixes, word)
}

// ordinary is why a word may not stand between facts; empty if it may.
func (r *Reader) ordinary(word string) (kind string) {
	var in []string
	known := false
	for _, language := range []string{r.language, english} {
		v := vocabularies()[language]
		if !v.knows(word, r.sentenceStart) && !r.rules.extra(language, word) && !mayClaim(language, word, r.sentenceStart) {
			continue
		}
		known = true
		in = append(in, language)
	}
	switch {
	case known:
		if kind := r.rules.word(word); kind != "" {
			return kind
		}
		return r.spoken(in)
	case meaningOf(word) != "":
		return meaningOf(word)
	case unicode.IsUpper(firstRune(word)):
		return KindName
	default:
		return KindWord
	}
}

// spoken narrows the message's languages to those given.
func (r *Reader) spoken(in []string) (kind string) {
	var left []string
	for _, language := range r.languages {
		if slices.Contains(in, language) {
			left = append(left, language)
		}
	}
	if len(left) == 0 {
		return KindLanguage
	}
	r.languages = left
	return ""
}
