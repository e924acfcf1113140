package message

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// How long the words of others may get in a message, in runes.
const (
	titleLimit = 100
	nameLimit  = 40
	placeLimit = 80
)

// oneLine is others' text as messages show it: a caption, in NFC, cut after limit runes.
func oneLine(s string, limit int) string {
	return meet.Shorten(norm.NFC.String(meet.Caption(s)), limit)
}

// markdown are the characters special to Markdown anywhere. A parenthesis is special only after a bracket, and every
// bracket is escaped, so that parentheses stay readable.
const markdown = "\\`*_[]<>|~"

// sometimesMarkdown are special in some places only.
const sometimesMarkdown = ":/@&.)-+=#"

// escape is a line of plain text as Markdown that shows just that text: no link (not even of a bare address), emphasis,
// list or HTML.
func escape(s string) string {
	if !strings.ContainsAny(s, markdown+sometimesMarkdown) {
		return s
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		if needsEscape(runes, i) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func needsEscape(runes []rune, i int) bool {
	r := runes[i]
	next := rune(0)
	if i+1 < len(runes) {
		next = runes[i+1]
	}
	switch {
	case strings.ContainsRune(markdown, r):
		return true
	case r == ':' && i > 0 && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(next):
		return false // a clock time
	case r == ':' || r == '/' || r == '@' || r == '&':
		return next != 0 && next != ' '
	case r == '.' || r == ')':
		return unicode.IsLetter(next) || unicode.IsDigit(next) || leadingDigits(runes[:i])
	case r == '-' || r == '+' || r == '=' || r == '#':
		return i == 0
	}
	return false
}

// leadingDigits reports whether all runes are digits, so that a dot after them would number a list.
func leadingDigits(runes []rune) bool {
	return len(runes) > 0 && !slices.ContainsFunc(runes, func(r rune) bool { return !unicode.IsDigit(r) })
}

// plain is the visible text of a label's Markdown, without emphasis and link targets.
func plain(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == '*', c == '_', c == '[':
		case c == ']' && strings.HasPrefix(s[i:], "]("):
			end := strings.IndexByte(s[i:], ')')
			if end < 0 {
				return b.String()
			}
			i += end
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
