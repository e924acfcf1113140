package stages

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"convene/pkg/meet"
)

//go:embed data/events.txt
var eventWordsTxt string

// eventWords are the meanings of words that name events of calendars, by their stems: a thing's first word, with
// a ~ if a title may lack it, or one of the keys any, many and idle.
var eventWords = sync.OnceValue(func() map[string]string {
	meanings := map[string]string{}
	for line := range strings.Lines(eventWordsTxt) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, list, named := strings.Cut(line, ":")
		if words := strings.Fields(line); !named || strings.Contains(list, ":") {
			key, list = words[0], strings.TrimPrefix(line, "~")
		}
		for _, w := range strings.Fields(list) {
			if _, known := meanings[stem(w)]; !known {
				meanings[stem(w)] = key
			}
		}
	}
	return meanings
})

// calling is what a person calls an event of a calendar.
type calling struct {
	// names are the stems of the words that tell it from others; none are in "my two meetings".
	names []string
	// kinds are the stems of words for any event.
	kinds []string
	// count is how many events are meant.
	count int
}

// callingOf reads what a person calls an event.
func callingOf(said string) calling {
	c := calling{count: 1}
	for _, w := range stems(said) {
		switch eventWords()[w] {
		case "idle":
		case "many":
			c.count = 2
		case "any":
			c.kinds = append(c.kinds, w)
		default:
			c.names = append(c.names, w)
		}
	}
	return c
}

// fits reports whether an event may be called so: by all words that name something, or else by its kind. Titles, places
// and guests count, in any language that has a word for the thing, and with a slip of the keys.
func (c calling) fits(o meet.Occurrence) bool {
	text := o.Title + " " + o.Location
	for _, a := range o.Attendees {
		if !a.Self {
			text += " " + a.Name
		}
	}
	has := stems(text)
	among := func(w string) bool { return slices.ContainsFunc(has, func(h string) bool { return sameThing(w, h) }) }
	lacking := func(w string) bool { return !among(w) && !strings.HasPrefix(eventWords()[w], "~") }
	if len(c.names) > 0 {
		return slices.ContainsFunc(c.names, among) && !slices.ContainsFunc(c.names, lacking)
	}
	return slices.ContainsFunc(c.kinds, among)
}

// sameThing reports whether two stems are one word, up to one slip of the keys, or words for one thing.
func sameThing(a, b string) bool {
	meaning := eventWords()[a]
	return a == b || meaning != "" && meaning != "any" && meaning == eventWords()[b] || slipped([]rune(a), []rune(b))
}

// leastSlipped is the length of the shortest word in which a slip is forgiven.
const leastSlipped = 5

// slipped reports whether one letter more, less or other, or two that changed places, make one word of the other.
func slipped(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < leastSlipped-1 || len(b) < leastSlipped || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return slices.Equal(a[i:], b[i+1:])
	case i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i]:
		return slices.Equal(a[i+2:], b[i+2:])
	default:
		return i < len(a) && slices.Equal(a[i+1:], b[i+1:])
	}
}

// stems are the words of a text without accents, plural and possessive endings, and the small words that Hebrew writes
// before them.
func stems(text string) []string {
	list := strings.FieldsFunc(fold(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’:-", r)
	})
	var all []string
	for _, w := range list {
		if _, known := eventWords()[stem(w)]; !known && strings.ContainsRune(w, '-') {
			all = append(all, stems(strings.ReplaceAll(w, "-", " "))...) // "parent-teacher"
		} else if w = stem(w); w != "" {
			all = append(all, w)
		}
	}
	return all
}

func stem(word string) string {
	word = strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.Trim(fold(word), "'’:-")))
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }) {
		return hebrewStem(word)
	}
	word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s")
	for _, end := range []string{"iones", "ings", "es", "s"} {
		if bare, ok := strings.CutSuffix(word, end); ok && len(bare) > 2 {
			switch end {
			case "iones":
				return bare + "ion"
			case "ings":
				return bare + "ing"
			}
			return bare
		}
	}
	return word
}

// hebrewStem is a Hebrew word without the letters before it and the ending of its number and gender.
func hebrewStem(word string) string {
	letters := []rune(word)
	for len(letters) > 3 && strings.ContainsRune("ולבמשהכ", letters[0]) {
		letters = letters[1:]
	}
	word = string(letters)
	for _, end := range []string{"ות", "ים", "ה", "ת"} {
		if bare, ok := strings.CutSuffix(word, end); ok && len([]rune(bare)) > 1 {
			return bare
		}
	}
	return word
}
