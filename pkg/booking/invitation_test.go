package booking_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/booking"
	"convene/pkg/meet"
)

// trackedWorld is one in which my calendar says what became of Al's invitation; he has a calendar of his own.
func trackedWorld(al meet.Invitation) *world {
	w := newWorld()
	w.outside.organizer, w.outside.copying = "mine", []string{"Al"}
	w.fate(al)
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	return w
}

func (w *world) fate(al meet.Invitation) {
	w.outside.mu.Lock()
	defer w.outside.mu.Unlock()
	w.outside.fates = map[string]meet.Invitation{"Al": al}
}

// al is what an event says of him.
func al(e meet.Event) meet.Participant { return e.Participants[1] }

func confirmed(t *testing.T, w *world) meet.Event {
	t.Helper()
	e, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const (
	invited = "mine/me/p1@convene 14:00"
	copied  = "own/al/p1@convene 14:00"
)

// What is known at once is said in the answer, in the proposal and in what others are told.
func TestAnInvitationThatFailsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld(meet.InvitationFailed)
		answer := confirmed(t, w)
		for name, e := range map[string]meet.Event{"answer": answer, "proposal": w.proposals["p1"], "told": w.told[0].Event} {
			if p := al(e); p.Invitation != meet.InvitationFailed || !p.Copied {
				t.Errorf("%s: %+v", name, p)
			}
		}
		othersWork(t, w, 2*time.Hour)
		if got, want := w.outside.standing(), []string{invited, copied}; !slices.Equal(got, want) {
			t.Errorf("stands in %q, want %q", got, want)
		}
		if got, want := distinct(w.told), []string{"confirmed p1 14:00", "undelivered p1 14:00"}; !slices.Equal(got, want) ||
			len(w.told) != 2 {
			t.Errorf("told %q in %d notices, want %q", got, len(w.told), want)
		}
		if w.outside.looks != 1 {
			t.Errorf("%d looks, want 1", w.outside.looks)
		}
	})
}

// What is open is looked at again, and not for ever.
func TestAnInvitationOfWhichNothingIsKnownYet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first, then meet.Invitation
		copied      bool
	}{
		{"", meet.InvitationDelivered, false},
		{"", meet.InvitationFailed, true},
		{meet.InvitationUnknown, meet.InvitationFailed, true},
		{meet.InvitationUnknown, meet.InvitationUnknown, false},
		{"", "", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := trackedWorld(tt.first)
			if got := al(confirmed(t, w)).Invitation; got != tt.first {
				t.Errorf("at first it is %q, want %q", got, tt.first)
			}
			w.fate(tt.then)
			othersWork(t, w, 15*time.Second)
			if p := al(w.proposals["p1"]); p.Invitation != tt.then || p.Copied != tt.copied {
				t.Errorf("%q, then %q: Al is %+v", tt.first, tt.then, p)
			}
			if told := len(w.told); told != 1 && !tt.copied || told != 2 && tt.copied {
				t.Errorf("%q, then %q: told %q", tt.first, tt.then, distinct(w.told))
			}
			othersWork(t, w, 24*time.Hour)
			if w.outside.looks > 4 {
				t.Errorf("%d looks within a day", w.outside.looks)
			}
			wantNothingLeft(t, string(tt.then), w)
		})
	}
}

// Of a calendar that says nothing of any invitation, nothing is claimed, and it is asked once.
func TestACalendarThatSaysNothingOfInvitations(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld("")
		w.outside.fates = nil
		if p := al(confirmed(t, w)); p.Invitation != "" || p.Copied {
			t.Errorf("Al is %+v", p)
		}
		othersWork(t, w, time.Hour)
		if w.outside.looks != 1 {
			t.Errorf("%d looks, want 1", w.outside.looks)
		}
		wantNothingLeft(t, "afterwards", w)
	})
}

// Who has no calendar for a copy has none, and a copy that cannot be written is tried again.
func TestCopiesThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld(meet.InvitationFailed)
		w.outside.copying = nil
		if p := al(confirmed(t, w)); p.Invitation != meet.InvitationFailed || p.Copied {
			t.Errorf("without a calendar, Al is %+v", p)
		}
		wantNothingLeft(t, "without a calendar", w)
	})
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld(meet.InvitationFailed)
		w.outside.failCopy = errBroken
		if p := al(confirmed(t, w)); p.Invitation != meet.InvitationFailed || p.Copied {
			t.Errorf("while the copy fails, Al is %+v", p)
		}
		w.outside.failCopy = nil
		othersWork(t, w, 15*time.Second)
		if p := al(w.proposals["p1"]); !p.Copied || !slices.Contains(w.outside.standing(), copied) {
			t.Errorf("afterwards, Al is %+v with %q", p, w.outside.standing())
		}
		wantNothingLeft(t, "afterwards", w)
	})
}

// A copy goes with the event, also where the process died that wrote it, and comes back only where the next invitation
// fails too.
func TestCopiesGoWithTheEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld(meet.InvitationFailed)
		if _, err := booking.New(*dyingAt(w, "deliver to own", diesAfter)).Confirm(t.Context(),
			"p1", booking.Choice{}); err != nil && !errors.Is(err, errDead) {
			t.Fatal(err)
		}
		if !slices.Contains(w.outside.standing(), copied) {
			t.Fatalf("the copy was not written: %q", w.outside.standing())
		}
		if _, err := w.desk().Cancel(t.Context(), "p1"); err != nil || len(w.outside.standing()) > 0 {
			t.Errorf("after the cancellation there is %q, %v", w.outside.standing(), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w := trackedWorld(meet.InvitationFailed)
		confirmed(t, w)
		w.fate(meet.InvitationDelivered)
		confirmAll(t, w.desk(), "p2")
		if got, want := w.outside.standing(), []string{"mine/me/p1@convene 15:00"}; !slices.Equal(got, want) {
			t.Errorf("after the move there is %q, want %q", got, want)
		}
		if p := al(w.proposals["p2"]); p.Invitation != meet.InvitationDelivered || p.Copied {
			t.Errorf("after the move, Al is %+v", p)
		}
	})
}
