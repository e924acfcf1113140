// Package catalogue finds places in a file: the built-in one, with some three hundred in San Francisco, or any other
// in the same form. It needs no network and no key, and answers in well under a millisecond.
//
// The form is GeoJSON (RFC 7946): a FeatureCollection of Points, longitude first. Each Feature may have an "id" and has
// these properties; only the name is required:
//
//	name           "Zuni Café"
//	address        "1658 Market St, San Francisco, CA 94102"
//	neighbourhood  "Hayes Valley"; people may ask for it by name
//	types          ["restaurant", "bar"]
//	cuisines       ["californian", "mediterranean"]
//	features       ["outdoor seating", "late"]
//	lacks          ["quiet"], features that it is known to lack
//	rating         stars, 0 to 5; omitted if unrated
//	price          1, cheap, to 4, very expensive; omitted if unknown
//	url            a page about it, https
//	photos         addresses of pictures, https
//	openingHours   as OpenStreetMap writes opening_hours: "Tu-Su 11:30-14:30,17:00-22:00"
//	timezone       the IANA zone of the hours
//
// The collection itself may have "timezone" for all features without one, "aliases" (other names of
// neighbourhoods: {"sunset": ["Inner Sunset", "Outer Sunset"]}) and "landmarks" (points that places can be near to,
// which are themselves no place to meet: {"Oracle Park": [-122.3893, 37.7786]}). Other members are ignored.
//
// The built-in file has facts about real places, written from general knowledge and approximate: places move and close,
// hours and ratings change. It serves demonstrations, tests and runs without a key; it is no directory.
package catalogue

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

//go:embed sanfrancisco.geojson
var sanFrancisco string

// Catalogue is a place.Finder over a file in memory. It never changes after Load and is safe for concurrent use.
type Catalogue struct {
	entries []entry
	// around is the centre of searches without a location; nil finds nothing then.
	around    *geo.Point
	cells     []cell
	lexicon   *lexicon
	landmarks map[string]geo.Point
	// tagged indexes the entries by term, words by the words of name and address, each in order.
	tagged map[term][]int32
	words  map[string][]int32
	// chains indexes the entries by name.
	chains map[string][]int32
	// keys indexes the entries by meet.Place.Key.
	keys map[string]int32
	// has and lacks index the entries by features that they are known to have, and to lack.
	has, lacks map[meet.Feature][]int32
	// mains indexes the entries by their first type.
	mains map[term][]int32
	// names indexes the entries by the words of their names; nameWords are these words in order, byLength the same by
	// length.
	names     map[string][]int32
	nameWords []string
	byLength  map[int]spellings
	// nicknames are what venues may be called, made when they are first asked for.
	nicknames func() map[string]int32
}

// entry is a place prepared for searching.
type entry struct {
	place meet.Place
	name  place.Name
	at    vector
}

// Load reads a places file in the form described in the package. An error names the feature and the property that are
// wrong.
func Load(r io.Reader) (*Catalogue, error) {
	file, err := readFile(r)
	if err != nil {
		return nil, fmt.Errorf("places file: %w", err)
	}
	lex, err := readLexicon(vocabularyFile)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{
		lexicon: lex, landmarks: map[string]geo.Point{},
		tagged: map[term][]int32{}, mains: map[term][]int32{}, words: map[string][]int32{}, names: map[string][]int32{},
		chains: map[string][]int32{}, byLength: map[int]spellings{}, keys: map[string]int32{},
		has: map[meet.Feature][]int32{}, lacks: map[meet.Feature][]int32{},
	}
	for _, f := range file.features {
		c.add(f)
	}
	c.nameWords = sortedKeys(c.names)
	for _, word := range c.nameWords {
		c.byLength[len(word)] = append(c.byLength[len(word)], spelling{word, lettersOf(word)})
	}
	c.cells = cellsOf(c.entries)
	c.learnPlaces(file)
	c.nicknames = sync.OnceValue(c.callings)
	return c, nil
}

// Embedded is the built-in catalogue of San Francisco. It is read once, and shared.
func Embedded() (*Catalogue, error) { return embedded() }

var embedded = sync.OnceValues(func() (*Catalogue, error) { return Load(strings.NewReader(sanFrancisco)) })

// Around is the catalogue with a centre for searches without a location. Without a centre these find nothing: the
// location of the places says nothing about that of the people.
func (c *Catalogue) Around(at *geo.Point) *Catalogue {
	looking := *c
	looking.around = at
	return &looking
}

// Town is the middle of all places; nil if one of them is out of its reach.
func (c *Catalogue) Town() *geo.Point {
	points := make([]geo.Point, len(c.entries))
	for i := range c.entries {
		points[i] = c.entries[i].place.Location
	}
	middle, ok := geo.Midpoint(points...)
	if !ok || slices.ContainsFunc(points, func(p geo.Point) bool { return geo.Distance(middle, p) > place.ReachKm }) {
		return nil
	}
	return &middle
}

// Places are all places in the order of the file, whatever their rating. They have no distance.
func (c *Catalogue) Places() []meet.Place {
	all := make([]meet.Place, len(c.entries))
	for i := range c.entries {
		all[i] = c.entries[i].copyFor(nil)
	}
	return all
}

// Search answers as place.Finder promises. A query that names a neighbourhood of the file finds matches in it, or else
// close by; one that names a landmark finds matches near it. If a place is known to meet a dietary wish, others are
// left out. A text with "in" and a city without places in the file ("in Berlin") finds nothing: the vocabulary lists
// cities, and any other capitalised word after "in" counts as one if it is unlike every word of the file and the
// vocabulary. A chain appears once, with its best branch, but a search by name shows every branch. Kinds and names
// after "no", "not", "without", "except" or "avoid" are left out.
func (c *Catalogue) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	if err := ctx.Err(); err != nil {
		return nil, place.Unavailable(fmt.Errorf("search the catalogue: %w", err))
	}
	w, limit := c.criteriaOf(q), place.Limit(q)
	if w.elsewhere {
		return []meet.Place{}, nil
	}
	ids := c.namedThere(q, w)
	if q.Near == nil && !w.namesArea() {
		if w.within = c.reachOf(q, ids); w.within == nil {
			return []meet.Place{}, nil
		}
	}
	ids = ids[:min(len(ids), limit)]
	named, others := len(ids), w
	var scores []float64
	if len(ids) > 0 && len(w.terms) == 0 {
		others = c.likes(ids[0])
		others.anchor, others.unwanted, others.refused, others.features = w.anchor, w.unwanted, w.refused, w.features
		others.within = w.within
	}
	if byNameOnly := q.Name != "" && len(ids) == 0 && w.asksNothing(); len(ids) < limit && !byNameOnly {
		for _, r := range c.best(ranking{criteria: others, near: q.Near, limit: limit - len(ids), without: ids}) {
			ids, scores = append(ids, r.id), append(scores, r.score)
		}
	}
	found := make([]meet.Place, len(ids))
	for i, id := range ids {
		found[i] = c.entries[id].copyFor(q.Near)
		if i >= named {
			found[i].Merit = place.Merit(scores[i-named], found[i])
		}
		found[i].Named, found[i].InArea = i < named, c.liesIn(w, id)
	}
	return found, nil
}

// reachOf is the centre if neither the query nor a location gives one: the configured point, or else the one venue
// surely meant by the name. Nil if there is none.
func (c *Catalogue) reachOf(q meet.PlaceQuery, named []int32) *geo.Point {
	if c.around == nil && len(named) == 1 && slices.Equal(c.calledSo(strings.Join(place.Words(q.Name), " ")), named) {
		return &c.entries[named[0]].place.Location
	}
	return c.around
}

// namedThere are the places that the query names, best first. With an area, branches elsewhere are left out, unless
// there are no others.
func (c *Catalogue) namedThere(q meet.PlaceQuery, w criteria) []int32 {
	ids := slices.DeleteFunc(c.lookUp(q, w), func(id int32) bool { return slices.Contains(w.refused, id) })
	elsewhere := func(id int32) bool { return !c.liesIn(w, id) }
	if there := slices.DeleteFunc(slices.Clone(ids), elsewhere); len(there) > 0 {
		return there
	}
	return ids
}

// likes are criteria for places like the given one: of its main kind, and preferably of its cuisine.
func (c *Catalogue) likes(id int32) (w criteria) {
	for i, name := range c.entries[id].place.Types {
		switch t := c.termFor(ofType, name); {
		case i == 0:
			w.terms = append(w.terms, t)
		case t.sort == ofCuisine:
			w.liked = append(w.liked, t)
		}
	}
	return w
}

// copyFor is a copy of the place for the caller, with its distance from near.
func (e *entry) copyFor(near *geo.Point) meet.Place {
	p := e.place
	p.DistanceFromMidpointKm = place.DistanceKm(near, p.Location)
	p.Types, p.Features = slices.Clone(p.Types), slices.Clone(p.Features)
	p.Lacks, p.Photos = slices.Clone(p.Lacks), slices.Clone(p.Photos)
	if p.OpeningHours != nil {
		week := p.OpeningHours.Clone()
		p.OpeningHours = &week
	}
	return p
}
