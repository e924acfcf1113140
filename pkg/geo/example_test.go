package geo_test

import (
	"fmt"

	"convene/pkg/geo"
)

// Where two people are equally far from home.
func ExampleMidpoint() {
	mission := geo.Point{Latitude: 37.7599, Longitude: -122.4148}
	oakland := geo.Point{Latitude: 37.8044, Longitude: -122.2712}
	mid, ok := geo.Midpoint(mission, oakland)
	fmt.Println(ok)
	fmt.Printf("%.1f km each of %.1f km\n", geo.Distance(mission, mid), geo.Distance(mission, oakland))
	// Output:
	// true
	// 6.8 km each of 13.6 km
}
