package catalogue_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/catalogue"
	"convene/pkg/place/placetest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	placetest.Run(t, placetest.Suite{Holding: holding})
}

// holding is a catalogue of these places, by way of a file.
func holding(t *testing.T, places []meet.Place) place.Finder {
	t.Helper()
	return load(t, fileOf(places)).Around(&geo.Point{Latitude: 52.37, Longitude: 4.895}) // where the suite's places are
}

func load(tb testing.TB, file string) *catalogue.Catalogue {
	tb.Helper()
	c, err := catalogue.Load(strings.NewReader(file))
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func embedded(tb testing.TB) *catalogue.Catalogue {
	tb.Helper()
	c, err := catalogue.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

type jsonObject map[string]any

func fileOf(places []meet.Place) string {
	features := []jsonObject{}
	for _, p := range places {
		properties := jsonObject{
			"name": p.Name, "address": p.Address, "types": p.Types, "features": p.Features, "timezone": p.Timezone,
			"rating": p.Rating, "price": p.Price,
		}
		if p.OpeningHours != nil {
			properties["openingHours"] = hoursText(p.OpeningHours)
		}
		features = append(features, jsonObject{
			"type": "Feature", "id": p.ID, "properties": properties,
			"geometry": jsonObject{"type": "Point", "coordinates": []float64{p.Location.Longitude, p.Location.Latitude}},
		})
	}
	body, err := json.Marshal(jsonObject{"type": "FeatureCollection", "features": features})
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// hoursText writes hours in the form of a places file.
func hoursText(week *interval.Week) string {
	var rules []string
	for day, name := range []string{"Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"} {
		var windows []string
		for _, w := range week[day] {
			windows = append(windows, w.Start.String()+"-"+w.End.String())
		}
		if len(windows) > 0 {
			rules = append(rules, name+" "+strings.Join(windows, ","))
		}
	}
	return strings.Join(rules, "; ")
}

// mission is a corner in the middle of San Francisco.
func mission() *geo.Point { return &geo.Point{Latitude: 37.7650, Longitude: -122.4300} }

func search(t *testing.T, c *catalogue.Catalogue, q meet.PlaceQuery) []meet.Place {
	t.Helper()
	if q.Near == nil {
		q.Near = mission()
	}
	got, err := c.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%+v): %v", q, err)
	}
	return got
}

func has(list []string, one string) bool {
	return strings.Contains("|"+strings.Join(list, "|")+"|", "|"+one+"|")
}

func TestWhatPeopleAskFor(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	typed := func(types ...string) func(meet.Place) bool {
		return func(p meet.Place) bool {
			for _, one := range types {
				if has(p.Types, one) {
					return true
				}
			}
			return false
		}
	}
	for _, q := range []struct {
		query meet.PlaceQuery
		// want holds for every place found.
		want func(meet.Place) bool
		// first holds for the first one, where it is set.
		first func(meet.Place) bool
	}{
		{query: meet.PlaceQuery{Types: []string{"cafe"}}, want: typed("cafe")},
		{query: meet.PlaceQuery{Types: []string{"coffee_shop"}}, want: typed("cafe")},
		{query: meet.PlaceQuery{Text: "a good coffee shop somewhere"}, want: typed("cafe")},
		{query: meet.PlaceQuery{Types: []string{"restaurant"}, Text: "sushi"}, want: typed("sushi")},
		{query: meet.PlaceQuery{Types: []string{"japanese_restaurant"}}, want: typed("japanese", "sushi", "ramen")},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "tacos"}, want: typed("tacos")},
		{query: meet.PlaceQuery{Text: "italian restaurant"}, want: typed("italian", "pizza")},
		{query: meet.PlaceQuery{Text: "no sushi, a japanese place"}, want: func(p meet.Place) bool {
			return !has(p.Types, "sushi")
		}},
		{query: meet.PlaceQuery{Text: "dinner, but not a bar"}, want: func(p meet.Place) bool {
			return !has(p.Types, "bar")
		}},
		{query: meet.PlaceQuery{Text: "restaurrant"}, want: typed("restaurant", "diner", "deli")},
		{query: meet.PlaceQuery{Text: "drinks"}, want: typed("bar", "cocktail bar", "wine bar", "brewery", "sports bar")},
		{query: meet.PlaceQuery{Types: []string{"bowling_alley"}}, want: typed("bowling")},
		{query: meet.PlaceQuery{Text: "movies"}, want: typed("cinema")},
		{query: meet.PlaceQuery{Text: "climbing gym"}, want: typed("climbing")},
		{query: meet.PlaceQuery{Text: "breweries or pubs"},
			want: typed("bar", "cocktail bar", "wine bar", "brewery", "sports bar")},
		{query: meet.PlaceQuery{Types: []string{"brunch"}}, want: typed("brunch")},
		{query: meet.PlaceQuery{Text: "park", Types: []string{"park"}}, want: typed("park", "garden", "beach")},
		{query: meet.PlaceQuery{Types: []string{"museum"}}, want: typed("museum")},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "quiet with wifi"}, want: typed("cafe"),
			first: func(p meet.Place) bool { return has(p.Features, "quiet") && has(p.Features, "wifi") }},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "quieter"}, want: typed("cafe"),
			first: func(p meet.Place) bool { return has(p.Features, "quiet") }},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "outdoor seating"}, want: typed("cafe"),
			first: func(p meet.Place) bool { return has(p.Features, "outdoor seating") }},
		{query: meet.PlaceQuery{Text: "ramen in Japantown"}, want: typed("ramen"),
			first: func(p meet.Place) bool { return strings.Contains(p.Address, "94115") }},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "in the Sunset"}, want: typed("cafe"),
			first: func(p meet.Place) bool {
				return strings.Contains(p.Address, "94122") || strings.Contains(p.Address, "94116")
			}},
		{query: meet.PlaceQuery{Text: "coffee near the Ferry Building"}, want: typed("cafe"),
			first: func(p meet.Place) bool { return strings.HasPrefix(p.Address, "1 Ferry Building") }},
		{query: meet.PlaceQuery{Text: "drinks near Caltrain"},
			want: typed("bar", "cocktail bar", "wine bar", "brewery", "sports bar"),
			first: func(p meet.Place) bool {
				return geo.Distance(p.Location, geo.Point{Latitude: 37.7766, Longitude: -122.3947}) < 1
			}},
		{query: meet.PlaceQuery{Text: "vegan dinner"}, want: func(p meet.Place) bool {
			return has(p.Features, "vegan") && typed("restaurant", "diner", "deli")(p)
		}},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "vegetarian"},
			want: func(p meet.Place) bool { return has(p.Features, "vegetarian") || has(p.Features, "vegan") }},
		{query: meet.PlaceQuery{Text: "kid-friendly brunch"}, want: typed("brunch"),
			first: func(p meet.Place) bool { return has(p.Features, "kid friendly") }},
		{query: meet.PlaceQuery{Text: "dinner, open late"}, want: typed("restaurant", "diner", "deli"),
			first: func(p meet.Place) bool { return closesAfter(p, interval.At(23, 0)) }},
		{query: meet.PlaceQuery{Text: "coffee at Philz"}, want: typed("cafe"),
			first: func(p meet.Place) bool { return p.Name == "Philz Coffee" }},
		{query: meet.PlaceQuery{Types: []string{"cafe"}, Text: "with a quidditch pitch"}, want: typed("cafe")},
	} {
		t.Run(fmt.Sprint(q.query.Types, q.query.Text), func(t *testing.T) {
			t.Parallel()
			got := search(t, c, q.query)
			if len(got) == 0 {
				t.Fatal("nothing found")
			}
			for i, p := range got {
				if !q.want(p) || i == 0 && q.first != nil && !q.first(p) {
					t.Errorf("place %d is %s: types %q, features %q, %s", i, p.Name, p.Types, p.Features, p.Address)
				}
			}
		})
	}
}

func closesAfter(p meet.Place, c interval.Clock) bool {
	if p.OpeningHours == nil {
		return false
	}
	for _, day := range p.OpeningHours {
		for _, w := range day {
			if w.End >= c || w.End < w.Start {
				return true
			}
		}
	}
	return false
}

func TestNamedVenues(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, q := range []struct {
		query meet.PlaceQuery
		want  []string
	}{
		{meet.PlaceQuery{Name: "Zuni"}, []string{"zuni-cafe-hayes-valley"}},
		{meet.PlaceQuery{Name: "the mill"}, []string{"the-mill-nopa"}},
		{meet.PlaceQuery{Text: "The Mill"}, []string{"the-mill-nopa"}},
		{meet.PlaceQuery{Name: "Philz on 24th Street"}, []string{"philz-coffee-mission"}},
		{meet.PlaceQuery{Name: "Philz", Text: "in Mission Bay"}, []string{"philz-coffee-mission-bay"}},
		{meet.PlaceQuery{Name: "SF MOMA"}, []string{"sfmoma-soma"}},
		{meet.PlaceQuery{Name: "Dolores Park"}, []string{"mission-dolores-park-mission"}},
		{meet.PlaceQuery{Name: "Burma Supertsar", Types: []string{"restaurant"}}, []string{"burma-superstar-inner-richmond"}},
		// A low rating does not hide what was asked for by name.
		{meet.PlaceQuery{Name: "Starbucks", Near: mission()}, []string{"starbucks-castro", "starbucks-union-square"}},
		{meet.PlaceQuery{Name: "Blue Botle"}, []string{
			"blue-bottle-coffee-hayes-valley", "blue-bottle-coffee-soma", "blue-bottle-coffee-embarcadero",
		}},
	} {
		got := search(t, c, q.query)
		var ids []string
		for _, p := range got[:min(len(got), len(q.want))] {
			ids = append(ids, p.ID)
		}
		if diff := cmp.Diff(q.want, ids); diff != "" {
			t.Errorf("name %q, text %q (-want +got):\n%s", q.query.Name, q.query.Text, diff)
		}
		for _, p := range got[len(ids):] {
			if !place.Offered(p.Rating) {
				t.Errorf("name %q: %s follows with a rating of %v", q.query.Name, p.Name, p.Rating)
			}
		}
	}
}

func TestUnknownNameGivesTheKindAskedFor(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	if got := search(t, c, meet.PlaceQuery{Name: "Vergeet Mij Niet"}); len(got) != 0 {
		t.Errorf("an unknown name alone gives %s", got[0].Name)
	}
	got := search(t, c, meet.PlaceQuery{Name: "Vergeet Mij Niet", Types: []string{"cafe"}})
	if len(got) != place.DefaultLimit || !has(got[0].Types, "cafe") {
		t.Errorf("an unknown name and a kind give %d places", len(got))
	}
}

func TestAChainIsShownOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range search(t, embedded(t), meet.PlaceQuery{Types: []string{"cafe"}, Limit: place.MaxLimit}) {
		if seen[p.Name] {
			t.Errorf("%s is there twice", p.Name)
		}
		seen[p.Name] = true
	}
}

func TestWishesThatAskForNothing(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, text := range []string{"", "somewhere nice", "any place, please!"} {
		if got := search(t, c, meet.PlaceQuery{Text: text}); len(got) != place.DefaultLimit {
			t.Errorf("%q gives %d places, want any %d", text, len(got), place.DefaultLimit)
		}
	}
	if got := search(t, c, meet.PlaceQuery{Text: "quidditch"}); len(got) != 0 {
		t.Errorf("what no place has gives %s", got[0].Name)
	}
}

func TestHugeTextIsReadInPart(t *testing.T) {
	t.Parallel()
	text := "sushi " + strings.Repeat("lorem ipsum dolor ", 20_000)
	if got := search(t, embedded(t), meet.PlaceQuery{Text: text}); len(got) == 0 || !has(got[0].Types, "sushi") {
		t.Errorf("a huge text gives %d places", len(got))
	}
}

func TestNearestFirstAcrossTheDateLine(t *testing.T) {
	t.Parallel()
	c := load(t, `{"type":"FeatureCollection","features":[
		{"type":"Feature","geometry":{"type":"Point","coordinates":[-179.99,-16.8]},"properties":{"name":"East",
			"rating":4.5}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[179.80,-16.8]},"properties":{"name":"West",
			"rating":4.5}}]}`)
	got := search(t, c, meet.PlaceQuery{Near: &geo.Point{Latitude: -16.8, Longitude: 179.99}})
	if len(got) != 2 || got[0].Name != "East" || got[0].DistanceFromMidpointKm > 2.2 {
		t.Errorf("got %+v", got)
	}
}

// TestAgainstSlowSearch compares the walk over the grid with a look at every place.
func TestAgainstSlowSearch(t *testing.T) {
	t.Parallel()
	places := generated(3000)
	c := load(t, fileOf(places))
	rng := rand.New(rand.NewPCG(7, 11))
	for range 100 {
		near := geo.Point{Latitude: 37.6 + rng.Float64()*0.4, Longitude: -122.6 + rng.Float64()*0.4}
		got := search(t, c, meet.PlaceQuery{Types: []string{"cafe"}, Near: &near, Limit: 5})
		worst := place.Score(got[len(got)-1].Rating, got[len(got)-1].DistanceFromMidpointKm)
		better := 0
		for _, p := range places {
			score := place.Score(p.Rating, place.DistanceKm(&near, p.Location))
			if p.Types[0] == "cafe" && place.Offered(p.Rating) && score > worst+0.001 {
				better++
			}
		}
		if better > 4 {
			t.Fatalf("near %v: %d places are better than the fifth of the answer", near, better)
		}
	}
}

// generated makes places of several kinds in and around a city.
func generated(n int) []meet.Place {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := []string{"cafe", "restaurant", "bar", "park", "museum", "bakery"}
	features := []string{"quiet", "wifi", "outdoor seating", "view", "cheap"}
	places := make([]meet.Place, n)
	for i := range places {
		rating := 3.5 + float64(rng.IntN(16))/10
		if rng.IntN(10) == 0 {
			rating = 0
		}
		places[i] = meet.Place{
			ID: fmt.Sprint(i), Name: fmt.Sprintf("%s %s %d", syllables(rng), syllables(rng), i),
			Address: fmt.Sprintf("%d %s St", rng.IntN(3000), syllables(rng)),
			Types:   []string{kinds[rng.IntN(len(kinds))]}, Features: []string{features[rng.IntN(len(features))]},
			Location: geo.Point{Latitude: 37.6 + rng.Float64()*0.4, Longitude: -122.6 + rng.Float64()*0.4},
			Rating:   rating, Timezone: "America/Los_Angeles",
		}
	}
	return places
}

func syllables(rng *rand.Rand) string {
	const parts = "ba be bo da do fa fi ga ka la le lu ma mi na no pa po ra ri sa so ta tu va wo za zi"
	list := strings.Fields(parts)
	var b strings.Builder
	for range 2 + rng.IntN(2) {
		b.WriteString(list[rng.IntN(len(list))])
	}
	return b.String()
}

func TestRefusedNames(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for text, refused := range map[string][]string{
		"not Blue Bottle":                     {"Blue Bottle Coffee"},
		"not at Blue Bottle Coffee, quiet":    {"Blue Bottle Coffee"},
		"not The Coffee Movement":             {"The Coffee Movement"},
		"avoid Dandelion":                     {"Dandelion Chocolate"},
		"no Philz or Four Barrel":             {"Philz Coffee", "Four Barrel Coffee"},
		"not Philz nor the Coffee Movement":   {"Philz Coffee", "The Coffee Movement"},
		"quiet not Linea not Grand Coffee":    {"Linea Caffe", "Grand Coffee"},
		"coffee without Ritual":               {"Ritual Coffee Roasters"},
		"not Saigon Sandwich":                 {"Saigon Sandwich"},
		"not Rosamunde Sausage Grill":         {"Rosamunde Sausage Grill"},
		"not a park, not Four Barrell Coffee": {"Four Barrel Coffee"},
	} {
		for _, types := range [][]string{{"cafe"}, {"restaurant"}} {
			got := search(t, c, meet.PlaceQuery{Types: types, Text: text, Limit: place.MaxLimit})
			if len(got) < 3 {
				t.Errorf("%q among %s finds %d places", text, types, len(got))
			}
			for _, p := range got {
				if has(refused, p.Name) {
					t.Errorf("%q among %s finds %s", text, types, p.Name)
				}
			}
		}
	}
}

func TestRefusedNamesRefuseNothingElse(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	plain := func(text string) (names []string) {
		for _, p := range search(t, c, meet.PlaceQuery{Types: []string{"cafe"}, Text: text}) {
			names = append(names, p.Name)
		}
		return names
	}
	for _, text := range []string{"not Quidditch", "not far", "no rush", "not Sushi Zone", "not Zuni"} {
		if diff := cmp.Diff(plain(""), plain(text)); diff != "" {
			t.Errorf("%q (-without, +with):\n%s", text, diff)
		}
	}
}

func TestARefusedNameIsNotAskedFor(t *testing.T) {
	t.Parallel()
	for _, p := range search(t, embedded(t), meet.PlaceQuery{Name: "Philz", Types: []string{"cafe"}, Text: "not Philz"}) {
		if p.Name == "Philz Coffee" {
			t.Errorf("found %s at %s", p.Name, p.Address)
		}
	}
}
