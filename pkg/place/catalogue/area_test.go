package catalogue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/place"
)

func TestOnlyTheAreaThatIsNamed(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	const km = 2.5 // the middle of a neighbourhood is not what it is found by here
	for _, q := range []struct {
		query  meet.PlaceQuery
		middle geo.Point
		in     bool // the first place lies there
	}{
		{meet.PlaceQuery{Types: []string{"cafe"}, Text: "in North Beach"}, geo.Point{
			Latitude: 37.8005, Longitude: -122.4095,
		}, true},
		{meet.PlaceQuery{Types: []string{"cafe"}, Text: "in Chinatown"}, geo.Point{
			Latitude: 37.7945, Longitude: -122.4065,
		}, false},
		{meet.PlaceQuery{Text: "dinner in Chinatown"}, geo.Point{Latitude: 37.7945, Longitude: -122.4065}, true},
		{meet.PlaceQuery{Text: "coffee in little italy"}, geo.Point{Latitude: 37.8005, Longitude: -122.4095}, true},
		{meet.PlaceQuery{Text: "drinks near Coit Tower"}, geo.Point{Latitude: 37.8024, Longitude: -122.4058}, true},
		{meet.PlaceQuery{Text: "something in the Outer Sunset"}, geo.Point{Latitude: 37.7550, Longitude: -122.4990}, true},
	} {
		q.query.Limit = place.MaxLimit
		got := search(t, c, q.query)
		if len(got) == 0 {
			t.Errorf("%q finds nothing", q.query.Text)
			continue
		}
		if got[0].InArea != q.in {
			t.Errorf("%q: %s, which is first, is in the area: %v, want %v", q.query.Text, got[0].Name, got[0].InArea, q.in)
		}
		for i, p := range got {
			if off := geo.Distance(p.Location, q.middle); off > km+0.5 {
				t.Errorf("%q: %s is %.1f km off", q.query.Text, p.Name, off)
			}
			if i > 0 && p.InArea && !got[i-1].InArea && !strings.Contains(q.query.Text, "near") {
				t.Errorf("%q: %s stands behind one that is not in the area", q.query.Text, p.Name)
			}
		}
	}
	for _, p := range search(t, c, meet.PlaceQuery{Types: []string{"cafe"}, Text: "quiet"}) {
		if p.InArea {
			t.Errorf("%s is in an area that nobody named", p.Name)
		}
	}
}

func TestWhatTheAreaDoesNotHaveComesFromCloseBy(t *testing.T) {
	t.Parallel()
	c := load(t, `{"type":"FeatureCollection","aliases":{"old town":["Centre"]},"features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[4.890,52.37]},"properties":{"name":"Tulp",
			"types":["cafe"],"neighbourhood":"Centre"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[4.905,52.37]},"properties":{"name":"Iris",
			"types":["bar"],"neighbourhood":"East"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[4.990,52.37]},"properties":{"name":"Roos",
			"types":["bar"],"neighbourhood":"Far"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[4.991,52.37]},"properties":{"name":"Lelie",
			"types":["museum"],"neighbourhood":"Far"}}]}`)
	for text, want := range map[string][]string{
		"cafe in the Centre": {"Tulp+"}, "something in Old Town": {"Tulp+"}, "a bar in the Centre": {"Iris"},
		"a bar in Far":       {"Roos+"},
		"a museum in Centre": {}, "a bar in East or Far": {"Iris+", "Roos+"}, "coffee in East": {"Tulp"},
		"a bar": {"Iris", "Roos"},
	} {
		got := []string{}
		for _, p := range search(t, c, meet.PlaceQuery{Text: text, Near: &geo.Point{Latitude: 52.37, Longitude: 4.89}}) {
			name := p.Name
			if p.InArea {
				name += "+"
			}
			got = append(got, name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestBranchesOfTheAreaThatIsNamed(t *testing.T) {
	t.Parallel()
	for _, p := range search(t, embedded(t), meet.PlaceQuery{Name: "Philz", Text: "in the Mission"}) {
		if p.Named && !p.InArea {
			t.Errorf("%s at %s is not in the Mission", p.Name, p.Address)
		}
	}
}

func TestOtherCitiesHaveNothingHere(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for text, want := range map[string]bool{
		"coffee in Berlin": false, "coffee in berlin": false, "in Oakland": false, "a bar in the East Bay": false,
		"lunch in new york": false,
		"a café in Zwolle":  false, "sushi in Walnut Creek": false,
		"coffee in San Francisco": true, "coffee in SF": true, "coffee in Chinatwon": true, "coffee in the Misson": true,
		"coffee in March": true, "COFFEE IN PEACE": true, "Coffee In Peace": true, "coffee in peace": true,
		"a bar to chat in English": true,
		"coffee, not in Oakland":   true, "new york style pizza": true, "Mensho Tokyo": true, "in the Sunset": true,
		"coffee in": true,
	} {
		if got := search(t, c, meet.PlaceQuery{Text: text}); (len(got) > 0) != want {
			t.Errorf("%q finds %d places, want any: %v", text, len(got), want)
		}
		if got := search(t, c, meet.PlaceQuery{Types: []string{"cafe"}, Text: text}); (len(got) > 0) != want {
			t.Errorf("%q and cafe find %d places, want any: %v", text, len(got), want)
		}
	}
	if got := search(t, c, meet.PlaceQuery{Name: "Blue Bottle", Text: "in Oakland"}); len(got) > 0 {
		t.Errorf("a name in another city finds %s at %s", got[0].Name, got[0].Address)
	}
	berlin := load(t,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
		"properties":{"name":"Tulpe","types":["cafe"],"address":"Pariser Str. 1, 10719 Berlin"}}]}`)
	near := &geo.Point{Latitude: 52.5, Longitude: 13.4}
	for text, want := range map[string]int{"coffee in Berlin": 1, "coffee in berlin": 1, "coffee in Oakland": 0,
		"coffee in Paris": 0} {
		if got := search(t, berlin, meet.PlaceQuery{Text: text, Near: near}); len(got) != want {
			t.Errorf("in a file of Berlin, %q finds %d places, want %d", text, len(got), want)
		}
	}
}

// A street is where a place should be, also if its name is no part of town: only places on it are marked as there.
func TestWhatIsOnAStreet(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, q := range []meet.PlaceQuery{
		{Text: "mexican", Area: "valencia", Limit: place.MaxLimit},
		{Text: "italian", Area: "Columbus Avenue", Limit: place.MaxLimit},
		{Text: "thai", Area: "valencia", Limit: place.MaxLimit},
	} {
		street := strings.ToLower(strings.Fields(q.Area)[0])
		got := search(t, c, q)
		if len(got) == 0 {
			t.Errorf("%q on %s finds nothing", q.Text, q.Area)
		}
		for _, p := range got {
			if on := strings.Contains(strings.ToLower(p.Address+p.Name), street); on != p.InArea {
				t.Errorf("%s, %s, is on %s: %v", p.Name, p.Address, q.Area, p.InArea)
			}
		}
	}
}
