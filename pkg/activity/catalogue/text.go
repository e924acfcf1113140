package catalogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nothing is the meaning of a phrase in which a word does not have its usual one: "free all day" is not about prices.
const nothing = "-"

// wanted are the tags that a text means, each once.
func (c *Catalogue) wanted(text []string) (tags []string) {
	for len(text) > 0 {
		n := min(c.longest, len(text))
		for ; n > 1 && c.meaning(text[:n]) == ""; n-- {
		}
		if tag := c.meaning(text[:n]); tag != "" && tag != nothing && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
		text = text[n:]
	}
	return tags
}

// meaning is the tag of a phrase, with or without a leading particle.
func (c *Catalogue) meaning(phrase []string) string {
	joined := strings.Join(phrase, " ")
	if tag := c.meanings[joined]; tag != "" {
		return tag
	}
	return c.meanings[c.bare(joined)]
}

// bare is a phrase without its leading particle; empty if it has none.
func (c *Catalogue) bare(phrase string) string {
	first, size := utf8.DecodeRuneInString(phrase)
	if !strings.ContainsRune(c.particles, first) {
		return ""
	}
	return phrase[size:]
}

// names reports whether a text contains one of the names, with or without a leading particle.
func (c *Catalogue) names(names [][]string, text []string) bool {
	return slices.ContainsFunc(names, func(name []string) bool {
		for i := range len(text) - len(name) + 1 {
			said := text[i : i+len(name)]
			if (said[0] == name[0] || c.bare(said[0]) == name[0]) && slices.Equal(said[1:], name[1:]) {
				return true
			}
		}
		return false
	})
}

// inTown are the words before the name of a place.
const inTown = " in near around en "

// namesTown reports whether a text names another town: a capitalised word after "in" that nothing here is called.
func (c *Catalogue) namesTown(text string) bool {
	before := ""
	for word := range strings.FieldsSeq(text) {
		bare := strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		first, _ := utf8.DecodeRuneInString(bare)
		lower := strings.ToLower(bare)
		if before != "" && strings.Contains(inTown, " "+before+" ") && unicode.IsUpper(first) &&
			strings.ToUpper(bare) != bare && !c.known[lower] && !strings.Contains(notTowns, " "+lower+" ") {
			return true
		}
		before = lower
	}
	return false
}

// notTowns are capitalised words after "in" that are not places.
const notTowns = " january february march april may june july august september october november december " +
	"spring summer autumn fall winter english spanish hebrew french german italian chinese japanese the a my our your i "

// words are the words of a text in lower case, without punctuation.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
}
