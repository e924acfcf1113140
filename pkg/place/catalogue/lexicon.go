package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"convene/pkg/place"
)

//go:embed vocabulary.txt
var vocabularyFile string

// sort is the kind of a term.
type sort int

const (
	nothing sort = iota
	ofType
	ofCuisine
	ofFeature
	ofArea
	ofLandmark
	ofCity
)

// term is one thing that can be asked for, by the name in the index.
type term struct {
	sort sort
	name string
}

// lexicon maps phrases to meanings. Phrases are normalized words with single spaces between them.
type lexicon struct {
	phrases map[string]term
	// broader maps a term to those that it implies: a ramen shop is Japanese.
	broader map[term][]term
	// longest is the number of words in the longest phrase.
	longest int
}

// readLexicon reads the form that vocabulary.txt describes.
func readLexicon(text string) (*lexicon, error) {
	l := &lexicon{phrases: map[string]term{}, broader: map[term][]term{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := l.readLine(line); err != nil {
			return nil, fmt.Errorf("vocabulary line %d: %w", number, err)
		}
	}
	return l, nil
}

func (l *lexicon) readLine(line string) error {
	head, phrases, _ := strings.Cut(line, ":")
	head, broader, _ := strings.Cut(head, "<")
	kind, name, _ := strings.Cut(strings.TrimSpace(head), " ")
	sorts := map[string]sort{"ignore": nothing, "type": ofType, "cuisine": ofCuisine, "feature": ofFeature, "city": ofCity}
	s, ok := sorts[kind]
	if !ok {
		return fmt.Errorf("%q is none of type, cuisine, feature, city and ignore", kind)
	}
	t := term{s, strings.TrimSpace(name)}
	for phrase := range strings.SplitSeq(phrases+","+name, ",") {
		if err := l.learn(phrase, t); err != nil {
			return err
		}
	}
	for b := range strings.SplitSeq(broader, ",") {
		if b = strings.TrimSpace(b); b != "" {
			wide := l.phrases[b]
			if wide.name != b {
				wide = term{s, b}
			}
			l.broader[t] = append(l.broader[t], wide)
		}
	}
	return nil
}

// learn adds a phrase for t. A phrase has one meaning, but any other meaning replaces "ignore".
func (l *lexicon) learn(phrase string, t term) error {
	words := place.Words(phrase)
	if len(words) == 0 {
		return nil
	}
	phrase = strings.Join(words, " ")
	if old, taken := l.phrases[phrase]; taken && old != t && old.sort != nothing {
		if t.sort == nothing {
			return nil
		}
		return fmt.Errorf("%q means both %q and %q", phrase, old.name, t.name)
	}
	l.phrases[phrase] = t
	l.longest = max(l.longest, len(words))
	return nil
}

// meaning is the term for a phrase; a plural means the same as its singular. known is also true for ignored phrases.
func (l *lexicon) meaning(phrase string) (t term, known bool) {
	if t, known = l.phrases[phrase]; known {
		return t, true
	}
	for _, plural := range [][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}} {
		stem, ok := strings.CutSuffix(phrase, plural[0])
		if t, known = l.phrases[stem+plural[1]]; ok && known && len(stem) > 2 {
			return t, true
		}
	}
	return term{}, false
}

// cityAt is the number of leading words that name a city without places here, 0 if there is none.
func (l *lexicon) cityAt(words []string) int {
	for n := min(l.longest, len(words)); n > 0; n-- {
		if t, known := l.meaning(strings.Join(words[:n], " ")); known {
			if t.sort == ofCity {
				return n
			}
			return 0
		}
	}
	return 0
}

// misspelt is the meaning of a single word of six letters or more with one letter wrong.
func (l *lexicon) misspelt(word string) (best term, found bool) {
	if len(word) < 6 {
		return term{}, false
	}
	from := ""
	for phrase, t := range l.phrases {
		if t.sort != nothing && t.sort != ofCity && (from == "" || phrase < from) && len(phrase) >= 5 &&
			place.Typos(word, phrase, 1) == 1 {
			best, found, from = t, true, phrase
		}
	}
	return best, found
}

// widen is t and everything that it implies.
func (l *lexicon) widen(t term) []term {
	all := []term{t}
	for i := 0; i < len(all); i++ {
		for _, b := range l.broader[all[i]] {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	return all
}
