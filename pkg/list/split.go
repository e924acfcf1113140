package list

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// Items are the things that words name, with their quantities: "milk, two breads and those small cheeses" are three.
// The language is a BCP 47 tag; words in Hebrew letters are Hebrew in any. The items have no ids.
func Items(words, tag string) []Item {
	l := languageOf(words, tag)
	var items []Item
	for _, piece := range pieces(words) {
		if Repairs(piece, tag) && len(items) > 0 {
			items = items[:len(items)-1]
			continue
		}
		for _, part := range l.parts(strings.Fields(piece), len(items) > 0) {
			if item := l.item(part); item.Text != "" {
				items = append(items, item)
			}
		}
	}
	return items
}

// Repairs reports whether words only say that what is listed before them is not meant: "salt, no wait, pepper".
func Repairs(words, tag string) bool {
	return slices.Contains(languageOf(words, tag).Repairs, strings.Join(strings.Fields(fold(words)), " "))
}

// Amount is the one thing that words name, and whether they say how many of it there are: "4 milk".
func Amount(words, tag string) (item Item, said bool) {
	l, items := languageOf(words, tag), Items(words, tag)
	if len(items) != 1 {
		return item, false
	}
	_, n := l.quantity(l.trim(strings.Fields(words)))
	return items[0], n > 0 || items[0].Quantity != 1
}

// bullet is what a line of a list begins with.
var bullet = regexp.MustCompile(`^\s*(?:[-*–•]|\d+[.)])\s+`)

// pieces are a text apart at the signs that always stand between two things: not at a comma within a number.
func pieces(text string) (all []string) {
	start, before := 0, ' '
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		number := r == ',' && unicode.IsDigit(before) && unicode.IsDigit(next)
		if strings.ContainsRune(",;\n\r•،", r) && !number {
			all, start = append(all, text[start:i]), i+utf8.RuneLen(r)
		}
		before = r
	}
	all = append(all, text[start:])
	for i := range all {
		all[i] = bullet.ReplaceAllString(all[i], "")
	}
	return all
}

// languageOf is the language of words; English if the tag's is not known.
func languageOf(words, tag string) *language {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if strings.ContainsFunc(words, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }) {
		base = "he"
	}
	if l := languages()[base]; l != nil {
		return l
	}
	return languages()["en"]
}

// parts are words apart at those that join two things. Later says that things came before.
func (l *language) parts(words []string, later bool) (parts [][]string) {
	start := 0
	for i := 0; i < len(words); i++ {
		if n := l.wholeAt(words[i:]); n > 0 {
			i += n - 1
			continue
		}
		if slices.Contains(l.And, fold(words[i])) {
			if !l.adds(words[start:i], words[i:]) {
				parts, start = append(parts, words[start:i]), i+1
			}
			continue
		}
		if bare, joined := l.withoutVav(words[i]); joined && (i > start || later || len(parts) > 0) &&
			!l.adds(words[start:i], words[i:]) {
			if i > start {
				parts, start = append(parts, words[start:i]), i
			}
			words[i] = bare
		}
	}
	return append(parts, words[start:])
}

// wholeAt is how many words from the first on are one thing although a word joins them.
func (l *language) wholeAt(words []string) int {
	for _, whole := range l.Whole {
		if names := strings.Fields(whole); begins(words, names) {
			return len(names)
		}
	}
	return 0
}

// withoutVav is a Hebrew word without the "and" that it begins with.
func (l *language) withoutVav(word string) (bare string, joined bool) {
	bare, joined = strings.CutPrefix(word, "ו")
	if len(l.Vav) == 0 || !joined || utf8.RuneCountInString(bare) < 2 || slices.Contains(l.Vav, word) {
		return word, false
	}
	return strings.TrimPrefix(bare, "-"), true
}

// adds reports whether words add a half to the number or the unit before them.
func (l *language) adds(before, words []string) bool {
	if len(before) == 0 || l.half(words) == 0 {
		return false
	}
	last := before[len(before)-1:]
	_, n := l.number(last)
	return n == 1 || l.counts(last[0])
}

// counts reports whether a word is a unit.
func (l *language) counts(word string) bool {
	return slices.Contains(l.Measures, fold(word)) || slices.Contains(l.Packs, fold(word))
}

// half is how many words add a half to the number before them: "and a half".
func (l *language) half(words []string) int {
	for _, phrase := range l.Half {
		if names := strings.Fields(phrase); begins(words, names) {
			return len(names)
		}
	}
	return 0
}

// item is the thing that the words of one part name. Its text is empty if there is none.
func (l *language) item(words []string) Item {
	item, words := Item{Quantity: 1}, l.trim(words)
	if m := glued.FindStringSubmatch(strings.Join(words, " ")); m != nil && slices.Contains(l.Measures, fold(m[2])) {
		words = slices.Concat(m[1:3], words[1:]) // "500g flour"
	}
	quantity, n := l.quantity(words)
	if rest := words[n:]; len(rest) > 0 && (n > 0 || l.counts(rest[0]) && l.half(rest[1:]) > 0 || l.measuresOne(rest)) {
		unit := 0
		item.Unit, unit = l.unit(rest)
		item.Quantity, rest = quantity, rest[unit:]
		if more := l.half(rest); unit > 0 && more > 0 {
			item.Quantity, rest = max(quantity, 1)+0.5, rest[more:] // "a kilo and a half of"
		}
		if len(rest) > 1 && slices.Contains(l.Of, fold(rest[0])) {
			rest = rest[1:]
		}
		words = l.trim(rest)
	} else {
		item.Quantity, words = l.follow(words)
	}
	if item.Quantity <= 0 || item.Quantity > mostQuantity {
		item.Quantity = 1
	}
	item.Text, item.Unit = meet.Caption(strings.Join(words, " ")), meet.Caption(item.Unit)
	return item
}

// measuresOne reports whether words begin with a unit of which there is one, in a language that has no word for "a".
func (l *language) measuresOne(words []string) bool {
	return len(l.Vav) > 0 && len(words) > 1 && slices.Contains(l.Measures, fold(words[0]))
}

// follow is the quantity after a thing, and the words without it: "milk x2", "לחם אחד".
func (l *language) follow(words []string) (quantity float64, rest []string) {
	last := max(len(words)-1, 0)
	if last == 0 {
		return 1, words
	}
	if times, ok := counted(words[last]); ok {
		return times, words[:last]
	}
	if one, n := l.number(words[last:]); n == 1 && one == 1 && len(l.Vav) > 0 {
		return 1, words[:last]
	}
	return 1, words
}

// trim leaves out signs around words, and words before and after the thing that say nothing about it.
func (l *language) trim(words []string) []string {
	words = strings.Fields(strings.Trim(strings.Join(words, " "), " .!?:…\"“”"))
	for changed := true; changed; {
		changed = false
		for _, idle := range l.Idle {
			names := strings.Fields(idle)
			if len(words) > len(names) && begins(words, names) {
				words, changed = words[len(names):], true
			}
			if rest := len(words) - len(names); rest > 0 && begins(words[rest:], names) {
				words, changed = words[:rest], true
			}
		}
	}
	return words
}

// begins reports whether words begin with names, in any case.
func begins(words, names []string) bool {
	return len(words) >= len(names) && slices.EqualFunc(words[:len(names)], names, func(word, name string) bool {
		return fold(word) == name
	})
}

func fold(word string) string { return strings.ToLower(word) }

// digits are a number before a thing: "2", "1.5", "1/2", "½", "2x". Glued is one with its unit: "500g".
var (
	digits = regexp.MustCompile(`^(\d+(?:[.,]\d+)?|\d+/\d+|[½¼¾])[x×]?$`)
	glued  = regexp.MustCompile(`^(\d+(?:[.,]\d+)?)(\p{L}+)(?: |$)`)
)

// after are quantities after a thing: "x2", "(2)".
var after = regexp.MustCompile(`^(?:[x×](\d+)|(\d+)[x×]|\((?:[x×])?(\d+)\))$`)

func counted(word string) (float64, bool) {
	m := after.FindStringSubmatch(fold(word))
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1]+m[2]+m[3], 64)
	return n, err == nil
}

// quantity is the number that words begin with, and how many words it takes; none of them is 0.
func (l *language) quantity(words []string) (quantity float64, n int) {
	quantity, n = l.number(words)
	if n == 0 || n == len(words) {
		return quantity, n
	}
	if more := l.half(words[n:]); more > 0 {
		return quantity + 0.5, n + more
	}
	if times, ok := l.Times[fold(words[n])]; ok {
		return quantity * times, n + 1
	}
	return quantity, n
}

// number is the number in words or digits that words begin with, and how many of them it takes.
func (l *language) number(words []string) (number float64, n int) {
	for phrase, value := range l.Numbers {
		if names := strings.Fields(phrase); len(names) > n && begins(words, names) {
			number, n = value, len(names)
		}
	}
	if n > 0 || len(words) == 0 {
		return number, n
	}
	if m := digits.FindStringSubmatch(fold(words[0])); m != nil {
		return decimal(m[1]), 1
	}
	return 0, 0
}

// decimal is a number in digits.
func decimal(s string) float64 {
	if i := strings.Index("½¼¾", s); i >= 0 {
		return []float64{0.5, 0.25, 0.75}[i/len("½")]
	}
	if over, under, ok := strings.Cut(s, "/"); ok {
		a, _ := strconv.ParseFloat(over, 64)
		b, _ := strconv.ParseFloat(under, 64)
		return a / max(b, 1)
	}
	n, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", "."), 64) // the pattern has its form
	return n
}

// unit is what a quantity counts, and how many words it takes.
func (l *language) unit(words []string) (unit string, n int) {
	word := fold(words[0])
	ofMore := len(words) > 2 && (slices.Contains(l.Of, fold(words[1])) || l.half(words[1:]) > 0)
	switch {
	case len(words) < 2:
	case slices.Contains(l.Measures, word), slices.Contains(l.Packs, word) && (ofMore || len(l.Vav) > 0):
		return words[0], 1
	}
	return "", 0
}
