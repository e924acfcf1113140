package stages

import (
	"slices"

	"convene/pkg/meet"
)

// fartherKm is how much farther off a place may lie for each wish that it meets and another does not.
const fartherKm = 10.0

// outdoes reports whether a place meets more of the wish than another and lies not much farther off, so that no ranking may
// put it behind.
func outdoes(p, o *meet.Place) bool {
	more := fitOf(p) - fitOf(o)
	return more > 0 && away(p)-away(o) <= fartherKm*float64(more)
}

// How much a wish weighs against others: what somebody needs in order to eat there, to be where it was wished for, and
// any other feature.
const (
	dietWeight    = 4
	whereWeight   = 2
	featureWeight = 1
)

// fitOf weighs what of the wish a place meets, less what it is known not to.
func fitOf(p *meet.Place) (weight int) {
	if p.InArea {
		weight += whereWeight
	}
	if p.Wishes == nil {
		return weight
	}
	for _, f := range p.Wishes.Met {
		weight += weightOf(f)
	}
	for _, f := range p.Wishes.Unmet {
		weight -= weightOf(f)
	}
	return weight
}

func weightOf(f meet.Feature) int {
	if f.Diet() {
		return dietWeight
	}
	return featureWeight
}

// away is how far a place lies from where it should be.
func away(p *meet.Place) float64 {
	if p.DistanceFromAnchorKm > 0 {
		return p.DistanceFromAnchorKm
	}
	return p.DistanceFromMidpointKm
}

// arranged is the order in which places are offered: none before one that outdoes it, and of different kinds where the
// wish leaves that open.
func arranged(places []meet.Place, t meet.Template) []int {
	order := rest(nil, len(places))
	if leavesOpen(t) {
		order = kindsApart(places, order)
	}
	return fittestFirst(places, order)
}

// fittestFirst keeps a ranking of places, but for those that are outdone by one behind them. A place of the name that the
// user said stays where it is.
func fittestFirst(places []meet.Place, ranked []int) []int {
	left := slices.Clone(ranked)
	var sorted []int
	for len(left) > 0 {
		first := slices.IndexFunc(left, func(i int) bool {
			return places[i].Named || !slices.ContainsFunc(left, func(j int) bool { return outdoes(&places[j], &places[i]) })
		})
		sorted = append(sorted, left[first])
		left = slices.Delete(left, first, first+1)
	}
	return sorted
}

// kindsApart puts the first of each kind of place before further ones of it. It is for wishes that leave open what to do:
// four cafés are no choice then.
func kindsApart(places []meet.Place, ranked []int) []int {
	seen := map[string]bool{}
	var first, again []int
	for _, i := range ranked {
		kind := ""
		if len(places[i].Types) > 0 {
			kind = places[i].Types[0]
		}
		if seen[kind] {
			again = append(again, i)
			continue
		}
		seen[kind] = true
		first = append(first, i)
	}
	return append(first, again...)
}

// leavesOpen reports whether the wish says neither which venue nor what kind of one.
func leavesOpen(t meet.Template) bool {
	return t.Specificity == meet.Open && t.PlaceName == "" && t.ActivitySearchQuery == "" && len(t.SuggestedPlaceTypes) != 1
}
