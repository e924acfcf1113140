package slot_test

import (
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

// late makes Al late for all that begins before the time, unless he does not come.
func late(before time.Time) func(interval.Span, slot.Absent) slot.Reach {
	return func(at interval.Span, without slot.Absent) slot.Reach {
		if _, gone := without.Index(); !gone && at.Start.Before(before) {
			return slot.Reach{Late: []int{1}}
		}
		return slot.Reach{}
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	byGrade := func(good ...string) func(interval.Span, slot.Absent) slot.Reach {
		return func(span interval.Span, _ slot.Absent) slot.Reach {
			for i, start := range good {
				if span.Start.Equal(at(t, start)) {
					return slot.Reach{Worse: int8(i)}
				}
			}
			return slot.Reach{Worse: int8(len(good))}
		}
	}
	for _, c := range []struct {
		name    string
		request func(q *slot.Query)
		want    []string
	}{
		{"a time at which somebody is late is not offered", func(q *slot.Query) {
			q.Template.Dates, q.Reach = on(t, "Mon"), late(at(t, "Mon 15:30"))
		}, []string{"Mon 15:30", "Mon 16:30"}},
		{"times of the best grade only", func(q *slot.Query) {
			q.Template.Dates, q.Reach = on(t, "Mon"), byGrade("Mon 17:30", "Mon 10:00")
		}, []string{"Mon 17:30"}},
		{"what nobody could check has grades of its own", func(q *slot.Query) {
			q.Template.Dates, q.Reach = on(t, "Mon", "Tue"), byGrade("Mon 17:30", "Tue 10:00")
			q.Attendees[1].Availability.Unknown = busy(t, "Mon 08:00-20:00")
		}, []string{"Tue 10:00", "Mon 17:30"}},
		{"nobody travels to a call", func(q *slot.Query) {
			q.Template.Dates, q.Reach, q.Template.EventType = on(t, "Mon"), late(at(t, "Fri 00:00").AddDate(1, 0, 0)), meet.Video
		}, []string{"Mon 10:00", "Mon 15:00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			q := coffee(t)
			c.request(&q)
			got := slot.Find(q)
			if got.HasNoCommonTime || got.HasExplicitTimeConflict {
				t.Errorf("flags of a request that can be met: %+v", got)
			}
			if diff := cmp.Diff(c.want, starts(got.Slots, 2)[:min(2, len(c.want))]); diff != "" {
				t.Errorf("first slots (-want +got):\n%s", diff)
			}
		})
	}
}

// All has each time at which nobody is late, whatever its grade: one that was kept before may stay.
func TestAllHasEveryGrade(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-11:30")
	q.Reach = func(at interval.Span, _ slot.Absent) slot.Reach { return slot.Reach{Worse: int8(at.Start.Minute())} }
	if got, all := len(slot.Find(q).Slots), len(slot.All(q)); got >= all || all < 3 {
		t.Errorf("%d of %d times are of the best grade", got, all)
	}
}

func TestANamedTimeThatIsTooEarlyForSomebody(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours, q.Reach = on(t, "Mon"), from(t, "15:00"), late(at(t, "Mon 15:30"))
	got := slot.Find(q)
	want := []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel, Text: "Al needs that time for travel"}}
	if !got.HasExplicitTimeConflict || len(got.Slots) < 2 {
		t.Fatalf("got %+v", got)
	}
	if diff := cmp.Diff(want, got.Slots[0].Conflicts); diff != "" || got.Slots[0].State != meet.SlotConflict {
		t.Errorf("%s (-want +got):\n%s", got.Slots[0].State, diff)
	}
	if diff := cmp.Diff([]string{"Mon 15:30"}, starts(got.Slots[1:], 1)); diff != "" {
		t.Errorf("the next one (-want +got):\n%s", diff)
	}
}

func TestNoTimeAtWhichEverybodyCanBeThere(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Attendees = append(q.Attendees, slot.Attendee{Person: meet.Person{ID: "bo", Name: "Bo"}})
	q.Template.Dates, q.Template.Hours, q.Reach = on(t, "Mon"), from(t, "09:00-12:00"), late(at(t, "Mon 15:30"))
	got := slot.Find(q)
	if !got.HasNoCommonTime {
		t.Fatalf("got %+v", got)
	}
	if first := got.Slots[0]; first.Start.Before(at(t, "Mon 15:30")) || first.State != meet.SlotFree {
		t.Errorf("the nearest time is %v, %s", first.Start, first.State)
	}
	if last := got.Slots[len(got.Slots)-1]; len(last.Conflicts) != 1 || last.Conflicts[0].Kind != meet.ConflictTravel {
		t.Errorf("the last one has conflicts %+v", last.Conflicts)
	}
	helpful := map[meet.Concession]int{}
	for _, r := range got.Reasons {
		helpful[r.Change] = r.Times
		if all := len(slot.All(slot.Grant(q, r))); all != r.Times {
			t.Errorf("%s gives %d times, not %d", r.Change, all, r.Times)
		}
	}
	if helpful[meet.WithoutPerson] == 0 || helpful[meet.AnyTime] == 0 {
		t.Errorf("what helps is %v", helpful)
	}
}
