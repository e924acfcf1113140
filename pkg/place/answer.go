package place

import (
	"cmp"
	"slices"
	"strings"

	"convene/pkg/meet"
)

// Attribution is the credit that a source demands wherever its places are shown. The zero value is none.
type Attribution struct {
	// Text is the credit as shown, URL the target of its link.
	Text, URL string
}

// Answer ranks a source's results as Finder promises: byName was found for q.Name, byKind for the rest of the query.
// Places of the name come first, wherever they were found; all others are from byKind, Offered, not refused and, unless
// the query says where to look, within reach. A place found twice appears once, and so does a chain unless it was
// named.
//
// Rating, price, features and hours are the source's, and InArea too unless q.Close; Answer sets the distance, the link
// and Named.
func Answer(q meet.PlaceQuery, byName, byKind []meet.Place) []meet.Place {
	criteria := CriteriaFor(q)
	wanted := NameOf(q.Name)
	wishWords := Words(criteria.Text)
	var list []answered
	seen := map[string]bool{}
	for i, p := range slices.Concat(byKind, byName) {
		if key := cmp.Or(p.ID, p.Name+"|"+p.Address); seen[key] {
			continue
		} else if a, ok := consider(q, criteria, p, wanted); ok && (i < len(byKind) || a.likeness > 0) {
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

// oneOfAChain keeps the first place of each name, and all places of the requested name.
func oneOfAChain(list []answered) []answered {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(a answered) bool {
		again := seen[a.whole] && !a.place.Named
		seen[a.whole] = true
		return again
	})
}

// answered is a place with its rank: its likeness to the requested name, and its score, to which each matching word of
// the text adds a star, or some seven kilometres.
type answered struct {
	place    meet.Place
	whole    string
	likeness float64
	score    float64
}

func (a answered) compare(o answered) int {
	return cmp.Or(cmp.Compare(o.likeness, a.likeness), cmp.Compare(o.score, a.score))
}

// fits counts the words in the place's name, kinds or features.
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

// CloseCostPerKm is the cost in stars of a kilometre, on top of Score's, in a search close to something.
const CloseCostPerKm = 0.85

// consider ranks a place; ok is false if it must not be in the answer.
func consider(q meet.PlaceQuery, criteria Criteria, p meet.Place, wanted Name) (a answered, ok bool) {
	name := NameOf(p.Name, p.Address)
	if criteria.Refuses(name, slices.Concat(p.Types, p.Features)) || slices.Contains(q.Without, p.Key()) ||
		slices.Contains(q.Without, p.Name) {
		return a, false
	}
	p.DistanceFromMidpointKm = DistanceKm(q.Near, p.Location)
	p.MapsURL = p.MapLink()
	likeness := wanted.Likeness(name)
	p.Named = likeness > 0
	a = answered{place: p, whole: name.Whole(), likeness: likeness}
	a.score = Score(p.Rating, p.DistanceFromMidpointKm) + FitStars(p, q.Features)
	inReach := criteria.Somewhere() || p.DistanceFromMidpointKm <= ReachKm
	if criteria.Close {
		a.place.InArea = p.DistanceFromMidpointKm <= WalkKm
		a.score -= CloseCostPerKm * p.DistanceFromMidpointKm
		inReach = p.DistanceFromMidpointKm <= CloseKm
	}
	return a, p.Named || Offered(p.Rating) && inReach
}
