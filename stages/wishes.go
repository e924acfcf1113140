package stages

import (
	"context"
	"math"
	"slices"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/meet"
)

// search looks for what the draft wishes of a place. Where there is nothing of it, the wish is given up step by step: that
// the place must be close to somebody, and that it must not have been shown before. The notes say so.
func (f finder) search(ctx context.Context, c circumstances, draft meet.Draft) (found placesFound) {
	middle := midpoint(everybody(c.turn.Organizer, draft.People))
	query, notes := anchored(*draft.PlaceQuery, draft, c.turn.Organizer, middle)
	query.Limit = mostPlaces
	query.Text = whereaboutsOf(c.turn.Organizer, query.Text)
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Patience)
	defer cancel()
	for _, q := range lessAndLess(query) {
		found.err = guarded(func() (err error) {
			found.list, err = f.places.Search(ctx, q)
			return err
		})
		notes.Farther = query.Close && !q.Close
		notes.Repeated = len(query.Without) > 0 && len(q.Without) == 0
		if found.err != nil || len(found.list) > 0 {
			break
		}
	}
	if wish := draft.Template.Wishes.Where; wish.Area != "" || wish.Landmark != "" || query.Close {
		notes.Farther = len(found.list) > 0 && !slices.ContainsFunc(found.list, func(p meet.Place) bool { return p.InArea })
	}
	found.notes = notes
	measure(found.list, draft.Template.Wishes.Features, query, middle)
	return found
}

// lessAndLess is the query, and what is left of it where that finds nothing.
func lessAndLess(q meet.PlaceQuery) []meet.PlaceQuery {
	queries := []meet.PlaceQuery{q}
	if q.Close {
		q.Close = false
		queries = append(queries, q)
	}
	if len(q.Without) > 0 {
		again := queries[0]
		again.Without, q.Without = nil, nil
		queries = append(queries, again)
		if again.Close {
			queries = append(queries, q)
		}
	}
	return queries
}

// anchored is the query around whom the wish names, and around the middle of everybody where it names nobody. Who has no
// office that is known is looked for where they usually are.
func anchored(
	q meet.PlaceQuery, draft meet.Draft, organizer meet.Person, middle *geo.Point,
) (meet.PlaceQuery, meet.SearchNotes) {
	q.Near = middle
	where := draft.Template.Wishes.Where
	if where.Person == "" {
		return q, meet.SearchNotes{}
	}
	who, name := draft.Around, where.Person
	if who == nil && where.Person == meet.Myself {
		who = &organizer
	}
	if who != nil && where.Person != meet.Myself {
		name = who.Name
	}
	notes := meet.SearchNotes{Around: name, Anchor: where.Anchor}
	switch {
	case who == nil || who.Location == nil && who.Office == nil:
		return q, meet.SearchNotes{NoLocation: name}
	case where.Anchor == meet.AtOffice && who.Office != nil:
		q.Near = &who.Office.Point
	case who.Location == nil:
		q.Near, notes.Anchor = &who.Office.Point, meet.AtOffice
	case where.Anchor == meet.AtOffice:
		q.Near, notes.Anchor, notes.NoOffice = &who.Location.Point, meet.AtLocation, name
	default:
		q.Near = &who.Location.Point
	}
	q.Close = true
	return q, notes
}

// measure notes how each place stands to the wish, and how far it lies from the middle and from whom it should be close to.
func measure(places []meet.Place, features []meet.Feature, q meet.PlaceQuery, middle *geo.Point) {
	for i := range places {
		p := &places[i]
		if len(features) > 0 {
			fit := p.Fit(features)
			p.Wishes = &fit
		}
		if q.Close {
			p.DistanceFromAnchorKm = p.DistanceFromMidpointKm
			p.DistanceFromMidpointKm = fromMiddle(*p, middle)
		}
	}
}

// measuredAnew are places of an earlier search as far from the middle as that is now: others may have joined since.
func measuredAnew(places []meet.Place, middle *geo.Point) []meet.Place {
	places = slices.Clone(places)
	for i, p := range places {
		places[i].DistanceFromMidpointKm = fromMiddle(p, middle)
	}
	return places
}

// fromMiddle is how far a place is from the middle of everybody, to the metre; 0 where one of them is not known.
func fromMiddle(p meet.Place, middle *geo.Point) (km float64) {
	if middle == nil || p.Location == (geo.Point{}) {
		return 0
	}
	return math.Round(geo.Distance(*middle, p.Location)*1000) / 1000
}

// fartherKm is how much farther off a place may lie for each wish that it meets and another does not.
const fartherKm = 10.0

// outdoes reports whether a place meets more of the wish than another and lies not much farther off, so that no ranking may
// put it behind.
func outdoes(p, o meet.Place) bool {
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
func fitOf(p meet.Place) (weight int) {
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
func away(p meet.Place) float64 {
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
			return places[i].Named || !slices.ContainsFunc(left, func(j int) bool { return outdoes(places[j], places[i]) })
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

// morePlaces are further places that were not shown yet: what the search still holds, or else what a new one finds.
func (p *Pipeline) morePlaces(ctx context.Context, r *run, draft meet.Draft) []meet.Place {
	search := r.conversation.Search
	unseen := func(list []meet.Place) []meet.Place {
		return slices.DeleteFunc(slices.Clone(list), func(place meet.Place) bool {
			return shownBefore(search, place) || search.Event != nil && closed(place, search.Event.Span())
		})
	}
	if left := unseen(search.Places); len(left) > 0 || !functions.SeeksPlace(draft.Template) {
		return left
	}
	draft.PlaceQuery, draft.Around = functions.PlaceQuery(draft.Template), search.Around
	draft.PlaceQuery.Without = search.ShownPlaces
	found := p.candidates.search(ctx, r.circumstances, draft)
	left := unseen(found.list)
	search.Places = append(search.Places, left...)
	return left
}
