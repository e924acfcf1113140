package change_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/meet"
)

// What was unknown of a set is looked for whenever someone asks for it, and never written again.
func TestWhatWasUnknownIsLookedForAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(3)
		d := w.desk()
		set := propose(t, d, []meet.Change{w.retitle("t0", "lost"), w.retitle("t1", "made late"), w.remove("t2")})
		late := deedOf(w.retitle("t1", "made late"))
		w.fail = func(deed) error { return errBroken }
		applied := confirm(t, d, set)
		if diff := cmp.Diff(3, len(applied.Changes)); diff != "" || applied.Changes[0].Outcome != meet.ChangeUnknown {
			t.Fatalf("got %+v", applied)
		}
		w.touch("t1", func(is *thing) { *is = *late.Is })
		again := func() []string {
			t.Helper()
			got, err := d.Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
			if err != nil {
				t.Fatal(err)
			}
			return outcomes(got)
		}
		if diff := cmp.Diff([]string{"1 unknown", "2 done", "3 unknown"}, again()); diff != "" {
			t.Errorf("what is not there may still be on its way (-want +got):\n%s", diff)
		}
		<-time.After(time.Minute)
		if diff := cmp.Diff([]string{"1 failed", "2 done", "3 failed"}, again()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if shown, _, _, err := d.Get(t.Context(), set.ID); err != nil || shown.Status != meet.ChangesPartly {
			t.Errorf("the set is %s, %v", shown.Status, err)
		}
		w.fail = nil
		undone, err := d.Undo(t.Context(), set.ID)
		if err != nil || len(undone.Changes) != 1 || w.titles()["t1"] != "Thing 1" {
			t.Errorf("undone: %+v, %v, %v", undone, err, w.titles())
		}
	})
}

// A change whose every answer is lost is found at once, also by the process that made it.
func TestALostAnswerIsLookedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(1)
		d := w.desk()
		set := propose(t, d, []meet.Change{w.retitle("t0", "made")})
		w.after = func(deed) error { return errBroken }
		w.fail = func(deed) error {
			if w.effects["k-t0-made"] > 0 {
				return errors.New("not to be reached")
			}
			return nil
		}
		if applied := confirm(t, d, set); applied.Outcome != meet.AllApplied || w.effectsMost() != 1 {
			t.Errorf("got %+v", applied)
		}
	})
}
