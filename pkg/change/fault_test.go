package change_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

var fates = []fate{failsOnce, answerIsLost, diesBefore, diesAfter}

// afterAll lets another process go on until nothing is open.
func afterAll(t *testing.T, w *world) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-time.After(time.Minute)
		cancel()
	}()
	w.desk().Work(ctx)
	if due, err := w.Due(t.Context()); err != nil || len(due) > 0 {
		t.Fatalf("%v is still open, %v", due, err)
	}
}

// Whatever happens at any call of a process that applies ten changes, each is made once, and each is told.
func TestAnApplyOfTenChangesThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	for _, fate := range fates {
		for at := 1; ; at++ {
			calls := 0
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(6)
				p := &process{world: w, fate: fate, at: at}
				set := propose(t, w.desk(), w.ten())
				name := fmt.Sprintf("call %d %s", at, fate)
				_, _ = p.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
				calls = p.calls
				if len(p.what) >= at {
					name += ": " + p.what[at-1]
				}
				<-time.After(time.Minute) // claims of the dead expire
				afterAll(t, w)
				applied, err := w.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
				if fault.CodeOf(err) == change.Expired {
					t.Fatalf("%s: it expired in the meantime", name)
				}
				if err != nil || applied.Outcome != meet.AllApplied || len(applied.Changes) != 10 {
					t.Errorf("%s: %v, %+v", name, err, applied)
				}
				if diff := cmp.Diff(afterTen, w.titles()); diff != "" {
					t.Errorf("%s: things (-want +got):\n%s", name, diff)
				}
				if n := w.effectsMost(); n != 1 {
					t.Errorf("%s: a change was made %d times", name, n)
				}
			})
			if t.Failed() || calls < at {
				if at < 20 {
					t.Errorf("%s: only %d calls were seen", fate, calls)
				}
				break
			}
		}
	}
}

// The same for taking them back.
func TestAnUndoThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	for _, fate := range fates {
		for at := 1; ; at++ {
			calls := 0
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(6)
				before := w.titles()
				set := propose(t, w.desk(), w.ten())
				if _, err := w.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest}); err != nil {
					t.Fatal(err)
				}
				p := &process{world: w, fate: fate, at: at}
				name := fmt.Sprintf("call %d %s", at, fate)
				_, _ = p.desk().Undo(t.Context(), set.ID)
				calls = p.calls
				<-time.After(time.Minute)
				afterAll(t, w)
				applied, err := w.desk().Undo(t.Context(), set.ID)
				if code := fault.CodeOf(err); code != "" && code != change.AlreadyUndone || applied.Outcome != meet.AllApplied {
					t.Errorf("%s: %v, %+v", name, err, applied)
				}
				if diff := cmp.Diff(before, w.titles()); diff != "" {
					t.Errorf("%s: things (-want +got):\n%s", name, diff)
				}
				if n := w.effectsMost(); n != 1 {
					t.Errorf("%s: a change was made %d times", name, n)
				}
				if now, _, _, err := w.desk().Get(t.Context(), set.ID); err != nil || now.Status != meet.ChangesUndone {
					t.Errorf("%s: the set is %s, %v", name, now.Status, err)
				}
			})
			if t.Failed() || calls < at {
				if at < 20 {
					t.Errorf("%s: only %d calls were seen", fate, calls)
				}
				break
			}
		}
	}
}
