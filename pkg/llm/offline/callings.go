package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/conjugation"
)

// callings are the words by which what a message asks for is told from how it asks, by class: titles.txt of a language
// says what each class is for. Letters are those that are written in front of words of a class without a space.
type callings struct {
	classes map[string]phrases
	letters map[string]string
	// verbs are those that ask for something, by which they are told with a pronoun at their end: "apúntamelo".
	verbs conjugation.Book
}

// readCallings reads titles.txt of a language. One without the file has none, and its titles are the nouns of
// activities.
func readCallings(language string) callings {
	c := callings{classes: embeddedPhrases(language, "titles.txt").other, letters: map[string]string{}}
	for head, list := range c.classes {
		if class, found := strings.CutPrefix(head, "letters "); found {
			for letters := range list {
				c.letters[class] = letters
			}
			delete(c.classes, head)
		}
	}
	c.verbs = conjugation.NewBook(language)
	for verb := range c.classes["verb"] {
		c.verbs.Add([]string{verb})
	}
	return c
}

// bindsIt reports whether a word is a verb that asks for what a pronoun at its end means, so that it is no title.
func (c *callings) bindsIt(w string) bool {
	verb, root := c.verbs.Of(w)
	return verb != "" && root.Pronoun != ""
}

// known reports whether the language tells titles.
func (c *callings) known() bool { return len(c.classes) > 0 }

// is reports whether a word is of one of the classes, as it stands.
func (c *callings) is(w string, classes ...string) bool {
	for _, class := range classes {
		for _, e := range c.classes[class][w] {
			if len(e.words) == 1 {
				return true
			}
		}
	}
	return false
}

// led is the letter of a class in front of a word, and the word without it; both are empty if it has none.
func (c *callings) led(w, class string) (letter, bare string) {
	first, size := utf8.DecodeRuneInString(w)
	if size == 0 || !strings.ContainsRune(c.letters[class], first) {
		return "", ""
	}
	return w[:size], strings.TrimLeft(w[size:], "-־")
}

// endsAs reports whether a word has one of the endings of a class.
func (c *callings) endsAs(w, class string) bool {
	for ending := range c.classes[class] {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// definite reports whether a word has the article, as no name has.
func (c *callings) definite(w string) bool {
	_, bare := c.led(w, "article")
	return utf8.RuneCountInString(bare) > 2 && !c.is(w, "names")
}

// means reports whether word i, at the place of a name, is a noun that means someone without being a name: one with
// the article, one in the plural, or one that leans on another with the article, as "the sales team".
func (g *glossing) means(i int) bool {
	c, w := &g.callings, strings.Trim(g.words[i], ".,:-/")
	switch {
	case !c.known() || c.is(w, "names"):
		return false
	case i > 0 && c.is(strings.ToLower(g.words[i-1]), "article") && !capitalised(w):
		return true
	case c.definite(w), utf8.RuneCountInString(w) > 4 && c.endsAs(w, "plural"):
		return true
	case i+1 == len(g.words) || strings.HasSuffix(g.words[i], ","):
		return false
	}
	_, _, known := g.at(g.words[i+1:])
	return known == 0 && c.definite(g.words[i+1])
}

// isSurname reports whether word i is a surname after a name.
func (g *glossing) isSurname(i int) bool {
	return g.place == behindName && g.callings.is(strings.Trim(g.words[i], ".:-/"), "surnames")
}

// goesOn reports whether word i, after a name, is one more of a list without commas, whose last name is joined to it:
// the Hebrew "Al Dana and-Mia".
func (g *glossing) goesOn(i int) bool {
	c, w := &g.callings, g.words[i]
	if g.place != behindName || c.letters["verb"] == "" || i+1 == len(g.words) ||
		c.is(w, "polite", "verb", "purpose") || g.means(i) || strings.ContainsFunc(w, isNoLetter) {
		return false
	}
	next := g.words[i+1]
	_, joined := c.led(next, "verb")
	_, _, known := g.at([]string{next})
	letter, _ := c.led(w, "empty")
	return joined != "" && letter == "" && known == 0 && utf8.RuneCountInString(joined) > 1 &&
		!c.is(joined, "polite", "verb")
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '"' }
