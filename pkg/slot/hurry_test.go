package slot_test

import (
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// Leisure begins soon after the time that is said, and neither ends nor begins in the minute of another event.
func TestLeisureSinceATime(t *testing.T) {
	t.Parallel()
	saturday := time.Date(2026, 5, 9, 8, 0, 0, 0, time.UTC)
	at := func(hour, minute int) time.Time { return saturday.Add(time.Duration((hour-8)*60+minute) * time.Minute) }
	busy := []interval.Span{{Start: at(14, 0), End: at(16, 0)}}
	for _, c := range []struct {
		activity meet.Activity
		from, to interval.Clock
		busy     []interval.Span
		want     time.Time
	}{
		{meet.Custom, interval.At(14, 30), interval.EndOfDay, nil, at(14, 30)},
		{meet.Custom, interval.At(12, 0), interval.At(18, 0), nil, at(15, 0)},
		{meet.Coffee, interval.At(12, 0), interval.At(20, 0), busy, at(16, 30)},
	} {
		found := slot.Find(slot.Query{
			Template: meet.Template{
				Activity: c.activity, EventType: meet.InPerson, Duration: 30,
				Dates: []interval.DateRange{{Start: interval.DateOf(saturday), End: interval.DateOf(saturday)}},
				Hours: &meet.Hours{Week: interval.EveryDay(interval.Window{Start: c.from, End: c.to})},
			},
			Now: saturday, Attendees: []slot.Attendee{{Availability: interval.Availability{Busy: c.busy}}},
		})
		if len(found.Slots) == 0 || !found.Slots[0].Start.Equal(c.want) {
			t.Errorf("%s from %s: %v, want %s", c.activity, c.from, found.Slots, c.want)
		}
	}
}
