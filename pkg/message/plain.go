package message

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

// How long the words of others may get in a message, in runes.
const (
	titleLimit = 100
	nameLimit  = 40
	placeLimit = 80
)

// oneLine is text that others chose as it is shown in messages: a caption, in NFC, cut after limit runes.
func oneLine(s string, limit int) string { return cut(norm.NFC.String(meet.Caption(s)), limit) }

// cut is the first limit runes of s, with an ellipsis where something was left out.
func cut(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:limit-1]), " ") + "…"
}

// markdown are the characters that mean something to Markdown anywhere. A parenthesis does so only behind a bracket,
// and every bracket is escaped, so that parentheses stay readable.
const markdown = "\\`*_[]<>|~"

// sometimesMarkdown are those that mean something in some places only.
const sometimesMarkdown = ":/@&.)-+=#"

// escape is one line of plain text as Markdown that shows just that text: it makes no link (not even of a bare
// address), no emphasis, no list and no HTML.
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
	case r == ':' || r == '/' || r == '@' || r == '&':
		return next != 0 && next != ' '
	case r == '.' || r == ')':
		return unicode.IsLetter(next) || unicode.IsDigit(next) || leadingDigits(runes[:i])
	case r == '-' || r == '+' || r == '=' || r == '#':
		return i == 0
	}
	return false
}

// leadingDigits reports whether runes are digits only, so that a dot behind them would number a list.
func leadingDigits(runes []rune) bool {
	for _, r := range runes {
		if !unicode.IsDigit(r) {
			return false
		}
	}
	return len(runes) > 0
}

// plain is the text that Markdown made of labels shows: no emphasis, links as their text.
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
