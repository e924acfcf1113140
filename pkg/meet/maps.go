package meet

import "net/url"

// MapService names an online map. The zero value is Google's.
type MapService string

// The services.
const (
	GoogleMaps    MapService = "google"
	AppleMaps     MapService = "apple"
	OpenStreetMap MapService = "openstreetmap"
)

const (
	appleURL         = "https://maps.apple.com/?"
	openStreetMapURL = "https://www.openstreetmap.org/"
	// openStreetMapZoom shows some streets around.
	openStreetMapZoom = "18"
)

// MapLinkOn links to the place on a map. Apple's and OpenStreetMap's put a pin at its coordinates; Google's searches
// for its name and address, as MapLink says.
func (p Place) MapLinkOn(s MapService) string {
	lat, lon := degrees(p.Location.Latitude), degrees(p.Location.Longitude)
	switch s {
	case AppleMaps:
		pin := appleURL + "ll=" + lat + "," + lon
		if link := pin + "&q=" + url.QueryEscape(p.Name); p.Name != "" && len(link) <= maxURL {
			return link
		}
		return pin
	case OpenStreetMap:
		return openStreetMapURL + "?mlat=" + lat + "&mlon=" + lon + "#map=" + openStreetMapZoom + "/" + lat + "/" + lon
	default:
		return p.MapLink()
	}
}
