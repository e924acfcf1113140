package travel_test

import (
	"fmt"

	"convene/pkg/geo"
	"convene/pkg/travel"
)

// Without a map, times from door to door are estimated from distances.
func ExampleModel_Between() {
	home := geo.Point{Latitude: 37.7599, Longitude: -122.4148}
	for _, to := range []geo.Point{{Latitude: 37.7642, Longitude: -122.4213}, {Latitude: 37.8044, Longitude: -122.2712}} {
		took, by := travel.Model{}.Between(home, to)
		fmt.Printf("%.1f km: %v by %s\n", geo.Distance(home, to), took, by)
	}
	// Output:
	// 0.7 km: 11m0s by transit
	// 13.6 km: 44m0s by drive
}

// People in different cities cannot sit at one table.
func ExampleApart() {
	home, berlin := geo.Point{Latitude: 37.7599, Longitude: -122.4148}, geo.Point{Latitude: 52.52, Longitude: 13.405}
	one, other, ok := travel.Apart([]*geo.Point{&home, nil, &berlin})
	fmt.Println(one, other, ok)
	// Output: 0 2 true
}
