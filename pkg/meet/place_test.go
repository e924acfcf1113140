package meet_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// hours has a break from Monday to Thursday, runs past midnight on Friday and Saturday, and is closed on Sunday.
func hours() *interval.Week {
	w := func(from, to interval.Clock) interval.Window { return interval.Window{Start: from, End: to} }
	at := interval.At
	lunch, dinner := w(at(11, 30), at(14, 30)), w(at(17, 0), at(22, 0))
	week := interval.Week{}
	for _, d := range []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday} {
		week[d] = []interval.Window{lunch, dinner}
	}
	week[time.Friday] = []interval.Window{w(at(17, 0), interval.EndOfDay)}
	week[time.Saturday] = []interval.Window{w(0, at(2, 0)), w(at(17, 0), at(1, 30))}
	return &week
}

func TestOpenDuring(t *testing.T) {
	t.Parallel()
	bistro := meet.Place{Timezone: "America/Los_Angeles", OpeningHours: hours()}
	around := meet.Place{Timezone: "America/Los_Angeles"}
	always := interval.EveryDay(interval.Window{Start: 0, End: interval.EndOfDay})
	around.OpeningHours = &always
	for _, c := range []struct {
		name       string
		place      meet.Place
		start, end string
		open       bool
	}{
		{"at lunch", bistro, "2026-11-24T12:00:00-08:00", "2026-11-24T13:00:00-08:00", true},
		{"from opening to closing", bistro, "2026-11-24T11:30:00-08:00", "2026-11-24T14:30:00-08:00", true},
		{"a minute too soon", bistro, "2026-11-24T11:29:00-08:00", "2026-11-24T13:00:00-08:00", false},
		{"into the break", bistro, "2026-11-24T14:00:00-08:00", "2026-11-24T15:00:00-08:00", false},
		{"over the break", bistro, "2026-11-24T14:00:00-08:00", "2026-11-24T18:00:00-08:00", false},
		{"within the break", bistro, "2026-11-24T15:00:00-08:00", "2026-11-24T16:00:00-08:00", false},
		{"over midnight, in two windows that touch", bistro, "2026-11-27T23:00:00-08:00", "2026-11-28T01:00:00-08:00", true},
		{"over midnight, in one window", bistro, "2026-11-28T23:00:00-08:00", "2026-11-29T01:00:00-08:00", true},
		{"after midnight, of the day before", bistro, "2026-11-29T00:30:00-08:00", "2026-11-29T01:30:00-08:00", true},
		{"past closing after midnight", bistro, "2026-11-29T00:30:00-08:00", "2026-11-29T02:00:00-08:00", false},
		{"on the day off", bistro, "2026-11-29T12:00:00-08:00", "2026-11-29T13:00:00-08:00", false},
		{"asked in another zone: lunch there", bistro, "2026-11-24T21:00:00+01:00", "2026-11-24T22:00:00+01:00", true},
		{"asked in another zone: lunch here", bistro, "2026-11-24T12:00:00+01:00", "2026-11-24T13:00:00+01:00", false},
		{"in summer time", bistro, "2026-07-07T11:30:00-07:00", "2026-07-07T12:30:00-07:00", true},
		{"in summer time by the clock of winter", bistro, "2026-07-07T11:30:00-08:00", "2026-07-07T14:30:00-08:00", false},
		{"round the clock over the change back", around, "2026-10-31T22:00:00-07:00", "2026-11-02T05:00:00-08:00", true},
		{"round the clock over the change ahead", around, "2027-03-13T22:00:00-08:00", "2027-03-15T05:00:00-07:00", true},
		{"a moment", bistro, "2026-11-24T12:00:00-08:00", "2026-11-24T12:00:00-08:00", true},
		{"a moment when closed", bistro, "2026-11-24T15:00:00-08:00", "2026-11-24T15:00:00-08:00", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			open, known := c.place.OpenDuring(span(t, c.start, c.end))
			if open != c.open || !known {
				t.Errorf("open %v, known %v, want %v, true", open, known, c.open)
			}
		})
	}
}

func span(t *testing.T, start, end string) interval.Span {
	t.Helper()
	from, err := time.Parse(time.RFC3339, start)
	if err != nil {
		t.Fatal(err)
	}
	to, err := time.Parse(time.RFC3339, end)
	if err != nil {
		t.Fatal(err)
	}
	return interval.Span{Start: from, End: to}
}

func TestOpenDuringUnknown(t *testing.T) {
	t.Parallel()
	at := span(t, "2026-11-24T12:00:00-08:00", "2026-11-24T13:00:00-08:00")
	for name, p := range map[string]meet.Place{
		"no hours":       {Timezone: "America/Los_Angeles"},
		"no zone":        {OpeningHours: hours()},
		"no such zone":   {OpeningHours: hours(), Timezone: "Mars/Olympus"},
		"the zero place": {},
	} {
		if open, known := p.OpenDuring(at); open || known {
			t.Errorf("%s: open %v, known %v, want false, false", name, open, known)
		}
	}
	never := meet.Place{OpeningHours: &interval.Week{}, Timezone: "America/Los_Angeles"}
	if open, known := never.OpenDuring(at); open || !known {
		t.Errorf("hours on no day: open %v, known %v, want false, true", open, known)
	}
}

func TestOpenTimes(t *testing.T) {
	t.Parallel()
	bistro := meet.Place{Timezone: "America/Los_Angeles", OpeningHours: hours()}
	got, known := bistro.OpenTimes(span(t, "2026-11-24T14:00:00-08:00", "2026-11-24T18:00:00-08:00"))
	want := interval.Set{
		span(t, "2026-11-24T11:30:00-08:00", "2026-11-24T14:30:00-08:00"),
		span(t, "2026-11-24T17:00:00-08:00", "2026-11-24T22:00:00-08:00"),
	}
	if diff := cmp.Diff(want, got); diff != "" || !known {
		t.Errorf("known %v (-want +got):\n%s", known, diff)
	}
}

// BenchmarkOpenTimes works out the hours of a place for the three weeks that a search without dates looks at.
func BenchmarkOpenTimes(b *testing.B) {
	bistro := meet.Place{Timezone: "America/Los_Angeles", OpeningHours: hours()}
	now := time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for b.Loop() {
		bistro.OpenTimes(interval.From(now, 22*24*time.Hour))
	}
}
