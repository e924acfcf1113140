// Package placetest is the suite that every place.Finder passes.
package placetest

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place"
)

// Suite is how a finder is put to the test.
type Suite struct {
	// Holding opens a finder that knows exactly these places. Types, rating, hours and zone are as given.
	Holding func(t *testing.T, places []meet.Place) place.Finder
	// Failing opens a finder whose source does not answer; nil for one that has no source that could fail.
	Failing func(t *testing.T) place.Finder
	// Asking opens a finder that asks this source over HTTP and waits for half a second at most; nil for one that asks
	// nobody.
	Asking func(t *testing.T, source http.Handler) place.Finder
	// Secret is the key that the finders of Asking send. It must be in no error.
	Secret string
}

// centre is what the suite searches around: a street corner in Amsterdam, so that no finder can take its own town for
// granted.
func centre() *geo.Point { return &geo.Point{Latitude: 52.3702, Longitude: 4.8952} }

// at is the point so many kilometres north of the centre.
func at(km float64) geo.Point {
	p := *centre()
	p.Latitude += km / 111.2
	return p
}

func cafe(name string, rating, km float64) meet.Place {
	return meet.Place{
		ID: strings.ToLower(strings.ReplaceAll(name, " ", "-")), Name: name, Address: name + "straat 1, Amsterdam",
		Location: at(km), Types: []string{"cafe"}, Rating: rating, Timezone: "Europe/Amsterdam",
	}
}

// Run puts a finder to the test.
func Run(t *testing.T, s Suite) {
	t.Helper()
	t.Run("ratings", s.ratings)
	t.Run("order", s.order)
	t.Run("limit", s.limit)
	t.Run("reach", s.reach)
	t.Run("names", s.names)
	t.Run("what a place has", s.fields)
	t.Run("wishes", s.wishes)
	t.Run("prices", s.prices)
	t.Run("what must not be found", s.excluded)
	t.Run("close to a person", s.close)
	t.Run("chains", s.chains)
	t.Run("no midpoint", s.noMidpoint)
	t.Run("nothing found", s.nothing)
	t.Run("failure", s.failure)
	t.Run("the answer is the caller's own", s.owned)
	t.Run("a source with faults", s.faults)
}

func (s Suite) search(t *testing.T, places []meet.Place, q meet.PlaceQuery) []meet.Place {
	t.Helper()
	got, err := s.Holding(t, places).Search(t.Context(), q)
	if err != nil {
		t.Fatalf("Search(%+v): %v", q, err)
	}
	return got
}

func names(places []meet.Place) []string {
	list := make([]string, len(places))
	for i, p := range places {
		list[i] = p.Name
	}
	return list
}

func wantNames(t *testing.T, got []meet.Place, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), names(got)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func (s Suite) ratings(t *testing.T) {
	got := s.search(t, []meet.Place{
		cafe("Krokus", 3.9, 0.1), cafe("Tulp", 4, 0.2), cafe("Iris", 0, 0.3), cafe("Roos", 2, 0.1),
	}, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
	list := names(got)
	slices.Sort(list)
	if diff := cmp.Diff([]string{"Iris", "Tulp"}, list); diff != "" {
		t.Errorf("only places of 4.0 and better or unrated ones are offered (-want +got):\n%s", diff)
	}
	tooLow := []meet.Place{cafe("Krokus", 3.9, 0.1), cafe("Roos", 1, 0.2)}
	if got := s.search(t, tooLow, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()}); len(got) != 0 {
		t.Errorf("all rated too low gives %q, want nothing", names(got))
	}
	if got := s.search(t, tooLow, meet.PlaceQuery{Name: "Krokus", Types: []string{"cafe"},
		Near: centre()}); len(got) != 1 || !got[0].Named {
		t.Errorf("one of those by its name gives %q, want it alone, as the one named", names(got))
	}
}

func (s Suite) order(t *testing.T) {
	got := s.search(t, []meet.Place{
		cafe("Tulp", 4.2, 0.5), cafe("Iris", 4.9, 1), cafe("Roos", 4.9, 8), cafe("Lelie", 0, 0.2), cafe("Aster", 4.6, 0.5),
	}, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
	wantNames(t, got, "Iris", "Aster", "Tulp", "Lelie", "Roos")
	for i := 1; i < len(got); i++ {
		before := place.Score(got[i-1].Rating, got[i-1].DistanceFromMidpointKm)
		if after := place.Score(got[i].Rating, got[i].DistanceFromMidpointKm); after > before+0.001 {
			t.Errorf("%s (score %.3f) stands behind %s (%.3f)", got[i].Name, after, got[i-1].Name, before)
		}
	}
}

func (s Suite) limit(t *testing.T) {
	var many []meet.Place
	for i := range 60 {
		many = append(many, cafe("Tulp"+strings.Repeat("i", i+1), 4.5, float64(i)/10))
	}
	for limit, want := range map[int]int{0: place.DefaultLimit, -1: place.DefaultLimit, 1: 1, 25: 25,
		1000: place.MaxLimit} {
		got := s.search(t, many, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre(), Limit: limit})
		if len(got) != want {
			t.Errorf("limit %d gives %d places, want %d", limit, len(got), want)
		}
	}
}

func (s Suite) reach(t *testing.T) {
	got := s.search(t, []meet.Place{cafe("Tulp", 4.1, place.ReachKm-1), cafe("Iris", 5, place.ReachKm+1)},
		meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
	wantNames(t, got, "Tulp")
}

func (s Suite) names(t *testing.T) {
	known := []meet.Place{
		cafe("Iris Bar", 5, 0.1), cafe("Zéphyr Café", 4.1, 3), cafe("Blauwe Fles", 4.4, 1), cafe("Roos", 4.8, 0.2),
	}
	for written, want := range map[string]string{
		"Zéphyr Café": "Zéphyr Café", "zephyr cafe": "Zéphyr Café", "ZEPHYR": "Zéphyr Café", "Zephir": "Zéphyr Café",
		"Zehpyr Cafe": "Zéphyr Café", "blauwefles": "Blauwe Fles", "Blauwe": "Blauwe Fles",
	} {
		got := s.search(t, known, meet.PlaceQuery{Name: written, Types: []string{"cafe"}, Near: centre()})
		if len(got) == 0 || got[0].Name != want {
			t.Errorf("name %q gives %q, want %q ahead", written, names(got), want)
			continue
		}
		if len(got) < 2 || slices.Contains(names(got[1:]), want) {
			t.Errorf("name %q gives %q, want others like it behind the one named", written, names(got))
		}
	}
}

func (s Suite) fields(t *testing.T) {
	week := interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(17, 30)})
	known := cafe("Tulp", 4.5, 2)
	known.OpeningHours = &week
	got := s.search(t, []meet.Place{known, cafe("Iris", 4.1, 3)}, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()})
	wantNames(t, got, "Tulp", "Iris")
	if len(got) != 2 {
		return
	}
	if km := got[0].DistanceFromMidpointKm; math.Abs(km-2) > 0.02 {
		t.Errorf("distance is %.3f km, want 2", km)
	}
	if want := got[0].MapLink(); got[0].MapsURL != want {
		t.Errorf("maps URL is %q, want %q", got[0].MapsURL, want)
	}
	if diff := cmp.Diff(&week, got[0].OpeningHours); diff != "" {
		t.Errorf("opening hours (-want +got):\n%s", diff)
	}
	if got[0].Timezone != "Europe/Amsterdam" {
		t.Errorf("zone is %q", got[0].Timezone)
	}
	if got[1].OpeningHours != nil {
		t.Errorf("hours that nobody knows are %v, want nil: unknown is not closed", got[1].OpeningHours)
	}
}

func (s Suite) wishes(t *testing.T) {
	garden := cafe("Iris", 4.2, 2)
	garden.Features = []string{string(meet.OutdoorSeating)}
	known := []meet.Place{cafe("Tulp", 4.9, 0.1), garden, cafe("Roos", 4.5, 1)}
	q := meet.PlaceQuery{Types: []string{"cafe"}, Near: centre(), Features: []meet.Feature{meet.OutdoorSeating}}
	got := s.search(t, known, q)
	wantNames(t, got, "Iris", "Tulp", "Roos")
	for _, p := range got {
		if met := len(p.Fit(q.Features).Met) == 1; met != (p.Name == "Iris") {
			t.Errorf("%s has outdoor seating: %v", p.Name, met)
		}
	}
	wantNames(t, s.search(t, []meet.Place{cafe("Tulp", 4.9, 0.1)}, q), "Tulp")
}

func (s Suite) prices(t *testing.T) {
	dear, modest, unknown := cafe("Tulp", 4.9, 0.1), cafe("Iris", 4.2, 2), cafe("Roos", 4.8, 0.1)
	dear.Price, modest.Price = 3, 1
	q := meet.PlaceQuery{Types: []string{"cafe"}, Near: centre(), Features: []meet.Feature{meet.Cheap}}
	got := s.search(t, []meet.Place{dear, modest, unknown}, q)
	wantNames(t, got, "Iris", "Roos", "Tulp")
	for i, want := range []int{1, 0, 3} {
		if i < len(got) && got[i].Price != want {
			t.Errorf("%s has price %d, want %d", got[i].Name, got[i].Price, want)
		}
	}
}

func (s Suite) excluded(t *testing.T) {
	known := []meet.Place{cafe("Zéphyr Café", 4.9, 0.1), cafe("Iris", 4.6, 1), cafe("Roos", 4.5, 1), cafe("Lelie", 4.4, 1)}
	wantNames(t, s.search(t, known, meet.PlaceQuery{
		Types: []string{"cafe"}, Near: centre(), Excluded: []string{"zephyr cafe"}, Without: []string{"roos", "Lelie"},
	}), "Iris")
	wantNames(t, s.search(t, known[:1], meet.PlaceQuery{
		Types: []string{"cafe"}, Near: centre(), Excluded: []string{"Zéphyr Café"},
	}))
}

func (s Suite) close(t *testing.T) {
	got := s.search(t, []meet.Place{
		cafe("Tulp", 5, place.CloseKm-0.5), cafe("Iris", 4.1, 0.3), cafe("Roos", 5, place.CloseKm+1),
	},
		meet.PlaceQuery{Types: []string{"cafe"}, Near: centre(), Close: true})
	wantNames(t, got, "Iris", "Tulp")
	for _, p := range got {
		if there := p.Name == "Iris"; p.InArea != there {
			t.Errorf("%s, %.1f km away, is there: %v", p.Name, p.DistanceFromMidpointKm, p.InArea)
		}
	}
}

func (s Suite) chains(t *testing.T) {
	here, there := cafe("Tulp", 4.5, 0.5), cafe("Tulp", 4.5, 1)
	there.ID, there.Address = "tulp-2", "Kade 2, Amsterdam"
	known := []meet.Place{there, here, cafe("Iris", 4.2, 1)}
	wantNames(t, s.search(t, known, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()}), "Tulp", "Iris")
	got := s.search(t, known, meet.PlaceQuery{Name: "Tulp", Types: []string{"cafe"}, Near: centre()})
	wantNames(t, got, "Tulp", "Tulp", "Iris")
}

func (s Suite) noMidpoint(t *testing.T) {
	got := s.search(t, []meet.Place{cafe("Tulp", 4.2, 0), cafe("Iris", 4.6, 40)}, meet.PlaceQuery{Types: []string{"cafe"}})
	wantNames(t, got, "Iris", "Tulp")
	for _, p := range got {
		if p.DistanceFromMidpointKm != 0 {
			t.Errorf("%s is %v km from no midpoint", p.Name, p.DistanceFromMidpointKm)
		}
	}
}

func (s Suite) nothing(t *testing.T) {
	for _, q := range []meet.PlaceQuery{
		{Types: []string{"bowling"}, Near: centre()},
		{Name: "Vergeet Mij Niet", Near: centre()},
	} {
		if got := s.search(t, []meet.Place{cafe("Tulp", 4.5, 1)}, q); len(got) != 0 {
			t.Errorf("Search(%+v) gives %q, want nothing", q, names(got))
		}
	}
	if got := s.search(t, nil, meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()}); len(got) != 0 {
		t.Errorf("no places at all give %q", names(got))
	}
}

func (s Suite) failure(t *testing.T) {
	q := meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Holding(t, []meet.Place{cafe("Tulp", 4.5, 1)}).Search(ended, q)
	if fault.CodeOf(err) != fault.PlacesUnavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v, want a fault of %s that it caused", err, fault.PlacesUnavailable)
	}
	if s.Failing == nil {
		return
	}
	if got, err := s.Failing(t).Search(t.Context(), q); fault.CodeOf(err) != fault.PlacesUnavailable || len(got) > 0 {
		t.Errorf("a source that fails gives %d places and %v, want a fault of %s", len(got), err, fault.PlacesUnavailable)
	}
}

func (s Suite) owned(t *testing.T) {
	known := cafe("Tulp", 4.5, 1)
	week := interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(17, 0)})
	known.OpeningHours = &week
	finder := s.Holding(t, []meet.Place{known})
	q := meet.PlaceQuery{Types: []string{"cafe"}, Near: centre()}
	first, err := finder.Search(t.Context(), q)
	if err != nil || len(first) != 1 {
		t.Fatalf("Search gives %d places and %v", len(first), err)
	}
	first[0].Types[0], first[0].OpeningHours[1][0].End = "spoilt", interval.At(10, 0)
	second, err := finder.Search(t.Context(), q)
	if err != nil || len(second) != 1 || second[0].Types[0] != "cafe" ||
		second[0].OpeningHours[1][0].End != interval.At(17, 0) {
		t.Errorf("a change of the first answer shows in the second: %+v, %v", second, err)
	}
}
