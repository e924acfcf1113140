package slot_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// BenchmarkFind searches 30 days, with a change of the clocks among them.
func BenchmarkFind(b *testing.B) {
	for _, size := range []struct{ people, busy int }{{2, 200}, {20, 1000}} {
		b.Run(fmt.Sprintf("%dpeople_%dbusy", size.people, size.busy), func(b *testing.B) {
			q := month(b, size.people, size.busy)
			b.ReportAllocs()
			for b.Loop() {
				slot.Find(q)
			}
		})
	}
}

// BenchmarkMergeAndFind begins where the calendars have answered: each of 20 people has a thousand events in two
// calendars, which mostly list them in order.
func BenchmarkMergeAndFind(b *testing.B) {
	for _, order := range []string{"sorted", "unsorted"} {
		b.Run(order, func(b *testing.B) {
			q := month(b, 20, 1000)
			read := make([][2][]interval.Span, len(q.Attendees))
			for i := range read {
				for k := range read[i] {
					read[i][k] = events(500, uint64(2*i+k))
					if order == "sorted" {
						slices.SortFunc(read[i][k], func(x, y interval.Span) int { return x.Start.Compare(y.Start) })
					}
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				for i, calendars := range read {
					one := interval.Availability{Busy: interval.NewSet(calendars[0]...)}
					other := interval.Availability{Busy: interval.NewSet(calendars[1]...)}
					q.Attendees[i].Availability = one.Merge(other)
				}
				slot.Find(q)
			}
		})
	}
}

// events are at random in the 30 days of month.
func events(n int, seed uint64) []interval.Span {
	random := rand.New(rand.NewPCG(seed, 2))
	from := time.Date(2026, 10, 15, 15, 0, 0, 0, time.UTC)
	spans := make([]interval.Span, n)
	for k := range spans {
		start := from.Add(time.Duration(random.IntN(30*24*4)) * 15 * time.Minute)
		spans[k] = interval.From(start, time.Duration(1+random.IntN(4))*15*time.Minute)
	}
	return spans
}

// month is a query over the 30 days around the end of daylight-saving time in Los Angeles in 2026.
func month(tb testing.TB, people, busy int) slot.Query {
	tb.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		tb.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	from := time.Date(2026, 10, 15, 8, 0, 0, 0, zone)
	q := slot.Query{
		Zone: zone, Now: from,
		Template: meet.Template{
			Activity: meet.Meeting, EventType: meet.InPerson, Duration: 60,
			Dates: []interval.DateRange{{Start: interval.DateOf(from), End: interval.DateOf(from.AddDate(0, 0, 29))}},
		},
	}
	for i := range people {
		spans := make([]interval.Span, busy)
		for k := range spans {
			start := from.Add(time.Duration(random.IntN(30*24*4)) * 15 * time.Minute)
			spans[k] = interval.From(start, time.Duration(1+random.IntN(4))*15*time.Minute)
		}
		q.Attendees = append(q.Attendees, slot.Attendee{
			Person:       meet.Person{Name: fmt.Sprintf("Person %d", i), Timezone: zone.String(), CalendarType: meet.Work},
			Availability: interval.Availability{Busy: interval.NewSet(spans...)},
		})
	}
	return q
}
