package google_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
	"convene/pkg/place/google"
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

func saying(status int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	})
}

func payload(t *testing.T, name string) string {
	t.Helper()
	body, err := os.ReadFile("../../../testdata/payloads/googleplaces/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func window(from, to interval.Clock) interval.Window { return interval.Window{Start: from, End: to} }

func TestWhatGoogleSays(t *testing.T) {
	t.Parallel()
	near := &geo.Point{Latitude: 37.7749, Longitude: -122.4194}
	f := finder(t, saying(http.StatusOK, payload(t, "search.json")), google.Config{})
	got, err := f.Search(t.Context(), meet.PlaceQuery{Types: []string{"cafe"}, Near: near})
	if err != nil {
		t.Fatal(err)
	}
	day := interval.Weekdays(window(interval.At(7, 0), interval.At(18, 30)))
	always := interval.EveryDay(window(0, interval.EndOfDay))
	night := interval.Week{
		5: {window(interval.At(17, 0), interval.At(2, 0))}, 6: {window(interval.At(11, 0), interval.EndOfDay)},
	}
	want := []meet.Place{
		{
			ID: "places-mission-roast", Name: "Mission Roast", Address: "500 Valencia St, San Francisco, CA 94110, USA",
			Location: geo.Point{Latitude: 37.7646, Longitude: -122.4218}, Types: []string{"cafe", "bakery"}, Rating: 4.6,
			Features: []string{"cheap", "outdoor seating"},
			Price:    1, PageURL: "https://maps.google.com/?cid=4711", OpeningHours: &day, Timezone: "America/Los_Angeles",
		},
		{
			ID: "places-late-bar", Name: "Late Bar", Address: "9 6th St, San Francisco, CA 94103, USA",
			Location: geo.Point{Latitude: 37.78, Longitude: -122.41}, Types: []string{"bar", "dance hall"}, OpeningHours: &night,
			Timezone: "America/Los_Angeles",
		},
		{
			ID: "places-all-night", Name: "All Night Diner", Address: "1 Market St, San Francisco, CA 94105, USA",
			Location: geo.Point{Latitude: 37.7936, Longitude: -122.3958}, Types: []string{"diner", "restaurant"}, Rating: 4,
			Features: []string{"upscale"}, Price: 4, OpeningHours: &always, Timezone: "America/Los_Angeles",
		},
		{
			ID: "places-no-zone", Name: "No Zone", Location: geo.Point{Latitude: 37.7, Longitude: -122.41}, Rating: 4.1,
		},
	}
	for i := range want {
		want[i].DistanceFromMidpointKm = place.DistanceKm(near, want[i].Location)
		want[i].MapsURL = want[i].MapLink()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsAsked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		query meet.PlaceQuery
		want  []string
	}{
		{"a kind", meet.PlaceQuery{Types: []string{"park"}}, []string{
			"Nearby [national_park park] 3000 m", "Nearby [national_park park] 50000 m",
		}},
		{"two kinds", meet.PlaceQuery{Types: []string{"Wine bars", "thai_restaurant"}}, []string{
			"Nearby [thai_restaurant wine_bar] 3000 m", "Nearby [thai_restaurant wine_bar] 50000 m",
		}},
		{"a kind that Google has no type for", meet.PlaceQuery{Types: []string{"cafe", "escape room"}}, []string{
			`Text "cafe or escape room" in a box`,
		}},
		{"a text", meet.PlaceQuery{Types: []string{"cafe"}, Text: "outdoor seating, not Zuni"}, []string{
			`Text "outdoor seating cafe" in a box`,
		}},
		{"a name", meet.PlaceQuery{Name: "Zuni"}, []string{`Text "Zuni" in a box`}},
		{"a name in an area", meet.PlaceQuery{Name: "Zuni", Text: "in Berlin"}, []string{
			`Text "Zuni in Berlin" rather around`,
		}},
		{"an area", meet.PlaceQuery{Types: []string{"cafe"}, Text: "in the Mission"}, []string{
			`Text "cafe in the Mission" rather around`,
		}},
		{"a landmark that there is not", meet.PlaceQuery{Text: "ramen near Dam Square"}, []string{
			`Text "Dam Square" in a box`,
		}},
		{"wishes", meet.PlaceQuery{
			Types: []string{"park"}, Features: []meet.Feature{meet.OutdoorSeating, meet.Cheap},
		}, []string{
			"Nearby [national_park park] 3000 m, outdoorSeating", "Nearby [national_park park] 50000 m, outdoorSeating",
			`Text "outdoor seating park" in a box, outdoorSeating, [PRICE_LEVEL_INEXPENSIVE]`,
		}},
		{"close to somebody", meet.PlaceQuery{Types: []string{"park"}, Close: true}, []string{
			"Nearby [national_park park] 3000 m",
		}},
		{"a named area", meet.PlaceQuery{Types: []string{"cafe"}, Area: "the Mission"}, []string{
			`Text "cafe in the Mission" rather around`,
		}},
		{"anything", meet.PlaceQuery{}, []string{"Nearby [] 3000 m", "Nearby [] 50000 m"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			source := &fake{}
			c.query.Near = centre()
			if _, err := finder(t, source, google.Config{}).Search(t.Context(), c.query); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range source.asked {
				got = append(got, a.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func (a asked) String() string {
	where, more := "anywhere", ""
	if slices.Contains(a.Mask, "places.outdoorSeating") {
		more = ", outdoorSeating"
	}
	if len(a.PriceLevels) > 0 {
		more += fmt.Sprintf(", %v", a.PriceLevels)
	}
	switch {
	case a.LocationRestriction.Circle != nil:
		return fmt.Sprintf("Nearby %v %.0f m%s", a.IncludedTypes, a.LocationRestriction.Circle.Radius, more)
	case a.LocationRestriction.Rectangle != nil:
		where = "in a box"
	case a.LocationBias.Circle != nil:
		where = "rather around"
	}
	return fmt.Sprintf("Text %q %s%s", a.TextQuery, where, more)
}

func TestAreas(t *testing.T) {
	t.Parallel()
	texas, here := geo.Point{Latitude: 26.2, Longitude: -98.3}, geo.Point{Latitude: 37.76, Longitude: -122.42}
	cafe := func(name, address string, at geo.Point) meet.Place {
		return meet.Place{ID: name, Name: name, Address: address, Location: at, Types: []string{"cafe"}, Rating: 4.5}
	}
	places := []meet.Place{
		cafe("Texan", "Mission", texas), cafe("Local", "Mission District", here),
		cafe("Distrikt", "Berlin", geo.Point{Latitude: 52.5, Longitude: 13.4}),
	}
	for text, want := range map[string]string{"in the Mission": "Local", "in Berlin": "Distrikt", "near Local": "Local",
		"near Distrikt": ""} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got, err := finder(t, &fake{places: places}, google.Config{}).Search(t.Context(), meet.PlaceQuery{
				Types: []string{"cafe"}, Text: text, Near: &here,
			})
			var names []string
			for _, p := range got {
				names = append(names, p.Name)
				if !p.InArea {
					t.Errorf("%s is not marked as being there", p.Name)
				}
			}
			if err != nil || strings.Join(names, " ") != want {
				t.Errorf("got %q, %v; want %q", names, err, want)
			}
		})
	}
}

// TestHours reads periods as Google gives them, whatever they begin with and wherever the week is cut.
func TestHours(t *testing.T) {
	t.Parallel()
	at := func(day, hour, minute int) string {
		return fmt.Sprintf(`{"day":%d,"hour":%d,"minute":%d}`, day, hour, minute)
	}
	for _, c := range []struct{ name, periods, want string }{
		{"a day", `{"open":` + at(1, 9, 0) + `,"close":` + at(1, 17, 30) + `}`, "mon 09:00-17:30"},
		{"a break", `{"open":` + at(1, 17, 0) + `,"close":` + at(1, 22, 0) + `},{"open":` + at(1, 11, 30) + `,"close":` +
			at(1, 14, 0) + `}`,
			"mon 11:30-14:00 mon 17:00-22:00"},
		{"till midnight", `{"open":` + at(1, 9, 0) + `,"close":` + at(2, 0, 0) + `}`, "mon 09:00-24:00"},
		{"past midnight", `{"open":` + at(5, 18, 0) + `,"close":` + at(6, 2, 0) + `}`, "fri 18:00-02:00"},
		{"past midnight on Saturday", `{"open":` + at(6, 18, 0) + `,"close":` + at(0, 2, 0) + `}`, "sat 18:00-02:00"},
		{"all of a day", `{"open":` + at(3, 0, 0) + `,"close":` + at(4, 0, 0) + `}`, "wed 00:00-24:00"},
		{"three days on end", `{"open":` + at(5, 8, 0) + `,"close":` + at(0, 20, 0) + `}`,
			"fri 08:00-24:00 sat 00:00-24:00 sun 00:00-20:00"},
		{"always", `{"open":` + at(0, 0, 0) + `}`, "mon 00:00-24:00 tue 00:00-24:00 wed 00:00-24:00 thu 00:00-24:00 fri " +
			"00:00-24:00 " +
			"sat 00:00-24:00 sun 00:00-24:00"},
		{"no beginning", `{"close":` + at(1, 17, 30) + `}`, ""},
		{"no such day", `{"open":` + at(7, 9, 0) + `,"close":` + at(7, 17, 0) + `}`, ""},
		{"no such hour", `{"open":` + at(1, 9, 0) + `,"close":` + at(1, 24, 0) + `}`, ""},
		{"no time", `{"open":` + at(1, 9, 0) + `,"close":` + at(1, 9, 0) + `}`, ""},
		{"none", ``, ""},
		{"null", `null`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := finder(t, saying(http.StatusOK, `{"places":[{"id":"1","displayName":{"text":"Tulp"},`+
				`"location":{"latitude":52.37,"longitude":4.89},`+
				`"regularOpeningHours":{"periods":[`+c.periods+`]}}]}`), google.Config{})
			got, err := f.Search(t.Context(), meet.PlaceQuery{Near: centre()})
			if err != nil || len(got) != 1 {
				t.Fatalf("%d places, %v", len(got), err)
			}
			if week := weekText(got[0].OpeningHours); week != c.want {
				t.Errorf("got %q, want %q", week, c.want)
			}
		})
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

// TestTheKeyStaysSecret holds for what Google is known to say of a key: in words, with the key in them.
func TestTheKeyStaysSecret(t *testing.T) {
	t.Parallel()
	if _, err := google.New(google.Config{}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("no key gives %v", err)
	}
	for name, source := range map[string]http.Handler{
		"a key that is wrong":     saying(http.StatusBadRequest, payload(t, "error-400-key.json")),
		"a key that is suspended": saying(http.StatusForbidden, payload(t, "error-403-suspended.json")),
		"a redirect": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.1:1/steal", http.StatusTemporaryRedirect)
		}),
	} {
		_, err := finder(t, source, google.Config{}).Search(t.Context(), meet.PlaceQuery{Near: centre()})
		if err == nil || strings.Contains(err.Error(), key) || strings.Contains(err.Error(), "steal") {
			t.Errorf("%s gives %v", name, err)
		}
		if fault.As(err).Retryable {
			t.Errorf("%s is said to be worth another try", name)
		}
	}
}

func TestCancellingOnTheWay(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	f := finder(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // or the server would not see the caller go
		cancel()
		<-r.Context().Done()
	}), google.Config{})
	if _, err := f.Search(ctx, meet.PlaceQuery{Near: centre()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that as the cause", err)
	}
}

func TestWrongTypes(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"a rating in words":      `{"places":[{"rating":"great"}]}`,
		"a place that is a list": `{"places":[[]]}`,
		"places that are one":    `{"places":{}}`,
		"an hour in words":       `{"places":[{"regularOpeningHours":{"periods":[{"open":{"hour":"nine"}}]}}]}`,
	} {
		got, err := finder(t, saying(http.StatusOK, body), google.Config{}).Search(t.Context(),
			meet.PlaceQuery{Near: centre()})
		if fault.CodeOf(err) != fault.PlacesUnavailable {
			t.Errorf("%s gives %v, %v", name, got, err)
		}
	}
	got, err := finder(t, saying(http.StatusOK, `{"places":[null,{},{"displayName":{}},{"displayName":{"text":"x"},`+
		`"location":{"latitude":99}}]}`), google.Config{}).
		Search(t.Context(), meet.PlaceQuery{Near: centre()})
	if err != nil || len(got) != 0 {
		t.Errorf("places without a name or a location give %v, %v", got, err)
	}
}

func TestCredit(t *testing.T) {
	t.Parallel()
	if got := finder(t, http.NotFoundHandler(), google.Config{}).Attribution(); got.Text != "Google Maps" ||
		got.URL == "" {
		t.Errorf("attribution %+v", got)
	}
}
