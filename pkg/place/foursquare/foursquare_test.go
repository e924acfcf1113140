package foursquare_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/foursquare"
	"convene/pkg/place/placetest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	placetest.Run(t, placetest.Suite{
		Holding: holding,
		Failing: failing,
		Asking:  asking,
		Secret:  key,
	})
}

// payload answers every question with a file of testdata.
func payload(t *testing.T, name string) http.Handler {
	t.Helper()
	body, err := os.ReadFile("../../../testdata/payloads/foursquare/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
}

func window(from, to interval.Clock) interval.Window { return interval.Window{Start: from, End: to} }

func TestWhatFoursquareSays(t *testing.T) {
	t.Parallel()
	near := &geo.Point{Latitude: 37.7749, Longitude: -122.4194}
	got, err := finder(t, payload(t, "search.json"), foursquare.Config{}).Search(t.Context(), meet.PlaceQuery{
		Types: []string{"cafe"}, Near: near,
	})
	if err != nil {
		t.Fatal(err)
	}
	day := interval.Weekdays(window(interval.At(7, 0), interval.At(18, 30)))
	day[6] = []interval.Window{
		window(interval.At(8, 0), interval.At(12, 0)), window(interval.At(13, 0), interval.At(18, 0)),
	}
	always := interval.EveryDay(window(0, interval.EndOfDay))
	night := interval.Week{5: {window(interval.At(17, 0), interval.At(2, 0))},
		6: {window(interval.At(11, 0), interval.EndOfDay)},
		0: {window(0, interval.At(3, 0))}}
	want := []meet.Place{
		{
			ID: "fsq-mission-roast", Name: "Mission Roast", Address: "500 Valencia St (at 16th St), San Francisco, CA 94110",
			Location: geo.Point{Latitude: 37.7646, Longitude: -122.4218}, Types: []string{"cafe", "bakery"}, Rating: 4.35,
			Features: []string{"outdoor seating", "wifi", "cheap", "dog friendly"}, Price: 1,
			Photos:       []meet.Photo{{URL: "https://fastly.4sqi.net/img/general/original/1_roast.jpg"}},
			OpeningHours: &day, Timezone: "America/Los_Angeles",
		},
		{
			ID: "fsq-late-bar", Name: "Late Bar", Location: geo.Point{Latitude: 37.78, Longitude: -122.41},
			Types:        []string{"bar", "axe throwing"},
			OpeningHours: &night, Timezone: "America/Los_Angeles",
		},
		{
			ID: "fsq-all-night", Name: "All Night Diner", Address: "1 Market St, San Francisco, CA 94105",
			Location: geo.Point{Latitude: 37.7936, Longitude: -122.3958}, Types: []string{"diner"}, Rating: 4,
			Price: 2, Lacks: []meet.Feature{meet.Wifi},
			OpeningHours: &always, Timezone: "America/Los_Angeles",
		},
		{ID: "fsq-odd-hours", Name: "Odd Hours", Location: geo.Point{Latitude: 37.7, Longitude: -122.41}},
	}
	for i := range want {
		want[i].DistanceFromMidpointKm = place.DistanceKm(near, want[i].Location)
		want[i].MapsURL, want[i].PageURL = want[i].MapLink(), foursquare.PageURL(want[i].ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsAsked(t *testing.T) {
	t.Parallel()
	near := &geo.Point{Latitude: 52.37021, Longitude: 4.89519}
	for _, c := range []struct {
		name  string
		query meet.PlaceQuery
		tier  foursquare.Tier
		want  []string
	}{
		{"a kind", meet.PlaceQuery{Types: []string{"park"}}, foursquare.Premium, []string{
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 ll=52.370,4.895 radius=3000 sort=RATING",
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 ll=52.370,4.895 radius=50000 sort=RATING",
		}},
		{"a kind of Google's spelling", meet.PlaceQuery{
			Types: []string{"Wine_Bar", "Thai restaurant"},
		}, foursquare.Pro, []string{
			"ids=4bf58dd8d48988d123941735,4bf58dd8d48988d149941735 ll=52.370,4.895 radius=3000",
			"ids=4bf58dd8d48988d123941735,4bf58dd8d48988d149941735 ll=52.370,4.895 radius=50000",
		}},
		{"a kind that Foursquare has no name for", meet.PlaceQuery{
			Types: []string{"trampoline hall"}, Text: "quiet",
		}, foursquare.Premium, []string{
			"query=trampoline hall quiet ll=52.370,4.895 radius=3000",
			"query=trampoline hall quiet ll=52.370,4.895 radius=50000",
		}},
		{"a name", meet.PlaceQuery{Name: "Zuni"}, foursquare.Premium, []string{"query=Zuni ll=52.370,4.895 radius=100000"}},
		{"an area", meet.PlaceQuery{Text: "ramen in the Jordaan, not Fou Fow"}, foursquare.Premium, []string{
			"query=ramen near=Jordaan",
		}},
		{"wishes", meet.PlaceQuery{
			Types: []string{"park"}, Features: []meet.Feature{meet.OutdoorSeating, meet.Cheap},
		}, foursquare.Premium, []string{
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 ll=52.370,4.895 radius=3000 sort=RATING",
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 ll=52.370,4.895 radius=50000 sort=RATING",
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 query=outdoor seating ll=52.370,4.895 radius=3000 " +
				"max_price=1",
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 query=outdoor seating ll=52.370,4.895 radius=50000 " +
				"max_price=1",
		}},
		{"close to somebody", meet.PlaceQuery{Types: []string{"park"}, Close: true}, foursquare.Pro, []string{
			"ids=4bf58dd8d48988d163941735,52e81612bcbc57f1066b7a21 ll=52.370,4.895 radius=3000",
		}},
		{"a named area", meet.PlaceQuery{Types: []string{"trampoline hall"}, Area: "the Jordaan"}, foursquare.Pro, []string{
			"query=trampoline hall near=Jordaan",
		}},
		{"a landmark that there is not", meet.PlaceQuery{Text: "ramen near Dam Square"}, foursquare.Premium, []string{
			"query=Dam Square ll=52.370,4.895 radius=50000",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source := &fake{areas: map[string]geo.Point{"Jordaan": *near}}
			c.query.Near = near
			if _, err := finder(t, source, foursquare.Config{Tier: c.tier}).Search(t.Context(), c.query); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, q := range source.asked {
				var parts []string
				for _, parameter := range []string{"fsq_category_ids", "query", "ll", "near", "radius", "sort", "max_price"} {
					if value := q.Get(parameter); value != "" {
						parts = append(parts, strings.TrimPrefix(parameter, "fsq_category_")+"="+value)
					}
				}
				got = append(got, strings.Join(parts, " "))
				if premium := strings.Contains(q.Get("fields"), "rating"); premium != (c.tier == foursquare.Premium) &&
					q.Get("query") != "Dam Square" {
					t.Errorf("asked for fields %q", q.Get("fields"))
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAreas(t *testing.T) {
	t.Parallel()
	texas, here := geo.Point{Latitude: 26.2, Longitude: -98.3}, geo.Point{Latitude: 37.76, Longitude: -122.42}
	berlin := geo.Point{Latitude: 52.52, Longitude: 13.40}
	cafe := func(name, address string, at geo.Point) meet.Place {
		return meet.Place{ID: name, Name: name, Address: address, Location: at, Types: []string{"cafe"}, Rating: 4.5}
	}
	places := []meet.Place{
		cafe("Texan", "1 Main St, Mission, TX 78572", texas), cafe("Local", "500 Valencia St, San Francisco, CA", here),
		cafe("Distrikt", "Bergstraße 68, 10115 Berlin", berlin),
	}
	for _, c := range []struct {
		name, text string
		areas      map[string]geo.Point
		near       *geo.Point
		want       []string
	}{
		{"a part of this town", "in the Mission", map[string]geo.Point{"Mission": here}, &here, []string{"Local"}},
		{"a town of the name elsewhere", "in the Mission", map[string]geo.Point{"Mission": texas}, &here, nil},
		{"another town", "in Berlin", map[string]geo.Point{"Berlin": berlin}, &here, []string{"Distrikt"}},
		{"a town and nobody's location", "in Berlin", map[string]geo.Point{"Berlin": berlin}, nil, []string{"Distrikt"}},
		{"near a venue", "near Local", nil, &here, []string{"Local"}},
		{"nowhere and nobody's location", "quiet", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := finder(t, &fake{places: places, areas: c.areas}, foursquare.Config{})
			got, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Text: c.text, Near: c.near})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, p := range got {
				names = append(names, p.Name)
				if !p.InArea {
					t.Errorf("%s is not marked as being there", p.Name)
				}
			}
			if diff := cmp.Diff(c.want, names); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestHostileResults holds that one result that is not as documented costs no other, and what is left of it.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	const good = `{"fsq_place_id":"good","name":"Good","latitude":52.37,"longitude":4.89,"rating":9}`
	for name, c := range map[string]struct {
		result string
		kept   bool
	}{
		"a number":             {`7`, false},
		"null":                 {`null`, false},
		"no coordinates":       {`{"name":"Bad"}`, false},
		"coordinates in words": {`{"name":"Bad","latitude":"52.37","longitude":"4.89"}`, false},
		"off the globe":        {`{"name":"Bad","latitude":152.37,"longitude":4.89}`, false},
		"null island":          {`{"name":"Bad","latitude":0,"longitude":0}`, false},
		"no name":              {`{"latitude":52.37,"longitude":4.89}`, false},
		"a name without end": {fmt.Sprintf(`{"name":%q,"latitude":52.37,"longitude":4.89}`, strings.Repeat("x", 10_000)),
			false},
		"closed for good": {`{"name":"Bad","latitude":52.37,"longitude":4.89,"date_closed":"2024-01-01"}`, false},
		"rated too low":   {`{"name":"Bad","latitude":52.37,"longitude":4.89,"rating":7.9}`, false},
		"rated in words": {`{"name":"Bad","latitude":52.37,"longitude":4.89,"rating":"great","price":[],"hours":[1],` +
			`"location":{"address":7}}`, true},
		"rated beyond":        {`{"name":"Bad","latitude":52.37,"longitude":4.89,"rating":1e9}`, true},
		"categories in words": {`{"name":"Bad","latitude":52.37,"longitude":4.89,"categories":"cafe"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := finder(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"results":[%s,%s]}`, c.result, good)
			}), foursquare.Config{})
			got, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
			if err != nil || len(got) == 0 || got[0].Name != "Good" || (len(got) == 2) != c.kept {
				t.Errorf("got %+v, %v; want the good one, and the other: %v", got, err, c.kept)
			}
		})
	}
}

// TestHours reads one stretch on a Monday in the ways in which Foursquare writes it.
func TestHours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ open, end, want string }{
		{"0900", "1700", "mon 09:00-17:00"},
		{"09:00", "17:00", "mon 09:00-17:00"},
		{"1700", "0200", "mon 17:00-02:00"},
		{"1700", "+0200", "mon 17:00-02:00"},
		{"1100", "2359", "mon 11:00-24:00"},
		{"1100", "2400", "mon 11:00-24:00"},
		{"0000", "+0000", "mon 00:00-24:00"},
		{"0000", "0000", "mon 00:00-24:00"},
		{"0600", "+0600", "mon 06:00-24:00 tue 00:00-06:00"},
		{"+0100", "+0500", "tue 01:00-05:00"},
		{"9", "17", ""}, {"0900", "2560", ""}, {"0961", "1700", ""},
		{"", "", ""}, {"-900", "1700", ""}, {"+0500", "+0100", ""},
	} {
		var said any = map[string]any{"name": "Tulp", "latitude": 52.37, "longitude": 4.89, "hours": map[string]any{
			"regular": []any{map[string]any{"day": 1, "open": c.open, "close": c.end}}}}
		got, err := finder(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(map[string]any{"results": []any{said}})
		}), foursquare.Config{}).Search(t.Context(), meet.PlaceQuery{Near: centre()})
		if err != nil || len(got) != 1 {
			t.Fatalf("%d places, %v", len(got), err)
		}
		if week := weekText(got[0].OpeningHours); week != c.want {
			t.Errorf("%s to %s is %q, want %q", c.open, c.end, week, c.want)
		}
	}
}

func weekText(week *interval.Week) string {
	var parts []string
	for i, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		for n := 0; week != nil && n < len(week[(i+1)%7]); n++ {
			w := week[(i+1)%7][n]
			parts = append(parts, fmt.Sprintf("%s %s-%s", day, w.Start, w.End))
		}
	}
	return strings.Join(parts, " ")
}

// TestZones holds some addresses against the zone that is known to be theirs, and that none is given near a border that
// the table cannot see.
func TestZones(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		place, country, region string
		lat, lon               float64
		want                   string
	}{
		{"Amsterdam", "NL", "", 52.37, 4.9, "Europe/Amsterdam"},
		{"Berlin", "DE", "Berlin", 52.5, 13.4, "Europe/Berlin"},
		{"Tel Aviv", "IL", "", 32.08, 34.78, "Asia/Jerusalem"},
		{"Madrid", "ES", "Madrid", 40.4, -3.7, "Europe/Madrid"},
		{"Las Palmas", "ES", "Canarias", 28.1, -15.4, "Atlantic/Canary"},
		{"Funchal", "PT", "", 32.65, -16.9, "Atlantic/Madeira"},
		{"Ponta Delgada", "PT", "", 37.74, -25.67, "Atlantic/Azores"},
		{"Lisbon", "PT", "", 38.72, -9.14, "Europe/Lisbon"},
		{"San Francisco", "US", "CA", 37.77, -122.42, "America/Los_Angeles"},
		{"New York", "us", "ny", 40.7, -74, "America/New_York"},
		{"Dallas", "US", "TX", 32.8, -96.8, "America/Chicago"},
		{"El Paso", "US", "TX", 31.76, -106.5, "America/Denver"},
		{"Van Horn, near the border", "US", "TX", 31.04, -104.83, ""},
		{"Phoenix", "US", "AZ", 33.45, -112.07, "America/Phoenix"},
		{"Tuba City, which keeps the nation's clock", "US", "AZ", 36.13, -111.24, ""},
		{"Louisville", "US", "KY", 38.25, -85.76, "America/Kentucky/Louisville"},
		{"Nashville", "US", "TN", 36.16, -86.78, "America/Chicago"},
		{"Pensacola", "US", "FL", 30.42, -87.2, "America/Chicago"},
		{"Miami", "US", "FL", 25.76, -80.19, "America/New_York"},
		{"a state nobody knows", "US", "ZZ", 40, -100, ""},
		{"Toronto", "CA", "ON", 43.65, -79.38, "America/Toronto"},
		{"Sydney", "AU", "NSW", -33.87, 151.2, "Australia/Sydney"},
		{"Broken Hill", "AU", "NSW", -31.96, 141.46, ""},
		{"São Paulo", "BR", "SP", -23.55, -46.63, "America/Sao_Paulo"},
		{"Fernando de Noronha", "BR", "PE", -3.85, -32.42, ""},
		{"Manaus", "BR", "AM", -3.1, -60.02, ""},
		{"no country", "", "", 37.77, -122.42, ""},
	} {
		t.Run(c.place, func(t *testing.T) {
			t.Parallel()
			f := finder(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"results":[{"name":"Tulp","latitude":%v,"longitude":%v,"location":{"country":%q,`+
					`"region":%q}}]}`,
					c.lat, c.lon, c.country, c.region)
			}), foursquare.Config{})
			near := geo.Point{Latitude: c.lat, Longitude: c.lon}
			got, err := f.Search(t.Context(), meet.PlaceQuery{Near: &near})
			if err != nil || len(got) != 1 || got[0].Timezone != c.want {
				t.Errorf("got %+v, %v; want zone %q", got, err, c.want)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	source := &fake{places: []meet.Place{{ID: "1", Name: "Tulp", Location: *centre(), Types: []string{"cafe"}}}}
	failures := make(chan int, 2)
	failures <- http.StatusServiceUnavailable
	failures <- http.StatusInternalServerError
	f := finder(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case status := <-failures:
			w.WriteHeader(status)
		default:
			source.ServeHTTP(w, r)
		}
	}), foursquare.Config{})
	got, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
	if err != nil || len(got) != 1 {
		t.Errorf("got %d places and %v, want one after two failures", len(got), err)
	}
}

// TestBreaker holds that a source which is down is left alone, and that the fault says for how long.
func TestBreaker(t *testing.T) {
	t.Parallel()
	f := finder(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotImplemented)
	}), foursquare.Config{})
	for range 30 {
		_, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
		if said := fault.As(err); said.RetryAfter > 0 && said.RetryAfter <= 10*time.Second {
			return
		}
	}
	t.Error("the breaker never opened")
}

func TestSecretsAndCancelling(t *testing.T) {
	t.Parallel()
	if _, err := foursquare.New(foursquare.Config{Key: " "}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("no key gives %v", err)
	}
	elsewhere := finder(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:1/steal", http.StatusFound)
	}), foursquare.Config{})
	if _, err := elsewhere.Search(t.Context(), meet.PlaceQuery{Near: centre()}); err == nil ||
		!strings.Contains(err.Error(), "status 302") {
		t.Errorf("a redirect gives %v, want it not to be followed", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waiting := finder(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}), foursquare.Config{})
	_, err := waiting.Search(ctx, meet.PlaceQuery{Near: centre()})
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "52.37") {
		t.Errorf("cancelled on the way gives %v, want that as the cause and nobody's place in it", err)
	}
}

func TestCredit(t *testing.T) {
	t.Parallel()
	f := finder(t, http.NotFoundHandler(), foursquare.Config{})
	if got := f.Attribution(); got.Text != "Powered by Foursquare" ||
		!strings.HasPrefix(got.URL, "https://foursquare.com") {
		t.Errorf("attribution %+v", got)
	}
	if got := foursquare.PageURL("4a9f/../x"); got != "https://foursquare.com/v/4a9f%2F..%2Fx" {
		t.Errorf("page %q", got)
	}
}
