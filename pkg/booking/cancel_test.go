package booking_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestCancel(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("kept")
	w.propose("withdrawn")
	d := w.desk()
	confirmAll(t, d, "kept")
	for _, id := range []meet.ProposalID{"withdrawn", "kept", "kept"} {
		e, err := d.Cancel(t.Context(), id)
		if err != nil || e.Status != meet.Cancelled {
			t.Errorf("cancel %s = %s, %v", id, e.Status, err)
		}
	}
	if got := w.booked(t, "al"); len(got) > 0 {
		t.Errorf("left in Al's calendar: %v", got)
	}
	if _, err := d.Confirm(t.Context(), "withdrawn", booking.Choice{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("confirming what was withdrawn: %v, want a conflict", err)
	}
	if _, err := d.Cancel(t.Context(), "nowhere"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("cancelling what is not there: %v, want not found", err)
	}
}

// A caller who cancels what an event was before it was moved is not told that it is cancelled, as long as it stands.
func TestCancelOfWhatWasMoved(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	w.propose("p3", change("p2", 2, 16))
	d := w.desk()
	confirmAll(t, d, "p1", "p2", "p3")
	for _, id := range []meet.ProposalID{"p1", "p2"} {
		_, err := d.Cancel(t.Context(), id)
		if fault.CodeOf(err) != fault.Conflict || !strings.Contains(fault.As(err).Message, "stands as proposal p3 now") {
			t.Errorf("cancel %s: %v, want a conflict that names p3", id, err)
		}
	}
	if diff := cmp.Diff([]string{"16:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("Al's calendar (-want +got):\n%s", diff)
	}
	for _, id := range []meet.ProposalID{"p3", "p1"} {
		if e, err := d.Cancel(t.Context(), id); err != nil || e.Status != meet.Cancelled {
			t.Errorf("cancel %s = %s, %v", id, e.Status, err)
		}
	}
	delete(w.proposals, "p3")
	if e, err := d.Cancel(t.Context(), "p1"); err != nil || e.Status != meet.Cancelled {
		t.Errorf("long after = %s, %v", e.Status, err)
	}
}

// A change that was withdrawn leaves the event as it stands, with a file that is newer than that of the change.
func TestAWithdrawnChange(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	w.propose("p3", change("p2", 2, 16))
	d := w.desk()
	confirmAll(t, d, "p1")
	withdrawn, err := d.Cancel(t.Context(), "p3")
	if err != nil || withdrawn.Status != meet.Cancelled {
		t.Fatalf("cancel p3 = %s, %v", withdrawn.Status, err)
	}
	standing, err := d.Standing(t.Context(), withdrawn)
	if err != nil || standing == nil || standing.ID != "p1" || standing.Sequence <= withdrawn.Sequence {
		t.Fatalf("what stands is %+v, %v; want p1, newer than %d", standing, err, withdrawn.Sequence)
	}
	if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("Al's calendar (-want +got):\n%s", diff)
	}
	w.propose("p4", change("p1", standing.Sequence+1, 10))
	confirmAll(t, d, "p4")
	if standing, err = d.Standing(t.Context(), withdrawn); err != nil || standing == nil || standing.ID != "p4" {
		t.Errorf("after another change %+v stands, %v; want p4", standing, err)
	}
	if _, err := d.Cancel(t.Context(), "p4"); err != nil {
		t.Fatal(err)
	}
	if standing, err = d.Standing(t.Context(), withdrawn); err != nil || standing != nil {
		t.Errorf("after its end %+v stands, %v", standing, err)
	}
}

// forgetful cannot change one of the proposals.
type forgetful struct {
	*world
	id meet.ProposalID
}

func (f forgetful) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	if id == f.id {
		return meet.Event{}, errBroken
	}
	return f.world.UpdateProposal(ctx, id, change)
}

// A change is not withdrawn before the event's own file outranks it: a repeated cancellation does both.
func TestAWithdrawalThatFailsHalfWay(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	confirmAll(t, w.desk(), "p1")
	cfg := w.config()
	cfg.Proposals = forgetful{w, "p1"}
	if _, err := booking.New(cfg).Cancel(t.Context(), "p2"); err == nil {
		t.Fatal("the event could not be counted up, and nobody was told")
	}
	withdrawn, err := w.desk().Cancel(t.Context(), "p2")
	if err != nil || withdrawn.Status != meet.Cancelled {
		t.Fatalf("once more: %s, %v", withdrawn.Status, err)
	}
	if standing := w.proposals["p1"]; standing.Sequence <= withdrawn.Sequence {
		t.Errorf("the event counts %d, and the change that was withdrawn %d", standing.Sequence, withdrawn.Sequence)
	}
}
