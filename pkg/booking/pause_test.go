package booking_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A process may stand still for longer than its claim and its hold last, at whichever of its calls, and go on then as
// if nothing had been: others have finished or taken back what it was at, and may have been asked for the same again.
// Nothing that it does then may leave half an event anywhere.
func TestAProcessThatStoodStill(t *testing.T) {
	t.Parallel()
	for _, tr := range trials() {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/asked again %t", tr.name, again), func(t *testing.T) {
				t.Parallel()
				struck := true
				for at := 1; struck; at++ {
					synctest.Test(t, func(t *testing.T) { struck = tr.standStill(t, at, again) })

					if !struck && at < 12 {
						t.Errorf("there were only %d calls", at-1)
					}
				}
			})
		}
	}
}

// standStill has it done by a process that stands still for a minute before one of its calls, while others work.
func (tr trial) standStill(t *testing.T, at int, again bool) bool {
	t.Helper()
	name := fmt.Sprintf("call %d", at)
	w := invitingWorld()
	tr.before(t, w)
	still := &process{world: w, fate: standsStill, at: at}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = tr.ask(t.Context(), still.desk()) // what it answers is of a time that has gone
	}()
	othersWork(t, w, 30*time.Second)
	if again {
		if _, err := tr.ask(t.Context(), w.desk()); err != nil {
			t.Errorf("%s: asked again: %v", name, err)
		}
	}
	othersWork(t, w, 3*time.Minute)
	<-ended
	tr.wantWhole(t, name, w)
	if again {
		wanted := tr.wanted
		wanted.Status = tr.done
		if diff := cmp.Diff(wanted, seen(t, w, tr.proposal())); diff != "" {
			t.Errorf("%s: after asking again (-want +got):\n%s", name, diff)
		}
	}
	return still.calls >= at
}
