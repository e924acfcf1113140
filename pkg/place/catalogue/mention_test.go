package catalogue_test

import (
	"slices"
	"strings"
	"testing"

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
