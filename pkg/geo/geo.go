// Package geo is points on the globe and the distances between them.
package geo

import "math"

// Point is a place on the globe in WGS 84 degrees.
type Point struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// About is a point rounded to some hundred metres, enough for distances; ok is false if the coordinates are out of
// range, or both zero, which stands for unknown.
func About(latitude, longitude float64) (p Point, ok bool) {
	inRange := latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180
	if !inRange || latitude == 0 && longitude == 0 {
		return Point{}, false
	}
	return Point{latitude, longitude}.Rounded(1000), true
}

// Rounded is the point with its coordinates rounded to the given fraction of a degree: 1000 is some hundred metres, 10
// some ten kilometres.
func (p Point) Rounded(fraction float64) Point {
	return Point{math.Round(p.Latitude*fraction) / fraction, math.Round(p.Longitude*fraction) / fraction}
}

// earthRadiusKm is the mean radius (IUGG), which keeps the great-circle error under 0.6 %.
const earthRadiusKm = 6371.0088

// Distance is the great-circle distance between two points in kilometres (haversine).
func Distance(a, b Point) float64 {
	lat1, lat2 := radians(a.Latitude), radians(b.Latitude)
	sinLat := math.Sin((lat2 - lat1) / 2)
	sinLon := math.Sin(radians(b.Longitude-a.Longitude) / 2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLon*sinLon
	return 2 * earthRadiusKm * math.Asin(math.Min(1, math.Sqrt(h)))
}

// Midpoint is the middle of all points on the sphere, across the date line too; ok is false if there are no points or
// they cancel each other out.
func Midpoint(points ...Point) (mid Point, ok bool) {
	var x, y, z float64
	for _, p := range points {
		lat, lon := radians(p.Latitude), radians(p.Longitude)
		x += math.Cos(lat) * math.Cos(lon)
		y += math.Cos(lat) * math.Sin(lon)
		z += math.Sin(lat)
	}
	if math.Sqrt(x*x+y*y+z*z) < 1e-9 {
		return Point{}, false
	}
	return Point{degrees(math.Atan2(z, math.Hypot(x, y))), degrees(math.Atan2(y, x))}, true
}

func radians(deg float64) float64 { return deg * math.Pi / 180 }
func degrees(rad float64) float64 { return rad * 180 / math.Pi }
