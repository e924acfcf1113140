package place

import (
	"cmp"
	"slices"
	"strings"

	"convene/pkg/meet"
)

// Attribution is the credit that a source wants to be given wherever its places are shown. The zero value is none.
type Attribution struct {
	// Text is the credit as it is shown, URL what it links to.
	Text, URL string
}

// Answer makes of what a source gave the answer that Finder promises: byName is what was found for q.Name, byKind what
// was found for the rest of the query. Places of the name come first, wherever they were found; all others are of
// byKind, Offered, not refused and, unless the query says where to look, within reach. A place that was found twice is
// there once, and so is a chain that nobody named.
//
// Rating, price, features and hours are the source's, and InArea unless the query is to be close to its midpoint; the
// distance, the link and Named are filled in here.
func Answer(q meet.PlaceQuery, byName, byKind []meet.Place) []meet.Place {
	wish := WishFor(q)
	wanted := NameOf(q.Name)
	wishWords := Words(wish.Text)
	var list []answered
	seen := map[string]bool{}
	for i, p := range slices.Concat(byKind, byName) {
		if key := cmp.Or(p.ID, p.Name+"|"+p.Address); seen[key] {
			continue
		} else if a, ok := consider(q, wish, p, wanted); ok && (i < len(byKind) || a.likeness > 0) {
			seen[key] = true
			a.score += float64(a.fits(wishWords))
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, answered.compare)
	list = oneOfAChain(list)
	list = list[:min(len(list), Limit(q))]
	places := make([]meet.Place, len(list))
	for i, a := range list {
		places[i] = a.place
		places[i].Merit = Merit(a.score, a.place)
	}
	return places
}

// oneOfAChain leaves the first of those that have one name, but keeps all of the name that was asked for.
func oneOfAChain(list []answered) []answered {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(a answered) bool {
		again := seen[a.whole] && !a.place.Named
		seen[a.whole] = true
		return again
	})
}

// answered is a place with what it is ranked by: how much it is the one named, and its score, in which each word of the
// text that it fits counts a star, or some seven kilometres.
type answered struct {
	place    meet.Place
	whole    string
	likeness float64
	score    float64
}

func (a answered) compare(o answered) int {
	return cmp.Or(cmp.Compare(o.likeness, a.likeness), cmp.Compare(o.score, a.score))
}

// fits counts the words that the place has in its name, its kinds or its features.
func (a answered) fits(words []string) (n int) {
	if len(words) == 0 {
		return 0
	}
	has := Words(a.place.Name + " " + strings.Join(a.place.Types, " ") + " " + strings.Join(a.place.Features, " "))
	for _, word := range words {
		if !filler(word) && slices.Contains(has, word) {
			n++
		}
	}
	return n
}

// closeCostPerKm is what a kilometre costs, beyond what it always does, where the wish is to be close to something.
const closeCostPerKm = 0.85

// consider reports whether the place may be in the answer at all.
func consider(q meet.PlaceQuery, wish Wish, p meet.Place, wanted Name) (a answered, ok bool) {
	name := NameOf(p.Name, p.Address)
	if wish.Refuses(name, slices.Concat(p.Types, p.Features)) || slices.Contains(q.Without, p.Key()) ||
		slices.Contains(q.Without, p.Name) {
		return a, false
	}
	p.DistanceFromMidpointKm = DistanceKm(q.Near, p.Location)
	p.MapsURL = p.MapLink()
	likeness := wanted.Likeness(name)
	p.Named = likeness > 0
	a = answered{place: p, whole: name.Whole(), likeness: likeness}
	a.score = Score(p.Rating, p.DistanceFromMidpointKm) + FitStars(p, q.Features)
	inReach := wish.Somewhere() || p.DistanceFromMidpointKm <= ReachKm
	if wish.Close {
		a.place.InArea = p.DistanceFromMidpointKm <= WalkKm
		a.score -= closeCostPerKm * p.DistanceFromMidpointKm
		inReach = p.DistanceFromMidpointKm <= CloseKm
	}
	return a, p.Named || Offered(p.Rating) && inReach
}
