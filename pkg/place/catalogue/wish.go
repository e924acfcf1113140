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

// wish is a query understood.
type wish struct {
	// terms are the kinds, cuisines, features and areas asked for; unwanted, those that must not be.
	terms, unwanted []term
	// refused are places that must not be, by their names.
	refused []int32
	// features are those that are wished for apart from the text.
	features []meet.Feature
	// liked are terms that count for a place and are not required of it.
	liked []term
	// words are other words that some place has in its name or address.
	words []string
	// elsewhere says that the text names a city of which there are no places here.
	elsewhere bool
	// anchor is a place or landmark to be near to, instead of the midpoint.
	anchor *geo.Point
	// within is a point that places must be within reach of, though nobody is said to be there; nil for anywhere.
	within *geo.Point
	// unknown counts the words that say something to no place at all.
	unknown int
}

// asksNothing reports whether every place will do.
func (w wish) asksNothing() bool {
	return len(w.terms) == 0 && len(w.words) == 0 && w.anchor == nil && w.unknown == 0
}

// unheard reports whether something was asked for, and none of it was understood.
func (w wish) unheard() bool {
	return len(w.terms) == 0 && len(w.words) == 0 && w.anchor == nil && w.unknown > 0
}

// asksForSome reports whether only places that fit in some way will do.
func (w wish) asksForSome() bool { return len(w.terms)+len(w.words) > 0 }

// namesArea reports whether the wish itself says where to look.
func (w wish) namesArea() bool {
	return w.anchor != nil || slices.ContainsFunc(w.terms, func(t term) bool { return t.sort == ofArea })
}

// wants is how much of the wish was understood.
func (w wish) wants() int {
	n := len(w.terms) + len(w.words)
	if w.anchor != nil {
		n++
	}
	return n
}

// maxWords bounds how much of a text is read. Nobody asks for a place in more words.
const maxWords = 64

// maxNameWords bounds how many words are tried as one name.
const maxNameWords = 6

// maxText bounds the same in bytes, where words are not counted yet.
const maxText = 4096

// wishOf reads all of a query but its name.
func (c *Catalogue) wishOf(q meet.PlaceQuery) wish {
	w := wish{features: q.Features}
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

// read takes a text into the wish.
func (c *Catalogue) read(text string, w *wish) {
	r := reader{c: c, wish: w, words: place.Words(text), capital: capitalAfterIn(text)}
	r.words = r.words[:min(len(r.words), maxWords)]
	for len(r.words) > 0 {
		r.next()
	}
}

// whereabouts reads a text that says nothing but where to look. What means nothing here is somewhere else.
func (c *Catalogue) whereabouts(text string, w *wish) {
	wanted, unknown := w.wants(), w.unknown
	c.read(text, w)
	if w.wants() == wanted && w.unknown > unknown {
		w.elsewhere = true
	}
}

// reader takes a text apart from the front, the longest phrase first.
type reader struct {
	c     *Catalogue
	wish  *wish
	words []string
	// capital are the words written with a capital behind "in", as names are.
	capital []string
	// refusing is set behind "no" and "without", until the next thing that means something.
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
			r.wish.elsewhere = r.wish.elsewhere || !r.refusing
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

// phrase takes the longest phrase of the lexicon that the words begin with; it gives how many words that were.
func (r *reader) phrase() int {
	for n := min(r.c.lexicon.longest, len(r.words)); n > 0; n-- {
		t, known := r.c.lexicon.meaning(strings.Join(r.words[:n], " "))
		if !known || t.sort == ofCity { // which is one behind "in" only: there is a ramen shop called Tokyo
			continue
		}
		r.words = r.words[n:]
		r.add(t)
		return n
	}
	return 0
}

// refusedNames takes the names of places that the words begin with, as in "not at Zuni or the Mill". It reports whether
// there was one.
func (r *reader) refusedNames() bool {
	refused := false
	for words := r.words; len(words) > 0; {
		ids, n := r.c.nameAtHead(words)
		if n == 0 {
			break
		}
		refused, r.words = true, words[n:]
		r.wish.refused = append(r.wish.refused, ids...)
		if words = r.words; len(words) > 0 && (words[0] == "or" || words[0] == "nor" || words[0] == "and") {
			words = words[1:]
		}
	}
	return refused
}

// nameAtHead lists the places whose name the words begin with, the longest name first, and gives how many words that
// were, 0 where there is none. What the lexicon knows is no name, unless more words than those belong to it: "sushi" is
// none, and "Sushi Zone" is one.
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

// sureLetters is how long a misspelt name must be to be surely meant.
const sureLetters = 8

// calledSo lists the places that somebody means who says no more than this: those surely of the name, or else those
// whose name begins with exactly these words.
func (c *Catalogue) calledSo(phrase string) (ids []int32) {
	name := place.NameOf(phrase)
	found := c.named(name)
	for _, f := range found {
		joined := c.entries[f.id].name.Joined()
		if f.likeness >= sureLikeness || len(joined) >= sureLetters && place.Misspelt(name.Joined(), joined) {
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

// single takes a word that begins no phrase: part of a name or an address, a misspelling, or nothing. A refused one
// that only stands in some name asks for nothing.
func (r *reader) single(word string) {
	switch t, misspelt := r.c.lexicon.misspelt(word); {
	case r.refusing && !misspelt:
	case len(r.c.words[word]) > 0:
		r.wish.words = append(r.wish.words, word)
	case misspelt:
		r.add(t)
	default:
		r.wish.unknown++
	}
	r.refusing = false
}

func (r *reader) add(t term) {
	switch {
	case t.sort == nothing:
		return
	case r.refusing:
		r.wish.unwanted = append(r.wish.unwanted, t)
	case t.sort == ofLandmark:
		at := r.c.landmarks[t.name]
		r.wish.anchor = &at
	case !contains(r.wish.terms, t):
		r.wish.terms = append(r.wish.terms, t)
	}
	r.refusing = false
}

// landmark looks for something at the head of the words that others can be near to: a venue by its name. Landmarks
// that are no venues, and areas, are in the lexicon. It gives the number of words taken, 0 where there is none.
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
		if found := r.c.named(place.NameOf(name)); len(found) > 0 && found[0].likeness >= sureLikeness {
			at := r.c.entries[found[0].id].place.Location
			r.wish.anchor = &at
			return skip + n
		}
	}
	return 0
}

// city looks at the head of the words for a city that has no places here: one of the vocabulary's, or any word with a
// capital that means nothing here and is no misspelling of what does. It gives the number of words taken, 0 where there
// is none. A misspelt neighbourhood is no city, and a word in small letters that nobody knows may be anything.
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
			if behind := r.c.lexicon.cityAt(words[n:]); behind > 0 {
				return skip + n + behind // "downtown Oakland"
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

// capitalAfterIn lists the words of a text, folded, that stand behind "in" or "in the" and begin with a capital. Where
// "in" has one itself, all words have, and it tells nothing.
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
