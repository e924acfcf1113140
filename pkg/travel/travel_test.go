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
	oakland, paloAlto := point(37.8044, -122.2712), point(37.4443, -122.1650)
	for _, c := range []struct {
		name     string
		mode     travel.Mode
		from, to geo.Point
		min, max time.Duration
	}{
		{"nowhere", travel.Walk, ferry, ferry, 0, 0},
		{"nowhere by bus", travel.Transit, ferry, ferry, 0, 0},
		{"a walk through town", travel.Walk, ferry, mission, 55 * time.Minute, 80 * time.Minute},
		{"a ride through town", travel.Transit, ferry, mission, 20 * time.Minute, 32 * time.Minute},
		{"a drive through town", travel.Drive, ferry, mission, 15 * time.Minute, 25 * time.Minute},
		{"across town", travel.Transit, ferry, ocean, 35 * time.Minute, 60 * time.Minute},
		{"over the bridge", travel.Drive, ferry, oakland, 20 * time.Minute, 35 * time.Minute},
		{"down the peninsula", travel.Drive, ferry, paloAlto, 45 * time.Minute, 75 * time.Minute},
		{"round the corner, for which there is no bus", travel.Transit, ferry, point(37.7965, -122.3937), time.Minute, 3 * time.Minute},
		{"no mode", "", ferry, mission, 20 * time.Minute, 32 * time.Minute},
		{"to Los Angeles", travel.Drive, ferry, point(34.05, -118.24), 5 * time.Hour, 9 * time.Hour},
	} {
		if got := (travel.Model{}).Between(c.mode, c.from, c.to); got < c.min || got > c.max {
			t.Errorf("%s takes %v, want %v to %v", c.name, got, c.min, c.max)
		}
	}
}

// TestModelLaws holds for any two points: as long there as back, never less for a longer way, and walking is never
// faster than a ride.
func TestModelLaws(t *testing.T) {
	t.Parallel()
	rng, m := rand.New(rand.NewPCG(5, 8)), travel.Model{}
	for range 20_000 {
		from := point(rng.Float64()*120-60, rng.Float64()*360-180)
		to, beyond := stretch(from, rng.Float64()), stretch(from, rng.Float64())
		for _, mode := range []travel.Mode{travel.Walk, travel.Transit, travel.Drive} {
			there, back := m.Between(mode, from, to), m.Between(mode, to, from)
			if there != back || there < 0 || there > m.Between(travel.Walk, from, to) {
				t.Fatalf("%s from %v to %v: %v there, %v back", mode, from, to, there, back)
			}
			if geo.Distance(from, beyond) >= geo.Distance(from, to) && m.Between(mode, from, beyond) < there {
				t.Fatalf("%s from %v: %v is farther than %v and takes less", mode, from, beyond, to)
			}
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

func person(mode travel.Mode, at geo.Point) travel.Person { return travel.Person{At: &at, Mode: mode} }

func order(t *testing.T, people []travel.Person, places []meet.Place) []string {
	t.Helper()
	ways := travel.Find(t.Context(), travel.Model{}, people, places)
	var names []string
	for _, i := range travel.Fairness(places, ways) {
		names = append(names, places[i].Name)
	}
	return names
}

func TestFairness(t *testing.T) {
	t.Parallel()
	west, east, middle := point(37.76, -122.50), point(37.76, -122.40), point(37.76, -122.45)
	cafes := []meet.Place{venue("West", 4.5, west), venue("East", 4.5, east), venue("Middle", 4.5, middle)}
	named, there := cafes[0], cafes[1]
	named.Named, there.InArea = true, true
	for _, c := range []struct {
		name   string
		people []travel.Person
		places []meet.Place
		want   []string
	}{
		{"the middle is fair to both", []travel.Person{person(travel.Transit, west), person(travel.Transit, east)}, cafes, []string{"Middle", "West", "East"}},
		{"who walks is met on their side", []travel.Person{person(travel.Walk, west), person(travel.Drive, east)}, cafes, []string{"West", "Middle", "East"}},
		{"two against one: the longest way counts", []travel.Person{
			person(travel.Transit, west), person(travel.Transit, west), person(travel.Transit, east),
		}, cafes, []string{"Middle", "West", "East"}},
		{"nobody knows where one is", []travel.Person{person(travel.Transit, east), {}}, cafes, []string{"East", "Middle", "West"}},
		{"nobody knows where anybody is", []travel.Person{{}, {}}, cafes, []string{"West", "East", "Middle"}},
		{"nobody at all", nil, cafes, []string{"West", "East", "Middle"}},
		{"a better place is worth some minutes", []travel.Person{person(travel.Transit, west), person(travel.Transit, east)}, []meet.Place{
			venue("Fair", 4.0, middle), venue("Better", 4.9, point(37.76, -122.455)),
		}, []string{"Better", "Fair"}},
		{"and not an hour", []travel.Person{person(travel.Walk, west), person(travel.Walk, east)}, []meet.Place{
			venue("Best", 5, east), venue("Fair", 4.1, middle),
		}, []string{"Fair", "Best"}},
		{"unrated is as good as the least that is offered", nil, []meet.Place{
			venue("Unrated", 0, middle), venue("Good", 4.1, middle), venue("Least", 4, middle),
		}, []string{"Good", "Unrated", "Least"}},
		{"what was named is first, and then what lies where they said", []travel.Person{person(travel.Transit, middle)}, []meet.Place{cafes[2], there, named},
			[]string{"West", "East", "Middle"}},
		{"no places", []travel.Person{person(travel.Walk, west)}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, order(t, c.people, c.places)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFairnessLaws holds for two to eight people and any places: who is named first does not matter, nor does somebody
// whose location nobody knows, every place is there once, and none that is better for everybody stands behind.
func TestFairnessLaws(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 21))
	somewhere := func() geo.Point { return point(37.7+rng.Float64()/5, -122.5+rng.Float64()/5) }
	modes := []travel.Mode{"", travel.Walk, travel.Transit, travel.Drive}
	for range 1500 {
		people := make([]travel.Person, 2+rng.IntN(7))
		for i := range people {
			if people[i].Mode = modes[rng.IntN(len(modes))]; rng.IntN(5) > 0 {
				at := somewhere()
				people[i].At = &at
			}
		}
		places := make([]meet.Place, rng.IntN(12))
		for i := range places {
			places[i] = venue(string(rune('A'+i)), 4+float64(rng.IntN(11))/10, somewhere())
		}
		got := order(t, people, places)
		shuffled := append(slices.Clone(people), travel.Person{Mode: travel.Walk})
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(got, order(t, shuffled, places)); diff != "" {
			t.Fatalf("the same people in another order (-want +got):\n%s", diff)
		}
		if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(unique) != len(places) {
			t.Fatalf("%d places became %q", len(places), got)
		}
		checkNoneBetterBehind(t, people, places, got)
	}
}

func checkNoneBetterBehind(t *testing.T, people []travel.Person, places []meet.Place, order []string) {
	t.Helper()
	ways := travel.Find(t.Context(), travel.Model{}, people, places)
	rank := func(i int) int { return slices.Index(order, places[i].Name) }
	for a := range places {
		for b := range places {
			better := places[a].Rating > places[b].Rating
			for _, row := range ways {
				better = better && (row == nil || row[a] <= row[b])
			}
			if better && rank(a) > rank(b) {
				t.Fatalf("%s is better rated and nearer to everybody than %s, and stands behind it", places[a].Name, places[b].Name)
			}
		}
	}
}

func TestApart(t *testing.T) {
	t.Parallel()
	sf, oakland := person(travel.Walk, point(37.77, -122.42)), person(travel.Transit, point(37.80, -122.27))
	sanJose, la, ny := person("", point(37.34, -121.89)), person(travel.Drive, point(34.05, -118.24)), person("", point(40.71, -74.0))
	for _, c := range []struct {
		name   string
		people []travel.Person
		want   []int
	}{
		{"one town", []travel.Person{sf, oakland}, nil},
		{"an hour off", []travel.Person{sf, sanJose, oakland}, nil},
		{"another city", []travel.Person{sf, oakland, la}, []int{1, 2}},
		{"the farthest two", []travel.Person{ny, sf, la}, []int{0, 1}},
		{"one whose place nobody knows", []travel.Person{sf, {}}, nil},
		{"one", []travel.Person{sf}, nil},
	} {
		one, other, ok := travel.Apart(c.people)
		var got []int
		if ok {
			got = []int{one, other}
		}
		if c.name == "another city" && ok && other == 2 {
			got = c.want // either of the two across the bay may be the farther one
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
