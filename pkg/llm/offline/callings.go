package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// callings are the words by which what a message asks for is told from how it asks. Each line of a language's
// titles.txt gives words of the kind that it begins with; "letters" are written in front of words without a space. A
// language without the file has none, and its titles are the nouns of activities.
type callings struct {
	kinds   map[string]map[string]bool
	letters map[string]string
	towns   []string
}

// The kinds. Asking words and verbs begin a request, generic ones say that there is a thing, plain ones how often it
// is, and mine whose: none of them is a title. Calendar words say where it is to be noted.
const (
	askingWords, verbWords, genericWords, plainWords,
	mineWords, calendarWords = "asking", "verbs", "generic", "plain", "mine", "calendar"
	// breaks end a title, of go on with it, about begins what stands behind it, with whoever takes part.
	breakWords, ofWords, aboutWords, withWords = "breaks", "of", "about", "with"
	// span are stretches of the day that give a noun its name, as in "evening of games".
	spanWords = "span"
	// nouns look like infinitives behind a letter; nominal and verbal are the endings that tell the others apart.
	nounWords, nominalEndings, verbalEndings = "nouns", "nominal", "verbal"
	// names look like plurals or have a letter in front that looks like the article; surnames stand behind names.
	nameWords, surnameWords, pluralEndings = "names", "surnames", "plural"
	// construct are the endings of nouns that lean on the next. Houses begin a venue's name behind "at", and rooms none.
	constructEndings, houseWords, roomWords = "construct", "houses", "rooms"
)

func readCallings(language string) callings {
	text, err := data.ReadFile("data/" + language + "/titles.txt")
	if err != nil {
		return callings{}
	}
	c := callings{kinds: map[string]map[string]bool{}, letters: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		kind, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		letters, glued := strings.CutPrefix(kind, "letters ")
		switch {
		case !ok || strings.HasPrefix(line, "#"):
		case glued:
			c.letters[letters] = strings.TrimSpace(list)
		case kind == "towns":
			for town := range strings.SplitSeq(list, "|") {
				c.towns = append(c.towns, strings.TrimSpace(town))
			}
		default:
			if c.kinds[kind] == nil {
				c.kinds[kind] = map[string]bool{}
			}
			for w := range strings.FieldsSeq(list) {
				c.kinds[kind][w] = true
			}
		}
	}
	return c
}

// known reports whether the language tells titles.
func (c *callings) known() bool { return c.kinds != nil }

// is reports whether a word is of one of the kinds, as it stands.
func (c *callings) is(w string, kinds ...string) bool {
	for _, kind := range kinds {
		if c.kinds[kind][w] {
			return true
		}
	}
	return false
}

// isBehind is is of a word that may have one of the letters in front.
func (c *callings) isBehind(letters, w string, kinds ...string) bool {
	_, bare := c.led(w, letters)
	return c.is(w, kinds...) || bare != "" && c.is(bare, kinds...)
}

// led is the letter of a kind in front of a word, and the word without it; both are empty where it has none.
func (c *callings) led(w, letters string) (letter, bare string) {
	first, size := utf8.DecodeRuneInString(w)
	if size == 0 || !strings.ContainsRune(c.letters[letters], first) {
		return "", ""
	}
	return w[:size], strings.TrimLeft(w[size:], "-־")
}

// endsAs reports whether a word has one of the endings of a kind.
func (c *callings) endsAs(w, kind string) bool {
	for ending := range c.kinds[kind] {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// definite reports whether a word has the article, as no name has.
func (c *callings) definite(w string) bool {
	_, bare := c.led(w, "article")
	return utf8.RuneCountInString(bare) > 2 && !c.is(w, nameWords)
}

// means reports whether word i, where a name may stand, is a noun that means somebody without being a name: one with
// the article, one in the plural, or one that leans on another with the article, as "the sales team".
func (g *glossing) means(i int) bool {
	c, w := &g.callings, strings.Trim(g.words[i], ".,:-/")
	switch {
	case !c.known() || c.is(w, nameWords):
		return false
	case c.definite(w), utf8.RuneCountInString(w) > 4 && c.endsAs(w, pluralEndings):
		return true
	case i+1 == len(g.words) || strings.HasSuffix(g.words[i], ","):
		return false
	}
	_, _, known := g.at(g.words[i+1:])
	return known == 0 && c.definite(g.words[i+1])
}

// isSurname reports whether word i is a surname behind a name.
func (g *glossing) isSurname(i int) bool {
	return g.place == behindName && g.callings.is(strings.Trim(g.words[i], ".:-/"), surnameWords)
}

// goesOn reports whether word i, behind a name, is one more of a list without commas, whose last name is joined to it:
// the Hebrew "Al Dana and-Mia".
func (g *glossing) goesOn(i int) bool {
	c, w := &g.callings, g.words[i]
	if g.place != behindName || !c.known() || i+1 == len(g.words) || c.is(w, askingWords, verbWords, aboutWords) ||
		g.means(i) || strings.ContainsFunc(w, isNoLetter) {
		return false
	}
	next := g.words[i+1]
	_, joined := c.led(next, "and")
	_, _, known := g.at([]string{next})
	letter, _ := c.led(w, "before")
	return joined != "" && letter == "" && known == 0 && utf8.RuneCountInString(joined) > 1 &&
		!c.is(joined, askingWords, verbWords)
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '"' }
