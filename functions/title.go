package functions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// belonging begins what people are called who are not named: "my sister", "the team".
var belonging = []string{"my", "our", "the", "a", "an", "mi", "mis", "nuestro", "nuestra", "el", "la", "los", "las"}

// titleCase gives a title capitals where its writer left them out: in its first letter and in the names of the
// participants. "coffee with al" becomes "Coffee with Al"; all else stays as the user writes it.
func titleCase(title string, participants []string) string {
	words := strings.Fields(title)
	var names []string
	for _, p := range participants {
		if of := strings.Fields(strings.ToLower(p)); len(of) > 0 && !slices.Contains(belonging, of[0]) {
			names = append(names, of...)
		}
	}
	for i, w := range words {
		name := slices.Contains(names, strings.TrimRight(w, ","))
		if w == strings.ToLower(w) && (i == 0 || name) {
			first, size := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToTitle(first)) + w[size:]
		}
	}
	return strings.Join(words, " ")
}
