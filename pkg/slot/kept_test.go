package slot_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// What the organizer keeps free is not offered, and the reasons say so if that leaves nothing.
func TestKeptTimeIsNotOffered(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "10:00-14:00")
	q.Kept = busy(t, "Mon 10:00-12:30")
	for _, s := range slot.Find(q).Slots {
		if q.Kept.Overlaps(s.Span()) {
			t.Errorf("%s is kept free", s.Start)
		}
	}
	q.Kept = busy(t, "Mon 09:00-15:00")
	got := slot.Find(q)
	kept := func(r meet.Reason) bool { return r.Change == meet.UseKeptTime && r.Times > 0 }
	if i := slices.IndexFunc(got.Reasons, kept); !got.HasNoCommonTime || i < 0 ||
		len(slot.All(slot.Grant(q, got.Reasons[i]))) != got.Reasons[i].Times {
		t.Errorf("%+v", got.Reasons)
	}
	for _, s := range got.Slots {
		if s.State == meet.SlotFree && q.Kept.Overlaps(s.Span()) {
			t.Errorf("%s is offered instead, and is kept free", s.Start)
		}
	}
}

// A time that the user names to the minute is asked for, whatever is kept free.
func TestATimeNamedToTheMinuteMayBeKeptTime(t *testing.T) {
	t.Parallel()
	q := coffee(t)
	q.Template.Dates, q.Template.Hours = on(t, "Mon"), from(t, "12:30-12:30")
	q.Kept = busy(t, "Mon 12:00-14:00")
	got := slot.Find(q)
	if got.HasNoCommonTime || got.HasExplicitTimeConflict || len(got.Slots) != 1 {
		t.Errorf("%+v", got)
	}
}

// All with kept time is All without it, less the slots that lie there and are not named to the minute.
func TestKeptTimeOnlyTakesAway(t *testing.T) {
	t.Parallel()
	zones, all := everyTransition(t)
	rules := firstOfEach(all, transition.rule)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	taken := 0
	for i := range rules {
		if testing.Short() && i%10 != 0 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		q := around(rules[i], zones, r)
		var want []meet.Slot
		kept := interval.NewSet(
			interval.From(rules[i].at.Add(time.Duration(r.IntN(48)-24)*time.Hour), 5*time.Hour),
			interval.From(rules[i].at.Add(time.Duration(r.IntN(48)-24)*time.Hour), 30*time.Minute),
		)
		for _, s := range slot.All(q) {
			if !kept.Overlaps(s.Span()) || isNamed(q, s) {
				want = append(want, s)
			} else {
				taken++
			}
		}
		q.Kept = kept
		if diff := cmp.Diff(want, slot.All(q), cmpTimes()); diff != "" && len(want)+len(slot.All(q)) > 0 {
			t.Fatalf("seed %d, case %d (-want +got):\n%s\nkept %v\n%s", seed, i, diff, kept, describe(q))
		}
	}
	if taken == 0 {
		t.Error("no slot was taken away: nothing is proved")
	}
}

// isNamed reports whether the user names the slot's start to the minute.
func isNamed(q slot.Query, s meet.Slot) bool {
	date := interval.DateOf(s.Start)
	return q.Template.Hours != nil && slices.ContainsFunc(q.Template.Hours.For(date), func(w interval.Window) bool {
		at, ok := date.At(w.Start, q.Zone)
		return w.Exact() && ok && at.Equal(s.Start)
	})
}
