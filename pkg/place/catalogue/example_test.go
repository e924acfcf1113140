package catalogue_test

import (
	"context"
	"fmt"
	"strings"

	"convene/pkg/meet"
	"convene/pkg/place/catalogue"
)

// A file of one's own, in GeoJSON.
func ExampleLoad() {
	finder, err := catalogue.Load(strings.NewReader(`{"type": "FeatureCollection", "features": [
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [4.89, 52.37]},
			"properties": {"name": "Tulp", "types": ["cafe"], "neighbourhood": "Centre", "rating": 4.4}},
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [4.9, 52.37]},
			"properties": {"name": "Iris", "types": ["bar"], "neighbourhood": "Centre", "rating": 4.6}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	places, err := finder.Search(context.Background(), meet.PlaceQuery{Types: []string{"cafe"}, Area: "Centre"})
	for _, place := range places {
		fmt.Println(place.Name, place.Rating)
	}
	fmt.Println(err)
	// Output:
	// Tulp 4.4
	// <nil>
}
