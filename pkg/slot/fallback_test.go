package slot_test

import (
	"slices"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

func TestNoCommonTime(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Tue"), from(t, "14:00-16:00")
	q.Attendees[1].Availability.Busy = busy(t, "Tue 13:45-16:45")
	got := slot.Find(q)
	if !got.HasNoCommonTime || got.HasExplicitTimeConflict {
		t.Fatalf("flags: got %+v", got)
	}
	t.Run("the nearest free times come first", func(t *testing.T) {
		t.Parallel()
		want := []string{
			"Tue 12:45", "Tue 12:30", "Tue 16:45", "Tue 12:15", "Tue 12:00", "Tue 17:00", "Mon 15:00", "Wed 15:00",
		}
		if diff := cmp.Diff(want, starts(got.Slots, len(want))); diff != "" {
			t.Errorf("slots (-want +got):\n%s", diff)
		}
	})
	t.Run("and then those of the request with who cannot", func(t *testing.T) {
		t.Parallel()
		last := got.Slots[len(got.Slots)-1]
		want := []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictBusy, Text: "Al has another event"}}
		if diff := cmp.Diff(want, last.Conflicts); diff != "" || last.State != meet.SlotConflict {
			t.Errorf("%s (-want +got):\n%s", last.State, diff)
		}
	})
	t.Run("and who is in the way, whatever the others do", func(t *testing.T) {
		t.Parallel()
		want := []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictBusy}}
		if diff := cmp.Diff(want, got.InTheWay); diff != "" {
			t.Errorf("in the way (-want +got):\n%s", diff)
		}
	})
	t.Run("with the changes that would help", func(t *testing.T) {
		t.Parallel()
		var texts []string
		for _, r := range got.Reasons {
			texts = append(texts, r.Text)
		}
		want := []string{
			"any day instead of Tuesday gives 55 times",
			"any time of day instead of 2:00 PM to 4:00 PM gives 24 times",
		}
		if diff := cmp.Diff(want, texts); diff != "" {
			t.Errorf("reasons (-want +got):\n%s", diff)
		}
	})
}

func TestAnyDayTakesTheHoursOfTheNamedDayAlong(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Tue"), &meet.Hours{}
	q.Template.Hours.Week[time.Tuesday] = from(t, "15:00").Week[time.Tuesday]
	q.Template.Hours.On = []meet.DateHours{{Date: on(t, "Thu")[0].Start}}
	got := slot.All(slot.Grant(q, meet.Reason{Change: meet.AnyDay}))
	want := []string{
		"Fri 15:00", "Sat 15:00", "Sun 15:00", "Mon 15:00", "Tue 15:00", "Wed 15:00", // and nothing on this Thursday
		"Fri 15:00", "Sat 15:00", "Sun 15:00", "Mon 15:00", "Tue 15:00",
	}
	if diff := cmp.Diff(want, starts(got, 100)); diff != "" {
		t.Errorf("starts (-want +got):\n%s", diff)
	}
	if len(q.Template.Hours.Week[time.Monday]) > 0 {
		t.Error("granting changed the query itself")
	}
}

func TestReasons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    []meet.Reason
	}{
		{"shorter", func(q *slot.Query) {
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Tue 12:00", "Tue 12:45-+Thu 24:00")
		}, []meet.Reason{
			{Change: meet.Shorter, Times: 2, Text: "30 minutes instead of 60 gives 2 times"},
		}},
		{"no travel", func(q *slot.Query) {
			q.Template.TravelBuffer = meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 30}
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Tue 12:00", "Tue 13:00-+Thu 24:00")
		}, []meet.Reason{
			{Change: meet.NoTravelBuffer, Times: 1, Text: "leaving no time for travel gives 1 time"},
		}},
		{"working hours", func(q *slot.Query) {
			q.Attendees[0].Person.CalendarType = meet.Work
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Sat 12:00", "Sat 13:00-+Thu 24:00")
		}, []meet.Reason{
			{Change: meet.OutsideWorkingHours, Times: 1, Text: "meeting outside working hours gives 1 time"},
		}},
		{"what was excluded", func(q *slot.Query) {
			q.Template.ExcludedHours = from(t, "12:00-13:00")
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Sat 12:00", "Sat 13:00-+Thu 24:00")
		}, []meet.Reason{
			{Change: meet.AllowExcluded, Times: 1, Text: "allowing what you ruled out gives 1 time"},
		}},
		{"without one of three", func(q *slot.Query) {
			kim := slot.Attendee{Person: meet.Person{Name: "Kim"}}
			kim.Availability.Busy = busy(t, "Fri 08:00-+Thu 24:00")
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Sat 12:00", "Sat 13:00-+Thu 24:00")
			q.Attendees = append(q.Attendees, kim)
		}, []meet.Reason{
			{Change: meet.WithoutPerson, Name: "Kim", Times: 1, Text: "meeting without Kim gives 1 time"},
		}},
		{"day and time together", func(q *slot.Query) {
			q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-12:00")
			q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Sat 12:00", "Sat 13:00-+Thu 24:00")
		}, []meet.Reason{
			{Change: meet.AnyDayAndTime, Times: 1, Text: "any day at any time gives 1 time"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			day := interval.DateOf(q.Now)
			q.Template.Dates = []interval.DateRange{{Start: day, End: day.AddDays(6)}}
			c.request(&q)
			// Nobody has time in the weeks after those that the test names.
			for i := range q.Attendees {
				after := interval.Span{Start: at(t, "+Thu 24:00"), End: at(t, "+Thu 24:00").AddDate(0, 1, 0)}
				q.Attendees[i].Availability.Busy = q.Attendees[i].Availability.Busy.Union(interval.NewSet(after))
			}
			got := slot.Find(q)
			if diff := cmp.Diff(c.want, withoutDays(got.Reasons)); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if !got.HasNoCommonTime {
				t.Error("the request can be met")
			}
			for _, r := range got.Reasons {
				if n := len(slot.All(slot.Grant(q, r))); n != r.Times {
					t.Errorf("%q gives %d times when it is granted", r.Text, n)
				}
			}
		})
	}
}

// withoutDays leaves out what the tests of other reasons cannot help but allow.
func withoutDays(reasons []meet.Reason) []meet.Reason {
	return slices.DeleteFunc(slices.Clone(reasons), func(r meet.Reason) bool { return r.Change == meet.AnyDay })
}

func TestNoEarlierTime(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates = on(t, "Tue")
	q.Preference, q.Previous = meet.Earlier, at(t, "Tue 10:00")
	q.Attendees[1].Availability.Busy = busy(t, "Tue 08:00-10:00")
	got := slot.Find(q)
	if !got.HasNoCommonTime {
		t.Fatalf("got %+v", got)
	}
	want := []string{"Mon 10:00", "Wed 10:00", "Sun 10:00", "Thu 10:00", "Sat 10:00", "Fri 10:00"}
	if diff := cmp.Diff(want, starts(got.Slots, len(want))); diff != "" {
		t.Errorf("one of each other day, the nearest first (-want +got):\n%s", diff)
	}
	last := got.Slots[len(got.Slots)-1]
	if last.State != meet.SlotConflict || !last.Start.Before(q.Previous) {
		t.Errorf("the last is an earlier time with a conflict: got %+v", last)
	}
	for _, s := range got.Slots {
		if s.Start.Equal(q.Previous) {
			t.Error("the previous time is no alternative to itself")
		}
		if s.Start.Format("Mon") == "Tue" && s.Start.After(q.Previous) && s.Start.Before(at(t, "Wed 00:00")) {
			t.Errorf("%s is later, on the day on which earlier times were wanted", s.Start)
		}
	}
}

func TestNoEarlierTimeOnAnyOtherDayEither(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates = on(t, "Tue")
	q.Preference, q.Previous = meet.Earlier, at(t, "Tue 10:00")
	q.Attendees[1].Availability.Busy = busy(t, "Fri 08:00-Tue 10:00", "Wed 08:00-+Thu 24:00")
	got := slot.Find(q)
	if diff := cmp.Diff([]string{"Tue 10:15", "Tue 10:30"}, starts(got.Slots, 2)); diff != "" || !got.HasNoCommonTime {
		t.Errorf("the same day is all that is left (-want +got):\n%s", diff)
	}
}

func TestNoLaterTimeInTheWeek(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	day := interval.DateOf(at(t, "Mon 12:00"))
	q.Template.Dates = []interval.DateRange{{Start: day, End: day.AddDays(4)}}
	q.Preference, q.Previous = meet.Later, at(t, "Thu 15:00")
	q.Attendees[1].Availability.Busy = busy(t, "Thu 16:00-+Fri 24:00")
	want := []string{"Wed 15:00", "Tue 15:00", "Mon 15:00", "Sat 15:00", "Sun 15:00"}
	if diff := cmp.Diff(want, starts(slot.Find(q).Slots, len(want))); diff != "" {
		t.Errorf("the days of the request first (-want +got):\n%s", diff)
	}
}

func TestShowMoreUntilThereIsNoMore(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates = on(t, "Mon", "Tue")
	wanted, offered := len(slot.All(q)), map[int64]bool{}
	for {
		got := slot.Find(q)
		if got.HasNoCommonTime {
			break
		}
		for _, s := range got.Slots {
			if offered[s.Start.Unix()] {
				t.Fatalf("%s was offered twice", s.Start)
			}
			offered[s.Start.Unix()] = true
			q.Offered = append(q.Offered, s.Start)
		}
	}
	if len(offered) != wanted {
		t.Errorf("got %d slots in all, want %d", len(offered), wanted)
	}
}
