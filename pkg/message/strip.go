package message

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// acknowledgmentLimit is how long one short sentence may be, in runes.
const acknowledgmentLimit = 300

// removal is something that a line of plain text must not hold, and what takes its place. A text with none of the marks
// does not hold it.
type removal struct {
	marks   string
	pattern *regexp.Regexp
	with    string
}

// removals are applied in this order, until nothing is left to remove.
var removals = sync.OnceValue(func() []removal {
	return []removal{
		{"[", regexp.MustCompile(`!\[[^\[\]]*\](\([^()]*\)|\[[^\[\]]*\])?`), ""},
		{"[", regexp.MustCompile(`\[([^\[\]]*)\](\([^()]*\)|\[[^\[\]]*\])`), "$1"},
		{"<", regexp.MustCompile(`<[^<>]*>`), ""},
		{"&", regexp.MustCompile(`&#?[0-9A-Za-z]+;`), ""},
		{":", regexp.MustCompile(`(?i)\b(?:[a-z][a-z0-9+.-]*://|(?:mailto|javascript|vbscript|data|tel|sms|file|blob):)[^\s<>]*`), ""},
		{"@＠", regexp.MustCompile(`[^\s@]+[@＠][^\s@]+`), ""},
		{".。．｡", regexp.MustCompile(`(?i)www[.。．｡][^\s]*`), ""},
		{".。．｡", regexp.MustCompile(`(?i)(?:[\p{L}\p{N}-]+[.。．｡])+\p{L}{2,}(?:[:/?#][^\s]*)?`), ""},
	}
})

// StripLinks is text as plain text on one line, and how many things were taken out of it: links (whose text stays),
// images, addresses of pages and people, HTML, and characters that are invisible or change the direction of the text. At
// most 300 characters remain, cut at the end of a sentence or word where that is possible. It is for short texts that
// state no facts.
func StripLinks(text string) (clean string, removed int) {
	clean = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, !unicode.IsGraphic(r) && !joins(unicode.MaxRune, r):
			removed++
			return -1
		}
		return r
	}, head(text))
	for range 8 {
		n := 0
		if clean, n = removeOnce(clean); n == 0 {
			break
		}
		removed += n
	}
	left := strings.Map(func(r rune) rune {
		if strings.ContainsRune("<>[]`@＠", r) {
			removed++
			return -1
		}
		return r
	}, clean)
	left = strings.ReplaceAll(left, "://", ":")
	return shorten(strings.Join(strings.Fields(left), " ")), removed
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
		if !strings.ContainsAny(text, r.marks) {
			continue
		}
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
