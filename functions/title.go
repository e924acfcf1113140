package functions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// titleCase gives a title capitals where its writer left them out: in its first letter and in the names of the
// participants. "coffee with al" becomes "Coffee with Al"; all else stays as the user writes it.
func titleCase(title string, participants []string) string {
	words := strings.Fields(title)
	names := strings.Fields(strings.ToLower(strings.Join(participants, " ")))
	for i, w := range words {
		name := slices.Contains(names, strings.TrimRight(w, ","))
		if w == strings.ToLower(w) && (i == 0 || name) {
			first, size := utf8.DecodeRuneInString(w)
			words[i] = string(unicode.ToTitle(first)) + w[size:]
		}
	}
	return strings.Join(words, " ")
}
