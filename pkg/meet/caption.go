package meet

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Caption is what somebody calls something, a title, a venue or a person, as one line that may be shown and written into
// calendars: without line breaks, characters that are invisible or turn the direction of the text, and web addresses,
// of which mail programs and calendars would make links. At most MaxText characters remain. It may be empty.
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
	return shorten(strings.Join(strings.Fields(withoutAddresses(b.String())), " "))
}

// isCaption reports whether s is plainly a caption: short, of printable ASCII, without a colon, which any web address has,
// and with single spaces between its words. Most are.
func isCaption(s string) bool {
	last := byte(' ')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == ':' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return len(s) <= MaxText && (last != ' ' || s == "")
}

// joins reports whether r is one of the two invisible joiners, where a script that needs them stands before it.
func joins(last, r rune) bool { return (r == '\u200c' || r == '\u200d') && last > unicode.MaxLatin1 }

// addresses are what is taken for a link wherever text is searched for links: a scheme with slashes, also in look-alikes
// of them, and the schemes that need none. A bare "booking.com" is often just a name.
var addresses = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\p{L}[\p{L}\p{N}+.-]*[:：∶][/／∕⁄]{2}[^\s<>]*|\b(?:mailto|javascript|vbscript|tel|sms):[^\s<>]+|\bdata:[a-z]+/[^\s<>]*`)
})

func hasAddress(s string) bool {
	return strings.ContainsAny(s, ":：∶") && addresses().MatchString(s)
}

func withoutAddresses(s string) string {
	for hasAddress(s) { // what is left may be another one
		s = addresses().ReplaceAllString(s, " ")
	}
	return s
}

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
