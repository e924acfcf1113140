package ground

import (
	"regexp"
	"strings"
	"unicode"

	"convene/pkg/agenda"
)

// word is a word of a message.
type word struct {
	lower    string
	stems    []string
	from, to int
	// taken says that the call has it, or that it belongs to a name; timely, that it is said of time.
	taken, timely bool
	// nameless says that it is of a phrase that names nothing.
	nameless bool
}

var wordForm = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:['’.:״"\-][\p{L}\p{M}\p{N}]+)*`)

// split are the words of a text. In Hebrew what stands before a hyphen is a word: "ה-Dentist".
func split(text string) []word {
	words := lowered(text)
	for i, w := range words {
		words[i].stems = agenda.Stems(w.lower)
	}
	return words
}

// lowered is split without the words' stems.
func lowered(text string) (words []word) {
	for _, at := range wordForm.FindAllStringIndex(text, -1) {
		from := at[0]
		for i := from; i < at[1]; i++ {
			if text[i] == '-' {
				words, from = append(words, newWord(text, from, i)), i+1
			}
		}
		words = append(words, newWord(text, from, at[1]))
	}
	return words
}

func newWord(text string, from, to int) word {
	return word{lower: strings.ReplaceAll(strings.ToLower(text[from:to]), "’", "'"), from: from, to: to}
}

// initial is the first letter or digit of a text, in lower case.
func initial(text string) rune {
	for _, c := range text {
		if unicode.In(c, unicode.L, unicode.M, unicode.N) {
			return unicode.ToLower(c)
		}
	}
	return 0
}
