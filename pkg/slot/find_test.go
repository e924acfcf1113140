package slot_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

func TestFindRanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    []string
	}{
		{"soonest days first, each at its best time", func(*slot.Query) {},
			[]string{"Fri 10:00", "Sat 10:00", "Sun 10:00", "Mon 10:00"}},
		{"other times of a single day lie apart", func(q *slot.Query) { q.Template.Dates = on(t, "Mon") },
			[]string{"Mon 10:00", "Mon 15:00", "Mon 09:00", "Mon 11:00"}},
		{"the middle of the hours that are around one", func(q *slot.Query) {
			q.Template.Dates = on(t, "Mon")
			q.Template.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{
				Start: interval.At(13, 30), End: interval.At(14, 30) + interval.Clock(q.Template.Duration),
			})}
		}, []string{"Mon 14:00"}},
		{"two days take turns", func(q *slot.Query) { q.Template.Dates = on(t, "Tue", "Mon") },
			[]string{"Mon 10:00", "Tue 10:00", "Mon 15:00", "Tue 15:00"}},
		{"lunch at noon", func(q *slot.Query) { q.Template.Activity, q.Template.Dates = meet.Lunch, on(t, "Mon") },
			[]string{"Mon 12:00", "Mon 13:00"}},
		{"a meeting at the first full hour", func(q *slot.Query) {
			q.Template.Activity, q.Template.Dates = meet.Meeting, on(t, "Mon")
			q.Attendees[0].Availability.Busy = busy(t, "Mon 09:00-09:10")
		}, []string{"Mon 10:00", "Mon 11:00", "Mon 12:00"}},
		{"what nobody could check comes last", func(q *slot.Query) {
			q.Template.Dates = on(t, "Mon", "Tue")
			q.Template.Hours = from(t, "10:00-12:00")
			q.Attendees[1].Availability.Unknown = busy(t, "Mon 08:00-20:00")
		}, []string{"Tue 10:00", "Tue 11:00", "Tue 10:30", "Tue 10:15", "Tue 10:45", "Mon 10:00"}},
		{"leisure in the evening and at the weekend", func(q *slot.Query) {
			q.Template.Activity, q.Template.Dates = meet.Custom, on(t, "Fri", "Sat", "Mon")
		}, []string{"Fri 18:00", "Sat 11:00", "Mon 18:00"}},
		{"leisure on a work calendar", func(q *slot.Query) {
			q.Template.Activity, q.Template.Dates = meet.Custom, on(t, "Mon")
			q.Attendees[0].Person.CalendarType = meet.Work
		}, []string{"Mon 11:00"}},
		{"earlier on the same day, then nearest", func(q *slot.Query) {
			q.Preference, q.Previous = meet.Earlier, at(t, "Tue 08:30")
		}, []string{"Tue 08:15", "Tue 08:00", "Mon 17:30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			got := slot.Find(q)
			if got.HasNoCommonTime || got.HasExplicitTimeConflict || len(got.Reasons) > 0 {
				t.Errorf("flags and reasons of a request that can be met: %+v", got)
			}
			if diff := cmp.Diff(c.want, starts(got.Slots, len(c.want))); diff != "" {
				t.Errorf("first slots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindKeepsTheNamedTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		request  func(q *slot.Query)
		conflict []meet.Conflict
		want     []string
	}{
		{"that somebody else is busy at", func(q *slot.Query) {
			q.Attendees[1].Availability.Busy = busy(t, "Mon 15:30-16:00")
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictBusy, Text: "Al has another event"}},
			[]string{"Mon 15:00", "Mon 14:30", "Mon 14:15", "Mon 14:00", "Mon 16:00"}},
		{"that both are busy at", func(q *slot.Query) {
			q.Attendees[0].Availability.Busy = busy(t, "Mon 08:00-19:00")
			q.Attendees[1].Availability.Busy = busy(t, "Mon 15:30-16:00")
		}, []meet.Conflict{
			{Person: "me", Name: "Sam", Kind: meet.ConflictBusy, Text: "you have another event"},
			{Person: "al", Name: "Al", Kind: meet.ConflictBusy, Text: "Al has another event"},
		}, []string{"Mon 15:00", "Sun 15:00", "Tue 15:00"}},
		{"that only the travel of collides", func(q *slot.Query) {
			q.Template.TravelBuffer.BeforeMinutes = 30
			q.Attendees[1].Availability.Busy = busy(t, "Mon 14:00-14:45")
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel, Text: "Al needs that time for travel"}},
			[]string{"Mon 15:00", "Mon 15:15"}},
		{"outside working hours", func(q *slot.Query) {
			q.Template.Hours = from(t, "19:00")
			q.Attendees[1].Person.CalendarType = meet.Work
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictWorkingHours, Text: "outside Al's working hours"}},
			[]string{"Mon 19:00", "Mon 16:00"}},
		{"with days that are outside working hours", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Sat", "Sun"), nil
			q.Attendees[1].Person.CalendarType = meet.Work
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictWorkingHours, Text: "outside Al's working hours"}},
			[]string{"Sat 10:00", "Fri 10:00"}},
		{"with hours that are outside working hours", func(q *slot.Query) {
			q.Template.Hours = from(t, "17:30-19:00")
			q.Attendees[1].Person.CalendarType = meet.Work
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictWorkingHours, Text: "outside Al's working hours"}},
			[]string{"Mon 17:30"}},
		{"with hours that are night elsewhere", func(q *slot.Query) {
			q.Template.EventType, q.Template.Activity, q.Template.Hours = meet.Video, meet.Drinks, from(t, "19:00-21:00")
			q.Attendees[1].Person.Timezone = "Europe/Berlin"
		}, []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictUsualHours, Text: "outside Al's usual hours"}},
			[]string{"Mon 19:00"}},
		{"that is too soon", func(q *slot.Query) {
			q.Now, q.Notice = at(t, "Mon 14:30"), time.Hour
		}, []meet.Conflict{{Person: "me", Name: "Sam", Kind: meet.ConflictNotice, Text: "there is too little notice"}},
			[]string{"Mon 15:00", "Mon 15:30"}},
		{"that cannot be reached any more", func(q *slot.Query) {
			q.Now, q.Template.TravelBuffer.BeforeMinutes = at(t, "Mon 14:50"), 30
		}, []meet.Conflict{
			{Person: "me", Name: "Sam", Kind: meet.ConflictNotice, Text: "there is too little time to get there"},
		},
			[]string{"Mon 15:00", "Mon 15:30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "15:00")
			c.request(&q)
			got := slot.Find(q)
			if !got.HasExplicitTimeConflict || got.HasNoCommonTime {
				t.Errorf("flags: got %+v", got)
			}
			if diff := cmp.Diff(c.conflict, got.Slots[0].Conflicts); diff != "" {
				t.Errorf("conflicts (-want +got):\n%s", diff)
			}
			if got.Slots[0].State != meet.SlotConflict {
				t.Errorf("state: got %s", got.Slots[0].State)
			}
			if diff := cmp.Diff(c.want, starts(got.Slots, len(c.want))); diff != "" {
				t.Errorf("slots (-want +got):\n%s", diff)
			}
		})
	}
}

func TestANamedTimeOfSeveralDaysConflictsOnAllOrNone(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Mon", "Tue", "Wed"), from(t, "15:00")
	q.Attendees[1].Availability.Busy = busy(t, "Mon 15:00-15:30", "Tue 15:00-15:30")
	got := slot.Find(q)
	if got.HasExplicitTimeConflict || !slices.Equal(starts(got.Slots, 9), []string{"Wed 15:00"}) {
		t.Errorf("one day is free: got %v", got)
	}
	q.Offered = []time.Time{at(t, "Wed 15:00")}
	if got := slot.Find(q); got.HasExplicitTimeConflict || !got.HasNoCommonTime {
		t.Errorf("the free day was shown: got %v", got)
	}
	q.Offered = nil
	q.Attendees[1].Availability.Busy = busy(t, "Mon 15:00-15:30", "Tue 15:00-15:30", "Wed 15:00-15:30")
	if got := slot.Find(q); !got.HasExplicitTimeConflict || !got.Slots[0].Start.Equal(at(t, "Mon 15:00")) {
		t.Errorf("no day is free: got %v", got)
	}
}

func TestATimeThatCannotBeKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
	}{
		{"because it is past", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Fri"), from(t, "08:00")
		}},
		{"because the clocks skip it", func(q *slot.Query) {
			day := interval.Date{Year: 2027, Month: time.March, Day: 14}
			q.Template.Dates, q.Template.Hours = []interval.DateRange{{Start: day, End: day}}, from(t, "02:30")
		}},
		{"because it was offered", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "15:00")
			q.Attendees[0].Availability.Busy = busy(t, "Mon 15:00-15:10")
			q.Offered = []time.Time{at(t, "Mon 15:00")}
		}},
		{"because the day is excluded", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours, q.Template.ExcludedDates = on(t, "Mon"), from(t, "15:00"), on(t, "Mon")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			got := slot.Find(q)
			if !got.HasNoCommonTime || got.HasExplicitTimeConflict || len(got.Reasons) == 0 || len(got.Slots) == 0 {
				t.Errorf("got %+v", got)
			}
			for _, s := range got.Slots {
				if s.State == meet.SlotConflict {
					t.Errorf("it was kept: %+v", s)
				}
			}
		})
	}
}

func TestUnsortedCalendarsAreSorted(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-12:00")
	a, b := busy(t, "Mon 10:00-10:30"), busy(t, "Mon 11:30-12:00")
	q.Attendees[1].Availability.Busy = slices.Concat(b, a)
	if diff := cmp.Diff([]string{"Mon 10:30"}, starts(slot.All(q), 9)); diff != "" {
		t.Errorf("slots (-want +got):\n%s", diff)
	}
}

func TestStrangeQueries(t *testing.T) {
	t.Parallel()
	day := interval.Date{Year: 2026, Month: time.November, Day: 23}
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    string
	}{
		{"nothing at all", func(q *slot.Query) { *q = slot.Query{} }, "24 slots"},
		{"nobody", func(q *slot.Query) { q.Attendees = nil }, "24 slots"},
		{"no zone", func(q *slot.Query) { q.Zone = nil }, "24 slots"},
		{"until the end of time", func(q *slot.Query) {
			q.Template.Dates = []interval.DateRange{
				{Start: interval.Date{Year: 1}, End: interval.Date{Year: 9999, Month: 12, Day: 31}},
			}
		}, "24 slots"},
		{"at the end of time", func(q *slot.Query) {
			end := interval.Date{Year: 9999, Month: 12, Day: 31}
			q.Template.Dates = []interval.DateRange{{Start: end, End: end}}
		}, "24 slots, no common time"},
		{"endless", func(q *slot.Query) { q.Template.Duration = 1 << 40 }, "0 slots, no common time"},
		{"endless travel", func(q *slot.Query) { q.Template.TravelBuffer.AfterMinutes = 1 << 40 }, "0 slots, no common time"},
		{"backwards", func(q *slot.Query) {
			q.Template.Duration, q.Template.TravelBuffer.BeforeMinutes = -60, -60
		}, "24 slots"},
		{"hours of no day", func(q *slot.Query) { q.Template.Hours = &meet.Hours{} }, "24 slots, no common time"},
		{"no such time", func(q *slot.Query) {
			q.Template.Dates = []interval.DateRange{{Start: day, End: day}}
			q.Template.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: -500, End: 99999})}
		}, "24 slots"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			got := slot.Find(q)
			text := fmt.Sprintf("%d slots", len(got.Slots))
			if got.HasNoCommonTime {
				text += ", no common time"
			}
			if text != c.want {
				t.Errorf("got %s, want %s", text, c.want)
			}
			for _, s := range got.Slots {
				if _, err := s.Start.MarshalJSON(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestHorizon(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.TravelBuffer = meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 30}
	for _, c := range []struct {
		name       string
		dates      []interval.DateRange
		start, end string
	}{
		{"three weeks", nil, "2026-11-19T23:30:00-08:00", "2026-12-13T01:30:00-08:00"},
		{"a day in the second week", on(t, "+Tue"), "2026-11-23T23:30:00-08:00", "2026-12-10T01:30:00-08:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			template := q.Template
			template.Dates = c.dates
			got := slot.Horizon(template, q.Zone, q.Now)
			if s, e := got.Start.Format(time.RFC3339), got.End.Format(time.RFC3339); s != c.start || e != c.end {
				t.Errorf("got %s to %s, want %s to %s", s, e, c.start, c.end)
			}
		})
	}
}

func TestSuitsLeisure(t *testing.T) {
	t.Parallel()
	for start, want := range map[string]bool{
		"Fri 16:45": false, "Fri 17:00": true, "Sat 08:00": true, "Sun 23:00": true, "Mon 09:00": false, "Mon 23:45": true,
	} {
		if got := slot.SuitsLeisure(meet.Slot{Start: at(t, start)}); got != want {
			t.Errorf("%s: got %v, want %v", start, got, want)
		}
	}
}
