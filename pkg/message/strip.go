package message

import (
	"html"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// acknowledgmentLimit is the maximum of a short sentence, in runes.
const acknowledgmentLimit = 300

// removal is a pattern that plain text must not contain, and its replacement.
type removal struct {
	pattern *regexp.Regexp
	with    string
}

// removals are applied in this order.
var removals = sync.OnceValue(func() []removal {
	return []removal{
		{regexp.MustCompile(`!\[[^\[\]]*\](\([^()]*\)|\[[^\[\]]*\])?`), ""},
		{regexp.MustCompile(`\[([^\[\]]*)\](\([^()]*\)|\[[^\[\]]*\])`), "$1"},
		{regexp.MustCompile(`<[^<>]*>`), ""},
	}
})

// StripLinks is text as one line of plain text, and how many things were removed: links (whose text stays), images,
// HTML, invisible or direction-changing characters, and addresses, including those that removal creates. At most 300
// characters remain, cut at the end of a sentence or word if possible. It is for short texts that state no facts.
func StripLinks(text string) (clean string, removed int) {
	drop := func(s string, gone func(rune) bool) string {
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsSpace(r):
				return ' '
			case gone(r):
				removed++
				return -1
			}
			return r
		}, s)
	}
	clean = head(text)
	for before := ""; clean != before; {
		before = clean
		visible, n := removeOnce(drop(html.UnescapeString(clean), isUnseen))
		bare, m := meet.WithoutAddresses(visible)
		removed += n + m
		bare = drop(bare, func(r rune) bool { return strings.ContainsRune("<>[]`@＠", r) })
		clean = shorten(strings.Join(strings.Fields(bare), " "))
	}
	return clean, removed
}

func isUnseen(r rune) bool {
	return r == utf8.RuneError || !unicode.IsGraphic(r) && r != '\u200c' && r != '\u200d'
}

// head bounds the work on an overlong text.
func head(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 8*acknowledgmentLimit)])
}

func removeOnce(text string) (string, int) {
	removed := 0
	for _, r := range removals() {
		if found := len(r.pattern.FindAllStringIndex(text, -1)); found > 0 {
			removed += found
			text = r.pattern.ReplaceAllString(text, r.with)
		}
	}
	return text, removed
}

// shorten cuts a text to the limit after its last whole sentence, else after its last whole word.
func shorten(text string) string {
	if utf8.RuneCountInString(text) <= acknowledgmentLimit {
		return text
	}
	kept := string([]rune(text)[:acknowledgmentLimit-1])
	if end := strings.LastIndexAny(kept, ".!?。！？"); end > 0 {
		_, size := utf8.DecodeRuneInString(kept[end:])
		return kept[:end+size]
	}
	if space := strings.LastIndexByte(kept, ' '); space > 0 {
		kept = kept[:space]
	}
	return kept + "…"
}
