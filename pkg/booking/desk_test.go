package booking_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"

	"github.com/google/go-cmp/cmp"
)

func TestConfirmWritesOnce(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	first, err := w.desk().Confirm(t.Context(), id, booking.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if first.Status != meet.Confirmed {
		t.Errorf("status = %s, want confirmed", first.Status)
	}
	again, err := w.desk().Confirm(t.Context(), id, booking.Choice{})
	if err != nil {
		t.Fatalf("confirming twice: %v", err)
	}
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("confirming twice gives another event (-first +second):\n%s", diff)
	}
	if w.writes != 1 {
		t.Errorf("writes = %d, want 1", w.writes)
	}
	want := []string{"14:00 p1@convene"}
	for _, p := range []meet.PersonID{"me", "al"} {
		if diff := cmp.Diff(want, w.booked(t, p)); diff != "" {
			t.Errorf("calendar of %s (-want +got):\n%s", p, diff)
		}
	}
}

func TestConfirmTakesAnAlternative(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	e, err := w.desk().Confirm(t.Context(), id, booking.Choice{Slot: index(1), Place: index(0)})
	if err != nil {
		t.Fatal(err)
	}
	if !e.Start.Equal(at(16, 0)) || !e.End.Equal(at(16, 30)) || e.Place.Name != "Blue Bottle" {
		t.Errorf("booked %s-%s at %s, want 16:00-16:30 at Blue Bottle", e.Start, e.End, e.Place.Name)
	}
	if got, want := e.Participants[1].LocalStart.Format("15:04 MST"), "17:00 CET"; got != want {
		t.Errorf("Al's local start = %s, want %s", got, want)
	}
	if e.Links.Google != "google?1600" {
		t.Errorf("link = %s, want one for the time that was chosen", e.Links.Google)
	}
	if _, err := w.desk().Confirm(t.Context(), id, booking.Choice{Slot: index(1), Place: index(0)}); err != nil {
		t.Errorf("the same choice again: %v", err)
	}
	for _, other := range []booking.Choice{{}, {Slot: index(0), Place: index(0)}, {Slot: index(1)}} {
		_, err := w.desk().Confirm(t.Context(), id, other)
		if got := fault.CodeOf(err); got != fault.Conflict {
			t.Errorf("another choice after confirming: code = %q, want conflict", got)
		}
	}
}

func TestConfirmRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		setup  func(*world)
		change func(*meet.Event)
		choice booking.Choice
		want   fault.Code
		text   string
	}{
		{name: "an unknown proposal", setup: func(w *world) { delete(w.proposals, "p1") }, want: fault.NotFound},
		{name: "a slot that was not offered", choice: booking.Choice{Slot: index(2)}, want: fault.InvalidRequest,
			text: "between 0 and 1"},
		{name: "a negative place", choice: booking.Choice{Place: index(-1)}, want: fault.InvalidRequest,
			text: "between 0 and 1"},
		{
			name: "a choice where nothing was offered", choice: booking.Choice{Place: index(0)}, want: fault.InvalidRequest,
			change: func(e *meet.Event) { e.Alternatives.Places = nil }, text: "offers no other places",
		},
		{name: "a place that is closed then", choice: booking.Choice{Place: index(1)}, want: fault.InvalidRequest,
			text: "Night Owl is closed"},
		{name: "what was withdrawn", change: func(e *meet.Event) { e.Status = meet.Cancelled }, want: fault.Conflict},
		{name: "a time that has passed", setup: func(w *world) { w.now = at(14, 0) }, want: fault.SlotGone,
			text: "already passed"},
		{
			name: "somebody who is busy now", setup: func(w *world) { w.busy("al", at(14, 15), at(15, 0)) },
			want: fault.SlotGone, text: "Al is no longer free on Tuesday, March 10 at 2:00 PM",
		},
		{
			name: "somebody who would have to travel during another event", setup: func(w *world) {
				w.busy("me", at(13, 0), at(13, 45))
			},
			want: fault.SlotGone, text: "You are no longer free",
		},
		{
			name: "a calendar that cannot be read any more", setup: func(w *world) { w.unread["al"] = true },
			want: fault.CalendarFailed, text: "could not check Al's calendar just now, so nothing was booked: reconnect the " +
				"calendar.",
		},
		{
			name: "a conflict during the event where only the way was accepted",
			change: func(e *meet.Event) {
				e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			},
			setup: func(w *world) { w.busy("al", at(14, 0), at(14, 30)) },
			want:  fault.SlotGone,
		},
		{
			name: "a calendar that cannot be read any more, of somebody with the name of another whom nobody knows",
			change: func(e *meet.Event) {
				e.Participants = append(e.Participants, meet.Participant{Name: "Al"})
				e.Unknown = []string{"Al"}
			},
			setup: func(w *world) { w.unread["al"] = true },
			want:  fault.CalendarFailed, text: "could not check Al's calendar",
		},
		{
			name: "a calendar that cannot be read any more where only the way after another event was accepted",
			change: func(e *meet.Event) {
				e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			},
			setup: func(w *world) { w.busy("al", at(13, 0), at(13, 45)); w.unread["al"] = true },
			want:  fault.CalendarFailed, text: "could not check Al's calendar",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.propose("p1", orNothing(tt.change))
			if tt.setup != nil {
				tt.setup(w)
			}
			_, err := w.desk().Confirm(t.Context(), id, tt.choice)
			if got := fault.CodeOf(err); got != tt.want {
				t.Fatalf("code = %q (%v), want %q", got, err, tt.want)
			}
			if !strings.Contains(fault.As(err).Message, tt.text) {
				t.Errorf("message = %q, want it to say %q", fault.As(err).Message, tt.text)
			}
			var g *booking.GoneError
			if errors.As(err, &g) != (tt.want == fault.SlotGone) || g != nil && len(g.Slots) != 1 {
				t.Errorf("%v: want fresh slots exactly where the time has gone", err)
			}
			if w.writes != 0 {
				t.Errorf("writes = %d, want none", w.writes)
			}
		})
	}
}

func TestConfirmAcceptsWhatTheUserSaw(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*meet.Event)
		setup  func(*world)
	}{
		{
			name: "a conflict that was shown",
			change: func(e *meet.Event) {
				e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictBusy}}
			},
			setup: func(w *world) { w.busy("al", at(14, 0), at(15, 0)) },
		},
		{
			name: "a conflict that was shown, with somebody whose calendar cannot be read",
			change: func(e *meet.Event) {
				e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictBusy}}
			},
			setup: func(w *world) { w.unread["al"] = true },
		},
		{
			name: "a rushed way that was shown",
			change: func(e *meet.Event) {
				e.Conflicts = []meet.Conflict{{Person: "me", Name: "Mia", Kind: meet.ConflictTravel}}
			},
			setup: func(w *world) { w.busy("me", at(13, 0), at(13, 45)) },
		},
		{
			name:   "a calendar that could not be read for the proposal either",
			change: func(e *meet.Event) { e.Unknown = []string{"Al"} },
			setup:  func(w *world) { w.unread["al"] = true },
		},
		{
			name: "somebody nobody knows",
			change: func(e *meet.Event) {
				e.Participants = append(e.Participants, meet.Participant{Name: "Zoe"})
				e.Unknown = []string{"Zoe"}
			},
		},
		{
			name: "two of the same name whom nobody knows",
			change: func(e *meet.Event) {
				e.Participants = append(e.Participants, meet.Participant{Name: "Al"})
				e.Unknown = []string{"Al", "Al"}
			},
			setup: func(w *world) { w.unread["al"] = true },
		},
		{
			name:  "an unread calendar of somebody whose availability came with the request",
			setup: func(w *world) { w.give("p1", "al", interval.From(at(9, 0), time.Hour)); w.unread["al"] = true },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.propose("p1", orNothing(tt.change))
			if tt.setup != nil {
				tt.setup(w)
			}
			if _, err := w.desk().Confirm(t.Context(), id, booking.Choice{}); err != nil {
				t.Errorf("confirm: %v", err)
			}
		})
	}
}

func TestGivenAvailabilityCountsWithWhatWasBookedSince(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*world){
		"busy by the request": func(w *world) { w.give("p1", "al", interval.From(at(14, 0), time.Hour)) },
		"booked since": func(w *world) {
			w.give("p1", "al")
			w.busy("al", at(14, 0), at(15, 0))
		},
	}
	for name, setup := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.propose("p1")
			setup(w)
			_, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{})
			if got := fault.CodeOf(err); got != fault.SlotGone {
				t.Errorf("code = %q, want slot_gone", got)
			}
		})
	}
}

func TestConfirmUndoesWhatItWrote(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		fail func(*world)
		want fault.Code
	}{
		{"a write that breaks in the middle", func(w *world) { w.failWrite = errBroken }, fault.Internal},
		{"a record that cannot be made", func(w *world) { w.failRecord = errBroken }, fault.Internal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.propose("p1")
			tt.fail(w)
			_, err := w.desk().Confirm(t.Context(), id, booking.Choice{})
			if !errors.Is(err, errBroken) || fault.CodeOf(err) != tt.want {
				t.Errorf("error = %v, want the cause with code %s", err, tt.want)
			}
			if got := append(w.booked(t, "me"), w.booked(t, "al")...); len(got) > 0 {
				t.Errorf("left in calendars: %v", got)
			}
			if got := w.proposals[id].Status; got != meet.Proposed {
				t.Errorf("status = %s, want proposed", got)
			}
			w.failWrite, w.failRecord = nil, nil
			if _, err := w.desk().Confirm(t.Context(), id, booking.Choice{}); err != nil {
				t.Errorf("confirming again: %v", err)
			}
		})
	}
}

func TestConfirmSaysWhereUndoingFailed(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.failRecord, w.failRemove = errBroken, errBroken
	_, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{})
	if f := fault.As(err); f.Code != fault.Unavailable || !strings.Contains(f.Message, "may stand in some calendars") {
		t.Errorf("error = %v, want one that says that the event may stand", err)
	}
}

func TestConfirmBelievesTheStoreOverItsError(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.failUpdate, w.storesAnyway = errBroken, true
	e, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{})
	if err != nil || e.Status != meet.Confirmed {
		t.Fatalf("confirm = %s, %v; want the event that was stored", e.Status, err)
	}
	if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("Al's calendar (-want +got):\n%s", diff)
	}
}

// confirmAll confirms proposals one after the other, each as it is.
func confirmAll(t *testing.T, d *booking.Desk, ids ...meet.ProposalID) {
	t.Helper()
	for _, id := range ids {
		if _, err := d.Confirm(t.Context(), id, booking.Choice{}); err != nil {
			t.Fatalf("confirm %s: %v", id, err)
		}
	}
}

// change is a proposal that replaces another and goes to a later hour.
func change(of meet.ProposalID, sequence, hour int) func(*meet.Event) {
	return func(e *meet.Event) {
		e.Replaces, e.UID, e.Sequence = of, "p1@convene", sequence
		e.Start, e.End = at(hour, 0), at(hour, 30)
	}
}

func TestConfirmingAChangeMovesTheEvent(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	w.propose("p3", change("p2", 2, 14), func(e *meet.Event) { // overlaps the event that it moves
		e.Participants = []meet.Participant{{ID: "me", Name: "Mia"}, {ID: "zoe", Name: "Zoe"}}
	})
	d := w.desk()
	confirmAll(t, d, "p1", "p3")
	got := map[string][]string{"me": w.booked(t, "me"), "al": w.booked(t, "al"), "zoe": w.booked(t, "zoe")}
	want := map[string][]string{"me": {"14:00 p1@convene"}, "al": {}, "zoe": {"14:00 p1@convene"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}
	if got := w.sequences["p1@convene"]; got != 2 {
		t.Errorf("sequence = %d, want 2", got)
	}
	for _, id := range []meet.ProposalID{"p1", "p2"} {
		if got := w.proposals[id].Status; got != meet.Cancelled {
			t.Errorf("status of %s = %s, want cancelled", id, got)
		}
	}
}

func TestTwoChangesOfOneEventCannotBothBeConfirmed(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	w.propose("p3", change("p1", 1, 17))
	d := w.desk()
	confirmAll(t, d, "p1", "p2")
	if _, err := d.Confirm(t.Context(), "p3", booking.Choice{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("confirming the other change: %v, want a conflict", err)
	}
	if diff := cmp.Diff([]string{"15:00 p1@convene"}, w.booked(t, "me")); diff != "" {
		t.Errorf("calendar (-want +got):\n%s", diff)
	}
}

func TestAChangeOfACancelledEventIsANewEvent(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	d := w.desk()
	confirmAll(t, d, "p1")
	if _, err := d.Cancel(t.Context(), "p1"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Confirm(t.Context(), "p2", booking.Choice{}); err != nil {
		t.Fatalf("confirm the change: %v", err)
	}
	if diff := cmp.Diff([]string{"15:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("calendar (-want +got):\n%s", diff)
	}
}

func TestAMoveThatFailsLeavesTheEventWhereItWas(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	d := w.desk()
	confirmAll(t, d, "p1")
	w.failRecord = errBroken
	if _, err := d.Confirm(t.Context(), "p2", booking.Choice{}); !errors.Is(err, errBroken) {
		t.Fatalf("error = %v, want the cause", err)
	}
	for _, p := range []meet.PersonID{"me", "al"} {
		if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, p)); diff != "" {
			t.Errorf("calendar of %s (-want +got):\n%s", p, diff)
		}
	}
}

// give makes the proposal's turn say when a person is busy.
func (w *world) give(id meet.ProposalID, p meet.PersonID, busy ...interval.Span) {
	t := w.turns[id]
	t.Availability = []meet.GivenAvailability{{Person: p, Busy: busy}}
	w.turns[id] = t
}

func orNothing(change func(*meet.Event)) func(*meet.Event) {
	if change == nil {
		return func(*meet.Event) {}
	}
	return change
}
