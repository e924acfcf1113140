package message

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// quoteLimit is how much of a text is quoted, in characters.
const quoteLimit = 1000

// Quote is a text of several lines that others wrote, as a quotation in Markdown. All of its words are shown, also
// addresses, of which no program makes a link. Empty text is empty.
func Quote(s string) string { return quote(s, quoteLimit) }

// quote is Quote of a text with at most so many characters.
func quote(s string, limit int) string {
	var lines []string
	for line := range strings.Lines(meet.Shorten(visible(s), limit)) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, "> "+spelled(line, true))
		}
	}
	return strings.Join(lines, "\n")
}

// visible is a text without what has no looks, with its lines.
func visible(s string) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}
