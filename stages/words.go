package stages

import (
	"strings"
	"unicode"

	"convene/pkg/message"
)

// words are those of a text, in lower case and without punctuation.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// plain is a model's sentence without anything that could be clicked or run.
func (r *run) plain(sentence string) string {
	text, links := message.StripLinks(sentence)
	for range links {
		r.receipt.removed("link")
	}
	return text
}
