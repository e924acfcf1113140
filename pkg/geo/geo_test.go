package geo_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"convene/pkg/geo"
)

func point(lat, lon float64) geo.Point { return geo.Point{Latitude: lat, Longitude: lon} }

// half is half of the earth's circumference: as far as two points can be from one another.
const half = math.Pi * 6371.0088

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		a, b   geo.Point
		wantKm float64
	}{
		{"the same point", point(37.7955, -122.3937), point(37.7955, -122.3937), 0},
		{"Ferry Building to Ocean Beach", point(37.7955, -122.3937), point(37.7594, -122.5107), 11.04},
		{"San Francisco to New York", point(37.7749, -122.4194), point(40.7128, -74.0060), 4129},
		{"London to Paris", point(51.5074, -0.1278), point(48.8566, 2.3522), 343.6},
		{"Berlin to Sydney", point(52.5200, 13.4050), point(-33.8688, 151.2093), 16094},
		{"Tokyo to San Francisco, over the date line", point(35.6762, 139.6503), point(37.7749, -122.4194), 8270},
		{"a degree of latitude", point(10, 20), point(11, 20), 111.195},
		{"a degree on the equator", point(0, 20), point(0, 21), 111.195},
		{"a step over the date line", point(0, 179.5), point(0, -179.5), 111.195},
		{"over the pole", point(89.5, 0), point(89.5, 180), 111.195},
		{"pole to pole", point(90, 17), point(-90, -60), half},
		{"antipodes", point(37.7749, -122.4194), point(-37.7749, 57.5806), half},
		{"two names of one meridian", point(12, 180), point(12, -180), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, back := geo.Distance(c.a, c.b), geo.Distance(c.b, c.a)
			if tolerance := c.wantKm*0.006 + 1e-6; math.Abs(got-c.wantKm) > tolerance || math.IsNaN(got) {
				t.Errorf("distance %.3f km, want %.3f", got, c.wantKm)
			}
			if math.Abs(got-back) > 1e-9 {
				t.Errorf("%.9f there and %.9f back", got, back)
			}
		})
	}
}

func TestMidpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		points []geo.Point
		want   geo.Point
	}{
		{"one point", []geo.Point{point(37.7, -122.4)}, point(37.7, -122.4)},
		{"the same point twice", []geo.Point{point(37.7, -122.4), point(37.7, -122.4)}, point(37.7, -122.4)},
		{"on the equator", []geo.Point{point(0, 10), point(0, 30)}, point(0, 20)},
		{"along a meridian", []geo.Point{point(10, 5), point(30, 5)}, point(20, 5)},
		{"across the date line", []geo.Point{point(0, 179), point(0, -177)}, point(0, -179)},
		{"over the pole", []geo.Point{point(80, 0), point(80, 180)}, point(90, 0)},
		{"three around the equator's corner", []geo.Point{point(0, 0), point(0, 90), point(90, 0)}, point(35.2644, 45)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, ok := geo.Midpoint(c.points...)
			if km := geo.Distance(got, c.want); !ok || km > 0.01 {
				t.Errorf("midpoint %v, %v: %.3f km from %v", got, ok, km, c.want)
			}
		})
	}
}

func TestNoMidpoint(t *testing.T) {
	t.Parallel()
	for name, points := range map[string][]geo.Point{
		"no points":     nil,
		"antipodes":     {point(37.7749, -122.4194), point(-37.7749, 57.5806)},
		"the two poles": {point(90, 0), point(-90, 0)},
		"three around":  {point(0, 0), point(0, 120), point(0, -120)},
	} {
		if got, ok := geo.Midpoint(points...); ok || got != (geo.Point{}) {
			t.Errorf("%s: midpoint %v, %v, want none", name, got, ok)
		}
	}
}

// TestMidpointLaws holds for any two points that are not nearly opposite: the midpoint is equally far from both, on
// the way between them, and the order does not matter.
func TestMidpointLaws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	for range 5000 {
		a, b := point(rng.Float64()*180-90, rng.Float64()*360-180), point(rng.Float64()*180-90, rng.Float64()*360-180)
		whole := geo.Distance(a, b)
		if whole > 0.99*half {
			continue
		}
		mid, ok := geo.Midpoint(a, b)
		other, _ := geo.Midpoint(b, a)
		toA, toB := geo.Distance(mid, a), geo.Distance(mid, b)
		switch {
		case !ok:
			t.Fatalf("%v and %v have no midpoint", a, b)
		case math.Abs(toA-toB) > 1e-3 || math.Abs(toA+toB-whole) > 1e-3:
			t.Fatalf("from %v to %v: %.6f and %.6f km of %.6f", a, b, toA, toB, whole)
		case geo.Distance(mid, other) > 1e-6:
			t.Fatalf("%v and %v: %v one way, %v the other", a, b, mid, other)
		case mid.Latitude < -90 || mid.Latitude > 90 || mid.Longitude < -180 || mid.Longitude > 180:
			t.Fatalf("%v is not on the globe", mid)
		}
	}
}

// TestTriangle holds for any three points: no detour is shorter.
func TestTriangle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 9))
	for range 5000 {
		a, b, c := point(rng.Float64()*180-90, rng.Float64()*360-180), point(rng.Float64()*180-90, rng.Float64()*360-180),
			point(rng.Float64()*180-90, rng.Float64()*360-180)
		if direct, detour := geo.Distance(a, c), geo.Distance(a, b)+geo.Distance(b, c); direct > detour+1e-6 {
			t.Fatalf("%v to %v: %.6f km, but %.6f by way of %v", a, c, direct, detour, b)
		}
	}
}
