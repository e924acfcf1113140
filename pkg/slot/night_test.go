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

// call is a remote event of half an hour on Monday with an attendee in each of the zones, called by the city.
func call(t *testing.T, zones ...string) slot.Query {
	t.Helper()
	q := coffee(t)
	q.Template.Activity, q.Template.EventType, q.Template.Duration = meet.Call, meet.Video, 30
	q.Template.Dates = on(t, "Mon")
	q.Attendees = q.Attendees[:1:1]
	for _, zone := range zones {
		_, city, _ := strings.Cut(zone, "/")
		q.Attendees = append(q.Attendees, slot.Attendee{Person: meet.Person{Name: city, Timezone: zone}})
	}
	return q
}

func TestNobodyIsAskedToMeetAtNight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		q           slot.Query
		request     func(q *slot.Query)
		first, last string
	}{
		{"usual hours for all, as far as there are any", call(t, "Europe/Berlin"), nil, "Mon 08:00", "Mon 10:45"},
		{"otherwise the usual hours here, while the others are awake", call(t, "Europe/Berlin"),
			func(q *slot.Query) { q.Template.Activity = meet.Meeting }, "Mon 09:00", "Mon 12:45"},
		{"otherwise any hours at which all are awake", call(t, "Asia/Tokyo", "America/New_York"),
			func(q *slot.Query) { q.Template.Activity = meet.Breakfast }, "Mon 14:00", "Mon 18:45"},
		{"in a part of the day, too", call(t, "Europe/Berlin"),
			func(q *slot.Query) { q.Template.Hours = from(t, "10:00-18:00") }, "Mon 10:00", "Mon 10:45"},
		{"nobody knows when somebody without a zone sleeps", call(t, ""),
			func(q *slot.Query) { q.Template.Hours = from(t, "21:00-23:00") }, "Mon 21:00", "Mon 22:30"},
		{"a clock that shows the same is no other clock", call(t, "America/Vancouver"),
			func(q *slot.Query) { q.Template.Hours = from(t, "21:00-23:00") }, "Mon 21:00", "Mon 22:30"},
		{"who works at night is awake", call(t, "Asia/Tokyo"), func(q *slot.Query) {
			nights := interval.EveryDay(interval.Window{Start: interval.At(20, 0), End: interval.At(4, 0)})
			q.Attendees[1].Person.CalendarType, q.Attendees[1].Person.WorkingHours = meet.Work, &nights
			q.Template.Activity, q.Template.Hours = meet.Custom, from(t, "10:00-11:00")
		}, "Mon 10:00", "Mon 10:30"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.request != nil {
				c.request(&c.q)
			}
			all := starts(slot.All(c.q), 100)
			if len(all) == 0 || all[0] != c.first || all[len(all)-1] != c.last {
				t.Errorf("got %v, want from %s to %s", all, c.first, c.last)
			}
			if got := slot.Find(c.q); got.HasNoCommonTime || got.Slots[0].State != meet.SlotFree {
				t.Errorf("found %+v", got)
			}
		})
	}
}

func TestWhereSomebodyMustBeUpAtNight(t *testing.T) {
	t.Parallel()
	q := call(t, "Europe/Berlin", "Asia/Tokyo")
	got := slot.Find(q)
	if !got.HasNoCommonTime || len(got.Slots) == 0 {
		t.Fatalf("got %+v", got)
	}
	want := []meet.Conflict{{Name: "Berlin", Kind: meet.ConflictUsualHours, Text: "outside Berlin's usual hours"}}
	if diff := cmp.Diff(want, got.Slots[0].Conflicts); diff != "" {
		t.Errorf("as few as possible, as little as possible (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Mon 14:00", "Mon 12:45"}, starts(got.Slots, 2)); diff != "" {
		t.Errorf("12:45 is 5:45 in Tokyo, 14:00 is 23:00 in Berlin (-want +got):\n%s", diff)
	}
	for _, s := range got.Slots {
		if s.State != meet.SlotConflict {
			t.Errorf("%s is called %s", s.Start, s.State)
		}
	}
}

func TestAPastWishWhereSomebodyMustBeUpAtNight(t *testing.T) {
	t.Parallel()
	q := call(t, "Europe/Berlin", "Asia/Tokyo")
	day := interval.DateOf(q.Now).AddDays(-3)
	q.Template.Dates = []interval.DateRange{{Start: day, End: day}}
	q.Attendees[0].Availability.Busy = busy(t, "Fri 09:00-Sat 14:00")
	got := slot.Find(q)
	if !got.Past || len(got.Slots) == 0 || got.Slots[0].State != meet.SlotConflict {
		t.Fatalf("got %+v", got)
	}
	if want := []string{"Sat 14:00"}; !slices.Equal(starts(got.Slots, 1), want) {
		t.Errorf("got %v, want %v, the first that is free", starts(got.Slots, 3), want)
	}
	q.Template.EventType = meet.InPerson
	q.Attendees[0].Availability.Busy = interval.NewSet(interval.From(q.Now, 40*24*time.Hour))
	if got := slot.Find(q); len(got.Slots) > 0 {
		t.Errorf("there is no time at all: got %+v", got.Slots)
	}
}

func TestANamedTimeAtNight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at   string
		kept bool
	}{
		{"13:45", false}, {"14:00", true}, {"17:00", true}, {"20:45", true}, {"21:00", false}, {"22:00", false},
	} {
		q := call(t, "Europe/Berlin")
		q.Template.Hours = from(t, c.at)
		got := slot.Find(q)
		if got.HasExplicitTimeConflict != c.kept || got.HasNoCommonTime || !got.Slots[0].Start.Equal(at(t, "Mon "+c.at)) {
			t.Errorf("%s: got %+v", c.at, got)
		}
		if c.kept && (len(got.Slots[0].Conflicts) != 1 || got.Slots[0].Conflicts[0].Kind != meet.ConflictUsualHours) {
			t.Errorf("%s: conflicts %+v", c.at, got.Slots[0].Conflicts)
		}
		q.Template.EventType = meet.InPerson
		if got := slot.Find(q); got.HasExplicitTimeConflict {
			t.Errorf("%s in one place is no night for anybody: got %+v", c.at, got.Slots[0])
		}
	}
}

func TestInOnePlaceTheHoursOfGuestsFromAfarArePreferred(t *testing.T) {
	t.Parallel()
	q := call(t, "Europe/Berlin")
	q.Template.Activity, q.Template.EventType = meet.Coffee, meet.InPerson
	got := starts(slot.Find(q).Slots, slot.MaxSlots)
	last, first := slices.Index(got, "Mon 12:45"), slices.Index(got, "Mon 15:00")
	if got[0] != "Mon 10:00" || last < 0 || first < last {
		t.Errorf("12:45 is 21:45 in Berlin, 15:00 is midnight: got %v", got)
	}
	if all := starts(slot.All(q), 100); all[len(all)-1] != "Mon 17:45" {
		t.Errorf("the others are there, only later: %v", all)
	}
}

func TestPastAndMissing(t *testing.T) {
	t.Parallel()
	last := interval.DateOf(at(t, "Fri 09:00")).AddDays(-7)
	spring := interval.Date{Year: 2027, Month: time.March, Day: 14}
	for _, c := range []struct {
		name          string
		request       func(q *slot.Query)
		past, missing bool
	}{
		{"a time today that is gone", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Fri"), from(t, "08:00")
		}, true, false},
		{"a part of today that is gone", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours, q.Now = on(t, "Fri"), from(t, "08:00-12:00"), at(t, "Fri 13:00")
		}, true, false},
		{"last week", func(q *slot.Query) {
			q.Template.Dates = []interval.DateRange{{Start: last, End: last.AddDays(6)}}
		}, true, false},
		{"too soon is not past", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours, q.Notice = on(t, "Fri"), from(t, "09:30-10:30"), 2*time.Hour
		}, false, false},
		{"taken is not past", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Fri"), from(t, "10:00-12:00")
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-20:00")
		}, false, false},
		{"nothing earlier is not past", func(q *slot.Query) {
			q.Template.Dates, q.Preference, q.Previous = on(t, "Fri"), meet.Earlier, at(t, "Fri 09:00")
		}, false, false},
		{"a time that the clocks skip", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = []interval.DateRange{{Start: spring, End: spring}}, from(t, "02:30")
		}, false, true},
		{"a time that they skip on one of its days", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = []interval.DateRange{{Start: spring, End: spring.AddDays(1)}}, from(t, "02:30")
			day := spring.AddDays(1)
			q.Attendees[1].Availability.Busy = interval.NewSet(day.Span(q.Zone))
			q.Offered = []time.Time{time.Date(day.Year, day.Month, day.Day, 2, 30, 0, 0, q.Zone)}
		}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			got := slot.Find(q)
			if !got.HasNoCommonTime || got.Past != c.past || got.Missing != c.missing {
				t.Errorf("no common time %v, past %v, missing %v", got.HasNoCommonTime, got.Past, got.Missing)
			}
		})
	}
}

func TestDaysAreNamedAsPeopleDo(t *testing.T) {
	t.Parallel()
	today := interval.DateOf(at(t, "Fri 09:00"))
	for _, c := range []struct {
		first, last int
		want        string
	}{
		{3, 9, "next week"},
		{0, 2, "this week"},
		{1, 2, "this weekend"},
		{3, 7, "November 23 to 27"},
		{3, 5, "Monday to Wednesday"},
		{8, 14, "November 28 to December 4"},
		{4, 4, "Tuesday"},
		{11, 11, "Tuesday, December 1"},
	} {
		q := coffee(t)
		q.Template.Dates = []interval.DateRange{{Start: today.AddDays(c.first), End: today.AddDays(c.last)}}
		q.Template.Hours = from(t, "10:00-11:00")
		q.Attendees[1].Availability.Busy = interval.NewSet(interval.Span{
			Start: today.AddDays(c.first).Start(q.Zone), End: today.AddDays(c.last + 1).Start(q.Zone),
		})
		got := slot.Find(q).Reasons
		if len(got) == 0 || !strings.HasPrefix(got[0].Text, "any day instead of "+c.want+" gives ") {
			t.Errorf("got %+v, want %s", got, c.want)
		}
	}
}
