package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/place/catalogue"
)

func TestWishesInTheEmbeddedCatalogue(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, tt := range []struct {
		name  string
		query meet.PlaceQuery
		holds func(meet.Place) bool // of the first place
		found bool
	}{
		{"each wish", meet.PlaceQuery{
			Types: []string{"cafe"}, Near: mission(), Features: []meet.Feature{meet.Quiet, meet.OutdoorSeating},
		},
			func(p meet.Place) bool { return p.Fit([]meet.Feature{meet.Quiet, meet.OutdoorSeating}).Complete() }, true},
		{"a diet, and nothing without it", meet.PlaceQuery{
			Types: []string{"restaurant"}, Near: mission(), Features: []meet.Feature{meet.Vegetarian},
		},
			func(p meet.Place) bool { return len(p.Fit([]meet.Feature{meet.Vegetarian}).Met) == 1 }, true},
		{"a criteria that nothing meets", meet.PlaceQuery{
			Types: []string{"cafe"}, Near: mission(), Features: []meet.Feature{meet.Kosher},
		},
			func(p meet.Place) bool { return len(p.Fit([]meet.Feature{meet.Kosher}).Unconfirmed) == 1 }, true},
		{"a part of town", meet.PlaceQuery{Types: []string{"cafe"}, Area: "North Beach"},
			func(p meet.Place) bool { return p.InArea }, true},
		{"a part of town in small letters", meet.PlaceQuery{Types: []string{"bar"}, Area: "the mission"},
			func(p meet.Place) bool { return p.InArea }, true},
		{"the town itself", meet.PlaceQuery{Types: []string{"bar"}, Area: "San Francisco"},
			func(meet.Place) bool { return true }, true},
		{"a landmark", meet.PlaceQuery{Types: []string{"bar"}, Landmark: "Oracle Park"},
			func(p meet.Place) bool { return p.InArea }, true},
		{"another town", meet.PlaceQuery{Types: []string{"bar"}, Area: "Oakland"}, nil, false},
		{"the middle of another town", meet.PlaceQuery{Types: []string{"bar"}, Area: "downtown Oakland"}, nil, false},
		{"the same in the text", meet.PlaceQuery{Types: []string{"bar"}, Text: "in downtown Oakland"}, nil, false},
		{"a part of town that there is not", meet.PlaceQuery{Types: []string{"bar"}, Area: "Mendelhof"}, nil, false},
		{"a landmark that there is not", meet.PlaceQuery{Types: []string{"bar"}, Landmark: "the Mendelhof"}, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := search(t, c, tt.query)
			if found := len(got) > 0; found != tt.found {
				t.Fatalf("found %d places, want some: %v", len(got), tt.found)
			}
			if tt.found && !tt.holds(got[0]) {
				t.Errorf("%s is first: %v, price %d", got[0].Name, got[0].Features, got[0].Price)
			}
		})
	}
	vegetarian := search(t, c, meet.PlaceQuery{
		Types: []string{"restaurant"}, Near: mission(), Features: []meet.Feature{meet.Vegetarian},
	})
	if slices.ContainsFunc(vegetarian, func(p meet.Place) bool {
		return len(p.Fit([]meet.Feature{meet.Vegetarian}).Met) == 0
	}) {
		t.Error("there are places that may have nothing vegetarian")
	}
}

func TestWhatAFileSaysOfAPlace(t *testing.T) {
	t.Parallel()
	const feature = `{"type": "Feature", "geometry": {"type": "Point", "coordinates": [4.9, 52.3]}, "properties": ` +
		`{"name": "Tulp", `
	for properties, ok := range map[string]bool{
		`"price": 3, "lacks": ["quiet"], "url": "https://tulp.example", "photos": ["https://tulp.example/1.jpg"]`: true,
		`"price": 5`: false, `"price": 2.5`: false, `"price": "cheap"`: false,
		`"lacks": ["noise"]`: false, `"url": "tulp.example"`: false, `"photos": ["http://tulp.example/1.jpg"]`: false,
	} {
		c, err := catalogue.Load(strings.NewReader(`{"type": "FeatureCollection", "features": [` + feature + properties +
			`}}]}`))
		if (err == nil) != ok {
			t.Errorf("%s gives %v, want it read: %v", properties, err, ok)
		}
		if err != nil || !ok {
			continue
		}
		got := c.Places()[0]
		if got.Price != 3 || len(got.Lacks) != 1 || got.PageURL != "https://tulp.example" || len(got.Photos) != 1 {
			t.Errorf("%s gives %+v", properties, got)
		}
	}
}
