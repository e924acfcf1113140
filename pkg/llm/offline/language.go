package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// english is the language that everything falls back to.
const english = "en"

// Language is the tag of the language of a message in a conversation: that of the message itself, or, where it says
// nothing that belongs to any language, as a name or an hour does, that of what the user wrote before.
func Language(text string, before []Exchange) string {
	language := languageOf(text)
	if language != english {
		return language
	}
	spoken := languageBefore(before)
	if tongues()[spoken].tells(text) || !speaksEnglish(text) {
		return spoken
	}
	return english
}

// languageBefore is the language in which a conversation has been held: that of the last message that has one.
func languageBefore(before []Exchange) string {
	for _, turn := range slices.Backward(before) {
		text := readable(turn.User)
		if language := languageOf(text); language != english || speaksEnglish(text) {
			return language
		}
	}
	return english
}

// tells reports whether a text has a word by which the language is told from English.
func (t tongue) tells(text string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if r, _ := utf8.DecodeRuneInString(w); t.telling[w] || t.Particles != "" && unicode.Is(unicode.Hebrew, r) {
			return true
		}
	}
	return false
}

// knows reports whether a text has a word of the language beside names, which are in any.
func (t tongue) knows(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool {
		_, _, n := t.at([]string{w})
		return n > 0
	})
}

// greets reports whether a text is one of the language's courtesies and nothing else.
func (t tongue) greets(text string) bool {
	text = strings.Trim(strings.ToLower(text), " .,!¡?¿")
	for _, words := range t.Courtesies {
		if slices.Contains(words, text) {
			return text != "no"
		}
	}
	return false
}

// speaksEnglish reports whether a text has a word that the rules know as English.
func speaksEnglish(text string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’'
	}) {
		if stopWords[w] || leads[w] || (word{lower: w}).known() || neverNames[w] || strings.HasSuffix(w, "'s") ||
			englishTongue().greets(w) {
			return true
		}
	}
	return false
}

// languageOf is the language of a message as a tag: by its script, or by words that only one language has.
func languageOf(text string) string {
	hebrew, latin := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Hebrew, r):
			hebrew++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	if hebrew > 0 && hebrew*2 > latin &&
		(latin == 0 || !speaksEnglish(text) || tongues()["he"].knows(text) || beginsInHebrew(text)) {
		return "he"
	}
	if speaksSpanish(text) {
		return "es"
	}
	return english
}

// beginsInHebrew reports whether the first word of a text is Hebrew: the words in other letters are names then.
func beginsInHebrew(text string) bool {
	i := strings.IndexFunc(text, unicode.IsLetter)
	return i >= 0 && unicode.Is(unicode.Hebrew, firstRune(text[i:]))
}

// isSpanishVerb reports whether a word with an accent is a form of a verb of operations.txt: "mové".
func isSpanishVerb(word string) bool {
	return strings.ContainsAny(word, "áéí") && operationBooks()["es"].verbs.Named(word) != word
}

// speaksSpanish reports whether enough of a text is words that Spanish has and English has not. A long word, or one
// with an accent, is hardly there by chance.
func speaksSpanish(text string) bool {
	if tongues()["es"].greets(text) {
		return true
	}
	named := slices.ContainsFunc(strings.Fields(text)[min(1, len(strings.Fields(text))):], capitalised)
	if mostly, sure := mostlyOf(text, "Latin"); sure && mostly.tag == "es" && !named {
		return true
	}
	found, sure, accented, all := spanishWords(text)
	often := found*4 >= all && (found > 1 || found == 1 && all > 1 && !speaksEnglish(text))
	return strings.ContainsAny(text, "¿¡") || found > 0 && (strings.Contains(text, "ñ") || accented > 0) || often ||
		sure > 0 && found*2 >= all
}

// spanishWords counts the words of a text: those that tell that it is Spanish, those of them that are hardly there by
// chance, those with an accent, and all.
func spanishWords(text string) (found, sure, accented, all int) {
	telling := tongues()["es"].telling
	for said := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		w := strings.ToLower(said)
		all++
		if strings.ContainsAny(said, "áíóú") && !capitalised(said) {
			accented++
		}
		if telling[w] || isSpanishVerb(w) {
			found++
			if len(w) > 5 || strings.ContainsAny(w, "áíóúñ") {
				sure++
			}
		}
	}
	return found, sure, accented, all
}
