package slot_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"

	"github.com/google/go-cmp/cmp"
)

// TestFindAgainstAll checks what Find may say of any request: what it gives as a fitting slot All gives too, what it
// calls free is free for everyone, nothing is doubled or offered again, and all of it lies in the horizon.
func TestFindAgainstAll(t *testing.T) {
	t.Parallel()
	zones, all := everyTransition(t)
	rules := firstOfEach(all, transition.rule)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	counts := map[string]int{}
	for i := range 6 * len(rules) {
		if testing.Short() && i%10 != 0 {
			continue
		}
		c := rules[i%len(rules)]
		q := around(c, zones, rand.New(rand.NewPCG(seed, uint64(i))))
		got, all := slot.Find(q), slot.All(q)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d, case %d, %s: %s\n%s", seed, i, c.zone, fmt.Sprintf(format, args...), describe(q))
		}
		switch {
		case got.HasNoCommonTime && got.HasExplicitTimeConflict:
			fail("both flags are set")
		case got.HasExplicitTimeConflict:
			counts["explicit conflict"]++
			if len(got.Slots) == 0 || got.Slots[0].State != meet.SlotConflict {
				fail("the named time is not kept first with its conflict: %+v", got.Slots)
			}
		case got.HasNoCommonTime:
			counts["no common time"]++
		case len(got.Slots) == 0:
			fail("no slots and no word why")
		default:
			counts["found"]++
		}
		if fits := !got.HasNoCommonTime && !got.HasExplicitTimeConflict; fits != (len(all) > 0) {
			fail("Find found %v, All %d slots", fits, len(all))
		} else if fits {
			for _, s := range got.Slots {
				if !slices.ContainsFunc(all, func(o meet.Slot) bool { return cmp.Equal(s, o, cmpTimes()) }) {
					fail("%v is not in All", s)
				}
			}
		}
		checkSlots(q, got, fail)
		checkReasons(q, got, fail)
		checkInTheWay(q, got, fail)
	}
	for _, kind := range []string{"explicit conflict", "no common time", "found"} {
		if counts[kind] < 5 && !testing.Short() {
			t.Errorf("%d cases of %q: too few to prove anything", counts[kind], kind)
		}
	}
}

// checkInTheWay checks that a person in the way has no time even alone, and that one person's wish is only in that
// person's way.
func checkInTheWay(q slot.Query, got slot.Result, fail func(string, ...any)) {
	if len(got.InTheWay) > 0 && !got.HasNoCommonTime {
		fail("%v in the way of a time that suits everyone", got.InTheWay)
	}
	everyone := q.Attendees
	q.Reach = nil
	for _, a := range everyone {
		q.Attendees = []slot.Attendee{a}
		named := slices.ContainsFunc(got.InTheWay, func(c meet.Conflict) bool { return c.Name == a.Person.Name })
		if alone := slot.All(q); named && len(alone) > 0 {
			fail("%s is in the way, and free at %s", a.Person.Name, alone[0].Start)
		}
	}
}

// checkSlots checks each slot by itself, whatever it was found for.
func checkSlots(q slot.Query, got slot.Result, fail func(string, ...any)) {
	horizon := slot.Horizon(q.Template, q.Zone, q.Now)
	seen := map[int64]bool{}
	if len(got.Slots) > slot.MaxSlots {
		fail("%d slots", len(got.Slots))
	}
	rank := func(s meet.Slot) int {
		return slices.Index([]meet.SlotState{meet.SlotFree, meet.SlotUnknown, meet.SlotConflict}, s.State)
	}
	for i, s := range got.Slots {
		b := q.Template.TravelBuffer
		block := s.Span().Widen(b.Before(), b.After())
		explicit := got.HasExplicitTimeConflict && i == 0
		switch {
		case seen[s.Start.Unix()]:
			fail("%s twice", s.Start)
		case s.Span().Duration() != q.Template.Length():
			fail("%s takes %s", s.Start, s.Span().Duration())
		case s.Start.Before(q.Now), !explicit && block.Start.Before(q.Now), !explicit && s.Start.Before(q.Now.Add(q.Notice)):
			fail("%s is too soon", s.Start)
		case !horizon.Covers(block):
			fail("%s lies outside the horizon %v", s.Start, horizon)
		case slices.ContainsFunc(q.Offered, s.Start.Equal):
			fail("%s was offered before", s.Start)
		case i > 1 && rank(s) < rank(got.Slots[i-1]):
			fail("%s (%s) ranks behind a worse one", s.Start, s.State)
		case (s.State == meet.SlotConflict) != (len(s.Conflicts) > 0):
			fail("%s is %s with conflicts %v", s.Start, s.State, s.Conflicts)
		}
		seen[s.Start.Unix()] = true
		for _, a := range q.Attendees {
			state := a.Availability.State(block)
			named := slices.ContainsFunc(s.Conflicts, func(c meet.Conflict) bool { return c.Name == a.Person.Name })
			switch {
			case state == interval.Busy && !named:
				fail("%s does not name %s, who is busy", s.Start, a.Person.Name)
			case a.Availability.Unknown.Overlaps(block) && !a.Availability.Busy.Overlaps(s.Span()) &&
				!slices.Contains(s.Unknown, a.Person.Name):
				fail("%s does not name %s, who is unknown", s.Start, a.Person.Name)
			case state != interval.Free && s.State == meet.SlotFree:
				fail("%s is called free while %s is %s", s.Start, a.Person.Name, state)
			}
		}
	}
}

// checkReasons solves again with every reason granted, and if there is none, with every change.
func checkReasons(q slot.Query, got slot.Result, fail func(string, ...any)) {
	singles := 0
	for _, r := range got.Reasons {
		if n := len(slot.All(slot.Grant(q, r))); n == 0 || n != r.Times {
			fail("%q gives %d times when asked again, reason says %d", r.Text, n, r.Times)
		}
		if r.Change != meet.AnyDayAndTime {
			singles++
		}
		if !strings.HasSuffix(r.Text, fmt.Sprintf(" gives %d times", r.Times)) && r.Times != 1 {
			fail("text %q of a reason that gives %d times", r.Text, r.Times)
		}
	}
	if !got.HasNoCommonTime && len(got.Reasons) > 0 {
		fail("reasons for a request that can be met: %v", got.Reasons)
	}
	if len(got.Reasons) > 4 || singles > 0 && singles < len(got.Reasons) {
		fail("reasons are not minimal: %v", got.Reasons)
	}
	if !got.HasNoCommonTime || singles > 0 {
		return
	}
	changes := []meet.Concession{
		meet.AnyDay, meet.AnyTime, meet.Shorter, meet.NoTravelBuffer, meet.OutsideWorkingHours, meet.AllowExcluded,
	}
	if len(got.Reasons) == 0 {
		changes = append(changes, meet.AnyDayAndTime)
	}
	for _, c := range changes {
		if n := len(slot.All(slot.Grant(q, meet.Reason{Change: c}))); n > 0 {
			fail("%s alone would give %d times, and the reasons do not say so: %v", c, n, got.Reasons)
		}
	}
}
