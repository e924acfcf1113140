package stages

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// slotsAt makes slots of an hour, Monday 2031-05-05 being day 0.
func slotsAt(state meet.SlotState, starts ...[2]int) []meet.Slot {
	var slots []meet.Slot
	for _, s := range starts {
		start := time.Date(2031, 5, 5+s[0], s[1], 0, 0, 0, time.UTC)
		slots = append(slots, meet.Slot{Start: start, End: start.Add(time.Hour), State: state})
	}
	return slots
}

func TestRanksAreCorrected(t *testing.T) {
	t.Parallel()
	free := slotsAt(meet.SlotFree, [2]int{0, 10}, [2]int{0, 14}, [2]int{1, 10}, [2]int{2, 10}, [2]int{3, 18})
	mixed := append(slotsAt(meet.SlotUnknown, [2]int{0, 10}), slotsAt(meet.SlotFree, [2]int{1, 10}, [2]int{2, 10})...)
	closed := interval.EveryDay(interval.Window{Start: interval.At(18, 0), End: interval.At(23, 0)})
	venues := []meet.Place{
		{Name: "A", DistanceFromMidpointKm: 9}, {Name: "B", DistanceFromMidpointKm: 1},
		{Name: "C", DistanceFromMidpointKm: 1, OpeningHours: &closed, Timezone: "UTC"},
		{Name: "D", DistanceFromMidpointKm: 8},
	}
	rushed := slotsAt(meet.SlotConflict, [2]int{0, 10})
	chain := []meet.Place{
		{ID: "1", Name: "Philz", Named: true}, {ID: "2", Name: "Other"}, {ID: "3", Name: "Philz", Named: true},
	}
	for _, tt := range []struct {
		name string
		on   offer
		said meet.Selection
		want message.Choice
	}{
		{"as said", offer{found: meet.Candidates{Slots: free, Places: venues}},
			meet.Selection{Slots: []int{2, 0, 3, 4}, Places: []int{1, 0, 3}}, message.Choice{
				Slots: []int{2, 0, 3, 4}, Places: []int{1, 0, 3},
			}},
		{"out of range and repeated are dropped, other days fill up", offer{found: meet.Candidates{Slots: free}},
			meet.Selection{Slots: []int{9, 1, 1, -1}}, message.Choice{Slots: []int{1, 2, 3, 4}}},
		{"nothing said", offer{found: meet.Candidates{Slots: free}}, meet.Selection{}, message.Choice{
			Slots: []int{0, 2, 3, 4},
		}},
		{"a pinned time stays first", offer{found: meet.Candidates{Slots: free, PinnedSlot: true}},
			meet.Selection{Slots: []int{3, 2}}, message.Choice{Slots: []int{0, 3, 2, 4}}},
		{"nobody is booked on an assumption", offer{found: meet.Candidates{Slots: mixed}},
			meet.Selection{Slots: []int{0, 1, 2}}, message.Choice{Slots: []int{1, 2, 0}}},
		{"leisure belongs in the evening", offer{leisure: true, found: meet.Candidates{Slots: free}},
			meet.Selection{Slots: []int{0, 2}}, message.Choice{Slots: []int{4, 0, 2, 3}}},
		{"leisure without such a time", offer{leisure: true, found: meet.Candidates{Slots: free[:3]}},
			meet.Selection{Slots: []int{2, 0}}, message.Choice{Slots: []int{2, 0, 1}}},
		{"a closed place is never paired, and the fairest fill up first", offer{
			found: meet.Candidates{Slots: free[:1], Places: venues},
		},
			meet.Selection{Slots: []int{0}, Places: []int{2, 7, 1}}, message.Choice{Slots: []int{0}, Places: []int{1, 0, 3}}},
		{"nor one that somebody cannot come to in time", offer{
			found: meet.Candidates{Slots: free[:1], Places: venues, Pairs: [][]meet.Pair{{{Late: true}, {}, {}, {}}}},
		},
			meet.Selection{Slots: []int{0}, Places: []int{0, 3}}, message.Choice{Slots: []int{0}, Places: []int{3, 1}}},
		{"unless that was said with the time", offer{
			found: meet.Candidates{Slots: rushed, Places: venues[:2], Pairs: [][]meet.Pair{{{Rushed: true}, {}}}},
		},
			meet.Selection{}, message.Choice{Slots: []int{0}, Places: []int{0, 1}}},
		{"and then of one place only", offer{
			found: meet.Candidates{Slots: rushed, Places: venues[:2], Pairs: [][]meet.Pair{{{Rushed: true}, {Rushed: true}}}},
		},
			meet.Selection{Places: []int{1}}, message.Choice{Slots: []int{0}, Places: []int{1}}},
		{"another time at which people hurry goes with the first place only", offer{found: meet.Candidates{
			Slots: free[:3], Places: venues[:2], Pairs: [][]meet.Pair{
				{{}, {}}, {{Late: true}, {Rushed: true}}, {{Rushed: true}, {}},
			}}},
			meet.Selection{Places: []int{0}}, message.Choice{Slots: []int{0, 2}, Places: []int{0, 1}}},
		{"a time with which none of the places goes is no alternative", offer{
			found: meet.Candidates{
				Slots: free, Places: venues[:1], Pairs: [][]meet.Pair{{{}}, {{}}, {{Late: true}}, {{}}, {{}}},
			},
		},
			meet.Selection{}, message.Choice{Slots: []int{0, 3, 4, 1}, Places: []int{0}}},
		{"of a venue that was named the branch that goes", offer{
			found: meet.Candidates{
				Slots: free[:1], Places: chain, PinnedPlace: true, Pairs: [][]meet.Pair{{{Late: true}, {}, {}}},
			},
		},
			meet.Selection{}, message.Choice{Slots: []int{0}, Places: []int{2, 1}}},
		{"a pinned place stays first", offer{found: meet.Candidates{Slots: free[:1], Places: venues, PinnedPlace: true}},
			meet.Selection{Slots: []int{0}, Places: []int{1}}, message.Choice{Slots: []int{0}, Places: []int{0, 1, 3}}},
		{"alternatives are three times and no place",
			offer{path: message.PathAlternatives, found: meet.Candidates{Slots: free, Places: venues}},
			meet.Selection{Slots: []int{4}}, message.Choice{Slots: []int{4, 0, 2}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.on.correct(tt.said, new(tally))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
