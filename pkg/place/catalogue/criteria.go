package catalogue

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// criteria are a query understood.
type criteria struct {
	// terms are the requested kinds, cuisines, features and areas; unwanted are those to avoid.
	terms, unwanted []term
	// refused are places to leave out.
	refused []int32
	// features are wished for, apart from the text.
	features []meet.Feature
	// liked are preferred terms.
	liked []term
	// words are other words found in a name or address of some place.
	words []string
	// there are those of them that say where: the name of a street.
	there []string
	// elsewhere says that the text names a city without places here.
	elsewhere bool
	// anchor is a place or landmark to be near to, instead of the midpoint.
	anchor *geo.Point
	// within is the centre of the reach if no location is known; nil for anywhere.
	within *geo.Point
	// unknown counts the words that match nothing.
	unknown int
}

// asksNothing reports whether every place will do.
func (w criteria) asksNothing() bool {
	return len(w.terms) == 0 && len(w.words) == 0 && w.anchor == nil && w.unknown == 0
}

// unheard reports whether nothing of the text was understood.
func (w criteria) unheard() bool {
	return len(w.terms) == 0 && len(w.words) == 0 && w.anchor == nil && w.unknown > 0
}

// asksForSome reports whether a place must match something.
func (w criteria) asksForSome() bool { return len(w.terms)+len(w.words) > 0 }

// namesArea reports whether the criteria say where to look.
func (w criteria) namesArea() bool {
	return w.anchor != nil || slices.ContainsFunc(w.terms, func(t term) bool { return t.sort == ofArea })
}

// wants counts what was understood.
func (w criteria) wants() int {
	n := len(w.terms) + len(w.words)
	if w.anchor != nil {
		n++
	}
	return n
}

// maxWords bounds how much of a text is read.
const maxWords = 64

// maxNameWords bounds how many words are tried as one name.
const maxNameWords = 6

// maxText is the same bound in bytes, before words are counted.
const maxText = 4096

// criteriaOf reads all of a query but its name.
func (c *Catalogue) criteriaOf(q meet.PlaceQuery) criteria {
	w := criteria{features: q.Features}
	for _, text := range append(slices.Clone(q.Types), q.Text) {
		c.read(text, &w)
	}
	if q.Area != "" {
		c.whereabouts("in "+q.Area, &w)
	}
	if q.Landmark != "" {
		c.whereabouts("near "+q.Landmark, &w)
	}
	if q.Close && w.anchor == nil {
		w.anchor = q.Near
	}
	for _, name := range q.Excluded {
		w.refused = append(w.refused, c.calledSo(strings.Join(place.Words(name), " "))...)
	}
	for _, key := range q.Without {
		if id, known := c.keys[key]; known {
			w.refused = append(w.refused, id)
		}
		w.refused = append(w.refused, c.chains[strings.Join(place.Words(key), "")]...)
	}
	return w
}

// read adds a text to the criteria.
func (c *Catalogue) read(text string, w *criteria) {
	r := reader{c: c, criteria: w, words: place.Words(text), capital: capitalAfterIn(text)}
	r.words = r.words[:min(len(r.words), maxWords)]
	for len(r.words) > 0 {
		r.next()
	}
}

// whereabouts reads a text about a location only. One that means nothing here is elsewhere.
func (c *Catalogue) whereabouts(text string, w *criteria) {
	wanted, unknown, words := w.wants(), w.unknown, len(w.words)
	c.read(text, w)
	for _, word := range w.words[words:] {
		if !slices.Contains(streets, word) {
			w.there = append(w.there, word)
		}
	}
	if w.wants() == wanted && w.unknown > unknown {
		w.elsewhere = true
	}
}

// reader parses a text from the front, the longest phrase first.
type reader struct {
	c        *Catalogue
	criteria *criteria
	words    []string
	// capital are the capitalised words after "in".
	capital []string
	// refusing is set after "no" and "without", until the next word with a meaning.
	refusing bool
}

func (r *reader) next() {
	switch r.words[0] {
	case "no", "not", "without", "except", "avoid":
		if r.phrase() == 0 {
			r.words = r.words[1:]
			r.refusing = !r.refusedNames()
		}
		return
	case "in":
		if n := r.city(r.words[1:]); n > 0 {
			r.criteria.elsewhere = r.criteria.elsewhere || !r.refusing
			r.refusing = false
			r.words = r.words[1+n:]
			return
		}
	case "near", "by", "around", "beside", "to", "from":
		if n := r.landmark(r.words[1:]); n > 0 {
			r.words = r.words[1+n:]
			return
		}
	}
	if r.phrase() == 0 {
		r.single(r.words[0])
		r.words = r.words[1:]
	}
}

// phrase consumes the longest leading phrase of the lexicon and returns its number of words.
func (r *reader) phrase() int {
	for n := min(r.c.lexicon.longest, len(r.words)); n > 0; n-- {
		t, known := r.c.lexicon.meaning(strings.Join(r.words[:n], " "))
		if !known || t.sort == ofCity { // only after "in": there is a ramen shop called Tokyo
			continue
		}
		r.words = r.words[n:]
		r.add(t)
		return n
	}
	return 0
}

// refusedNames consumes leading names of places, as in "not at Zuni or the Mill", and reports whether there was one.
func (r *reader) refusedNames() bool {
	refused := false
	for words := r.words; len(words) > 0; {
		ids, n := r.c.nameAtHead(words)
		if n == 0 {
			break
		}
		refused, r.words = true, words[n:]
		r.criteria.refused = append(r.criteria.refused, ids...)
		if words = r.words; len(words) > 0 && (words[0] == "or" || words[0] == "nor" || words[0] == "and") {
			words = words[1:]
		}
	}
	return refused
}

// nameAtHead lists the places whose name the words begin with, the longest name first, and its number of words, 0 if
// there is none. A phrase of the lexicon is not a name by itself: "sushi" is none, but "Sushi Zone" is one.
func (c *Catalogue) nameAtHead(words []string) (ids []int32, n int) {
	skip := 0
	for skip < len(words) && (words[skip] == "at" || words[skip] == "to" || words[skip] == "the") {
		skip++
	}
	for n := min(maxNameWords, len(words)-skip); n > 0; n-- {
		phrase := strings.Join(words[skip:skip+n], " ")
		if _, known := c.lexicon.meaning(phrase); known {
			return nil, 0
		}
		if ids := c.calledSo(phrase); len(ids) > 0 {
			return ids, skip + n
		}
	}
	return nil, 0
}

// sureLetters is the length from which a misspelt name is surely meant.
const sureLetters = 8

// calledSo lists the places that a bare name means: those surely of the name, or else those whose name begins with
// exactly these words.
func (c *Catalogue) calledSo(phrase string) (ids []int32) {
	name := place.NameOf(phrase)
	found := c.named(name)
	for _, f := range found {
		joined := c.entries[f.id].name.Joined()
		if f.likeness >= place.SureLikeness || len(joined) >= sureLetters && place.Misspelt(name.Joined(), joined) {
			ids = append(ids, f.id)
		}
	}
	said := place.Words(phrase)
	if len(ids) > 0 || len(said) != len(name.Words()) {
		return ids
	}
	for _, f := range found {
		if all := c.entries[f.id].name.Words(); len(all) >= len(said) && slices.Equal(all[:len(said)], said) {
			ids = append(ids, f.id)
		}
	}
	return ids
}

// single handles a word that begins no phrase: part of a name or an address, a misspelling, or nothing. A refused word
// that only occurs in names is ignored.
func (r *reader) single(word string) {
	switch t, misspelt := r.c.lexicon.misspelt(word); {
	case r.refusing && !misspelt:
	case len(r.c.words[word]) > 0:
		r.criteria.words = append(r.criteria.words, word)
	case misspelt:
		r.add(t)
	default:
		r.criteria.unknown++
	}
	r.refusing = false
}

func (r *reader) add(t term) {
	switch {
	case t.sort == nothing:
		return
	case r.refusing:
		r.criteria.unwanted = append(r.criteria.unwanted, t)
	case t.sort == ofLandmark:
		at := r.c.landmarks[t.name]
		r.criteria.anchor = &at
	case !slices.Contains(r.criteria.terms, t):
		r.criteria.terms = append(r.criteria.terms, t)
	}
	r.refusing = false
}

// landmark consumes the name of a venue to be near to. Other landmarks and areas are in the lexicon. It returns the
// number of words, 0 if there is none.
func (r *reader) landmark(words []string) int {
	skip := 0
	if len(words) > 0 && words[0] == "the" {
		skip = 1
	}
	for n := min(4, len(words)-skip); n > 0; n-- {
		name := strings.Join(words[skip:skip+n], " ")
		if t, known := r.c.lexicon.meaning(name); known && t.sort != ofCity {
			return 0
		}
		if found := r.c.named(place.NameOf(name)); len(found) > 0 && found[0].likeness >= place.SureLikeness {
			at := r.c.entries[found[0].id].place.Location
			r.criteria.anchor = &at
			return skip + n
		}
	}
	return 0
}

// city recognises a city without places here: one of the vocabulary, or a capitalised word without a meaning that is
// not a misspelling. It returns the number of words, 0 if there is none. A misspelt neighbourhood is not a city, and an
// unknown word in lower case may be anything.
func (r *reader) city(words []string) int {
	skip := 0
	if len(words) > 0 && words[0] == "the" {
		skip, words = 1, words[1:]
	}
	for n := min(r.c.lexicon.longest, len(words)); n > 0; n-- {
		t, known := r.c.lexicon.meaning(strings.Join(words[:n], " "))
		switch {
		case known && t.sort == ofCity:
			return skip + n
		case known:
			if after := r.c.lexicon.cityAt(words[n:]); after > 0 {
				return skip + n + after // "downtown Oakland"
			}
			return 0
		}
	}
	if len(words) == 0 || !slices.Contains(r.capital, words[0]) || len(r.c.words[words[0]]) > 0 {
		return 0
	}
	if _, misspelt := r.c.lexicon.misspelt(words[0]); misspelt || len(r.c.misspelt(words[0])) > 0 {
		return 0
	}
	return skip + 1
}

// capitalAfterIn lists the capitalised words, normalized, after "in" or "in the". A capitalised "In" does not count,
// since then every word may have a capital.
func capitalAfterIn(text string) []string {
	var list []string
	written := strings.Fields(text[:min(len(text), maxText)])
	for i, word := range written {
		first, _ := utf8.DecodeRuneInString(word)
		before := written[:i]
		if n := len(before); n > 1 && before[n-1] == "the" {
			before = before[:n-1]
		}
		if len(before) == 0 || before[len(before)-1] != "in" || !unicode.IsUpper(first) {
			continue
		}
		if folded := place.Words(word); len(folded) > 0 {
			list = append(list, folded[0])
		}
	}
	return list
}
