package candidates

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// lessAndLess is the query, and then what to ask for if it finds nothing, or nothing that goes with the time. The
// wishes of the newest message stay; of the older ones each is given up by itself, the oldest first, and then more and
// more of them. Then the place need not be close to a person, and may have been shown before. Needs are given up last.
func lessAndLess(q meet.PlaceQuery, older []meet.Wish) []meet.PlaceQuery {
	queries := []meet.PlaceQuery{q}
	try := func(less meet.PlaceQuery) {
		if !slices.ContainsFunc(queries, func(o meet.PlaceQuery) bool { return sameWish(o, less) }) {
			queries = append(queries, less)
		}
	}
	wishes := slices.DeleteFunc(slices.Clone(older), meet.Wish.Need)
	needs := slices.DeleteFunc(slices.Clone(older), func(w meet.Wish) bool { return !w.Need() })
	for _, some := range moreAndMore(wishes) {
		try(q.Less(some))
	}
	far := q
	far.Close = false
	try(far)
	shown, shownFar := q, far
	shown.Without, shownFar.Without = nil, nil
	try(shown)
	try(shownFar)
	for _, some := range moreAndMore(needs) {
		try(q.Less(some))
	}
	try(q.Less(older))
	return queries
}

// sameWish reports whether two variants of one query ask for the same.
func sameWish(a, b meet.PlaceQuery) bool {
	return slices.Equal(a.Features, b.Features) && slices.Equal(a.Without, b.Without) &&
		a.Area == b.Area && a.Landmark == b.Landmark && a.Close == b.Close
}

// moreAndMore is each of the wishes by itself, and then the first two, the first three and so on.
func moreAndMore(wishes []meet.Wish) [][]meet.Wish {
	sets := slices.Collect(slices.Chunk(wishes, 1))
	for n := 2; n <= len(wishes); n++ {
		sets = append(sets, wishes[:n])
	}
	return sets
}

// fartherKm is how much farther off a place may lie for each wish that it meets and another does not.
const fartherKm = 10.0

// worth ranks a place: by how much of the wish it meets, and how far off it lies.
type worth struct {
	fit int
	km  float64
}

func worthOf(p *meet.Place) worth { return worth{fitOf(p), away(p)} }

// outdoes reports whether a place meets more of the wish than another and lies not much farther off: every ranking puts
// it first.
func (w worth) outdoes(o worth) bool {
	more := w.fit - o.fit
	return more > 0 && w.km-o.km <= fartherKm*float64(more)
}

// How much a wish weighs against others: a diet, the wished whereabouts, and any other feature.
const (
	dietWeight    = 4
	whereWeight   = 2
	featureWeight = 1
)

// fitOf weighs the wishes that a place meets, less those that it is known not to meet.
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

// Arranged is the order in which places are offered: none before one that outdoes it, and of different kinds if the
// wish leaves the kind open. A place that is the area itself goes first: "a walk in Golden Gate Park".
func Arranged(places []meet.Place, order []int, t meet.Template) []int {
	if leavesOpen(t) {
		order = kindsApart(places, order)
	}
	order = fittestFirst(places, order)
	itself := func(i int) int {
		if strings.EqualFold(places[i].Name, strings.TrimPrefix(t.Wishes.Where.Area, "the ")) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b int) int { return itself(a) - itself(b) })
	return order
}

// fittestFirst keeps a ranking of places, but moves each after those that outdo it. A place of the name that the user
// said stays where it is.
func fittestFirst(places []meet.Place, ranked []int) []int {
	worths := make([]worth, len(places))
	for i := range places {
		worths[i] = worthOf(&places[i])
	}
	left := slices.Clone(ranked)
	var sorted []int
	for len(left) > 0 {
		first := slices.IndexFunc(left, func(i int) bool {
			return places[i].Named || !slices.ContainsFunc(left, func(j int) bool { return worths[j].outdoes(worths[i]) })
		})
		sorted = append(sorted, left[first])
		left = slices.Delete(left, first, first+1)
	}
	return sorted
}

// kindsApart puts the first place of each kind before further ones: if the wish leaves the kind open, four cafés are no
// choice.
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
	return t.Specificity == meet.Open && t.PlaceName == "" && t.ActivitySearchQuery == "" &&
		len(t.SuggestedPlaceTypes) != 1
}
