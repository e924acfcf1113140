package booking_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

// freshSlots confirms what can no longer be had, and gives the times that are offered instead.
func freshSlots(t *testing.T, d *booking.Desk, id meet.ProposalID, c booking.Choice) []meet.Slot {
	t.Helper()
	_, err := d.Confirm(t.Context(), id, c)
	g, ok := errors.AsType[*booking.GoneError](err)
	if !ok {
		t.Fatalf("confirm: %v, want that the time has gone", err)
	}
	return g.Slots
}

func TestFreshSlotsCanBeTakenByIndex(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	w.fresh = []meet.Slot{slot(17), slot(18), slot(19)}
	w.busy("al", at(14, 0), at(15, 0))
	d := w.desk()
	if diff := cmp.Diff(w.fresh, freshSlots(t, d, id, booking.Choice{})); diff != "" {
		t.Fatalf("slots (-want +got):\n%s", diff)
	}
	// An index alone may have been read before the times were replaced, and mean another time than its reader thinks.
	if _, err := d.Confirm(t.Context(), id, booking.Choice{Slot: index(2)}); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("an index without its start: %v, want it refused", err)
	}
	third := booking.Choice{Slot: index(2), Start: at(19, 0)}
	e, err := d.Confirm(t.Context(), id, third)
	if err != nil || !e.Start.Equal(at(19, 0)) {
		t.Fatalf("taking the third = %v, %v; want 19:00", e.Start, err)
	}
	if _, err := d.Confirm(t.Context(), id, third); err != nil {
		t.Errorf("taking it again: %v", err)
	}
}

func TestFreshSlotsThatCannotBeStoredAreNotShown(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	w.busy("al", at(14, 0), at(15, 0))
	w.failUpdate = errBroken
	if got := freshSlots(t, w.desk(), id, booking.Choice{}); len(got) > 0 {
		t.Errorf("slots = %v, want none: their indices take others", got)
	}
}

// The operator finds out why people are offered nothing else.
func TestWhyThereAreNoFreshSlotsIsLogged(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	w.busy("al", at(14, 0), at(15, 0))
	cfg := w.config()
	cfg.Fresh = func(context.Context, meet.Turn, meet.Event) ([]meet.Slot, error) { return nil, errBroken }
	var log bytes.Buffer
	_, err := booking.New(cfg).Confirm(zerolog.New(&log).WithContext(t.Context()), id, booking.Choice{})
	if fault.CodeOf(err) != fault.SlotGone || !strings.Contains(log.String(), errBroken.Error()) {
		t.Errorf("%v, and the log has %q; want that the time has gone, and why there is no other", err, &log)
	}
}

func TestNoFreshSlotsLeaveTheOffer(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	w.fresh = nil
	w.busy("al", at(14, 0), at(15, 0))
	if got := freshSlots(t, w.desk(), id, booking.Choice{}); len(got) > 0 {
		t.Errorf("slots = %v, want none", got)
	}
	if got := len(w.proposals[id].Alternatives.Slots); got != 2 {
		t.Errorf("the proposal has %d alternatives, want the 2 that it had", got)
	}
}

func TestAnIndexFromBeforeTakesNoOtherTime(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	w.busy("al", at(16, 0), at(16, 30))
	d := w.desk()
	retried := booking.Choice{Slot: index(0), Start: at(10, 0)}
	w.busy("me", at(10, 0), at(10, 30))
	freshSlots(t, d, id, retried)
	if _, err := d.Confirm(t.Context(), id, retried); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("the same request again: %v, want a conflict, since its index means 17:00 now", err)
	}
	if w.writes != 0 {
		t.Errorf("writes = %d, want none", w.writes)
	}
}

// slowHolds lets something happen while a confirmation waits for its hold.
type slowHolds struct {
	*world
	meanwhile func()
}

func (s slowHolds) Hold(ctx context.Context, h booking.Hold) error {
	s.meanwhile()
	return s.world.Hold(ctx, h)
}

func TestAlternativesReplacedWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	replace := func() {
		e := w.proposals[id]
		e.Alternatives.Slots = []meet.Slot{slot(17)}
		w.proposals[id] = e
	}
	cfg := w.config()
	cfg.Holds = slowHolds{w, replace}
	d := booking.New(cfg)
	if _, err := d.Confirm(t.Context(), id, booking.Choice{Slot: index(0)}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("confirm: %v, want a conflict: 10:00 was chosen, not 17:00", err)
	}
	if w.writes != 0 {
		t.Errorf("writes = %d, want none", w.writes)
	}
}

// hours is a place that is open between these hours every day.
func hours(name string, from, until int) meet.Place {
	week := interval.EveryDay(interval.Window{Start: interval.At(from, 0), End: interval.At(until, 0)})
	return meet.Place{Name: name, Timezone: "UTC", OpeningHours: &week}
}

func TestAnAlternativeTimeFindsAnOpenPlace(t *testing.T) {
	t.Parallel()
	early, late := hours("Early Bird", 6, 15), hours("Night Owl", 16, 23)
	halfOpen := hours("Ten Past", 0, 24)
	halfOpen.OpeningHours[time.Tuesday] = []interval.Window{{Start: interval.At(16, 10), End: interval.At(23, 0)}}
	tests := []struct {
		name   string
		places []meet.Place
		choice booking.Choice
		want   string // the place, or what is wrong
		left   string // the first of the other places afterwards
	}{
		{"as proposed", []meet.Place{late}, booking.Choice{}, "Early Bird", "Night Owl"},
		{"open then too", []meet.Place{late}, booking.Choice{Slot: index(0)}, "Early Bird", "Night Owl"},
		{"closed then", []meet.Place{late}, booking.Choice{Slot: index(1)}, "Night Owl", "Early Bird"},
		{"one that opens on the way is not open", []meet.Place{halfOpen, late}, booking.Choice{Slot: index(1)}, "Night Owl",
			"Ten Past"},
		{"nobody knows the hours", []meet.Place{{Name: "Kiosk"}, late}, booking.Choice{Slot: index(1)},
			"Kiosk", "Early Bird"},
		{"none is open", []meet.Place{halfOpen}, booking.Choice{Slot: index(1)}, "slot: Early Bird is closed", ""},
		{"none is there", nil, booking.Choice{Slot: index(1)}, "slot: Early Bird is closed", ""},
		{"a place that is named stays", []meet.Place{halfOpen, late}, booking.Choice{
			Slot: index(1), Place: index(0),
		}, "place: Ten Past is closed", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.propose("p1", func(e *meet.Event) { e.Place, e.Alternatives.Places = &early, tt.places })
			e, err := w.desk().Confirm(t.Context(), id, tt.choice)
			if err != nil {
				f := fault.As(err)
				if got := f.Field + ": " + f.Message; f.Code != fault.InvalidRequest ||
					got[:min(len(got), len(tt.want))] != tt.want {
					t.Errorf("error = %s %s, want %s", f.Code, got, tt.want)
				}
				return
			}
			if e.Place.Name != tt.want || e.Alternatives.Places[0].Name != tt.left {
				t.Errorf("at %s, beside %s; want %s, beside %s", e.Place.Name, e.Alternatives.Places[0].Name, tt.want, tt.left)
			}
			if again, err := w.desk().Confirm(t.Context(), id, tt.choice); err != nil || again.Place.Name != tt.want {
				t.Errorf("the same again: %v", err)
			}
		})
	}
}

func TestSequenceCountsWhatCalendarsMustTakeForNewer(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		choice booking.Choice
		want   int
	}{
		{"as proposed", booking.Choice{}, 3},
		{"at another time", booking.Choice{Slot: index(0)}, 4},
		{"at another place", booking.Choice{Place: index(0)}, 4},
		{"at another time and place", booking.Choice{Slot: index(0), Place: index(0)}, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			d, id := w.desk(), w.propose("p1", func(e *meet.Event) { e.Sequence = 3 })
			e, err := d.Confirm(t.Context(), id, tt.choice)
			if err != nil || e.Sequence != tt.want || w.sequences[e.UID] != tt.want {
				t.Fatalf("sequence = %d, written %d, %v; want %d", e.Sequence, w.sequences[e.UID], err, tt.want)
			}
			for range 2 {
				if e, err := d.Cancel(t.Context(), id); err != nil || e.Sequence != tt.want+1 {
					t.Errorf("cancelled: sequence = %d, %v; want %d", e.Sequence, err, tt.want+1)
				}
			}
		})
	}
}

func TestABookingAfterACancellationIsNewerThanIt(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	d := w.desk()
	confirmAll(t, d, "p1")
	cancelled, err := d.Cancel(t.Context(), "p1")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Confirm(t.Context(), "p2", booking.Choice{})
	if err != nil || e.Sequence <= cancelled.Sequence {
		t.Errorf("sequence = %d, %v; want more than the cancellation's %d", e.Sequence, err, cancelled.Sequence)
	}
}

func TestWhatWasReplacedSaysByWhat(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	w.propose("p2", change("p1", 1, 15))
	d := w.desk()
	confirmAll(t, d, "p1", "p2")
	if got := w.proposals["p1"]; got.Status != meet.Cancelled || got.ReplacedBy != "p2" {
		t.Errorf("p1 is %s and replaced by %q, want cancelled and p2", got.Status, got.ReplacedBy)
	}
}

// A confirmation settles what was in doubt.
func TestConfirmSettlesDoubts(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	doubted := w.proposals[id]
	doubted.Doubts = []meet.Doubt{{Kind: meet.DoubtDay}}
	w.proposals[id] = doubted
	if e, err := w.desk().Confirm(t.Context(), id, booking.Choice{}); err != nil || len(e.Doubts) > 0 {
		t.Errorf("doubts %v, error %v", e.Doubts, err)
	}
}
