package catalogue

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// add indexes a place.
func (c *Catalogue) add(f feature) {
	id := int32(len(c.entries))
	where := []string{f.place.Address, f.neighbourhood}
	e := entry{place: f.place, name: place.NameOf(f.place.Name, where...), at: vectorOf(f.place.Location)}
	c.entries = append(c.entries, e)
	c.chains[e.name.Whole()] = append(c.chains[e.name.Whole()], id)
	c.keys[e.place.Key()] = id
	known := e.place.Fit(meet.Features())
	for _, feature := range known.Met {
		c.has[feature] = append(c.has[feature], id)
	}
	for _, feature := range known.Unmet {
		c.lacks[feature] = append(c.lacks[feature], id)
	}

	for _, t := range c.termsOf(f) {
		c.tagged[t] = append(c.tagged[t], id)
	}
	if len(f.types) > 0 {
		for _, t := range c.lexicon.widen(c.termFor(ofType, f.types[0])) {
			c.mains[t] = append(c.mains[t], id)
		}
	}
	for _, w := range distinct(place.Words(f.place.Name + " " + strings.Join(where, " "))) {
		c.words[w] = append(c.words[w], id)
	}
	for _, w := range nameKeys(e.name) {
		c.names[w] = append(c.names[w], id)
	}
}

// termsOf are all terms that apply to a place: those of the file, what they imply, and what follows from the hours.
func (c *Catalogue) termsOf(f feature) []term {
	var all []term
	add := func(s sort, names ...string) {
		for _, name := range names {
			for _, t := range c.lexicon.widen(c.termFor(s, name)) {
				if t.name != "" && !slices.Contains(all, t) {
					all = append(all, t)
				}
			}
		}
	}
	add(ofType, f.types...)
	add(ofCuisine, f.cuisines...)
	add(ofFeature, f.place.Features...)
	add(ofArea, f.neighbourhood)
	if openLate(f.place.OpeningHours) {
		add(ofFeature, "late")
	}
	if openEarly(f.place.OpeningHours) {
		add(ofFeature, "early")
	}
	return all
}

// termFor is the term for a file's tag: one of the vocabulary, or else a new one of that sort.
func (c *Catalogue) termFor(s sort, tag string) term {
	phrase := strings.Join(place.Words(tag), " ")
	if t, known := c.lexicon.meaning(phrase); known && t.sort != nothing && s != ofArea {
		return t
	}
	return term{s, phrase}
}

// learnPlaces adds the file's own tags, areas and their aliases, landmarks and cities to the lexicon. Phrases of the
// vocabulary keep their meaning, but an area replaces a filler or a far city.
func (c *Catalogue) learnPlaces(file *placesFile) {
	for _, t := range slices.SortedFunc(maps.Keys(c.tagged), compareTerms) {
		c.learnNew(t.name, t)
	}
	for _, alias := range sortedKeys(file.aliases) {
		t := term{ofArea, "also " + alias}
		for _, area := range file.aliases[alias] {
			c.tagged[t] = append(c.tagged[t], c.tagged[term{ofArea, strings.Join(place.Words(area), " ")}]...)
		}
		c.learnNew(alias, t)
	}
	for _, name := range sortedKeys(file.landmarks) {
		c.landmarks[name] = file.landmarks[name]
		c.learnNew(name, term{ofLandmark, name})
	}
	c.forgetOwnCities()
}

// forgetOwnCities removes the file's own cities from the lexicon, where a city means one without places.
func (c *Catalogue) forgetOwnCities() {
	own := map[string]bool{} // what follows the street in an address
	for i := range c.entries {
		address := c.entries[i].place.Address
		if _, after, found := strings.Cut(address, ","); found {
			address = after
		}
		own[" "+strings.Join(place.Words(address), " ")+" "] = true
	}
	for phrase, t := range c.lexicon.phrases {
		if t.sort != ofCity {
			continue
		}
		for address := range own {
			if strings.Contains(address, " "+phrase+" ") {
				delete(c.lexicon.phrases, phrase)
				break
			}
		}
	}
}

// learnNew adds a phrase unless it already has a meaning.
func (c *Catalogue) learnNew(phrase string, t term) {
	words := place.Words(phrase)
	phrase = strings.Join(words, " ")
	if old, known := c.lexicon.phrases[phrase]; phrase == "" || known && old.sort != nothing && old.sort != ofCity {
		return
	}
	c.lexicon.phrases[phrase] = t
	c.lexicon.longest = max(c.lexicon.longest, len(words))
}

func compareTerms(a, b term) int {
	return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(a.name, b.name))
}

// nameKeys are the index words of a name: its own, and adjacent ones joined ("bluebottle").
func nameKeys(n place.Name) []string {
	if n.Joined() == "" {
		return nil
	}
	keys := append([]string{n.Joined(), n.Whole()}, n.Words()...)
	for i := 1; i < len(n.Words()); i++ {
		keys = append(keys, n.Words()[i-1]+n.Words()[i])
	}
	return distinct(keys)
}

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// namedEntry is an entry that matches a name.
type namedEntry struct {
	id       int32
	likeness float64
}

// named lists the places that match a name, the closest first. Misspelt words are searched only if no word is right,
// since a name with one right word is compared letter by letter anyway.
func (c *Catalogue) named(n place.Name) []namedEntry {
	keys := nameKeys(n)
	found := c.alike(n, keys, c.beginning)
	if len(found) == 0 {
		found = c.alike(n, keys, c.misspelt)
	}
	slices.SortFunc(found, func(a, b namedEntry) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), cmp.Compare(a.id, b.id))
	})
	return found
}

// alike compares the name with all places that have one of the words that like returns for the keys.
func (c *Catalogue) alike(n place.Name, keys []string, like func(string) []string) []namedEntry {
	tried := map[int32]bool{}
	var found []namedEntry
	for _, key := range keys {
		for _, word := range like(key) {
			for _, id := range c.names[word] {
				if tried[id] {
					continue
				}
				tried[id] = true
				if likeness := n.Likeness(c.entries[id].name); likeness > 0 {
					found = append(found, namedEntry{id, likeness})
				}
			}
		}
	}
	return found
}

// beginning are the words of names that begin with word; a short one must be the whole word.
func (c *Catalogue) beginning(word string) []string {
	if len(word) < 4 {
		return []string{word}
	}
	return withPrefix(c.nameWords, word)
}

// withPrefix is the part of a sorted list that begins with prefix.
func withPrefix(sorted []string, prefix string) []string {
	from, _ := slices.BinarySearch(sorted, prefix)
	to := from
	for to < len(sorted) && strings.HasPrefix(sorted[to], prefix) {
		to++
	}
	return sorted[from:to]
}

// fewWords is the number of words up to which a misspelt one is compared with all. Beyond it only words with the same
// first letter are, since people seldom err there.
const fewWords = 10_000

// spellings are words in order, with their letters.
type spellings []spelling

type spelling struct {
	word    string
	letters letters
}

// letters are a set of bits: one for each of "a" to "z", and the other bytes spread over the rest.
type letters uint32

func lettersOf(word string) (set letters) {
	for i := range len(word) {
		set |= 1 << (word[i] % 32)
	}
	return set
}

// mostTypos is the maximum of wrong letters in a word. Each changes the set of letters by at most two.
const mostTypos = 2

// mayBe rules out most pairs of words before the slow comparison of their letters.
func (s letters) mayBe(o letters) bool { return bits.OnesCount32(uint32(s^o)) <= 2*mostTypos }

// misspelt are the words of names that word may be a misspelling of.
func (c *Catalogue) misspelt(word string) []string {
	var alike []string
	has := lettersOf(word)
	for length := len(word) - 2; length <= len(word)+2; length++ {
		among := c.byLength[length]
		if len(c.nameWords) > fewWords {
			among = among.beginningWith(word[0])
		}
		for _, s := range among {
			if has.mayBe(s.letters) && place.Misspelt(word, s.word) {
				alike = append(alike, s.word)
			}
		}
	}
	return alike
}

// beginningWith are the words that begin with that letter.
func (s spellings) beginningWith(letter byte) spellings {
	from, _ := slices.BinarySearchFunc(s, letter, func(s spelling, letter byte) int {
		return cmp.Compare(s.word[0], letter)
	})
	to := from
	for to < len(s) && s[to].word[0] == letter {
		to++
	}
	return s[from:to]
}

// lookUp lists the places that the query names, best first: by likeness, by the other criteria, by score. A text that
// is just the name of a place counts as that name.
func (c *Catalogue) lookUp(q meet.PlaceQuery, w criteria) []int32 {
	found := c.namedBy(q)
	if len(found) == 0 {
		return nil
	}
	fits := c.marks(w)
	slices.SortFunc(found, func(a, b namedEntry) int {
		return cmp.Or(
			cmp.Compare(b.likeness, a.likeness),
			cmp.Compare(fits.of(b.id), fits.of(a.id)),
			cmp.Compare(c.score(b.id, q.Near), c.score(a.id, q.Near)),
			cmp.Compare(a.id, b.id))
	})
	ids := make([]int32, len(found))
	for i, n := range found {
		ids[i] = n.id
	}
	return ids
}

func (c *Catalogue) namedBy(q meet.PlaceQuery) []namedEntry {
	if q.Name != "" {
		if words := place.Words(q.Name); len(words) > maxWords {
			return nil
		}
		return c.named(place.NameOf(q.Name))
	}
	words := place.Words(q.Text)
	if _, means := c.lexicon.meaning(strings.Join(words, " ")); means || len(words) == 0 {
		return nil
	}
	var found []namedEntry
	for _, id := range c.chains[strings.Join(words, "")] {
		found = append(found, namedEntry{id, 1})
	}
	return found
}

func (c *Catalogue) score(id int32, near *geo.Point) float64 {
	p := &c.entries[id].place
	return place.Score(p.Rating, place.DistanceKm(near, p.Location))
}
