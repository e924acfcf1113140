package meet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Caption is what somebody calls something, a title, a venue or a person, as one line that may be shown and written
// into calendars: without line breaks, characters that are invisible or turn the direction of the text, and web
// addresses, of which mail programs and calendars would make links. At most MaxText characters remain. It may be empty.
func Caption(s string) string {
	if isCaption(s) {
		return s
	}
	var b strings.Builder
	var last rune
	for _, r := range strings.ToValidUTF8(s, "") {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			r = ' '
		case joins(last, r):
		case !unicode.IsGraphic(r):
			continue
		}
		b.WriteRune(r)
		last = r
	}
	text := b.String()
	for {
		clean, removed := replaceAddresses(text, func(a address) string { return a.instead })
		clean = shorten(strings.Join(strings.Fields(clean), " "))
		if removed == 0 && clean == text {
			return text // what was cut off may have hidden an address
		}
		text = clean
	}
}

// isCaption reports whether s is plainly a caption: short, of printable ASCII, without anything of an address, and with
// single spaces between its words. Most are.
func isCaption(s string) bool {
	last := byte(' ')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return len(s) <= MaxText && (last != ' ' || s == "") && cannotHoldAddress(s)
}

// joins reports whether r is one of the two invisible joiners, where a script that needs them stands before it.
func joins(last, r rune) bool { return (r == '\u200c' || r == '\u200d') && last > unicode.MaxLatin1 }

// shorten cuts a caption to MaxText characters, with an ellipsis in place of what is left out.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= MaxText {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:MaxText-1]), " ") + "…"
}

// turns reports whether r makes the text that follows be read in another direction, or is a letter that is never seen.
func turns(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r >= 0xe0000 && r <= 0xe007f
}
