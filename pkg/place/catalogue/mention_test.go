package catalogue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/place/catalogue"
)

// Named finds what a text names, by the whole name or by what tells it from all others, and no kind of place.
func TestNamed(t *testing.T) {
	t.Parallel()
	found, err := catalogue.Load(strings.NewReader(`{"type": "FeatureCollection",
		"aliases": {"old town": ["Quay"]}, "landmarks": {"Iron Bridge": [7.1, 46.1]}, "features": [
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.1, 46.1]},
			"properties": {"name": "Lindow Café", "neighbourhood": "Quay", "types": ["cafe"]}},
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.1, 46.1]},
			"properties": {"name": "Upper Dolven Park", "types": ["park"]}},
		{"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.1, 46.1]},
			"properties": {"name": "Lower Dolven Bakery", "types": ["bakery"]}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"lindow cafe with al":                {"venue Lindow Café: lindow cafe"},
		"at LINDOW on friday":                {"venue Lindow Café: LINDOW"},
		"a walk in dolven park":              {"venue Upper Dolven Park: dolven park"},
		"meet on the quay, by iron bridge":   {"area : quay", "landmark Iron Bridge: iron bridge"},
		"somewhere in Old Town":              {"area : Old Town"},
		"dolven, a park, a cafe or a bakery": nil,
		"upper":                              nil,
	} {
		var got []string
		for _, p := range found.Named(text) {
			got = append(got, string(p.Kind)+" "+p.Name+": "+p.Words)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Named(%q) = %q, want %q", text, got, want)
		}
	}
}

// A street after a name means the one of several places of that name which is there.
func TestNamedByItsStreet(t *testing.T) {
	t.Parallel()
	feature := func(name, address string) string {
		return fmt.Sprintf(`{"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.1, 46.1]},
			"properties": {"name": %q, "address": %q, "types": ["cafe"]}}`, name, address)
	}
	found, err := catalogue.Load(strings.NewReader(`{"type": "FeatureCollection", "features": [` + strings.Join([]string{
		feature("Lindow Café", "12 Harbour St, Quay"), feature("Lindow Café", "7 Mill Ave, Quay"),
		feature("Dolven Bakery", "3 Mill Ave, Quay"),
	}, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"coffee at Lindow Café on Harbour Street": "Lindow Café on Harbour Street: Lindow Café on Harbour Street",
		"coffee at Lindow Café on Mill at 9":      "Lindow Café on Mill: Lindow Café on Mill",
		"en el Lindow Café de la calle Harbour":   "Lindow Café on Harbour: Lindow Café de la calle Harbour",
		"Lindow Café on Friday":                   "Lindow Café: Lindow Café",
		"Lindow Café at 7":                        "Lindow Café: Lindow Café",
		"Dolven Bakery on Mill":                   "Dolven Bakery: Dolven Bakery",
	} {
		all := found.Named(text)
		if len(all) != 1 || all[0].Name+": "+all[0].Words != want {
			t.Errorf("Named(%q) = %v, want %q", text, all, want)
			continue
		}
		if got, _ := found.Search(t.Context(), meet.PlaceQuery{Name: all[0].Name}); strings.Contains(want, "Mill:") &&
			(len(got) == 0 || got[0].Address != "7 Mill Ave, Quay") {
			t.Errorf("%q finds %v", all[0].Name, got)
		}
	}
}
