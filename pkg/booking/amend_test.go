package booking_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// amending is a change that Mia made of the event of p1.
func amending(key string, make func(*meet.Event)) meet.Amending {
	return meet.Amending{Owner: "me", UID: "p1@convene", Key: key, Provider: "local", Make: make}
}

func later(e *meet.Event) { e.Title, e.Start, e.End = "Tea with Al", at(18, 0), at(18, 30) }

// A move in the organizer's calendar is one everywhere: in the book, in the proposal, and for those who are told.
func TestAmend(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	d := w.desk()
	confirmAll(t, d, "p1")
	for range 2 {
		if err := d.Amend(t.Context(), amending("k", later)); err != nil {
			t.Fatalf("Amend: %v", err)
		}
	}
	for _, p := range []meet.PersonID{"me", "al"} {
		if diff := cmp.Diff([]string{"18:00 p1@convene"}, w.booked(t, p)); diff != "" {
			t.Errorf("%s's calendar (-want +got):\n%s", p, diff)
		}
	}
	e, err := d.Proposal(t.Context(), "p1")
	if err != nil || e.Status != meet.Confirmed || e.Title != "Tea with Al" || !e.Start.Equal(at(18, 0)) ||
		e.Links.Google != "google?1800" || e.Sequence == 0 {
		t.Errorf("the proposal: %+v, %v", e, err)
	}
	if last := w.told[len(w.told)-1]; last.Became != booking.Moved || !last.Event.Start.Equal(at(18, 0)) {
		t.Errorf("told: %+v", last)
	}
}

// After it the event is as any other: it can be changed by a proposal, cancelled, and brought back.
func TestAmendedEventsGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	d := w.desk()
	confirmAll(t, d, "p1")
	if err := d.Amend(t.Context(), amending("k1", later)); err != nil {
		t.Fatalf("Amend: %v", err)
	}
	w.propose("p2", change("p1", 1, 15))
	confirmAll(t, d, "p2")
	if diff := cmp.Diff([]string{"15:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("after a change by a proposal (-want +got):\n%s", diff)
	}
	cancel := amending("k2", func(e *meet.Event) { e.Status = meet.Cancelled })
	for range 2 {
		if err := d.Amend(t.Context(), cancel); err != nil {
			t.Fatalf("Amend: %v", err)
		}
	}
	if e, err := d.Proposal(t.Context(), "p2"); err != nil || e.Status != meet.Cancelled || len(w.booked(t, "al")) > 0 {
		t.Errorf("cancelled: %+v, %v, Al has %v", e, err, w.booked(t, "al"))
	}
	if err := d.Amend(t.Context(), amending("k3", func(e *meet.Event) { e.Status = meet.Confirmed })); err != nil {
		t.Fatalf("Amend: %v", err)
	}
	if e, err := d.Proposal(t.Context(), "p2"); err != nil || e.Status != meet.Confirmed {
		t.Errorf("brought back: %+v, %v", e, err)
	}
	if diff := cmp.Diff([]string{"15:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("brought back (-want +got):\n%s", diff)
	}
	if e, err := d.Cancel(t.Context(), "p2"); err != nil || e.Status != meet.Cancelled || len(w.booked(t, "me")) > 0 {
		t.Errorf("cancel = %s, %v, I have %v", e.Status, err, w.booked(t, "me"))
	}
}

func TestAmendRefusesWhatIsNotTheOwners(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2")
	d := w.desk()
	confirmAll(t, d, "p1")
	for name, a := range map[string]meet.Amending{
		"a guest's":          {Owner: "al", UID: "p1@convene", Key: "k", Make: later},
		"not booked":         {Owner: "me", UID: "p2@convene", Key: "k", Make: later},
		"of another program": {Owner: "me", UID: "1@example.com", Key: "k", Make: later},
		"unknown":            {Owner: "me", UID: "p9@convene", Key: "k", Make: later},
	} {
		if err := d.Amend(t.Context(), a); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: got %v, want not found", name, err)
		}
	}
	if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("Al's calendar (-want +got):\n%s", diff)
	}
}

// A repeated amendment, as one that changes nothing here, tells nobody a second time.
func TestARepeatedAmendmentTellsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	d := w.desk()
	confirmAll(t, d, "p1")
	told, sequence := 0, 0
	for i, key := range []string{"k", "k", "another"} {
		if err := d.Amend(t.Context(), amending(key, later)); err != nil {
			t.Fatalf("Amend: %v", err)
		}
		e, err := d.Proposal(t.Context(), "p1")
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && (len(w.told) != told || e.Sequence != sequence) {
			t.Errorf("repeat %d: told %d times, sequence %d; want %d, %d", i, len(w.told), e.Sequence, told, sequence)
		}
		told, sequence = len(w.told), e.Sequence
	}
}
