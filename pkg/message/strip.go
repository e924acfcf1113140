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

// acknowledgmentLimit is how long one short sentence may be, in runes.
const acknowledgmentLimit = 300

// removal is something that a line of plain text must not hold, and what takes its place.
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

// StripLinks is text as plain text on one line, and how many things were taken out of it: links (whose text stays),
// images, HTML, characters that are invisible or change the direction of the text, and addresses, also those that come
// of taking out the rest. At most 300 characters remain, cut at the end of a sentence or word where that is possible.
// It is for short texts that state no facts.
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

// head bounds the work on a text that is far longer than what can remain of it.
func head(text string) string {
	const enough = 8 * acknowledgmentLimit
	n := 0
	for i := range text {
		if n++; n > enough {
			return text[:i]
		}
	}
	return text
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

// shorten cuts a text to the limit behind its last whole sentence, else behind its last whole word.
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
