package catalogue_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

// If no one's location is known, nobody is taken to be where the catalogue's places happen to be. What the query
// itself says of where, and a venue that only one place can be, is found.
func TestNobodyIsTakenToBeInTheCataloguesTown(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, test := range []struct {
		name  string
		query meet.PlaceQuery
		found bool
	}{
		{"a kind of place", meet.PlaceQuery{Types: []string{"cafe"}}, false},
		{"what is wished for", meet.PlaceQuery{Types: []string{"cafe"}, Features: []meet.Feature{meet.Quiet}}, false},
		{"a word", meet.PlaceQuery{Text: "ramen"}, false},
		{"close to nobody", meet.PlaceQuery{Types: []string{"cafe"}, Close: true}, false},
		{"a chain", meet.PlaceQuery{Name: "Starbucks", Types: []string{"cafe"}}, false},
		{"a part of some name", meet.PlaceQuery{Name: "Joe's"}, false},
		{"a venue nobody knows", meet.PlaceQuery{Name: "Nowhere Diner", Types: []string{"restaurant"}}, false},
		{"one venue", meet.PlaceQuery{Name: "Zuni Cafe", Types: []string{"restaurant"}}, true},
		{"a part of town", meet.PlaceQuery{Types: []string{"cafe"}, Area: "the Mission"}, true},
		{"one in the text", meet.PlaceQuery{Text: "tacos in the Mission"}, true},
		{"a landmark", meet.PlaceQuery{Types: []string{"cafe"}, Landmark: "the Ferry Building"}, true},
		{"a chain in a part of town", meet.PlaceQuery{Name: "Starbucks", Area: "the Castro"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := c.Search(t.Context(), test.query)
			if err != nil {
				t.Fatal(err)
			}
			if found := len(got) > 0; found != test.found {
				t.Errorf("%d places, want some: %v", len(got), test.found)
			}
			for _, p := range got {
				if p.DistanceFromMidpointKm != 0 {
					t.Errorf("%s is %v km from no midpoint", p.Name, p.DistanceFromMidpointKm)
				}
			}
		})
	}
}

func TestWhereToLookWhenNobodysLocationIsKnown(t *testing.T) {
	t.Parallel()
	at := func(name string, latitude float64) meet.Place {
		return meet.Place{
			ID: name, Name: name, Types: []string{"cafe"}, Location: geo.Point{Latitude: latitude, Longitude: 4.9},
		}
	}
	town := load(t, fileOf([]meet.Place{at("Tulp", 52.37), at("Iris", 52.39)}))
	country := load(t, fileOf([]meet.Place{at("Tulp", 52.37), at("Roos", 51.2)}))
	if middle := town.Town(); middle == nil || geo.Distance(*middle, geo.Point{Latitude: 52.38, Longitude: 4.9}) > 0.1 {
		t.Errorf("the middle of a town is %v", middle)
	}
	if middle := country.Town(); middle != nil {
		t.Errorf("the middle of a country is %v, want none", middle)
	}
	south := &geo.Point{Latitude: 51.2, Longitude: 4.8}
	for _, test := range []struct {
		around *geo.Point
		want   []string
	}{{nil, []string{}}, {town.Town(), []string{"Tulp"}}, {south, []string{"Roos"}}} {
		found, err := country.Around(test.around).Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, p := range found {
			names = append(names, p.Name)
		}
		if diff := cmp.Diff(test.want, names); diff != "" {
			t.Errorf("around %v (-want +got):\n%s", test.around, diff)
		}
	}
	if empty := load(t, fileOf(nil)).Town(); empty != nil {
		t.Errorf("the middle of nothing is %v", empty)
	}
}
