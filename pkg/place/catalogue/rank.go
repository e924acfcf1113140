package catalogue

import (
	"cmp"
	"math"
	"slices"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// marks rate how well each entry fits the criteria: points for preferences, and above them a bit for each essential: a
// cuisine, a kind of place and an area. A cuisine outweighs a kind: a search for tacos in a café is for tacos; both
// outweigh the area, since a bar round the corner is no answer to tacos. A dietary need weighs most.
type marks []uint32

const (
	fitsType    uint32 = 1 << 20
	fitsCuisine uint32 = 2 << 20
	fitsArea    uint32 = 1 << 19
	asked              = fitsType | fitsCuisine
	fitsDiet    uint32 = 1 << 22
	essentials         = asked | fitsArea | fitsDiet
	refused     uint32 = 1 << 31

	// oneWord is the worth of a feature, a further kind or a word of the address; a word of a name has nameWord. mainKind
	// is for places whose first type is that kind.
	oneWord  = 10
	nameWord = 20
	mainKind = 3
	// starsPerPoint puts points and stars on one scale: a matching word is worth one star, or some seven kilometres.
	starsPerPoint = 0.1

	// vicinityKm is how far from the middle of a neighbourhood a place may lie if the neighbourhood has none of its kind;
	// landmarkKm, how far from a landmark. Within walkKm of a landmark a place counts as there.
	vicinityKm = 2.0
	landmarkKm = place.CloseKm
	walkKm     = place.WalkKm
)

func (m marks) of(id int32) uint32 {
	if len(m) == 0 {
		return 0
	}
	return m[id]
}

// marks are nil if the criteria are empty.
func (c *Catalogue) marks(w criteria) marks {
	if len(w.terms)+len(w.liked)+len(w.words)+len(w.unwanted)+len(w.refused)+len(w.features) == 0 {
		return nil
	}
	m := make(marks, len(c.entries))
	for _, t := range w.terms {
		m.require(c.tagged[t], essential(t))
		m.add(c.tagged[t], points(t))
		m.add(c.mains[t], mainKind)
	}
	for _, t := range w.liked {
		m.add(c.tagged[t], points(t))
	}
	for _, word := range w.words {
		m.add(c.words[word], oneWord)
		m.add(c.names[word], nameWord-oneWord)
	}
	for _, t := range w.unwanted {
		m.require(c.tagged[t], refused)
	}
	m.require(w.refused, refused)
	for _, feature := range w.features {
		if feature.Diet() {
			m.require(c.has[feature], fitsDiet)
		}
	}
	return m
}

// fits counts for each entry the wished features that it is known to have, minus those that it is known to lack. It is
// nil if there are no wishes.
type fits []int8

func (c *Catalogue) fits(features []meet.Feature) fits {
	if len(features) == 0 {
		return nil
	}
	f := make(fits, len(c.entries))
	for _, feature := range features {
		for _, id := range c.has[feature] {
			f[id]++
		}
		for _, id := range c.lacks[feature] {
			f[id]--
		}
	}
	return f
}

func (f fits) most() (most int) {
	for _, n := range f {
		most = max(most, int(n))
	}
	return most
}

func (f fits) of(id int32) int {
	if len(f) == 0 {
		return 0
	}
	return int(f[id])
}

func (m marks) add(ids []int32, points uint32) {
	for _, id := range ids {
		m[id] += points
	}
}

func (m marks) require(ids []int32, bit uint32) {
	for _, id := range ids {
		m[id] |= bit
	}
}

func essential(t term) uint32 {
	switch t.sort {
	case ofType:
		return fitsType
	case ofCuisine:
		return fitsCuisine
	case ofArea:
		return fitsArea
	case ofFeature:
		if meet.Feature(t.name).Diet() {
			return fitsDiet
		}
		return 0
	default:
		return 0
	}
}

func points(t term) uint32 {
	if t.sort == ofArea {
		return 0 // it is essential, and there is no being in it twice
	}
	return oneWord
}

// most is an upper bound of any entry's mark: all essentials and the most points of any, or 0 if no entry has a mark.
func (m marks) most() (most uint32) {
	var essential, points uint32
	for _, mark := range m {
		if mark < refused {
			essential, points = essential|mark&essentials, max(points, mark&^essentials)
		}
	}
	return essential | points
}

// ranking is a search for the best places.
type ranking struct {
	criteria criteria
	near     *geo.Point
	limit    int
	// without are entries that were found already.
	without []int32
}

// ranked is an entry with its rank: essentials first, and then stars, kilometres and points on one scale.
type ranked struct {
	id        int32
	essential uint32
	score     float64
}

func (r ranked) compare(o ranked) int {
	return cmp.Or(cmp.Compare(o.essential, r.essential), cmp.Compare(o.score, r.score), cmp.Compare(r.id, o.id))
}

// rank computes the rank of an entry.
func (r *ranking) rank(id int32, mark uint32, fit int, score, km float64) ranked {
	score += float64(mark&^essentials)*starsPerPoint + place.FeatureStars*float64(fit)
	if r.criteria.anchor != nil {
		score -= place.CloseCostPerKm * km
	}
	return ranked{id, mark & essentials, score}
}

// best lists the entries that fit the criteria, best first. It walks the cells from the nearest outward and stops once
// nothing farther off can be better than what it has.
func (c *Catalogue) best(r ranking) []ranked {
	m := c.marks(r.criteria)
	most := m.most()
	if r.criteria.unheard() || most == 0 && r.criteria.asksForSome() {
		return nil
	}
	from, reach := r.near, place.ReachKm
	if r.criteria.anchor != nil {
		from, reach = r.criteria.anchor, landmarkKm
	} else if r.criteria.namesArea() {
		reach = math.Inf(1)
	}
	top, fit := leaders{c: c, limit: r.limit}, c.fits(r.criteria.features)
	origin, there, fitsMost := originOf(from), c.thereabouts(r.criteria, most), fit.most()
	for _, near := range c.nearest(origin, reach) {
		if top.beats(r.rank(0, most, fitsMost, place.Score(5, near.km), near.km)) {
			break
		}
		for _, id := range c.cells[near.cell].ids {
			mark, rating := m.of(id), c.entries[id].place.Rating
			if mark == 0 && most > 0 || top.beats(r.rank(id, mark, fit.of(id), place.Score(rating, near.km), near.km)) {
				continue
			}
			km := origin.km(c.entries[id].at)
			if km <= reach && there(id, mark) && c.offers(id, mark, r.without) {
				top.add(r.rank(id, mark, fit.of(id), place.Score(rating, km), km))
			}
		}
	}
	return top.alike()
}

// thereabouts tests whether an entry is where the criteria say: in a requested area, or close to it, and of the
// requested kind. Criteria without an area or a landmark leave this to the ranking. most is the bound of all marks.
func (c *Catalogue) thereabouts(w criteria, most uint32) func(id int32, mark uint32) bool {
	var middles []vector
	for _, t := range w.terms {
		if t.sort == ofArea {
			middles = append(middles, c.middle(c.tagged[t]))
		}
	}
	return func(id int32, mark uint32) bool {
		if w.within != nil && vectorOf(*w.within).km(c.entries[id].at) > place.ReachKm {
			return false
		}
		if w.namesArea() && most&asked != 0 && mark&asked == 0 {
			return false
		}
		near := func(middle vector) bool { return middle.km(c.entries[id].at) <= vicinityKm }
		return len(middles) == 0 || mark&fitsArea != 0 || slices.ContainsFunc(middles, near)
	}
}

// middle is the point between the entries; the zero vector if there are none.
func (c *Catalogue) middle(ids []int32) (sum vector) {
	for _, id := range ids {
		for i := range sum {
			sum[i] += c.entries[id].at[i]
		}
	}
	length := math.Sqrt(sum[0]*sum[0] + sum[1]*sum[1] + sum[2]*sum[2])
	if length == 0 {
		return sum
	}
	return vector{sum[0] / length, sum[1] / length, sum[2] / length}
}

// liesIn reports whether an entry is in the requested area, on the street, or within a walk of the landmark.
func (c *Catalogue) liesIn(w criteria, id int32) bool {
	if w.anchor != nil && vectorOf(*w.anchor).km(c.entries[id].at) <= walkKm {
		return true
	}
	if off := func(word string) bool { return !slices.Contains(c.words[word], id) }; len(w.there) > 0 &&
		!slices.ContainsFunc(w.there, off) {
		return true
	}
	return slices.ContainsFunc(w.terms, func(t term) bool { return t.sort == ofArea && slices.Contains(c.tagged[t], id) })
}

// offers reports whether an entry may be shown: rated well enough, not refused, and not shown already.
func (c *Catalogue) offers(id int32, mark uint32, without []int32) bool {
	return mark < refused && place.Offered(c.entries[id].place.Rating) && !slices.Contains(without, id)
}

// leaders are the best entries so far, best first, one of each chain.
type leaders struct {
	c     *Catalogue
	limit int
	list  []ranked
}

func (l *leaders) full() bool   { return len(l.list) == l.limit }
func (l *leaders) last() ranked { return l.list[len(l.list)-1] }

// beats reports whether r is not among the best.
func (l *leaders) beats(r ranked) bool { return l.full() && l.last().compare(r) < 0 }

func (l *leaders) add(r ranked) {
	if l.beats(r) {
		return
	}
	name := l.c.entries[r.id].name.Whole()
	same := slices.IndexFunc(l.list, func(o ranked) bool { return l.c.entries[o.id].name.Whole() == name })
	switch {
	case same >= 0 && l.list[same].compare(r) < 0:
		return
	case same >= 0:
		l.list = slices.Delete(l.list, same, same+1)
	case l.full():
		l.list = l.list[:len(l.list)-1]
	}
	at, _ := slices.BinarySearchFunc(l.list, r, ranked.compare)
	l.list = slices.Insert(l.list, at, r)
}

// alike drops entries without an essential that the best one has: a bar is no answer to "ramen".
func (l *leaders) alike() []ranked {
	return slices.DeleteFunc(l.list, func(r ranked) bool { return r.essential != l.list[0].essential })
}
