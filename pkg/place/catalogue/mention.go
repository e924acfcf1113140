package catalogue

import (
	"slices"
	"strings"
	"unicode"

	"convene/pkg/meet"
	"convene/pkg/place"
)

// longestMention is the most words of a name that is looked for in a text.
const longestMention = 6

// Named lists the venues, landmarks and parts of town that words of a text may mean, in its order: a venue by its name,
// by two words in a row of it that no other venue has, or by its one telling word; a branch of several also by its
// street. It may list too many.
func (c *Catalogue) Named(text string) (found []meet.NamedPlace) {
	tokens := tokensOf(text)
	for i := 0; i < len(tokens); {
		n := min(longestMention, len(tokens)-i)
		for ; n > 0; n-- {
			phrase := make([]string, 0, n)
			for _, t := range tokens[i : i+n] {
				phrase = append(phrase, t.words...)
			}
			if p, known := c.called(strings.Join(phrase, " ")); known {
				street, end := c.streetAt(tokens, i+n, p.Name)
				p.Name, n = called(p.Name, text, tokens[street:end]), end-i
				p.Words = text[tokens[i].start:tokens[i+n-1].end]
				found = append(found, p)
				break
			}
		}
		i += max(n, 1)
	}
	return found
}

// called is what a normalized phrase names.
func (c *Catalogue) called(phrase string) (p meet.NamedPlace, known bool) {
	switch t := c.lexicon.phrases[phrase]; t.sort {
	case ofArea:
		return meet.NamedPlace{Kind: meet.NamedArea}, true
	case ofLandmark:
		return meet.NamedPlace{Name: t.name, Kind: meet.NamedLandmark}, true
	case nothing:
	default:
		return p, false // a kind of place, say
	}
	id, known := c.nicknames()[phrase]
	if !known || id < 0 {
		return p, false
	}
	return meet.NamedPlace{Name: c.entries[id].place.Name, Kind: meet.NamedVenue}, true
}

// callings are the phrases by which each venue may be named; -1 for those of several.
func (c *Catalogue) callings() map[string]int32 {
	index := map[string]int32{}
	for i := range c.entries {
		all := place.Words(c.entries[i].place.Name)
		for from := range all {
			for to := from + 1; to <= min(len(all), from+longestMention); to++ {
				phrase := strings.Join(all[from:to], " ")
				if other, taken := index[phrase]; taken && !c.sameName(other, i) {
					index[phrase] = -1
				} else if c.tells(all, all[from:to]) {
					index[phrase] = int32(i)
				}
			}
		}
	}
	return index
}

// sameName reports whether an entry, or -1 for several, has the name of another.
func (c *Catalogue) sameName(id int32, i int) bool {
	return id >= 0 && c.entries[id].name.Whole() == c.entries[i].name.Whole()
}

// tells reports whether some words of a name in a row may stand for it: all of them, or those with one that tells
// venues apart and is no word of the vocabulary. One word alone is the only one of the kind.
func (c *Catalogue) tells(all, some []string) bool {
	telling := place.Telling(some)
	alone := len(some) == 1 && len(place.Telling(all)) > 1
	return len(some) == len(all) || !alone && slices.ContainsFunc(telling, func(w string) bool {
		_, known := c.lexicon.meaning(w)
		return !known
	})
}

// token is a word of a text as it stands, and the normalized words that it makes.
type token struct {
	words      []string
	start, end int
}

func tokensOf(text string) (tokens []token) {
	start := -1
	for i, r := range text + " " {
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) ||
			start >= 0 && strings.ContainsRune("'’", r)
		if inside && start < 0 {
			start = i
		}
		if !inside && start >= 0 {
			tokens = append(tokens, token{place.Words(text[start:i]), start, i})
			start = -1
		}
		if r == '&' {
			tokens = append(tokens, token{[]string{"and"}, i, i + 1})
		}
	}
	return tokens
}
