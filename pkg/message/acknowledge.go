package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// Acknowledgment cleans the sentence with which a model answers at once, as plain text (see StripLinks), and counts its
// problems. Nothing has been searched yet, so it must not state a day, time or number that the user did not say, nor
// that anything has been done, who answered or who is free. Such a sentence is left out; if nothing is left, clean is
// empty, and the caller says something else. A removed link counts as a problem and leaves its text; around an address
// that stands for itself nothing is left, because the rest would be the stump of a sentence.
//
// The user's words cover the same in another form: "3pm" covers "3:00 PM", "tues" Tuesday.
func Acknowledgment(text, said string) (clean string, problems int) {
	clean, problems = StripLinks(text)
	visible, _ := removeOnce(head(text))
	if _, addresses := meet.WithoutAddresses(visible); addresses > 0 {
		return "", problems
	}
	known := map[string]bool{}
	for _, t := range terms(said) {
		for _, form := range t.forms() {
			known[form] = true
		}
	}
	var kept []string
	for _, sentence := range sentencesOf(clean) {
		heard := sentenceHeard{grammars: grammarsOf(), early: true}
		heard.listen(sentence)
		wrong := statesUnsaid(sentence, known)
		if heard.claimsWhen(endOf(sentence)) {
			wrong++
		}
		if problems += wrong; wrong == 0 {
			kept = append(kept, strings.TrimSpace(sentence))
		}
	}
	return inOneDirection(strings.Join(kept, " ")), problems
}

// endOf is '?' for a question, otherwise 0.
func endOf(sentence string) rune {
	if strings.ContainsAny(sentence, "?？") {
		return '?'
	}
	return 0
}

// statesUnsaid counts the times and numbers of a sentence that the user did not say.
func statesUnsaid(sentence string, known map[string]bool) (wrong int) {
	stated := terms(sentence)
	for i, t := range stated {
		before, after := "", ""
		if i > 0 {
			before = stated[i-1].text
		}
		if i+1 < len(stated) {
			after = stated[i+1].text
		}
		if t.states() && !t.isCovered(known) && !t.isIdle(before, after) {
			wrong++
		}
	}
	return wrong
}

// term is a folded word or a group of digits, and its lower-case spelling. joint says that it follows a colon directly,
// as minutes do; letter that it is a Hebrew letter used as a number; capital that it begins with one.
type term struct {
	text, written          string
	joint, letter, capital bool
}

// terms are the words and numbers of a text.
func terms(text string) []term {
	var list []term
	colon := false
	for text != "" {
		c, size := utf8.DecodeRuneInString(text)
		n := 0
		switch {
		case unicode.IsNumber(c):
			n = run(text, unicode.IsNumber)
		case unicode.IsLetter(c):
			n = run(text, isWordRuneOnly)
			n = withApostrophes(text, n)
		case isClockFace(c):
			n = size
		}
		if n == 0 {
			colon = c == ':'
			text = text[size:]
			continue
		}
		t := term{
			text: fold(text[:n]), written: norm.NFC.String(strings.ToLower(text[:n])), joint: colon, capital: unicode.IsUpper(c),
		}
		text, colon = text[n:], false
		t.letter = isHebrewLetter(t.text) && strings.ContainsRune("'’׳", firstRune(text))
		list = append(list, t)
	}
	return list
}

func isWordRuneOnly(r rune) bool { return !notWord(r) }

// run is the length of the prefix of text in which every rune belongs.
func run(text string, belongs func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !belongs(r) }); end >= 0 {
		return end
	}
	return len(text)
}

// withApostrophes extends a word of n bytes by its parts after apostrophes, as in "let's".
func withApostrophes(text string, n int) int {
	for {
		c, size := utf8.DecodeRuneInString(text[n:])
		if !isApostrophe(c) {
			return n
		}
		more := run(text[n+size:], isWordRuneOnly)
		if more == 0 {
			return n
		}
		n += size + more
	}
}

// isClockFace reports whether r is an emoji of a clock that shows an hour.
func isClockFace(r rune) bool { return r >= '🕐' && r <= '🕧' }

// isHebrewLetter reports whether a word is one of the letters by which Hebrew counts the days of the week.
func isHebrewLetter(word string) bool {
	return utf8.RuneCountInString(word) == 1 && strings.Contains("אבגדהוש", word)
}

// forms are the possible readings of a term: itself, without an English "'s" or plural, without Hebrew prefixes.
func (t term) forms() []string {
	forms := []string{t.text}
	if written, ok := strings.CutSuffix(t.text, "s"); ok {
		forms = append(forms, strings.TrimSuffix(written, "'"))
	}
	rest := t.text
	for range 2 {
		c, size := utf8.DecodeRuneInString(rest)
		if !strings.ContainsRune(hebrewPrefixes, c) || len(rest) <= 2*size {
			break
		}
		rest = rest[size:]
		forms = append(forms, rest)
	}
	switch t.text {
	case "tmrw", "tmr", "tmw":
		forms = append(forms, "tomorrow")
	case "tonight", "tonite":
		forms = append(forms, "tonight", "evening")
	case "min", "mins":
		forms = append(forms, "minute")
	case "hr", "hrs":
		forms = append(forms, "hour")
	}
	return forms
}

// states reports whether a term means a day, time, number or zone. An ordinary word of a vocabulary does not, although
// another language may call a day so; "May" with a capital does.
func (t term) states() bool {
	c := firstRune(t.text)
	switch {
	case t.letter, unicode.IsNumber(c), isClockFace(c):
		return true
	case isUnspaced(c):
		return statesWithin(t.text)
	}
	for _, v := range vocabularies() {
		isName := t.capital && meanings().days[v.language][t.text]
		if !isName && v.words[t.written] {
			return false
		}
	}
	return slices.ContainsFunc(t.forms(), func(form string) bool {
		meaning := meaningOf(form)
		return meaning != "" && (meaning != KindWeekday || utf8.RuneCountInString(form) > 3 || isShortDay(form))
	})
}

// isShortDay reports whether a language with a vocabulary shortens a day or month to this word. Over all languages
// nearly every word of three letters is one.
func isShortDay(word string) bool {
	for language := range vocabularies() {
		if meanings().days[language][word] {
			return true
		}
	}
	return false
}

// isIdle reports whether a term belongs to a figure of speech: "one moment", "just a second", "help you today", "los
// dos".
func (t term) isIdle(before, after string) bool {
	instants := []string{"moment", "second", "sec", "minute"}
	return t.text == "one" && slices.Contains(instants, after) ||
		t.text == "dos" && before == "los" || t.text == "two" && before == "you" || t.text == "אחד" && before == "רגע" ||
		strings.TrimSuffix(t.text, "s") == "hora" && strings.HasPrefix(before, "otra") ||
		slices.Contains(instants, t.text) && (before == "a" || before == "one") ||
		t.text == "today" && before == "you"
}

// isCovered reports whether the user said what the term means.
func (t term) isCovered(known map[string]bool) bool {
	if t.joint && t.text == "00" {
		return true
	}
	for _, form := range t.forms() {
		if known[form] && (t.text == form || meaningOf(form) != "") {
			return true
		}
		if meaningOf(form) == KindWeekday && slices.ContainsFunc(abbreviations(form),
			func(a string) bool { return known[a] }) {
			return true
		}
	}
	return false
}

// abbreviations are the prefixes of a day's or month's name, from three letters up.
func abbreviations(name string) (short []string) {
	runes := []rune(name)
	for n := 3; n < len(runes); n++ {
		short = append(short, string(runes[:n]))
	}
	return short
}

// isUnspaced reports whether r belongs to a script without spaces between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}

// statesWithin reports whether a text without spaces contains a word of time.
func statesWithin(text string) bool {
	for word := range meanings().all {
		if isUnspaced(firstRune(word)) && strings.Contains(text, word) {
			return true
		}
	}
	return false
}
