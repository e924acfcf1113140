package slot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

// The tests below take place on and after Friday, November 20, 2026, 09:00 in San Francisco.

func pacific(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// at reads "Mon 10:00" as the time on that day of the coming week, "Fri" being today and "+Fri" a week later.
func at(t *testing.T, text string) time.Time {
	t.Helper()
	days := []string{
		"Fri", "Sat", "Sun", "Mon", "Tue", "Wed", "Thu", "+Fri", "+Sat", "+Sun", "+Mon", "+Tue", "+Wed", "+Thu",
	}
	name, clock, _ := strings.Cut(text, " ")
	c, err := interval.ParseClock(clock)
	n := slices.Index(days, name)
	if err != nil || n < 0 {
		t.Fatalf("%q is no time", text)
	}
	return time.Date(2026, 11, 20+n, 0, int(c), 0, 0, pacific(t))
}

// busy reads "Mon 10:00-11:30" and so on.
func busy(t *testing.T, texts ...string) interval.Set {
	t.Helper()
	spans := make([]interval.Span, len(texts))
	for i, text := range texts {
		start, end, _ := strings.Cut(text, "-")
		if !strings.Contains(end, " ") {
			end = start[:strings.Index(start, " ")+1] + end
		}
		spans[i] = interval.Span{Start: at(t, start), End: at(t, end)}
	}
	return interval.NewSet(spans...)
}

// on is the dates of the named days.
func on(t *testing.T, days ...string) (dates []interval.DateRange) {
	t.Helper()
	for _, d := range days {
		day := interval.DateOf(at(t, d+" 12:00"))
		dates = append(dates, interval.DateRange{Start: day, End: day})
	}
	return dates
}

// from reads windows as "15:00-17:00", and "15:00" as exactly that time.
func from(t *testing.T, texts ...string) *meet.Hours {
	t.Helper()
	var windows []interval.Window
	for _, text := range texts {
		start, end, ok := strings.Cut(text, "-")
		if !ok {
			end = start
		}
		a, errA := interval.ParseClock(start)
		b, errB := interval.ParseClock(end)
		if errA != nil || errB != nil {
			t.Fatalf("%q is no window", text)
		}
		windows = append(windows, interval.Window{Start: a, End: b})
	}
	return &meet.Hours{Week: interval.EveryDay(windows...)}
}

// me and Al want coffee for an hour.
func coffee(t *testing.T) slot.Query {
	t.Helper()
	zone := pacific(t)
	return slot.Query{
		Zone: zone, Now: at(t, "Fri 09:00"),
		Template: meet.Template{Activity: meet.Coffee, EventType: meet.InPerson, Duration: 60},
		Attendees: []slot.Attendee{
			{Person: meet.Person{ID: "me", Name: "Sam", Timezone: zone.String(), CalendarType: meet.Personal}},
			{Person: meet.Person{ID: "al", Name: "Al", Timezone: zone.String(), CalendarType: meet.Personal}},
		},
	}
}

// starts are the first n starts, as "Mon 10:00".
func starts(slots []meet.Slot, n int) (list []string) {
	for _, s := range slots[:min(n, len(slots))] {
		list = append(list, s.Start.Format("Mon 15:04"))
	}
	return list
}

func TestAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    []string
	}{
		{"inside a window", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "15:00-16:30")
		}, []string{"Mon 15:00", "Mon 15:15", "Mon 15:30"}},
		{"a window shorter than the event holds the start", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "15:00-15:30")
		}, []string{"Mon 15:00", "Mon 15:15", "Mon 15:30"}},
		{"exactly as named, off the grid", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:10")
		}, []string{"Mon 10:10"}},
		{"past midnight", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "23:15-00:45")
		}, []string{"Mon 23:15", "Mon 23:30", "Mon 23:45"}},
		{"a time named narrowly is not bound by the usual hours", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "19:00-20:15")
		}, []string{"Mon 19:00", "Mon 19:15"}},
		{"a wide one is, where that leaves any", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "17:00-24:00")
		}, []string{"Mon 17:00", "Mon 17:15", "Mon 17:30"}},
		{"and is not where it leaves none", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "20:00-24:00")
			q.Template.ExcludedHours = from(t, "20:15-22:45")
		}, []string{"Mon 22:45", "Mon 23:00"}},
		{"lunch begins when at least half of it is at lunch time", func(q *slot.Query) {
			q.Template.Dates, q.Template.Activity = on(t, "Mon"), meet.Lunch
			q.Template.ExcludedHours = from(t, "11:00-13:00")
		}, []string{"Mon 13:00", "Mon 13:15", "Mon 13:30"}},
		{"nor where what it leaves is past", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours, q.Now = on(t, "Fri"), from(t, "15:00-24:00"), at(t, "Fri 22:40")
		}, []string{"Fri 22:45", "Fri 23:00"}},
		{"busy times are kept to the nanosecond", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-13:00")
			q.Attendees[1].Availability.Busy = interval.NewSet(
				interval.Span{Start: at(t, "Mon 08:00"), End: at(t, "Mon 10:15").Add(1)},
				interval.Span{Start: at(t, "Mon 12:00").Add(-1), End: at(t, "Mon 13:00")},
			)
		}, []string{"Mon 10:30", "Mon 10:45"}},
		{"and to the second", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-13:00")
			q.Attendees[1].Availability.Busy = interval.NewSet(
				interval.Span{Start: at(t, "Mon 08:00"), End: at(t, "Mon 10:15").Add(time.Second)},
				interval.Span{Start: at(t, "Mon 12:00").Add(-time.Second), End: at(t, "Mon 13:00")},
			)
		}, []string{"Mon 10:30", "Mon 10:45"}},
		{"today as long as time remains", func(q *slot.Query) {
			q.Template.Dates, q.Now = on(t, "Fri"), at(t, "Fri 17:05")
		}, []string{"Fri 17:15", "Fri 17:30"}},
		{"not before the notice", func(q *slot.Query) {
			q.Template.Dates, q.Now, q.Notice = on(t, "Fri"), at(t, "Fri 16:30"), time.Hour
		}, []string{"Fri 17:30"}},
		{"not before one can be there", func(q *slot.Query) {
			q.Template.Dates, q.Now = on(t, "Fri"), at(t, "Fri 16:30")
			q.Template.TravelBuffer.BeforeMinutes = 45
		}, []string{"Fri 17:15", "Fri 17:30"}},
		{"not into an excluded hour", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "12:00-15:00")
			q.Template.ExcludedHours = from(t, "13:30-14:00")
		}, []string{"Mon 12:00", "Mon 12:15", "Mon 12:30", "Mon 14:00"}},
		{"not on an excluded day", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon", "Tue"), from(t, "12:00")
			q.Template.ExcludedDates = on(t, "Mon")
		}, []string{"Tue 12:00"}},
		{"around busy times with the travel", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "12:00-15:00")
			q.Template.TravelBuffer = meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 15}
			q.Attendees[1].Availability.Busy = busy(t, "Mon 10:00-12:15", "Mon 14:30-15:00")
		}, []string{"Mon 12:45", "Mon 13:00", "Mon 13:15"}},
		{"earlier", func(q *slot.Query) {
			q.Template.Dates, q.Preference, q.Previous = on(t, "Mon"), meet.Earlier, at(t, "Mon 08:30")
		}, []string{"Mon 08:00", "Mon 08:15"}},
		{"later", func(q *slot.Query) {
			q.Template.Dates, q.Preference, q.Previous = on(t, "Mon"), meet.Later, at(t, "Mon 17:00")
		}, []string{"Mon 17:15", "Mon 17:30"}},
		{"without what was offered", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "15:00-16:30")
			q.Offered = []time.Time{at(t, "Mon 15:15").UTC()}
		}, []string{"Mon 15:00", "Mon 15:30"}},
		{"in a past week", func(q *slot.Query) {
			day := interval.DateOf(at(t, "Fri 09:00")).AddDays(-7)
			q.Template.Dates = []interval.DateRange{{Start: day, End: day.AddDays(6)}}
		}, nil},
		{"backwards", func(q *slot.Query) {
			q.Template.Dates = []interval.DateRange{{Start: on(t, "Tue")[0].Start, End: on(t, "Mon")[0].Start}}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			if diff := cmp.Diff(c.want, starts(slot.All(q), 100)); diff != "" {
				t.Errorf("starts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWorkingHours(t *testing.T) {
	t.Parallel()
	late := interval.Weekdays(interval.Window{Start: interval.At(9, 0), End: interval.At(18, 0)})
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    []string
	}{
		{"bound an event, in their owner's zone", func(q *slot.Query) {
			q.Attendees[1].Person.Timezone = "America/New_York"
			q.Template.ExcludedHours = from(t, "00:00-12:30")
		}, []string{"Mon 12:30", "Mon 12:45", "Mon 13:00"}},
		{"do not bind a personal calendar", func(q *slot.Query) {
			q.Attendees[1].Person.CalendarType = meet.Personal
			q.Template.ExcludedHours = from(t, "00:00-17:15")
		}, []string{"Mon 17:15", "Mon 17:30"}},
		{"do not bind dinner", func(q *slot.Query) {
			q.Template.Activity, q.Template.Hours = meet.Dinner, from(t, "19:00-20:00")
		}, []string{"Mon 19:00"}},
		{"do not bind drinks that fit into none", func(q *slot.Query) {
			q.Attendees[1].Person.WorkingHours = &late
			q.Template.Activity, q.Template.Duration, q.Template.Hours = meet.Drinks, 120, from(t, "18:00-20:00")
		}, []string{"Mon 18:00"}},
		{"bind drinks that fit", func(q *slot.Query) {
			q.Attendees[1].Person.WorkingHours = &late
			q.Template.Activity = meet.Drinks
		}, []string{"Mon 17:00"}},
		{"bind a meeting that is longer than a working day", func(q *slot.Query) {
			q.Template.Activity, q.Template.Duration = meet.Meeting, 10*60
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			q.Template.Dates = on(t, "Mon")
			q.Attendees[1].Person.CalendarType = meet.Work
			c.request(&q)
			if diff := cmp.Diff(c.want, starts(slot.All(q), 100)); diff != "" {
				t.Errorf("starts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCallsAreAtUsualHoursForEverybody(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Activity, q.Template.EventType, q.Template.Dates = meet.Call, meet.Video, on(t, "Mon")
	q.Attendees[1].Person.Timezone = "Europe/Berlin" // nine hours ahead
	all := slot.All(q)
	if got, want := starts(all, 1), []string{"Mon 08:00"}; !slices.Equal(got, want) {
		t.Errorf("first: got %v, want %v", got, want)
	}
	if got, want := all[len(all)-1].Start.Format("15:04"), "10:30"; got != want {
		t.Errorf("last: got %s, want %s, which is 19:30 in Berlin", got, want)
	}
	q.Template.EventType = meet.InPerson
	if got := slot.All(q); len(got) <= len(all) {
		t.Errorf("people in one place keep one clock: got %d slots, want more than %d", len(got), len(all))
	}
}
