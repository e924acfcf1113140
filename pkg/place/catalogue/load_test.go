package catalogue_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place/catalogue"
)

// oneFeature is a file with one feature of these properties, at a point that is fine.
func oneFeature(properties string) string {
	return `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[4.9,` +
		`52.4]},` +
		`"properties":` + properties + `}]}`
}

func TestLoadErrors(t *testing.T) {
	t.Parallel()
	point := func(coordinates string) string {
		return `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":` +
			coordinates + `},"properties":{"name":"Tulp"}}]}`
	}
	for _, c := range []struct {
		name, file string
		want       []string
	}{
		{"empty", ``, []string{"not valid GeoJSON"}},
		{"cut off", `{"type":"FeatureCollection","features":[`, []string{"not valid GeoJSON"}},
		{"another type", `{"type":"Feature"}`, []string{`"Feature"`, "FeatureCollection"}},
		{"a feature of another type", `{"type":"FeatureCollection","features":[{"type":"Place"}]}`,
			[]string{"feature 0", `"Place"`}},
		{"a feature that is none", `{"type":"FeatureCollection","features":[7]}`, []string{"feature 0"}},
		{"no name", oneFeature(`{}`), []string{"feature 0", "property name"}},
		{"empty name", oneFeature(`{"name":" "}`), []string{"property name"}},
		{"name of another form", oneFeature(`{"name":7}`), []string{"property name", "7", "a string"}},
		{"rating of another form", oneFeature(`{"name":"Tulp","rating":"good"}`), []string{
			`"Tulp"`, "property rating", "a number",
		}},
		{"rating beyond", oneFeature(`{"name":"Tulp","rating":8.6}`), []string{`"Tulp"`, "property rating", "8.6"}},
		{"rating below", oneFeature(`{"name":"Tulp","rating":-1}`), []string{"property rating"}},
		{"types of another form", oneFeature(`{"name":"Tulp","types":"cafe"}`), []string{"property types", "a list"}},
		{"unknown zone", oneFeature(`{"name":"Tulp","timezone":"Mars/Olympus"}`), []string{
			"property timezone", "Mars/Olympus",
		}},
		{"zone of the machine", oneFeature(`{"name":"Tulp","timezone":"Local"}`), []string{"property timezone"}},
		{"hours without a zone", oneFeature(`{"name":"Tulp","openingHours":"24/7"}`), []string{
			"property openingHours", "timezone",
		}},
		{"hours that are none", oneFeature(`{"name":"Tulp","timezone":"UTC","openingHours":"daily"}`), []string{
			`"Tulp"`, "property openingHours", `"daily"`,
		}},
		{"a line", strings.Replace(oneFeature(`{"name":"Tulp"}`), "Point", "LineString", 1), []string{
			"feature 0", "geometry", "LineString",
		}},
		{"no coordinates", point(`[]`), []string{`"Tulp"`, "geometry"}},
		{"coordinates in words", point(`"here"`), []string{"geometry", "[longitude, latitude]"}},
		{"latitude first", point(`[37.77,-122.42]`), []string{"geometry", "longitude comes first"}},
		{"an id that is none", strings.Replace(oneFeature(`{"name":"Tulp"}`), `"geometry"`, `"id":[],"geometry"`, 1),
			[]string{"feature 0", "id"}},
		{"landmark nowhere", `{"type":"FeatureCollection","landmarks":{"Dam":[500,1]},"features":[]}`,
			[]string{"landmark", `"Dam"`}},
		{"the same id twice", `{"type":"FeatureCollection","features":[` +
			`{"type":"Feature","id":"x","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"Tulp"}},` +
			`{"type":"Feature","id":"x","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"Iris"}}]}`,
			[]string{"feature 1", `"Iris"`, `id "x"`, "feature 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := catalogue.Load(strings.NewReader(c.file))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
	broken := errors.New("disk on fire")
	if _, err := catalogue.Load(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails gives %v", err)
	}
}

func TestLoadReadsWhatTheFileSays(t *testing.T) {
	t.Parallel()
	c := load(t, "\ufeff"+`{"type":"FeatureCollection","timezone":"Europe/Amsterdam","bbox":[1,2,3,4],
		"aliases":{"the canals":["Jordaan"]},"landmarks":{"Dam":[4.8936,52.3731]},"features":[
		{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[4.88,52.37,3.5]},"bbox":null,"properties":{
			"name":" Café Tulp ","address":"Tulpstraat 1","neighbourhood":"Jordaan","types":["cafe"],"cuisines":["german"],
			"features":["outdoor seating"],"rating":4.5,"openingHours":"Tu-Su 09:00-17:00","marker-color":"#f00"}},
		{"type":"Feature","geometry":{"type":"Point","coordinates":[4.89,52.37]},"properties":{
			"name":"Iris","address":"Irisplein 2","types":["escape room","laser tag"],"rating":null,"timezone":"UTC"}}]}`)
	week := interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(17, 0)})
	week[1] = nil
	want := []meet.Place{
		{
			ID: "7", Name: "Café Tulp", Address: "Tulpstraat 1", Types: []string{"cafe", "german"},
			Features: []string{"outdoor seating"}, Rating: 4.5, OpeningHours: &week, Timezone: "Europe/Amsterdam",
			MapsURL: "https://www.google.com/maps/search/?api=1&query=Caf%C3%A9+Tulp%2C+Tulpstraat+1",
		},
		{
			ID: "iris-irisplein-2", Name: "Iris", Address: "Irisplein 2", Types: []string{"escape room", "laser tag"},
			Timezone: "UTC", MapsURL: "https://www.google.com/maps/search/?api=1&query=Iris%2C+Irisplein+2",
		},
	}
	want[0].Location.Longitude, want[0].Location.Latitude = 4.88, 52.37
	want[1].Location.Longitude, want[1].Location.Latitude = 4.89, 52.37
	if diff := cmp.Diff(want, c.Places()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	near := want[1].Location
	for text, name := range map[string]string{
		"laser tag": "Iris", "coffee by the canals": "Café Tulp", "german food in the Jordaan": "Café Tulp",
		"tulpstraat": "Café Tulp",
	} {
		if got := search(t, c, meet.PlaceQuery{Text: text, Near: &near}); len(got) != 1 || got[0].Name != name {
			t.Errorf("%q gives %d places, want %s", text, len(got), name)
		}
	}
	if got := search(t, c, meet.PlaceQuery{Text: "near Dam", Near: &near}); len(got) != 2 || got[0].Name != "Iris" {
		t.Errorf("near a landmark: got %+v", got)
	}
}

func TestOpeningHours(t *testing.T) {
	t.Parallel()
	window := func(from, to interval.Clock) interval.Window { return interval.Window{Start: from, End: to} }
	day := window(interval.At(9, 0), interval.At(17, 0))
	for text, want := range map[string]interval.Week{
		"24/7":                      interval.EveryDay(window(0, interval.EndOfDay)),
		"09:00-17:00":               interval.EveryDay(day),
		"Mo-Fr 09:00-17:00":         interval.Weekdays(day),
		"Mo-Su 09:00-17:00; Mo off": {0: {day}, 2: {day}, 3: {day}, 4: {day}, 5: {day}, 6: {day}},
		"Sa-Mo 09:00-17:00":         {0: {day}, 1: {day}, 6: {day}},
		"Tu,Th 09:00-17:00;We 20:00-02:00": {
			2: {day}, 4: {day}, 3: {window(interval.At(20, 0), interval.At(2, 0))},
		},
		"Fr 11:30-14:30, 17:00-24:00": {5: {
			window(interval.At(11, 30), interval.At(14, 30)), window(interval.At(17, 0), interval.EndOfDay),
		}},
		"off": {},
	} {
		c := load(t, oneFeature(fmt.Sprintf(`{"name":"Tulp","timezone":"UTC","openingHours":%q}`, text)))
		if diff := cmp.Diff(&want, c.Places()[0].OpeningHours); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{
		"Mo-Fr", "Mo 9-17", "Mo 09:00", "Mo 25:00-26:00", "Xx 09:00-17:00", "Mo-Xx 09:00-17:00", "PH off", "Mo 09:00-09:00",
		"Mo 24:00-03:00", "Mo 09:00-12:00,11:00-14:00", "Mo 14:00-17:00,09:00-12:00", "Mo 20:00-02:00,22:00-23:00", ";",
		"Jan-Mar Mo 09:00-17:00", "sunrise-sunset",
	} {
		if _,
			err := catalogue.Load(strings.NewReader(oneFeature(fmt.Sprintf(`{"name":"Tulp","timezone":"UTC","openingHours":%q}`,
			text)))); err == nil {
			t.Errorf("%q was taken for opening hours", text)
		}
	}
}
