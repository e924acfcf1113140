package booking_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/booking"
	"convene/pkg/meet"

	"github.com/google/go-cmp/cmp"
)

// outbox takes the world's notices.
type outbox struct{ *world }

func (o outbox) Tell(_ context.Context, n booking.Notice) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failTell != nil {
		return o.failTell
	}
	o.told = append(o.told, n)
	return nil
}

// distinct is what was told, each once, in the order in which it was first: "moved p2 15:00".
func distinct(told []booking.Notice) []string {
	list, seen := []string{}, map[string]bool{}
	for _, n := range told {
		if key := fmt.Sprint(n.Became == booking.Undelivered, n.Event.UID, n.Event.Sequence); !seen[key] {
			seen[key] = true
			list = append(list, fmt.Sprintf("%s %s %s", n.Became, n.Event.ID, n.Event.Start.Format("15:04")))
		}
	}
	return list
}

// notices is what is told of the trial once it was done.
func (tr trial) notices() []string {
	told := []string{"confirmed p1 14:00", "undelivered p1 14:00"}
	switch tr.name {
	case "move":
		told = append(told, "moved p2 15:00", "undelivered p2 15:00")
	case "cancel":
		told = append(told, "cancelled p1 14:00")
	}
	return slices.DeleteFunc(told, func(one string) bool { return !tr.failing && strings.HasPrefix(one, "undelivered") })
}

// A notice says how the event stands: what the proposal says then.
func TestANoticeIsTheEventAsItStands(t *testing.T) {
	t.Parallel()
	w := invitingWorld()
	confirmAll(t, w.desk(), "p1")
	want := []booking.Notice{{Became: booking.Confirmed, Event: w.proposals["p1"], At: w.now}}
	if diff := cmp.Diff(want, w.told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	if w.told[0].Event.JoinURL == "" || w.told[0].Event.Status != meet.Confirmed {
		t.Errorf("told of %+v", w.told[0].Event)
	}
}

// A proposal that is withdrawn, and a confirmation that fails, are nothing to tell.
func TestNothingIsToldOfWhatWasNoEvent(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("withdrawn")
	w.propose("taken")
	w.busy("al", at(14, 0), at(15, 0))
	if _, err := w.desk().Cancel(t.Context(), "withdrawn"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.desk().Confirm(t.Context(), "taken", booking.Choice{}); err == nil {
		t.Fatal("confirmed what is taken")
	}
	if len(w.told) > 0 {
		t.Errorf("told %q", distinct(w.told))
	}
}

// While the outbox takes nothing, events are confirmed, moved and cancelled as ever; what is owed is told when it does
// again, the oldest first, each once.
func TestAnOutboxThatFailsHoldsNothingUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := invitingWorld()
		w.failTell = errBroken
		began := time.Now()
		confirmAll(t, w.desk(), "p1", "p2")
		if _, err := w.desk().Cancel(t.Context(), "p2"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("took %v", took)
		}
		othersWork(t, w, time.Hour)
		if len(w.told) > 0 || w.proposals["p2"].Status != meet.Cancelled {
			t.Errorf("told %q of an event that is %s", distinct(w.told), w.proposals["p2"].Status)
		}
		w.failTell = nil
		othersWork(t, w, time.Hour)
		want := []string{"confirmed p1 14:00", "moved p2 15:00", "cancelled p2 15:00"}
		if got := distinct(w.told); !slices.Equal(got, want) || len(w.told) != len(want) {
			t.Errorf("told %q in %d notices, want %q", got, len(w.told), want)
		}
		wantNothingLeft(t, "afterwards", w)
	})
}

// slowOutbox never answers.
type slowOutbox struct{}

func (slowOutbox) Tell(ctx context.Context, _ booking.Notice) error {
	<-ctx.Done()
	return ctx.Err()
}

// An outbox that does not answer holds a confirmation up for some seconds at most.
func TestASlowOutboxIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.propose("p1")
		cfg := w.config()
		cfg.Outbox = slowOutbox{}
		began := time.Now()
		confirmAll(t, booking.New(cfg), "p1")
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("took %v", took)
		}
		othersWork(t, w, time.Minute)
		if got := distinct(w.told); !slices.Equal(got, []string{"confirmed p1 14:00"}) {
			t.Errorf("told %q", got)
		}
	})
}
