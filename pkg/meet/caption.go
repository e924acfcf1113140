package meet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Caption is a title or the name of a venue or a person, as one line that is safe to show and to write into calendars:
// without line breaks, invisible or direction-changing characters, and web addresses, which mail programs and calendars
// would turn into links. It has at most MaxText characters and may be empty.
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
		clean = Shorten(strings.Join(strings.Fields(clean), " "), MaxText)
		if removed == 0 && clean == text {
			return text // what was cut off may have hidden an address
		}
		text = clean
	}
}

// isCaption reports whether s is plainly a caption, as most are: short printable ASCII with single spaces between words
// and no address.
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

// joins reports whether r is an invisible joiner after a script that needs it.
func joins(last, r rune) bool { return (r == '\u200c' || r == '\u200d') && last > unicode.MaxLatin1 }

// Shorten cuts s to at most most characters, the last of them an ellipsis.
func Shorten(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRight(string([]rune(s)[:most-1]), " ") + "…"
}

// turns reports whether r changes the direction of the text or is an invisible tag.
func turns(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' || r >= 0xe0000 && r <= 0xe007f
}
