package place_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/place"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"Zuni Café":             {"zuni", "cafe"},
		"Joe's—Grill & BAR":     {"joes", "grill", "and", "bar"},
		"Mister Jiu’s":          {"mister", "jius"},
		"  Straße, Smørrebrød ": {"strasse", "smorrebrod"},
		"Łódź/Ærø №5":           {"lodz", "aero", "no5"},
		"קפה נחמד":              {"קפה", "נחמד"},
		"ﬁne":                   {"fine"},
		"!?":                    nil,
	} {
		if diff := cmp.Diff(want, place.Words(in)); len(want)+len(place.Words(in)) > 0 && diff != "" {
			t.Errorf("Words(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	const none, some, same = 0, 1, 2
	for _, c := range []struct {
		written, venue, address string
		want                    int
	}{
		{"Zuni Café", "Zuni Café", "", same},
		{"zuni cafe", "Zuni Café", "", same},
		{"SF MOMA", "SFMOMA", "", same},
		{"Zuni", "Zuni Café", "", some},
		{"Zunni", "Zuni Café", "", some},
		{"Zuni Restaurant", "Zuni Café", "", some},
		{"bluebottle", "Blue Bottle Coffee", "", some},
		{"Blue Botle Coffe", "Blue Bottle Coffee", "", some},
		{"Reveille", "Réveille Coffee Co.", "", some},
		{"Sightgalss", "Sightglass Coffee", "", some},
		{"Philz on 24th Street", "Philz Coffee", "3101 24th St", some},
		{"Dolores Park", "Mission Dolores Park", "", some},
		{"Philz on 18th Street", "Philz Coffee", "3101 24th St", none},
		{"Golden Gate Bakery", "Golden Gate Park", "", none},
		{"Joe's Diner", "Joyce Grill", "", none},
		{"Bix", "Bit", "", none},
		{"24th Street", "Philz Coffee", "3101 24th St", none},
		{"Nopa Dog Park", "Nopa", "560 Divisadero St", none},
		{"Café", "Zuni Café", "", none},
		{"", "Zuni Café", "", none},
		{"Zuni", "", "", none},
		{"…", "—", "", none},
	} {
		got := place.NameOf(c.written).Likeness(place.NameOf(c.venue, c.address))
		switch {
		case c.want == none && got != 0, c.want == same && got != 1, c.want == some && (got <= 0 || got >= 1):
			t.Errorf("Likeness(%q, %q at %q) = %v", c.written, c.venue, c.address, got)
		}
	}
}

func TestLikenessPrefersTheCloserName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, closer, farther string }{
		{"Tartine", "Tartine Bakery", "Tartine Manufactory"},
		{"Blue Bottle", "Blue Bottle Coffee", "Blue Bottle Roastery Annex"},
		{"Grove", "The Grove", "The Grave"},
		{"Sight", "Sight", "Sightglass Coffee"},
	} {
		written := place.NameOf(c.written)
		closer, farther := written.Likeness(place.NameOf(c.closer)), written.Likeness(place.NameOf(c.farther))
		if closer <= farther || farther == 0 {
			t.Errorf("%q is %v like %q and %v like %q", c.written, closer, c.closer, farther, c.farther)
		}
	}
}

func TestTypos(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 2, 0}, {"zuni", "zuni", 0, 0}, {"zuni", "zunni", 2, 1}, {"zunni", "zuni", 2, 1}, {"zuni", "zun", 2, 1},
		{"zuni", "uzni", 2, 1}, {"zuni", "zuno", 2, 1}, {"zuni", "nopa", 2, 3}, {"", "ab", 2, 2}, {"ab", "", 2, 2},
		{"philz", "fills", 2, 3}, {"sightglass", "sihgtglas", 2, 2}, {"a", "abcdef", 2, 3},
		{"averylongnamethatdoesnotfitintothespacekeptforshortones", "averylongnamethatdoesnotfitintothespacekeptforshrotones",
			2, 3},
	} {
		if got := place.Typos(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Typos(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
	}
}
