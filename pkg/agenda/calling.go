package agenda

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

// Calling is what a person calls an event of a calendar.
type Calling struct {
	// Names are the stems of the words that tell it from others; none are in "my two meetings".
	Names []string
	// Kinds are the stems of words for any event.
	Kinds []string
	// Count is how many events are meant.
	Count int
}

// CallingOf reads what a person calls an event.
func CallingOf(said string) Calling {
	c := Calling{Count: 1}
	for _, w := range stems(said) {
		switch eventWords()[w] {
		case "idle":
		case "many":
			c.Count = 2
		case "any":
			c.Kinds = append(c.Kinds, w)
		default:
			c.Names = append(c.Names, w)
		}
	}
	if len(c.Names)+len(c.Kinds) == 0 && c.Count == 1 {
		c.Names = stems(said) // "one on one": small words are all that it is called by
	}
	return c
}

// Fits reports whether an event may be called so: by all words that name something, or else by its kind. Titles, places
// and guests count, in any language that has a word for the thing, and with a slip of the keys.
func (c Calling) Fits(o meet.Occurrence) bool { return c.fit(stems(o.Title)) < unfit || c.besides(o) }

// fit is how well a text fits what a person calls it. The better one is smaller.
type fit int

// The fits: all that was said and nothing else; all words in any order; words for the same things, or without words
// that a title may lack; other forms of the words; a slip of the keys.
const (
	exactly fit = iota
	literally
	kindred
	formed
	slipping
	unfit
)

// fit is the best way in which a title may be called so, by its stems.
func (c Calling) fit(title []string) fit {
	switch {
	case c.in(title, equalWords, false):
		if c.whole(title) {
			return exactly
		}
		return literally
	case c.in(title, sameThing, true):
		return kindred
	case c.in(title, akin, true):
		return formed
	case c.in(title, similar, true):
		return slipping
	}
	return unfit
}

// besides reports whether an event may be called so by the words of its title, its place and its guests.
func (c Calling) besides(o meet.Occurrence) bool {
	text := o.Title + " " + o.Location
	for _, a := range o.Attendees {
		if !a.Self {
			text += " " + a.Name
		}
	}
	return c.in(stems(text), similar, true)
}

// in reports whether the words of the calling are among those of a text. Lax leaves out words that a title may lack.
func (c Calling) in(has []string, same func(a, b string) bool, lax bool) bool {
	among := func(w string) bool { return slices.ContainsFunc(has, func(h string) bool { return same(w, h) }) }
	lacking := func(w string) bool { return !among(w) && (!lax || !strings.HasPrefix(eventWords()[w], "~")) }
	if len(c.Names) > 0 {
		return slices.ContainsFunc(c.Names, among) && !slices.ContainsFunc(c.Names, lacking)
	}
	return slices.ContainsFunc(c.Kinds, among)
}

// whole reports whether a title has no other words than the calling, but for idle ones before them: the last word of
// "Review A" tells it from others.
func (c Calling) whole(title []string) bool {
	said := slices.Concat(c.Names, c.Kinds)
	other := func(w string) bool { return eventWords()[w] != "idle" && !slices.Contains(said, w) }
	return !slices.ContainsFunc(title, other) && slices.Contains(said, title[len(title)-1])
}

func equalWords(a, b string) bool { return a == b }

// sameThing reports whether two stems are one word, or words for one thing.
func sameThing(a, b string) bool {
	meaning := eventWords()[a]
	return a == b || meaning != "" && meaning != "any" && meaning == eventWords()[b]
}

// vowels are the letters with which Hebrew writes vowels, and those that look different at the end of a word.
var vowels = strings.NewReplacer("ו", "", "י", "", "ם", "מ", "ן", "נ", "ץ", "צ", "ף", "פ", "ך", "כ")

// akin reports whether two stems are one thing, or forms of one word: "migrate" and "migration", לצלם and צילום.
func akin(a, b string) bool {
	one, other := []rune(vowels.Replace(a)), []rune(vowels.Replace(b))
	if root := len(one) > 2 && one[0] >= 'א' && one[0] <= 'ת'; root && slices.Equal(one, other) {
		return true
	}
	n := 0
	for n < min(len(one), len(other)) && one[n] == other[n] {
		n++
	}
	shorter, longer := min(len(one), len(other))-n, max(len(one), len(other))-n
	return sameThing(a, b) || n >= leastSlipped && shorter <= 1 && longer <= leastSlipped
}

// similar reports whether two stems are the same thing, up to one slip of the keys.
func similar(a, b string) bool { return sameThing(a, b) || slipped([]rune(a), []rune(b)) }

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
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("'’:-", r)
	})
	var all []string
	for _, w := range list {
		bare := stem(w)
		switch {
		case bare == "":
		case !strings.ContainsRune(w, '-') || eventWords()[bare] != "":
			all = append(all, bare)
		default:
			if whole := stem(strings.ReplaceAll(w, "-", "")); eventWords()[whole] != "" {
				all = append(all, whole) // "stand-up"
				continue
			}
			all = append(all, stems(strings.ReplaceAll(w, "-", " "))...) // "parent-teacher"
		}
	}
	return all
}

func stem(word string) string {
	word = Fold(strings.Trim(word, "'’:-"))
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }) {
		return hebrewStem(word)
	}
	word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s")
	for _, p := range plurals {
		if bare, ok := strings.CutSuffix(word, p.many); ok && len(bare) > 2 {
			return bare + p.one
		}
	}
	return word
}

// plurals are endings of English and Spanish, the longest first, with those of one thing.
var plurals = []struct{ many, one string }{
	{"toes", "to"}, {"goes", "go"},
	{
		"iones", "ion"}, {"sses", "ss"}, {"tores", "tor"}, {"dores", "dor"}, {"ades", "ad"}, {"ches", "ch"}, {"shes",
		"sh",
	},
	{"enes", "en"}, {"xes", "x"}, {"zes", "z"}, {"ies", "y"}, {"ss", "ss"}, {"s", ""},
}

// hebrewStem is a Hebrew word without the letters before it and the ending of its number and gender.
func hebrewStem(word string) string {
	letters := []rune(word)
	for len(letters) > 3 && strings.ContainsRune("ולבמשהכ", letters[0]) || len(letters) == 3 && letters[0] == 'ה' {
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

// Fold is a text in lower case and without accents.
func Fold(text string) string {
	text = strings.ToLower(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}
