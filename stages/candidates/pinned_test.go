package candidates

import (
	"testing"
	"time"

	"convene/pkg/meet"
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

func TestPins(t *testing.T) {
	t.Parallel()
	slots := slotsAt(meet.SlotFree, [2]int{0, 10}, [2]int{1, 10}, [2]int{2, 10})
	hidden := slotsAt(meet.SlotFree, [2]int{3, 15})[0]
	corner, other := meet.Place{ID: "1", Name: "Corner"}, meet.Place{ID: "2", Name: "Other"}
	named := meet.Place{ID: "3", Name: "Wished", Named: true}
	before := func(s meet.Slot, p *meet.Place) *meet.Event { return &meet.Event{Start: s.Start, End: s.End, Place: p} }
	for _, tt := range []struct {
		name        string
		found       meet.Candidates
		draft       meet.Draft
		slot, place int // the first ones, -1 if nothing is pinned
	}{
		{"a new wish", meet.Candidates{Slots: slots, Places: []meet.Place{corner}}, meet.Draft{}, -1, -1},
		{"a named time that is taken", meet.Candidates{Slots: slots, HasExplicitTimeConflict: true}, meet.Draft{}, 0, -1},
		{"an edit of the place keeps the time", meet.Candidates{Slots: slots, Places: []meet.Place{corner, other}},
			meet.Draft{Edit: &meet.Edit{ChangedPlace: true}, Previous: before(slots[2], &other)}, 2, -1},
		{"an edit of the place keeps a time that is not among the best", meet.Candidates{Slots: slots[:2]},
			meet.Draft{Edit: &meet.Edit{ChangedPlace: true}, Previous: before(hidden, nil)}, 3, -1},
		{"an edit keeps the nearest time where nothing suits everybody", meet.Candidates{Slots: slots, HasNoCommonTime: true},
			meet.Draft{Edit: &meet.Edit{}, Previous: before(slots[1], nil)}, 1, -1},
		{"an edit of the time keeps the place", meet.Candidates{Slots: slots, Places: []meet.Place{corner, other}},
			meet.Draft{Edit: &meet.Edit{ChangedTime: true}, Previous: before(slots[2], &other)}, -1, 1},
		{"a named place", meet.Candidates{Slots: slots, Places: []meet.Place{corner, named}}, meet.Draft{}, -1, 1},
		{"an alternative taken instead of the named place stays", meet.Candidates{Places: []meet.Place{named, other}},
			meet.Draft{Edit: &meet.Edit{ChangedTime: true}, Previous: before(slots[0], &other)}, -1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := append(append([]meet.Slot{}, slots...), hidden)
			got := pinPlace(pinSlot(tt.found, tt.draft, func() []meet.Slot { return all }), tt.draft)
			if got.PinnedSlot != (tt.slot >= 0) || got.PinnedPlace != (tt.place >= 0) {
				t.Fatalf("pinned slot %v, place %v; want %v, %v", got.PinnedSlot, got.PinnedPlace, tt.slot >= 0, tt.place >= 0)
			}
			if tt.slot >= 0 && !got.Slots[0].Start.Equal(all[tt.slot].Start) {
				t.Errorf("first slot %v, want %v", got.Slots[0].Start, all[tt.slot].Start)
			}
			if tt.place >= 0 && !got.Places[0].Same(tt.found.Places[tt.place]) {
				t.Errorf("first place %s, want %s", got.Places[0].Name, tt.found.Places[tt.place].Name)
			}
			if len(got.Slots) < len(tt.found.Slots) || len(got.Places) != len(tt.found.Places) {
				t.Errorf("%d slots and %d places are left", len(got.Slots), len(got.Places))
			}
		})
	}
}
