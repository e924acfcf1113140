package icalendar

import (
	"math/rand/v2"
	"testing"
	"time"

	"convene/pkg/interval"
)

// zonesToTry are of every kind of change: by an hour and by half of one, at midnight, negative, more than once a year,
// and none.
func zonesToTry(t *testing.T) map[string]zone {
	t.Helper()
	all := map[string]zone{}
	for _, name := range []string{
		"Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Havana", "America/Santiago", "Africa/Casablanca",
		"Africa/Cairo", "Asia/Kolkata", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia", "UTC",
	} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = zone{loc: loc}
	}
	all["floating"] = zone{}
	all["lost"] = zone{lost: true}
	all["file's"] = zone{onsets: []onset{
		{wall: date(2025, 3, 30, 2), from: time.Hour, to: 3 * time.Hour},
		{wall: date(2025, 10, 26, 4), from: 3 * time.Hour, to: time.Hour},
		{wall: date(2026, 3, 29, 2), from: time.Hour, to: 3 * time.Hour},
		{wall: date(2026, 10, 25, 4), from: 3 * time.Hour, to: time.Hour},
	}}
	return all
}

// TestClock: a clock is only quicker than its zone.
func TestClock(t *testing.T) {
	t.Parallel()
	owner, err := time.LoadLocation("America/St_Johns")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5545, 2))
	for name, z := range zonesToTry(t) {
		for range 200 {
			start := date(2025, 1, 1, 0).Add(time.Duration(random.IntN(2*365*24)) * time.Hour)
			span := interval.From(start, time.Duration(1+random.IntN(40*24))*time.Hour)
			c := newClock(z, owner, span)
			for range 100 {
				wall := start.Add(time.Duration(random.IntN(60*24*4)-15*24*4) * 15 * time.Minute)
				want := z.moment(wall, owner)
				if got := c.moment(wall); !got.Equal(want) {
					t.Fatalf("%s at %v, around %v: got %v, want %v", name, wall, span, got, want)
				}
			}
		}
	}
}

// TestMomentsAndWalls: the moment of a wall time shows that wall time, unless no clock does, and no earlier moment
// does.
func TestMomentsAndWalls(t *testing.T) {
	t.Parallel()
	for name, z := range zonesToTry(t) {
		skipped := 0
		for wall := date(2025, 1, 1, 0); wall.Year() < 2027; wall = wall.Add(30 * time.Minute) {
			moment := z.moment(wall, time.UTC)
			if !z.wall(moment, time.UTC).Equal(wall) {
				skipped++
				continue
			}
			for _, earlier := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
				if z.wall(moment.Add(-earlier), time.UTC).Equal(wall) {
					t.Errorf("%s: %v is at %v, and %v earlier too", name, wall, moment, earlier)
				}
			}
		}
		if skipped > 2*8 {
			t.Errorf("%s: %d half hours have no moment", name, skipped)
		}
	}
}
