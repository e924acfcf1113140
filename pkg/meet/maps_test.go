package meet_test

import (
	"strings"
	"testing"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

func TestMapLinkOn(t *testing.T) {
	t.Parallel()
	zuni := meet.Place{
		Name: "Zuni Café", Address: "1658 Market St, San Francisco", Location: geo.Point{
			Latitude: 37.77361, Longitude: -122.42163,
		},
	}
	nameless := meet.Place{Location: zuni.Location}
	endless := meet.Place{Name: strings.Repeat("é", 1000), Location: zuni.Location}
	for _, c := range []struct {
		name    string
		place   meet.Place
		service meet.MapService
		want    string
	}{
		{"Google", zuni, meet.GoogleMaps, zuni.MapLink()},
		{"none", zuni, "", zuni.MapLink()},
		{"Apple", zuni, meet.AppleMaps, "https://maps.apple.com/?ll=37.77361,-122.42163&q=Zuni+Caf%C3%A9"},
		{"Apple, without a name", nameless, meet.AppleMaps, "https://maps.apple.com/?ll=37.77361,-122.42163"},
		{"Apple, with too long a name", endless, meet.AppleMaps, "https://maps.apple.com/?ll=37.77361,-122.42163"},
		{"OpenStreetMap", zuni, meet.OpenStreetMap,
			"https://www.openstreetmap.org/?mlat=37.77361&mlon=-122.42163#map=18/37.77361/-122.42163"},
	} {
		if got := c.place.MapLinkOn(c.service); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
