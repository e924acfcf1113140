package catalogue_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/place/catalogue"
)

func BenchmarkSearch(b *testing.B) {
	places := generated(100_000)
	c := load(b, fileOf(places))
	name := places[77_777].Name
	for name, q := range map[string]meet.PlaceQuery{
		"type":     {Types: []string{"cafe"}},
		"words":    {Types: []string{"cafe"}, Text: "quiet with wifi and outdoor seating"},
		"name":     {Name: name},
		"part":     {Name: strings.Fields(name)[0], Types: []string{"cafe"}},
		"typo":     {Name: name[:2] + "q" + name[2:], Types: []string{"cafe"}},
		"unknown":  {Name: "Vergeet Mij Niet", Types: []string{"cafe"}},
		"anything": {},
		"wishes":   {Types: []string{"cafe"}, Features: []meet.Feature{meet.Quiet, meet.OutdoorSeating, meet.Cheap}},
	} {
		b.Run(name, func(b *testing.B) {
			q.Near = mission()
			for b.Loop() {
				if _, err := c.Search(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("no midpoint", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Search(b.Context(), meet.PlaceQuery{Types: []string{"cafe"}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEmbedded(b *testing.B) {
	for b.Loop() {
		if _, err := catalogue.Embedded(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	places := embedded(t).Places()
	ids, addresses := map[string]bool{}, map[string]bool{}
	count := map[string]int{}
	for _, p := range places {
		if p.Location.Latitude < 37.70 || p.Location.Latitude > 37.84 || p.Location.Longitude < -122.53 ||
			p.Location.Longitude > -122.35 {
			t.Errorf("%s lies at %v, outside San Francisco", p.ID, p.Location)
		}
		if key := p.Name + "|" + p.Address; addresses[key] || ids[p.ID] {
			t.Errorf("%s (%s) is there twice", p.ID, key)
		} else {
			addresses[key], ids[p.ID] = true, true
		}
		if p.Timezone != "America/Los_Angeles" || !strings.HasSuffix(p.Address[:len(p.Address)-6], ", San Francisco, CA") ||
			len(p.Types) == 0 {
			t.Errorf("%s has zone %q, address %q, types %q", p.ID, p.Timezone, p.Address, p.Types)
		}
		for _, kind := range p.Types {
			count[kind]++
		}
		tally(count, p)
	}
	for what, least := range map[string]int{
		"all": 180, "cafe": 40, "restaurant": 60, "brunch": 12, "breakfast": 12, "drinks": 18, "bakery": 6, "park": 10,
		"museum": 8, "leisure": 10, "below 4.0": 5, "unrated": 10, "closed some day": 30, "break": 10,
		"past midnight": 10, "hours unknown": 5,
	} {
		if count[what] < least {
			t.Errorf("%s: %d, want %d or more", what, count[what], least)
		}
	}
}

// tally counts what a place has that the rules about places turn on.
func tally(count map[string]int, p meet.Place) {
	count["all"]++
	for _, leisure := range []string{"bowling", "cinema", "climbing", "mini golf", "arcade", "karaoke", "skating"} {
		if p.Types[0] == leisure {
			count["leisure"]++
		}
	}
	for _, bar := range []string{"bar", "cocktail bar", "wine bar", "brewery", "sports bar"} {
		if p.Types[0] == bar {
			count["drinks"]++
		}
	}
	switch {
	case p.Rating == 0:
		count["unrated"]++
	case p.Rating < meet.MinRating:
		count["below 4.0"]++
	}
	if p.OpeningHours == nil {
		count["hours unknown"]++
		return
	}
	closed, pause := false, false
	for _, day := range p.OpeningHours {
		closed = closed || len(day) == 0
		pause = pause || len(day) > 1
	}
	if closed {
		count["closed some day"]++
	}
	if pause {
		count["break"]++
	}
	if closesAfter(p, interval.EndOfDay) {
		count["past midnight"]++
	}
}

func TestHoursHoldOnThePlacesClock(t *testing.T) {
	t.Parallel()
	zuni := search(t, embedded(t), meet.PlaceQuery{Name: "Zuni Café", Limit: 1})[0]
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	// Friday, 27 November 2026, 21:00 in Berlin is noon in San Francisco; Monday is the day off.
	noon := interval.From(time.Date(2026, 11, 27, 21, 0, 0, 0, berlin), time.Hour)
	if open, known := zuni.OpenDuring(noon); !open || !known {
		t.Errorf("Friday at noon: open %v, known %v", open, known)
	}
	monday := interval.From(noon.Start.AddDate(0, 0, 3), time.Hour)
	if open, known := zuni.OpenDuring(monday); open || !known {
		t.Errorf("Monday at noon: open %v, known %v", open, known)
	}
}
