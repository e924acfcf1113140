package meet

import (
	"html"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
	"golang.org/x/text/unicode/norm"
)

// WithoutAddresses removes everything that a reader or a program takes for the address of a page, a file or a person,
// however it is disguised, and counts the addresses. None is left.
func WithoutAddresses(s string) (clean string, removed int) {
	return replaceAddresses(s, func(address) string { return " " })
}

// replaceAddresses replaces addresses until none is left. What with returns must be shorter than the address.
func replaceAddresses(s string, with func(address) string) (clean string, removed int) {
	for found := addressesIn(s); len(found) > 0; found = addressesIn(s) {
		removed += len(found)
		for _, a := range slices.Backward(found) {
			s = s[:a.from] + with(a) + s[a.to:]
		}
	}
	return s, removed
}

// hasAddress reports whether s holds an address that a caption would drop whole.
func hasAddress(s string) bool {
	return slices.ContainsFunc(addressesIn(s), func(a address) bool { return a.instead == " " })
}

// address is a range of bytes in a text. instead may stay in a caption: the first label of a bare site, because
// companies are called "Booking.com", and the part of an e-mail address before the @.
type address struct {
	from, to int
	instead  string
}

// addressesIn lists the addresses in order.
func addressesIn(s string) (found []address) {
	if cannotHoldAddress(s) {
		return nil
	}
	r := readingOf(s)
	for _, m := range addressPattern().FindAllStringSubmatchIndex(r.text, -1) {
		if a, ok := r.address(s, m); ok {
			found = append(found, a)
		}
	}
	return found
}

// cannotHoldAddress rules out most texts at a fraction of the cost of addressesIn.
func cannotHoldAddress(s string) bool {
	s = strings.TrimRight(s, ".!?")
	marked := func(r rune) bool {
		if r < utf8.RuneSelf {
			return r == '.' || r == ':' || r == '&'
		}
		return strings.ContainsRune(looksLikeDot+looksLikeColon+fillers, r) || unicode.In(r, unicode.Cf, unicode.Mn)
	}
	lower := strings.ToLower(s)
	spelled := strings.Contains(lower, "dot") || strings.Contains(lower, "punto") || strings.Contains(lower, "נקודה")
	return !spelled && !strings.ContainsFunc(s, marked) && norm.NFKC.IsNormalString(s)
}

// What an address is made of, as a reading writes it. A dot may be in brackets or between spaces, and it may be a word;
// as a word, or with a space on one side only, it is a dot where a name follows that is nothing but the end of an
// address.
const (
	dotWord  = `(?:dot|punto|נקודה)`
	someDot  = `(?:\.|\s*[\[({<"'*_~|` + "`" + `]+\s*(?:\.|` + dotWord + `)\s*[\])}>"'*_~|` + "`" + `]+\s*|\s+\.\s+|/\.)`
	looseDot = `(?:\s+` + dotWord + `\s+|\s+\.|\.\s+)`
	label    = `[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?`
	slashes  = `(?:[\p{L}\p{N}+.-]*\s*[\[({]?\s*:\s*[\])}]?\s*)?/\s*/\s*`
)

// addressPattern has a scheme with slashes, a scheme that needs none and an address of IPv6 as wholes; in groups it has
// what leads to a host, the host, what follows it, and a host with a loose dot.
var addressPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\p{L}\p{N}+.-]*:[\])}]*//[^\s<>]*|\b(?:mailto|javascript|vbscript|tel|sms|file|` +
		`blob):[^\s<>]+|\bdata:[a-z]+/[^\s<>]*|` +
		`\[[0-9a-f]*:[0-9a-f:.]*:[0-9a-f:.]*\]|` +
		`(` + slashes + `|[\p{L}\p{N}._%+-]+@)?(` + label + `(?:` + someDot + label + `)+)((?::\d+)?[/?#][^\s<>]*|:\d+)?|` +
		`(` + label + `)` + looseDot + `(?:com|org|edu|gov|example)(?:/[^\s<>]*|$|[^\p{L}\p{N}])`)
})

var dotPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(someDot) })

// address turns a match of the pattern into an address. A dot alone is not enough.
func (r reading) address(s string, m []int) (a address, ok bool) {
	a = address{from: r.at[m[0]], to: r.end(m[1]), instead: " "}
	hostFrom, hostTo := m[4], m[5]
	if m[8] >= 0 {
		a.instead = s[a.from:r.at[m[9]]] + " "
	}
	if hostFrom < 0 {
		return a, true
	}
	host := r.text[hostFrom:hostTo]
	dots := dotPattern().FindAllStringIndex(host, -1)
	labels := dotPattern().Split(host, -1)
	switch lead := r.text[max(m[2], 0):max(m[3], 0)]; {
	case strings.HasSuffix(lead, "@") && m[6] < 0:
		a.instead = s[a.from:r.at[m[3]-1]]
		return a, true
	case lead != "" && isWord(labels[len(labels)-1]), isIP(labels), labels[0] == "www":
		return a, true
	}
	for n := len(labels); n > 1; n-- {
		site := siteOf(labels[max(0, n-mostOfSite):n])
		if site == 0 {
			continue
		}
		whole := n == len(labels)
		if !whole {
			a.to = r.end(hostFrom + dots[n-1][0])
		}
		if site == n && (m[6] < 0 || !whole) {
			a.instead = s[r.at[hostFrom]:r.at[hostFrom+len(labels[0])]]
			return a, !isAbbreviated(labels[:n])
		}
		return a, true
	}
	return a, false
}

// mostOfSite is the largest number of labels in a registrable site.
const mostOfSite = 6

// siteOf counts the labels at the end of a host that form a registrable site; 0 if the host has no known suffix.
func siteOf(labels []string) int {
	host, err := idna.ToASCII(strings.Join(labels, "."))
	if err != nil {
		return 0
	}
	end, managed := publicsuffix.PublicSuffix(host)
	// RFC 2606 and RFC 6761 keep these for documents, tests and private networks.
	reserved := slices.Contains([]string{"example", "invalid", "localhost", "local", "onion", "test"}, end)
	if n := strings.Count(end, ".") + 2; n <= len(labels) && (managed || reserved || strings.Contains(end, ".")) {
		return n
	}
	return 0
}

// isAbbreviated reports whether a host is a letter or a number, a dot and two letters: "M.Sc", "5.pm". The few sites
// with these names need a scheme or a path to count as addresses.
func isAbbreviated(labels []string) bool {
	name, end := labels[0], labels[len(labels)-1]
	return len(labels) == 2 && len(end) == 2 && (utf8.RuneCountInString(name) == 1 ||
		strings.Trim(name, "0123456789") == "")
}

func isWord(label string) bool {
	return utf8.RuneCountInString(label) > 1 && !strings.ContainsFunc(label, unicode.IsNumber)
}

func isIP(labels []string) bool {
	_, err := netip.ParseAddr(strings.Join(labels, "."))
	return err == nil
}

// reading is a text as a casual reader sees it: in lower case, without invisible characters, with each look-alike
// replaced by what it looks like. at maps each byte, and the end, to its offset in the text.
type reading struct {
	text string
	at   []int
}

// end is the offset in the text at which the first n bytes of the reading end, rounded up to a whole character.
func (r reading) end(n int) int {
	for n < len(r.at)-1 && r.at[n] == r.at[n-1] {
		n++
	}
	return r.at[n]
}

func readingOf(s string) reading {
	var b strings.Builder
	at := make([]int, 0, len(s)+1)
	for i := 0; i < len(s); {
		seen, size := seenAt(s[i:])
		b.WriteString(seen)
		for range len(seen) {
			at = append(at, i)
		}
		i += size
	}
	return reading{b.String(), append(at, len(s))}
}

var entity = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^&#?[0-9A-Za-z]{2,10};`) })

// seenAt is how the first character or HTML entity of s is read, and its length in bytes.
func seenAt(s string) (seen string, size int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '&':
		if written := entity().FindString(s); written != "" && html.UnescapeString(written) != written {
			return seenAs(html.UnescapeString(written)), len(written)
		}
		return "&", 1
	case r == '\\':
		return "/", 1 // as browsers read it
	case r < utf8.RuneSelf:
		return strings.ToLower(s[:1]), 1
	}
	return seenAs(s[:size]), size
}

func seenAs(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Cc), strings.ContainsRune(fillers, r):
			return -1
		case strings.ContainsRune(looksLikeDot, r):
			return '.'
		case strings.ContainsRune(looksLikeSlash, r):
			return '/'
		case strings.ContainsRune(looksLikeColon, r):
			return ':'
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))
}

// What is taken for these marks, beside what NFKC makes of them: the confusables of Unicode Technical Standard 39
// (confusables.txt, 8.0.0) and the ideographic full stop, which browsers take for a dot (Unicode Technical Standard
// 46). Fillers are letters that show nothing.
const (
	looksLikeDot   = "\u0660\u06f0\u0701\u0702\u2024\u3002\ua4f8\ua60e\U00010a50\U0001d16d"
	looksLikeSlash = "\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u3033\u31d3\u4e3f"
	looksLikeColon = "\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789"
	fillers        = "\u115f\u1160\u17b4\u17b5\u3164\u2800"
)
