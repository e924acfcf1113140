// Package calendartest is what every calendar provider has to pass: one set of cases about free and busy, and one
// about writing.
package calendartest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Opener makes a provider in which the owner keeps a calendar with these events and nothing else.
type Opener func(t *testing.T, owner meet.Person, events ...Event) calendar.Provider

// Owner is the owner of the calendar under test: a person nine hours from the zone in which it looks.
func Owner() meet.Person {
	return meet.Person{
		ID: "owner", Name: "Ola Owner", Email: "ola@example.com", Timezone: "Europe/Berlin",
		Location: &meet.Location{Point: geo.Point{Latitude: 52.5, Longitude: 13.4}},
	}
}

// TestProvider runs all cases. Those about writing are left out where the provider is no calendar.Writer.
func TestProvider(t *testing.T, open Opener) {
	t.Run("busy", func(t *testing.T) {
		for _, c := range append(singleCases(), seriesCases()...) {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				got, err := open(t, Owner(), c.events...).Times(t.Context(), Owner(), c.span, c.except)
				if err != nil {
					t.Fatalf("Times: %v", err)
				}
				want := interval.Availability{Busy: interval.NewSet(c.want...)}
				if diff := cmp.Diff(utc(want), utc(got.Availability)); diff != "" {
					t.Errorf("availability (-want +got):\n%s", diff)
				}
			})
		}
	})
	t.Run("reversed", func(t *testing.T) { testReversed(t, open) })
	t.Run("lookup", func(t *testing.T) { testLookup(t, open) })
	t.Run("cancelled context", func(t *testing.T) { testContext(t, open) })
	t.Run("events", func(t *testing.T) { testAgenda(t, open) })
	t.Run("write", func(t *testing.T) { testWriter(t, open) })
}

// testLookup: a provider has a name, and no calendar of a stranger.
func testLookup(t *testing.T, open Opener) {
	t.Helper()
	p := open(t, Owner())
	if p.Name() == "" {
		t.Error("the provider has no name")
	}
	stranger := meet.Person{ID: "stranger", Name: "Stranger"}
	_, err := p.Times(t.Context(), stranger, day(2), "")
	if !errors.Is(err, calendar.ErrNoCalendar) {
		t.Errorf("Times of a stranger: got error %v, want %v", err, calendar.ErrNoCalendar)
	}
}

// testContext: a provider that has been told to stop gives an error, never an empty calendar.
func testContext(t *testing.T, open Opener) {
	t.Helper()
	p := open(t, Owner(), Event{UID: "1", Start: berlin(2, 9), End: berlin(2, 10)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := p.Times(ctx, Owner(), day(2), "")
	if err == nil && a.State(interval.Span{Start: berlin(2, 9), End: berlin(2, 10)}) == interval.Free {
		t.Error("a cancelled reading made a busy person free")
	}
}

// utc makes availabilities comparable: moments count, not the zones in which they are written.
func utc(a interval.Availability) interval.Availability {
	convert := func(set interval.Set) interval.Set {
		out := make(interval.Set, len(set))
		for i, s := range set {
			out[i] = interval.Span{Start: s.Start.UTC(), End: s.End.UTC()}
		}
		return out
	}
	return interval.Availability{Busy: convert(a.Busy), Unknown: convert(a.Unknown)}
}

// berlin is a time in March 2026 on the owner's clocks, which go ahead an hour on the 29th. The hour may have minutes
// as hundredths: 9.30 is half past nine.
func berlin(d int, hour float64) time.Time { return in("Europe/Berlin", d, hour) }

func in(zone string, d int, hour float64) time.Time {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		loc = time.UTC
	}
	minutes := int(hour*100+0.5) % 100
	return time.Date(2026, time.March, d, int(hour), minutes, 0, 0, loc)
}

// hours is a span of a March day on the owner's clocks.
func hours(d int, from, to float64) interval.Span {
	return interval.Span{Start: berlin(d, from), End: berlin(d, to)}
}

// days is whole March days of the owner's, last included; day is one.
func days(first, last int) interval.Span {
	return interval.Span{Start: berlin(first, 0), End: berlin(last+1, 0)}
}

func day(d int) interval.Span { return days(d, d) }
