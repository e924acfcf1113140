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

// brokenAnywhere runs a story with each fate at each call of a process, until there are no more calls.
func brokenAnywhere(t *testing.T, story func(t *testing.T, p *process) (name string)) {
	t.Helper()
	for _, fate := range fates {
		for at := 1; ; at++ {
			calls := 0
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(6)
				p := &process{world: w, fate: fate, at: at}
				name := story(t, p)
				calls = p.calls
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

// others waits until the claims of the dead have expired, and lets another process go on. It names what was broken.
func (p *process) others(t *testing.T) (name string) {
	t.Helper()
	name = fmt.Sprintf("call %d %s", p.at, p.fate)
	if len(p.what) >= p.at {
		name += ": " + p.what[p.at-1]
	}
	<-time.After(time.Minute)
	afterAll(t, p.world)
	return name
}

// Whatever happens at any call of a process that applies ten changes, each is made once, and each is told.
func TestAnApplyOfTenChangesThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	brokenAnywhere(t, func(t *testing.T, p *process) string {
		t.Helper()
		w := p.world
		set := propose(t, w.desk(), w.ten())
		_, _ = p.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		name := p.others(t)
		applied, err := w.desk().Confirm(t.Context(), set.ID, change.Confirmation{Digest: set.Digest})
		if err != nil || applied.Outcome != meet.AllApplied || len(applied.Changes) != 10 {
			t.Errorf("%s: %v, %+v", name, err, applied)
		}
		if diff := cmp.Diff(afterTen, w.titles()); diff != "" {
			t.Errorf("%s: things (-want +got):\n%s", name, diff)
		}
		return name
	})
}

// The same for what is applied as soon as it is proposed: the turn runs again in another process.
func TestAProposalAppliedAtOnceThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	brokenAnywhere(t, func(t *testing.T, p *process) string {
		t.Helper()
		w := p.world
		draft := change.Draft{Owner: me, Key: "turn-1", Changes: w.ten(), Heard: true, AutoConfirm: true}
		_, _, _ = p.desk().Propose(t.Context(), draft)
		name := p.others(t)
		set, applied, err := w.desk().Propose(t.Context(), draft)
		if err != nil || applied == nil || applied.Outcome != meet.AllApplied || set.Status != meet.ChangesApplied {
			t.Errorf("%s: %v, %s, %+v", name, err, set.Status, applied)
		}
		if diff := cmp.Diff(afterTen, w.titles()); diff != "" {
			t.Errorf("%s: things (-want +got):\n%s", name, diff)
		}
		return name
	})
}

// The same for taking them back.
func TestAnUndoThatIsBrokenAnywhere(t *testing.T) {
	t.Parallel()
	brokenAnywhere(t, func(t *testing.T, p *process) string {
		t.Helper()
		w := p.world
		before := w.titles()
		set := propose(t, w.desk(), w.ten())
		confirm(t, w.desk(), set)
		_, _ = p.desk().Undo(t.Context(), set.ID)
		name := p.others(t)
		applied, err := w.desk().Undo(t.Context(), set.ID)
		if code := fault.CodeOf(err); code != "" && code != change.AlreadyUndone || applied.Outcome != meet.AllApplied {
			t.Errorf("%s: %v, %+v", name, err, applied)
		}
		if diff := cmp.Diff(before, w.titles()); diff != "" {
			t.Errorf("%s: things (-want +got):\n%s", name, diff)
		}
		if now, _, _, err := w.desk().Get(t.Context(), set.ID); err != nil || now.Status != meet.ChangesUndone {
			t.Errorf("%s: the set is %s, %v", name, now.Status, err)
		}
		return name
	})
}
