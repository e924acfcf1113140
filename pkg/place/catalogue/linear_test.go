package catalogue_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// TestIndexFindsWhatLookingAtAllWouldFind compares searches by the index with one that looks at every place: the same
// places in the same order, wherever the search begins and whatever it asks for.
func TestIndexFindsWhatLookingAtAllWouldFind(t *testing.T) {
	t.Parallel()
	places := generated(4000)
	c := load(t, fileOf(places))
	rng := rand.New(rand.NewPCG(17, 19))
	for range 150 {
		near := geo.Point{Latitude: 37 + rng.Float64()*1.6, Longitude: -123.2 + rng.Float64()*1.6}
		q := meet.PlaceQuery{Near: &near, Limit: 1 + rng.IntN(place.MaxLimit)}
		kind, feature := "", ""
		if rng.IntN(4) > 0 {
			kind = []string{"cafe", "bar", "museum"}[rng.IntN(3)]
			q.Types = []string{kind}
		}
		if kind != "" && rng.IntN(2) > 0 {
			feature = []string{"quiet", "wifi"}[rng.IntN(2)]
			q.Text = feature
		}
		var got []string
		for _, p := range search(t, c, q) {
			got = append(got, p.ID)
		}
		if diff := gocmp.Diff(lookAtAll(places, q, kind, feature), got); diff != "" {
			t.Fatalf("%+v near %v (-by looking at all +by the index):\n%s", q, near, diff)
		}
	}
}

// lookAtAll is the contract's order of all places of a kind: by their score, to which a feature that is asked for adds
// a star.
func lookAtAll(places []meet.Place, q meet.PlaceQuery, kind, feature string) (ids []string) {
	type scored struct {
		id    string
		score float64
	}
	var all []scored
	for _, p := range places {
		km := geo.Distance(*q.Near, p.Location)
		if km > place.ReachKm || !place.Offered(p.Rating) || kind != "" && p.Types[0] != kind {
			continue
		}
		score := place.Score(p.Rating, km)
		if feature != "" && p.Features[0] == feature {
			score++
		}
		all = append(all, scored{p.ID, score})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, s := range all[:min(len(all), q.Limit)] {
		ids = append(ids, s.id)
	}
	return ids
}
