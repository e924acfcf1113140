// Package place is the contract of everything that finds venues, and the rules that all finders share: which ratings
// are offered, what "best first" means, and how a named venue is recognised.
//
// A finder is an adapter in a folder below this one; placetest is the suite that each of them passes.
package place

import (
	"cmp"
	"context"
	"math"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

// Finder finds venues.
//
// Search returns at most q.Limit places (DefaultLimit if that is not positive, never more than MaxLimit), best first:
//
//   - If q.Name is set, the venues of that name come first and are marked Named, the closest name first and then by
//     Score, and others like it follow. Case, accents, small misspellings and missing parts do not matter: "Zuni"
//     finds "Zuni Café". The user chose a named venue, so its rating and its distance do not count against it.
//   - All others are Offered by their rating and fit q.Types and q.Text, best first by Score; of two near to each
//     other the one that fits more of the text comes first. A word that fits no place is ignored, unless no other
//     word fits any place either. They lie within ReachKm of q.Near, unless the text says where to look.
//   - Each of q.Features that a place is known to have adds FeatureStars, and each that it is known to lack subtracts
//     as much. None is required: meet.Place.Fit shows what a place has.
//   - If q.Near is nil and the query does not say where, a finder searches around its configured centre. Without one
//     it finds only an unambiguous venue by its name, because its places say nothing about where people are.
//   - If the text, q.Area or q.Landmark names a neighbourhood or a landmark, only places there or close by are found,
//     and those there are marked InArea. In a city that the finder does not know, nothing is found rather than
//     something elsewhere. With q.Close, q.Near is such a landmark.
//   - Venues of a name in q.Excluded are not found, nor those whose Key or name is in q.Without. Of venues with the
//     same name, as branches of a chain, only the best is found, unless q.Name asks for them.
//   - Each has its DistanceFromMidpointKm from q.Near (0 if that is nil), its Merit and a MapsURL, and if known its
//     OpeningHours and their Timezone.
//
// Nothing found is an empty list and no error. An error is a fault.PlacesUnavailable; a context that ended is its
// cause. The result belongs to the caller, who may change it. Search is safe for concurrent use.
type Finder interface {
	Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error)
}

const (
	// DefaultLimit is the number of places if the query has none.
	DefaultLimit = 10
	// MaxLimit bounds the number of places.
	MaxLimit = 50
	// WalkKm is how far from a landmark a place counts as there.
	WalkKm = 1.5
	// CloseKm is how far from a landmark a place is still found.
	CloseKm = 3.0
	// FeatureStars is the worth of a wished feature: some twenty kilometres.
	FeatureStars = 3.0
	// ReachKm is the maximum distance from the centre of a search: an hour's way, beyond which nobody would go.
	ReachKm = 50.0
)

// costPerKm is the cost of a kilometre in stars: a place 3 km farther off must be almost half a star better.
const costPerKm = 0.15

// Offered reports whether a place with that rating is offered: meet.MinRating or better, or unrated (0).
func Offered(rating float64) bool { return rating == 0 || rating >= meet.MinRating }

// Score ranks places: the stars less 0.15 for each kilometre. An unrated place counts as one of meet.MinRating, so that
// it is neither hidden nor preferred to well-rated ones.
func Score(rating, km float64) float64 {
	return cmp.Or(rating, meet.MinRating) - costPerKm*km
}

// FitStars is what the wished features add to a place's Score.
func FitStars(p meet.Place, features []meet.Feature) float64 {
	fit := p.Fit(features)
	return FeatureStars * float64(len(fit.Met)-len(fit.Unmet))
}

// Merit is the part of a finder's score apart from rating and distance, for rankings that replace the distance by
// travel times.
func Merit(score float64, p meet.Place) float64 {
	return math.Round((score-Score(p.Rating, p.DistanceFromMidpointKm))*100) / 100
}

// DistanceKm is a place's distance from the midpoint, rounded to the metre; 0 if there is no midpoint.
func DistanceKm(near *geo.Point, at geo.Point) float64 {
	if near == nil {
		return 0
	}
	return math.Round(geo.Distance(*near, at)*1000) / 1000
}

// Limit is the number of places that a query wants.
func Limit(q meet.PlaceQuery) int {
	if q.Limit <= 0 {
		return DefaultLimit
	}
	return min(q.Limit, MaxLimit)
}

// Unavailable is the fault of a failed search, with its cause.
func Unavailable(cause error) error {
	return fault.New(fault.PlacesUnavailable, "The search for places does not answer just now.").Later(0).Because(cause)
}
