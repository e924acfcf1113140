package travel_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

func point(lat, lon float64) geo.Point { return geo.Point{Latitude: lat, Longitude: lon} }

// TestModel holds the estimates against what people who know the ways would say.
func TestModel(t *testing.T) {
	t.Parallel()
	ferry, mission, ocean := point(37.7955, -122.3937), point(37.7599, -122.4148), point(37.7594, -122.5107)
	for _, c := range []struct {
		name     string
		from, to geo.Point
		min, max time.Duration
		by       travel.Mode
	}{
		{"nowhere", ferry, ferry, 0, 0, travel.Walk},
		{"round the corner, for which there is no bus", ferry, point(37.7965, -122.3937), time.Minute, 3 * time.Minute,
			travel.Walk},
		{"a ride through town", ferry, mission, 20 * time.Minute, 32 * time.Minute, travel.Transit},
		{"across town", ferry, ocean, 30 * time.Minute, 60 * time.Minute, travel.Drive},
		{"over the bridge", ferry, point(37.8044, -122.2712), 30 * time.Minute, 50 * time.Minute, travel.Drive},
		{"down the peninsula", ferry, point(37.4443, -122.1650), 50 * time.Minute, 85 * time.Minute, travel.Drive},
		{"to Los Angeles", ferry, point(34.05, -118.24), 5 * time.Hour, 9 * time.Hour, travel.Drive},
	} {
		got, by := travel.Model{}.Between(c.from, c.to)
		if got < c.min || got > c.max || by != c.by {
			t.Errorf("%s takes %v by %s, want %v to %v by %s", c.name, got, by, c.min, c.max, c.by)
		}
	}
}

// TestModelLaws holds for any two points: as long there as back, and never less for a longer way.
func TestModelLaws(t *testing.T) {
	t.Parallel()
	rng, m := rand.New(rand.NewPCG(5, 8)), travel.Model{}
	for range 20_000 {
		from := point(rng.Float64()*120-60, rng.Float64()*360-180)
		to, beyond := stretch(from, rng.Float64()), stretch(from, rng.Float64())
		there, _ := m.Between(from, to)
		if back, _ := m.Between(to, from); there != back || there < 0 {
			t.Fatalf("from %v to %v: %v there, %v back", from, to, there, back)
		}
		if farther, _ := m.Between(from, beyond); geo.Distance(from, beyond) >= geo.Distance(from, to) && farther < there {
			t.Fatalf("from %v: %v is farther than %v and takes less", from, beyond, to)
		}
	}
}

// stretch is a point some way to the north.
func stretch(p geo.Point, part float64) geo.Point {
	p.Latitude += part * part * 5
	return p
}

func venue(name string, rating float64, at geo.Point) meet.Place {
	return meet.Place{ID: name, Name: name, Rating: rating, Location: at}
}

func at(p geo.Point) travel.Guest { return travel.Guest{Home: &p} }

func survey(t *testing.T, guests []travel.Guest, places []meet.Place) *travel.Map {
	t.Helper()
	m, err := travel.Survey(t.Context(), travel.Model{}, guests, places)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func order(t *testing.T, guests []travel.Guest, places []meet.Place) []string {
	t.Helper()
	var names []string
	for _, i := range survey(t, guests, places).Order() {
		names = append(names, places[i].Name)
	}
	return names
}

func TestFairOrder(t *testing.T) {
	t.Parallel()
	west, east, middle := point(37.76, -122.50), point(37.76, -122.40), point(37.76, -122.45)
	cafes := []meet.Place{venue("West", 4.5, west), venue("East", 4.5, east), venue("Middle", 4.5, middle)}
	named, branch, alike, there := cafes[0], cafes[0], cafes[2], cafes[1]
	named.Named, there.InArea = true, true
	branch.Named, branch.ID, branch.Location = true, "branch", middle
	alike.Named, alike.Name = true, "Westward"
	fitting := venue("Fitting", 4.1, middle)
	fitting.Merit = 3
	for _, c := range []struct {
		name   string
		guests []travel.Guest
		places []meet.Place
		want   []string
	}{
		{"the middle is fair to both", []travel.Guest{at(west), at(east)}, cafes, []string{"Middle", "West", "East"}},
		{"two against one: the longest way counts", []travel.Guest{at(west), at(west), at(east)}, cafes, []string{
			"Middle", "West", "East",
		}},
		{"nobody knows where one is", []travel.Guest{at(east), {}}, cafes, []string{"East", "Middle", "West"}},
		{"nobody knows where anybody is", []travel.Guest{{}, {}}, cafes, []string{"West", "East", "Middle"}},
		{"nobody at all", nil, cafes, []string{"West", "East", "Middle"}},
		{"a better place is worth some minutes", []travel.Guest{at(west), at(east)}, []meet.Place{
			venue("Fair", 4.0, middle), venue("Better", 4.9, point(37.76, -122.455)),
		}, []string{"Better", "Fair"}},
		{"and not an hour", []travel.Guest{at(west), at(east)}, []meet.Place{
			venue("Best", 5, point(37.30, -121.9)), venue("Fair", 4.1, middle),
		}, []string{"Fair", "Best"}},
		{"what fits the wish is worth as much as stars", []travel.Guest{at(west), at(east)}, []meet.Place{
			venue("Good", 4.9, middle), fitting,
		},
			[]string{"Fitting", "Good"}},
		{"unrated is as good as the least that is offered", nil, []meet.Place{
			venue("Unrated", 0, middle), venue("Good", 4.1, middle), venue("Least", 4, middle),
		}, []string{"Good", "Unrated", "Least"}},
		{"what was named is first, and then what lies where they said", []travel.Guest{at(middle)},
			[]meet.Place{cafes[2], there, named}, []string{"West", "East", "Middle"}},
		{"of the branches of what was named, the fair one, and then others of like names", []travel.Guest{at(middle)},
			[]meet.Place{named, alike, branch}, []string{"West", "West", "Westward"}},
		{"a place that is nowhere is not near", []travel.Guest{at(west)}, []meet.Place{
			venue("Nowhere", 4.5, geo.Point{}), cafes[1], cafes[0],
		},
			[]string{"West", "Nowhere", "East"}},
		{"no places", []travel.Guest{at(west)}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, order(t, c.guests, c.places)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFairOrderLaws holds for two to eight people and any places: who is named first does not matter, nor does a person
// whose home nobody knows, every place is there once, and none that is better for everyone comes later.
func TestFairOrderLaws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 21))
	somewhere := func() geo.Point { return point(37.7+rng.Float64()/5, -122.5+rng.Float64()/5) }
	for range 1500 {
		guests := make([]travel.Guest, 2+rng.IntN(7))
		for i := range guests {
			if rng.IntN(5) > 0 {
				guests[i] = at(somewhere())
			}
		}
		places := make([]meet.Place, rng.IntN(12))
		for i := range places {
			places[i] = venue(string(rune('A'+i)), 4+float64(rng.IntN(11))/10, somewhere())
		}
		got := order(t, guests, places)
		shuffled := append(slices.Clone(guests), travel.Guest{})
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, order(t, shuffled, places)); diff != "" {
			t.Fatalf("the same people in another order (-want +got):\n%s", diff)
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(unique) != len(places) {
			t.Fatalf("%d places became %q", len(places), got)
		}
		checkNoneBetterBehind(t, guests, places, got)
	}
}

func checkNoneBetterBehind(t *testing.T, guests []travel.Guest, places []meet.Place, order []string) {
	t.Helper()
	rank := func(i int) int { return slices.Index(order, places[i].Name) }
	for a := range places {
		for b := range places {
			better := places[a].Rating > places[b].Rating
			for _, g := range guests {
				if g.Home != nil {
					toA, _ := travel.Model{}.Between(*g.Home, places[a].Location)
					toB, _ := travel.Model{}.Between(*g.Home, places[b].Location)
					better = better && toA <= toB
				}
			}
			if better && rank(a) > rank(b) {
				t.Fatalf("%s is better rated and nearer to everybody than %s, and stands behind it", places[a].Name, places[b].Name)
			}
		}
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	sf, oakland, sanJose := point(37.77, -122.42), point(37.80, -122.27), point(37.34, -121.89)
	la, ny := point(34.05, -118.24), point(40.71, -74.0)
	telAviv, jerusalem := point(32.08, 34.78), point(31.78, 35.22)
	for _, c := range []struct {
		name  string
		homes []*geo.Point
		want  []int
	}{
		{"one town", []*geo.Point{&sf, &oakland}, nil},
		{"an hour off", []*geo.Point{&sf, &sanJose, &oakland}, nil},
		{"two cities that are close", []*geo.Point{&telAviv, &jerusalem}, nil},
		{"another city", []*geo.Point{&sf, &la}, []int{0, 1}},
		{"the farthest two", []*geo.Point{&ny, &sf, &la}, []int{0, 1}},
		{"one whose home nobody knows", []*geo.Point{&sf, nil}, nil},
		{"one", []*geo.Point{&sf}, nil},
	} {
		one, other, ok := travel.Apart(c.homes)
		var got []int
		if ok {
			got = []int{one, other}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
