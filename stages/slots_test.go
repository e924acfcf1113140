package stages_test

import (
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/stages"
)

var _ world.Scheduler = (*stages.Pipeline)(nil)

// The friend is busy on Monday from eight to twelve.
func TestSlotsForTools(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	monday := interval.Date{Year: 2031, Month: time.May, Day: 5}
	wish := func(from, to interval.Clock) meet.Draft {
		return meet.Draft{Mode: meet.ModeNew, People: h.world.People[1:2], Template: meet.Template{
			Title: "Review", EventType: meet.Video, Activity: meet.Meeting, Duration: 60,
			Dates: []interval.DateRange{{Start: monday, End: monday}},
			Hours: &meet.Hours{Week: interval.EveryDay(interval.Window{Start: from, End: to})},
		}}
	}
	nine := interval.At(9, 0)
	free, _, err := h.pipeline.Slots(t.Context(), h.world.People[0], now, wish(nine, interval.At(15, 0)), 2)
	if err != nil || len(free) != 2 || free[0].State != meet.SlotFree || free[0].Start.Hour() < 12 {
		t.Errorf("on a day with time: got %+v, %v", free, err)
	}
	taken, _, err := h.pipeline.Slots(t.Context(), h.world.People[0], now, wish(nine, nine), 3)
	if err != nil || len(taken) != 3 || taken[0].State != meet.SlotConflict || taken[0].Start.Hour() != 9 {
		t.Fatalf("at a time that is taken: got %+v, %v", taken, err)
	}
	if taken[0].Conflicts[0].Name != "Ada Byron" || taken[1].State != meet.SlotFree {
		t.Errorf("the conflict first, free times after it: got %+v", taken)
	}
}
