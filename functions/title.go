package functions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// smallWords stay lower-case inside a title.
var smallWords = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "at": true, "by": true, "de": true, "for": true, "from": true,
	"in": true, "of": true, "on": true, "or": true, "the": true, "to": true, "with": true, "y": true, "e": true, "con": true,
}

// titleCase capitalizes the words of a title: "coffee with al" becomes "Coffee with Al". Words that carry capitals or
// digits already ("Q4", "iOS") stay as they are.
func titleCase(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if w != strings.ToLower(w) || (i > 0 && i < len(words)-1 && smallWords[w]) {
			continue
		}
		first, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToTitle(first)) + w[size:]
	}
	return strings.Join(words, " ")
}
