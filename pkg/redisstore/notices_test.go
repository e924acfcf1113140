package redisstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/turn"
)

var _ notice.Store = Notices{}

func alarmOf(thing string, due time.Time) notice.Alarm {
	return notice.Alarm{Person: "dana", Thing: thing, Due: due, Notice: notice.Notice{Title: thing}}
}

func TestAlarms(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store, ctx := t.open(Config{}).Notices(), t.Context()
		other := meet.InTenant(ctx, "other")
		noon := time.Date(2026, time.November, 25, 12, 0, 0, 0, time.UTC)
		for _, a := range []notice.Alarm{
			alarmOf("late", noon.Add(time.Minute)), alarmOf("second", noon), alarmOf("first", noon.Add(time.Hour)),
			alarmOf("first", noon.Add(-time.Minute)), // set anew
		} {
			must(0, store.Set(ctx, a))(t)
		}
		must(0, store.Set(other, alarmOf("first", noon)))(t)

		due := must(store.Due(ctx, noon, 10))(t)
		if len(due) != 3 || due[0].Thing != "first" || due[0].Tenant != "" {
			t.Fatalf("Due = %+v, want first, and two at noon", due)
		}
		if got := must(store.Due(ctx, noon, 2))(t); len(got) != 2 {
			t.Errorf("at most two: %d", len(got))
		}
		moved := due[0]
		moved.Due = noon
		if must(store.Tell(ctx, moved, moved.Notice, nil))(t) {
			t.Error("an alarm that was set anew is told at its former time")
		}
		for i := range 2 {
			if told := must(store.Tell(ctx, due[0], due[0].Notice, nil))(t); told != (i == 0) {
				t.Errorf("try %d: told %v", i+1, told)
			}
		}
		must(0, store.Drop(ctx, alarmOf("second", noon)))(t)
		if got := must(store.Due(ctx, noon, 10))(t); len(got) != 1 || got[0].Tenant != "other" {
			t.Errorf("left are %+v, want the other tenant's", got)
		}
	})
}

// What was told is not told again, however often its alarm is set; its next alarm takes its place.
func TestAnAlarmIsFollowedByTheNext(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		store, ctx := t.open(Config{}).Notices(), t.Context()
		noon := time.Date(2026, time.November, 25, 12, 0, 0, 0, time.UTC)
		first, next, none := alarmOf("a", noon), alarmOf("a", noon.Add(time.Hour)), alarmOf("a", time.Time{})
		first.Next = &next
		wantDue := func(after string, want ...time.Time) {
			t.Helper()
			var got []time.Time
			for _, a := range must(store.Due(ctx, noon.Add(24*time.Hour), 10))(t) {
				got = append(got, a.Due)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("after %s (-want +got):\n%s", after, diff)
			}
		}
		must(0, store.Set(ctx, first))(t)
		wantDue("Set", first.Due)
		must(0, store.Expect(ctx, next))(t)
		wantDue("Expect of what has an alarm", first.Due)
		must(store.Tell(ctx, first, first.Notice, &next))(t)
		wantDue("Tell", next.Due)
		must(0, store.Set(ctx, first))(t)
		wantDue("Set of what was told", next.Due)
		first.Next = nil
		must(0, store.Set(ctx, first))(t)
		wantDue("Set of what was told and has no next one")
		must(0, store.Expect(ctx, next))(t)
		wantDue("Expect", next.Due)
		must(0, store.Set(ctx, none))(t)
		wantDue("Set without a time")
	})
}

// A reader gets what is there, then what comes, and goes on after what it has.
func TestNoticesAreFollowed(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		here, there := t.open(Config{}).Notices(), t.open(Config{}).Notices()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		tell := func(n int) {
			a := alarmOf(fmt.Sprint("t", n), time.UnixMilli(int64(n)))
			must(0, there.Set(ctx, a))(t)
			must(there.Tell(ctx, a, a.Notice, nil))(t)
		}
		tell(1)
		tell(2)
		got := make(chan turn.Entry, 10)
		go func() {
			_ = here.Follow(ctx, "dana", 1, func(entries ...turn.Entry) error {
				for _, e := range entries {
					got <- e
				}
				return nil
			})
		}()
		for want := 2; want <= 4; want++ {
			select {
			case e := <-got:
				if e.ID != want {
					t.Errorf("entry %d, want %d", e.ID, want)
				}
			case <-ctx.Done():
				t.Fatalf("entry %d did not come", want)
			}
			tell(want + 1)
		}
	})
}
