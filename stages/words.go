package stages

import (
	"strings"
	"unicode"
)

// words are those of a text, in lower case and without punctuation.
func words(s string) []string {
	return strings.FieldsFunc(fold(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

func fold(s string) string { return strings.ToLower(strings.TrimSpace(s)) }
