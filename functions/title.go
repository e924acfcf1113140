package functions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// smallWords stay lower-case inside a title.
var smallWords = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "at": true, "by": true, "de": true, "for": true, "from": true,
	"in": true, "of": true, "on": true, "or": true, "the": true, "to": true, "with": true, "y": true, "e": true,
	"con": true,
}

// sentenceCase are words of Spanish titles, in which only the first word and names are capitalized.
var sentenceCase = map[string]bool{
	"con": true, "del": true, "el": true, "los": true, "las": true, "para": true, "por": true, "una": true, "día": true,
}

// titleCase capitalizes the words of a title: "coffee with al" becomes "Coffee with Al". Words with capitals ("Q4",
// "iOS") do not change.
func titleCase(s string) string {
	words := strings.Fields(s)
	foreign := slices.ContainsFunc(words, func(w string) bool { return sentenceCase[w] })
	for i, w := range words {
		if foreign && i > 0 {
			break
		}
		if w != strings.ToLower(w) || (i > 0 && i < len(words)-1 && smallWords[w]) {
			continue
		}
		first, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToTitle(first)) + w[size:]
	}
	return strings.Join(words, " ")
}
