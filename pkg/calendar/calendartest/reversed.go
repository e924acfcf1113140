package calendartest

import (
	"testing"
	"time"

	"convene/pkg/interval"
)

// testReversed: an event whose end lies before its start leaves nobody free around it. One of its two times is wrong,
// and which is not known. A provider may answer with unknown time, or with an error.
func testReversed(t *testing.T, open Opener) {
	t.Helper()
	meeting := Event{UID: "1", Title: "Reversed", Start: berlin(4, 15), End: berlin(4, 14)}
	weekly, trip, overnight := meeting, meeting, meeting
	weekly.Rule = "FREQ=WEEKLY;COUNT=4"
	trip.AllDay, trip.Start, trip.End = true, berlin(6, 0), berlin(4, 0)
	overnight.Start, overnight.End = berlin(4, 22), berlin(4, 2) // the date of the end is a day too early
	const quarter = 15 * time.Minute
	free := meeting
	free.Kind = Transparent
	for _, c := range []struct {
		name string
		Event
		span, around interval.Span
		want         interval.State
	}{
		{"an event", meeting, days(2, 8), hours(4, 13, 16), interval.Unknown},
		{"an instance of a series", weekly, days(16, 22), hours(18, 13, 16), interval.Unknown},
		{"a series through a change of the clocks", weekly, days(23, 29), hours(25, 13, 16), interval.Unknown},
		{"whole days", trip, days(2, 8), days(4, 6), interval.Unknown},
		{"a night", overnight, days(2, 8), interval.Span{Start: berlin(4, 22), End: berlin(5, 2)}, interval.Unknown},
		{"what takes no time either way", free, days(2, 8), hours(4, 13, 16), interval.Free},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a, err := open(t, Owner(), c.Event).Times(t.Context(), Owner(), c.span, "")
			if err != nil {
				a.Unknown = interval.NewSet(c.span)
			}
			for at := c.around.Start; at.Before(c.around.End); at = at.Add(quarter) {
				if got := a.State(interval.From(at, quarter)); got != c.want {
					t.Fatalf("at %v: got %v, want %v (%v)", at, got, c.want, a)
				}
			}
		})
	}
}
