package calendartest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// TestLocatingProvider runs the cases of TestProvider, and those for a provider that knows where events are: it tells
// where those are that take time, to some hundred metres.
func TestLocatingProvider(t *testing.T, open Opener) {
	TestProvider(t, open)
	t.Run("whereabouts", func(t *testing.T) { testWhereabouts(t, open) })
}

func testWhereabouts(t *testing.T, open Opener) {
	t.Helper()
	exact, known := geo.Point{Latitude: 52.520008, Longitude: 13.404954}, geo.Point{Latitude: 52.52, Longitude: 13.405}
	here := func(kind Kind) Event {
		return Event{UID: "1", Start: berlin(3, 10), End: berlin(3, 11), Kind: kind, At: &exact}
	}
	series := here(Opaque)
	series.Rule = "FREQ=DAILY;COUNT=2"
	for _, c := range []struct {
		name   string
		events []Event
		except string
		want   []interval.Span
	}{
		{"an event with a place", []Event{here(Opaque)}, "", []interval.Span{hours(3, 10, 11)}},
		{"an event without", []Event{{UID: "1", Start: berlin(3, 10), End: berlin(3, 11)}}, "", nil},
		{"each instance of a series", []Event{series}, "", []interval.Span{hours(3, 10, 11), hours(4, 10, 11)}},
		{"one that takes no time", []Event{here(Transparent)}, "", nil},
		{"one that was declined", []Event{here(Declined)}, "", nil},
		{"the excepted one", []Event{here(Opaque)}, "1", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, Owner(), c.events...)
			got, err := p.Times(t.Context(), Owner(), days(2, 6), c.except)
			if err != nil {
				t.Fatalf("Times: %v", err)
			}
			var want, stays []meet.Stay
			for _, span := range c.want {
				want = append(want, meet.Stay{Span: span, At: known})
			}
			for _, s := range got.Stays {
				stays = append(stays, meet.Stay{Span: s.Span, At: s.At})
			}
			if diff := cmp.Diff(inUTC(want), inUTC(stays)); diff != "" {
				t.Errorf("stays (-want +got):\n%s", diff)
			}
		})
	}
}

// inUTC makes stays comparable: moments count.
func inUTC(stays []meet.Stay) []meet.Stay {
	for i, s := range stays {
		stays[i].Span = interval.Span{Start: s.Span.Start.UTC(), End: s.Span.End.UTC()}
	}
	return stays
}
