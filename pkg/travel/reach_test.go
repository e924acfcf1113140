package travel_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

// noon is where all times of these tests are counted from.
func noon() time.Time { return time.Date(2031, time.May, 6, 12, 0, 0, 0, time.UTC) }

// minutes is a span of minutes after noon.
func minutes(from, to int) interval.Span {
	return interval.Span{
		Start: noon().Add(time.Duration(from) * time.Minute), End: noon().Add(time.Duration(to) * time.Minute),
	}
}

func stay(at geo.Point, from, to int) meet.Stay { return meet.Stay{Span: minutes(from, to), At: at} }

// busyAt is a guest whose stays, and the other spans given, are busy.
func busyAt(stays []meet.Stay, others ...interval.Span) travel.Guest {
	for _, s := range stays {
		others = append(others, s.Span.Hull(s.Taken))
		if s.Taken.Empty() {
			others[len(others)-1] = s.Span
		}
	}
	return travel.Guest{Stays: stays, Availability: interval.Availability{Busy: interval.NewSet(others...)}}
}

func TestLegs(t *testing.T) {
	t.Parallel()
	ferry, mission := point(37.7955, -122.3937), point(37.7599, -122.4148)
	const way = 30 // minutes between the two, in steps of five
	held := stay(ferry, -60, 0)
	held.Taken = minutes(-90, 20)
	unknown := busyAt([]meet.Stay{stay(ferry, -60, 0)})
	unknown.Availability.Unknown = interval.NewSet(minutes(10, 500))
	partly := busyAt([]meet.Stay{stay(ferry, -60, 0)})
	partly.Availability.Unknown = interval.NewSet(minutes(10, 20))
	for _, c := range []struct {
		name  string
		guest travel.Guest
		at    interval.Span
		want  meet.TravelBuffer
		ok    bool
	}{
		{"nothing else", travel.Guest{}, minutes(0, 60), meet.TravelBuffer{}, true},
		{"just enough time", busyAt([]meet.Stay{stay(ferry, -60, 0)}), minutes(way, 90),
			meet.TravelBuffer{BeforeMinutes: way}, true},
		{"a minute too few", busyAt([]meet.Stay{stay(ferry, -60, 0)}), minutes(way-1, 90), meet.TravelBuffer{}, false},
		{"at the place already", busyAt([]meet.Stay{stay(mission, -60, 0)}), minutes(0, 60), meet.TravelBuffer{}, true},
		{"long before, nobody comes directly", busyAt([]meet.Stay{stay(ferry, -60, 0)}), minutes(120, 180),
			meet.TravelBuffer{}, true},
		{"a journey that there is time for", busyAt([]meet.Stay{stay(point(34.05, -118.24), -1000, 0)}), minutes(600, 660),
			meet.TravelBuffer{}, true},
		{"a journey that there is no time for", busyAt([]meet.Stay{stay(point(34.05, -118.24), -1000, 0)}), minutes(240, 300),
			meet.TravelBuffer{}, false},
		{"to the next", busyAt([]meet.Stay{stay(ferry, 90, 120)}), minutes(0, 60), meet.TravelBuffer{AfterMinutes: way},
			true},
		{"not to the next", busyAt([]meet.Stay{stay(ferry, 80, 120)}), minutes(0, 60), meet.TravelBuffer{}, false},
		{"between two", busyAt([]meet.Stay{stay(ferry, -60, 0), stay(ferry, 130, 160)}), minutes(45, 90),
			meet.TravelBuffer{BeforeMinutes: way, AfterMinutes: way}, true},
		{"the last of the stays before counts", busyAt([]meet.Stay{stay(ferry, -60, 0), stay(mission, 5, 10)}),
			minutes(15, 60), meet.TravelBuffer{}, true},
		{"something else in the time of the way", busyAt([]meet.Stay{stay(ferry, -60, 0)}, minutes(30, 45)), minutes(45, 90),
			meet.TravelBuffer{}, false},
		{"something else before it", busyAt([]meet.Stay{stay(ferry, -60, 0)}, minutes(0, 15)), minutes(45, 90),
			meet.TravelBuffer{BeforeMinutes: way}, true},
		{"what the event before keeps for its own way", busyAt([]meet.Stay{held}), minutes(way, 90),
			meet.TravelBuffer{BeforeMinutes: way}, true},
		{"an event at the same time asks for no way", busyAt([]meet.Stay{stay(ferry, 10, 30)}), minutes(0, 60),
			meet.TravelBuffer{}, true},
		{"not known either way", unknown, minutes(45, 90), meet.TravelBuffer{BeforeMinutes: way}, true},
		{"not known on the way only", partly, minutes(45, 90), meet.TravelBuffer{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := survey(t, []travel.Guest{c.guest}, []meet.Place{venue("Mission", 4.5, mission)})
			got, ok := m.At(c.at).Legs(0, 0)
			if ok != c.ok || ok && got != c.want {
				t.Errorf("got %+v, %v; want %+v, %v", got, ok, c.want, c.ok)
			}
			if m.At(c.at).Fits(0) != c.ok || (len(m.At(c.at).Late(0)) == 0) != c.ok {
				t.Error("whether the place fits, and who is late, say something else")
			}
		})
	}
}

func TestHoursAndWays(t *testing.T) {
	t.Parallel()
	broken, past := interval.EveryDay(interval.Window{Start: interval.At(11, 30), End: interval.At(14, 30)}),
		interval.EveryDay(interval.Window{Start: interval.At(17, 0), End: interval.At(2, 0)})
	for day := range broken {
		broken[day] = append(broken[day], interval.Window{Start: interval.At(17, 0), End: interval.At(22, 0)})
	}
	for _, c := range []struct {
		name  string
		hours *interval.Week
		at    interval.Span
		want  bool
	}{
		{"nobody knows", nil, minutes(0, 60), true},
		{"before the break", &broken, minutes(0, 150), true},
		{"into the break", &broken, minutes(120, 160), false},
		{"over the break", &broken, minutes(120, 320), false},
		{"past midnight", &past, minutes(11*60, 14*60), true},
		{"after closing", &past, minutes(13*60, 14*60+1), false},
	} {
		p := venue("There", 4, point(37.76, -122.41))
		p.OpeningHours, p.Timezone = c.hours, "UTC"
		if got := survey(t, []travel.Guest{{}}, []meet.Place{p}).At(c.at).Fits(0); got != c.want {
			t.Errorf("%s: fits %v, want %v", c.name, got, c.want)
		}
	}
}

// TestArranged holds that a map says the same of each place wherever it stands.
func TestArranged(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		w := newWorld(rng)
		m := survey(t, w.guests, w.places)
		order := rng.Perm(len(w.places))
		arranged := m.Arranged(order)
		for to, from := range order {
			for g := range w.guests {
				one, oneOK := m.At(w.at).Legs(g, from)
				other, otherOK := arranged.At(w.at).Legs(g, to)
				if one != other || oneOK != otherOK || arranged.Places()[to].ID != w.places[from].ID {
					t.Fatalf("place %d says %+v, and %+v at %d", from, one, other, to)
				}
				here, _ := m.FromHome(g, from)
				if there, _ := arranged.FromHome(g, to); here != there {
					t.Fatalf("place %d is %v from home, and %v", from, here, there)
				}
			}
		}
	}
}

// world is some people and places, and a time.
type world struct {
	guests []travel.Guest
	places []meet.Place
	at     interval.Span
}

func newWorld(rng *rand.Rand) world {
	spots := make([]geo.Point, 3)
	for i := range spots {
		spots[i] = point(37.74+rng.Float64()*0.06, -122.45+rng.Float64()*0.06)
	}
	w := world{at: minutes(0, 30+rng.IntN(4)*15)}
	for range 1 + rng.IntN(3) {
		var stays []meet.Stay
		var others []interval.Span
		for range rng.IntN(4) {
			from := (rng.IntN(40) - 20) * 10
			s := stay(spots[rng.IntN(len(spots))], from, from+10*(1+rng.IntN(6)))
			if rng.IntN(4) == 0 {
				s.Taken = s.Span.Widen(time.Duration(rng.IntN(3)*10)*time.Minute, time.Duration(rng.IntN(3)*10)*time.Minute)
			}
			stays = append(stays, s)
		}
		if rng.IntN(2) == 0 {
			from := (rng.IntN(40) - 20) * 5
			others = append(others, minutes(from, from+5+rng.IntN(20)))
		}
		g := busyAt(stays, others...)
		if rng.IntN(3) > 0 {
			g.Home = &spots[rng.IntN(len(spots))]
		}
		if rng.IntN(4) == 0 {
			from := (rng.IntN(40) - 20) * 5
			g.Availability.Unknown = interval.NewSet(minutes(from, from+rng.IntN(60)))
		}
		w.guests = append(w.guests, g)
	}
	for i := range 1 + rng.IntN(3) {
		w.places = append(w.places, venue(string(rune('A'+i)), 4, spots[rng.IntN(len(spots))]))
	}
	return w
}

// TestReachAgainstOracle compares with a slow and obvious reading of the rule, minute by minute.
func TestReachAgainstOracle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(55, 89))
	fits, late := 0, 0
	for range 4000 {
		w := newWorld(rng)
		m := survey(t, w.guests, w.places)
		for p := range w.places {
			for g := range w.guests {
				want, wantOK := walk(w.guests[g], w.places[p], w.at)
				got, ok := m.At(w.at).Legs(g, p)
				if ok != wantOK || ok && got != want {
					t.Fatalf("guest %+v at %+v for %v: got %+v, %v; want %+v, %v", w.guests[g], w.places[p].Location, w.at, got,
						ok, want, wantOK)
				}
				if ok {
					fits++
				} else {
					late++
				}
			}
		}
	}
	if fits < 1000 || late < 1000 {
		t.Errorf("only %d fit and %d do not: the worlds are not worth much", fits, late)
	}
}

// walk is the rule, computed slowly.
func walk(g travel.Guest, p meet.Place, at interval.Span) (b meet.TravelBuffer, ok bool) {
	var ended, begins time.Time
	for _, s := range g.Stays {
		if !s.Span.End.After(at.Start) && s.Span.End.After(ended) {
			ended = s.Span.End
		}
		if !s.Span.Start.Before(at.End) && (begins.IsZero() || s.Span.Start.Before(begins)) {
			begins = s.Span.Start
		}
	}
	ok = true
	over, starts := ended, begins
	for _, s := range g.Stays {
		if s.Span.End.Equal(ended) && !s.Taken.Empty() && s.Taken.End.After(over) {
			over = s.Taken.End
		}
		if s.Span.Start.Equal(begins) && !s.Taken.Empty() && s.Taken.Start.Before(starts) {
			starts = s.Taken.Start
		}
	}
	for _, s := range g.Stays {
		took, _ := travel.Model{}.Between(s.At, p.Location)
		way := 0
		if took >= 3*time.Minute {
			way = (int(took.Minutes()) + 4) / 5 * 5
		}
		if s.Span.End.Equal(ended) {
			gap := int(at.Start.Sub(s.Span.End).Minutes())
			minutes, fine := onTheWay(g, way, gap, at, func(i int) (time.Time, bool) {
				m := at.Start.Add(-time.Duration(i+1) * time.Minute)
				return m, m.Before(over)
			})
			ok, b.BeforeMinutes = ok && fine, max(b.BeforeMinutes, minutes)
		}
		if s.Span.Start.Equal(begins) {
			gap := int(s.Span.Start.Sub(at.End).Minutes())
			minutes, fine := onTheWay(g, way, gap, at, func(i int) (time.Time, bool) {
				m := at.End.Add(time.Duration(i) * time.Minute)
				return m, !m.Before(starts)
			})
			ok, b.AfterMinutes = ok && fine, max(b.AfterMinutes, minutes)
		}
	}
	return b, ok
}

// onTheWay looks at each minute of the way but those that the stay itself has taken.
func onTheWay(
	g travel.Guest, way, gap int, at interval.Span, minute func(int) (m time.Time, excused bool),
) (int, bool) {
	if way > gap {
		return 0, false
	}
	if gap >= 120 {
		return 0, true
	}
	unread := g.Availability.Unknown.Overlaps(at)
	for i := range way {
		m, excused := minute(i)
		switch g.Availability.State(interval.From(m, time.Minute)) {
		case interval.Busy:
			if !excused {
				return 0, false
			}
		case interval.Unknown:
			if !excused && !unread {
				return 0, false
			}
		case interval.Free:
		}
	}
	return way, true
}

// slow is a router that always fails.
type slow struct{ travel.Model }

var errSlow = errors.New("no answer")

func (s slow) Times(ctx context.Context, from, to []geo.Point) ([][]time.Duration, error) {
	times, _ := s.Model.Times(ctx, from, to)
	return times, errSlow
}

func TestASurveyIsWholeBesideAnError(t *testing.T) {
	t.Parallel()
	home, there := point(37.7955, -122.3937), venue("There", 4, point(37.7599, -122.4148))
	m, err := travel.Survey(t.Context(), slow{}, []travel.Guest{at(home)}, []meet.Place{there})
	if way, ok := m.FromHome(0, 0); !errors.Is(err, errSlow) || !ok || way != 30*time.Minute {
		t.Errorf("half an hour's way takes %v, %v; error %v", way, ok, err)
	}
}

// asked counts what a router is asked.
type asked struct {
	travel.Model
	from, to [][]geo.Point
}

func (a *asked) Times(ctx context.Context, from, to []geo.Point) ([][]time.Duration, error) {
	a.from, a.to = append(a.from, from), append(a.to, to)
	return a.Model.Times(ctx, from, to)
}

func TestARouterIsAskedOnceForEverything(t *testing.T) {
	t.Parallel()
	home, office, there := point(37.79, -122.39), point(37.78, -122.40), venue("There", 4, point(37.76, -122.41))
	guest := busyAt([]meet.Stay{stay(office, 0, 60), stay(office, 1440, 1500), stay(home, 90, 100)})
	guest.Home = &home
	router := &asked{}
	if _, err := travel.Survey(t.Context(), router, []travel.Guest{guest, at(office)},
		[]meet.Place{there, {Name: "Nowhere"}}); err != nil {
		t.Fatal(err)
	}
	want := asked{from: [][]geo.Point{{home, office}}, to: [][]geo.Point{{there.Location}}}
	if diff := cmp.Diff(want.from, router.from); diff != "" {
		t.Errorf("from (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.to, router.to); diff != "" {
		t.Errorf("to (-want +got):\n%s", diff)
	}
	if _, err := travel.Survey(t.Context(), router, []travel.Guest{{}}, []meet.Place{there}); err != nil ||
		len(router.from) != 1 {
		t.Errorf("a router was asked about nobody: %v", err)
	}
}

// full is 16 places and eight people who are at three events a day for four weeks, at a dozen places in turn.
func full(rng *rand.Rand) (guests []travel.Guest, places []meet.Place) {
	spot := func() geo.Point { return point(37.70+rng.Float64()*0.1, -122.50+rng.Float64()*0.1) }
	for range 8 {
		var stays []meet.Stay
		offices := []geo.Point{spot(), spot(), spot()}
		for day := range 28 {
			for _, hour := range []int{-3, 1, 5} {
				stays = append(stays, stay(offices[rng.IntN(3)], day*1440+hour*60, day*1440+hour*60+60))
			}
		}
		g := busyAt(stays)
		home := spot()
		g.Home = &home
		guests = append(guests, g)
	}
	for i := range 16 {
		places = append(places, venue(string(rune('A'+i)), 4+float64(i%10)/10, spot()))
	}
	return guests, places
}

// BenchmarkOrder ranks 16 places for eight people.
func BenchmarkOrder(b *testing.B) {
	guests, places := full(rand.New(rand.NewPCG(1, 2)))
	for i := range guests {
		guests[i].Stays = nil
	}
	b.ReportAllocs()
	for b.Loop() {
		m, _ := travel.Survey(b.Context(), travel.Model{}, guests, places)
		if len(m.Order()) != 16 {
			b.Fatal("places are missing")
		}
	}
}

// BenchmarkFits looks at 24 times and 16 places for eight people with 84 events each.
func BenchmarkFits(b *testing.B) {
	guests, places := full(rand.New(rand.NewPCG(1, 2)))
	m, _ := travel.Survey(b.Context(), travel.Model{}, guests, places)
	var slots []interval.Span
	for i := range 24 {
		slots = append(slots, minutes(i*1440+180, i*1440+240))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range slots {
			at := m.At(s)
			for p := range places {
				at.Fits(p)
			}
		}
	}
}

// BenchmarkSurvey makes that map.
func BenchmarkSurvey(b *testing.B) {
	guests, places := full(rand.New(rand.NewPCG(1, 2)))
	b.ReportAllocs()
	for b.Loop() {
		m, _ := travel.Survey(b.Context(), travel.Model{}, guests, places)
		if !slices.ContainsFunc(m.Places(), func(p meet.Place) bool { return p.Name == "A" }) {
			b.Fatal("places are missing")
		}
	}
}
