package candidates

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/travel"
)

// A person hurries if a conflict of the slot says so; otherwise the person is late.
func TestRushedAndLate(t *testing.T) {
	t.Parallel()
	noon := time.Date(2031, 5, 6, 12, 0, 0, 0, time.UTC)
	far, here := geo.Point{Latitude: 37.3, Longitude: -121.9}, geo.Point{Latitude: 37.78, Longitude: -122.41}
	before := interval.Span{Start: noon.Add(-time.Hour), End: noon}
	busy := travel.Guest{
		Availability: interval.Availability{Busy: interval.NewSet(before)}, Stays: []meet.Stay{{Span: before, At: far}},
	}
	people := []meet.Person{{ID: "me", Name: "Mia"}, {ID: "al", Name: "Al"}}
	conflict := func(id meet.PersonID) []meet.Conflict {
		return []meet.Conflict{{Person: id, Kind: meet.ConflictTravel}}
	}
	for _, tt := range []struct {
		name   string
		guests []travel.Guest
		said   []meet.Conflict
		want   meet.Pair
	}{
		{"nobody", []travel.Guest{{}, {}}, nil, meet.Pair{}},
		{"somebody", []travel.Guest{{}, busy}, nil, meet.Pair{Late: true}},
		{"somebody of whom it is said", []travel.Guest{{}, busy}, conflict("al"), meet.Pair{Rushed: true}},
		{"somebody else than that", []travel.Guest{{}, busy}, conflict("me"), meet.Pair{Late: true}},
		{"both, one unsaid", []travel.Guest{busy, busy}, conflict("al"), meet.Pair{Late: true, Rushed: true}},
	} {
		m, err := travel.Survey(t.Context(), travel.Model{}, tt.guests, []meet.Place{{Name: "Corner Cup", Location: here}})
		if err != nil {
			t.Fatal(err)
		}
		slots := []meet.Slot{{Start: noon, End: noon.Add(time.Hour), Conflicts: tt.said}}
		w := ways{m: m, people: people}
		got := meet.Candidates{Pairs: w.pairs(slots, meet.TravelBuffer{BeforeMinutes: 1})}.Pair(0, 0)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
