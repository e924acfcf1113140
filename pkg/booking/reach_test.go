package booking_test

import (
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Half an hour lies between the two, and little between the first and the corner.
func ferry() geo.Point   { return geo.Point{Latitude: 37.7955, Longitude: -122.3937} }
func mission() geo.Point { return geo.Point{Latitude: 37.7599, Longitude: -122.4148} }
func corner() geo.Point  { return geo.Point{Latitude: 37.7965, Longitude: -122.3937} }

// located proposes 14:00 in the Mission, with another place at the ferry and other times at ten and at four. Nobody has
// asked for a buffer.
func located(e *meet.Event) {
	e.TravelBuffer = meet.TravelBuffer{}
	e.Place = &meet.Place{ID: "mission", Name: "Mission Cafe", Location: mission()}
	e.Alternatives.Places = []meet.Place{{ID: "ferry", Name: "Ferry Cafe", Location: ferry()}}
}

func TestWhoCannotBeThereInTime(t *testing.T) {
	t.Parallel()
	gone, refused := "gone", "refused"
	for _, c := range []struct {
		name   string
		world  func(w *world)
		choice booking.Choice
		want   string // the place, gone or refused
	}{
		{"nobody was anywhere", func(*world) {}, booking.Choice{}, "mission"},
		{"just enough time", func(w *world) { w.stay("al", at(13, 0), at(13, 30), ferry()) }, booking.Choice{}, "mission"},
		{"a minute too few", func(w *world) { w.stay("al", at(13, 0), at(13, 31), ferry()) }, booking.Choice{}, gone},
		{"not to the next", func(w *world) { w.stay("me", at(14, 45), at(15, 0), ferry()) }, booking.Choice{}, gone},
		{"something else in the time of the way", func(w *world) {
			w.stay("al", at(12, 30), at(13, 0), ferry())
			w.busy("al", at(13, 40), at(14, 0))
		}, booking.Choice{}, gone},
		{"another place that is near", func(w *world) { w.stay("al", at(13, 0), at(14, 0), corner()) },
			booking.Choice{Place: index(0)}, "ferry"},
		{"another place that is far", func(w *world) { w.stay("al", at(13, 0), at(14, 0), mission()) },
			booking.Choice{Place: index(0)}, refused},
		{"another time, at which the other place is near", func(w *world) { w.stay("al", at(15, 0), at(16, 0), corner()) },
			booking.Choice{Slot: index(1)}, "ferry"},
		{"another time, at which no place is", func(w *world) {
			w.stay("al", at(15, 0), at(16, 0), geo.Point{Latitude: 37.3, Longitude: -121.9})
		},
			booking.Choice{Slot: index(1)}, gone},
		{"who takes the rushed way knowingly", func(w *world) {
			w.stay("al", at(13, 0), at(13, 45), ferry())
			e := w.proposals["p1"]
			e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			w.proposals["p1"] = e
		}, booking.Choice{}, "mission"},
		{"a rushed way is accepted to the place with which it was shown, and to no other", func(w *world) {
			w.stay("al", at(13, 0), at(13, 45), mission())
			e := w.proposals["p1"]
			e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			w.proposals["p1"] = e
		}, booking.Choice{Place: index(0)}, refused},
		{"nor at another time", func(w *world) {
			w.stay("al", at(15, 0), at(15, 45), geo.Point{Latitude: 37.3, Longitude: -121.9})
			e := w.proposals["p1"]
			e.Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			w.proposals["p1"] = e
		}, booking.Choice{Slot: index(1)}, gone},
		{"another time that was shown with a rushed way", func(w *world) {
			w.stay("al", at(15, 0), at(15, 45), ferry())
			e := w.proposals["p1"]
			e.Alternatives.Slots[1].Conflicts = []meet.Conflict{{Person: "al", Name: "Al", Kind: meet.ConflictTravel}}
			e.Alternatives.Places = nil
			w.proposals["p1"] = e
		}, booking.Choice{Slot: index(1)}, "mission"},
		{"whose availability came with the request", func(w *world) {
			w.stay("al", at(13, 0), at(13, 45), ferry())
			turn := w.turns["p1"]
			turn.Availability = []meet.GivenAvailability{{Person: "al"}}
			w.turns["p1"] = turn
		}, booking.Choice{}, gone},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			id := w.propose("p1", located)
			c.world(w)
			e, err := w.desk().Confirm(t.Context(), id, c.choice)
			got := refused
			if _, ok := errors.AsType[*booking.GoneError](err); ok {
				got = gone
			} else if err == nil {
				got = e.Place.ID
			} else if fault.CodeOf(err) != fault.InvalidRequest {
				t.Fatalf("confirm: %v", err)
			}
			if got != c.want || (err != nil) != (w.writes == 0) {
				t.Errorf("got %s (%v), want %s; %d writes", got, err, c.want, w.writes)
			}
			if err != nil {
				return
			}
			if again, err := w.desk().Confirm(t.Context(), id, c.choice); err != nil || again.Place.ID != c.want {
				t.Errorf("once more: %v", err)
			}
		})
	}
}

// The way that a person needs is theirs to keep, and nobody else hears of it.
func TestWhoseWayIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1", located)
	w.stay("me", at(12, 30), at(13, 0), ferry())
	w.stay("al", at(15, 15), at(16, 0), ferry())
	e, err := w.desk().Confirm(t.Context(), id, booking.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (meet.TravelBuffer{BeforeMinutes: 30, Derived: true}); e.TravelBuffer != want {
		t.Errorf("the organizer is shown %+v, want %+v", e.TravelBuffer, want)
	}
	want := map[meet.PersonID]interval.Span{
		"me": {Start: at(13, 30), End: at(14, 30)}, "al": {Start: at(14, 0), End: at(15, 0)},
	}
	if diff := cmp.Diff(want, w.kept); diff != "" {
		t.Errorf("what is kept (-want +got):\n%s", diff)
	}
	if stored := w.proposals[id]; stored.TravelBuffer != e.TravelBuffer {
		t.Errorf("the proposal has %+v", stored.TravelBuffer)
	}
}

// A buffer that was asked for goes for everyone, whatever their ways are.
func TestABufferThatWasAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld()
	asked := meet.TravelBuffer{BeforeMinutes: 20, AfterMinutes: 20}
	id := w.propose("p1", located, func(e *meet.Event) { e.TravelBuffer = asked })
	w.stay("al", at(12, 30), at(13, 10), ferry())
	e, err := w.desk().Confirm(t.Context(), id, booking.Choice{})
	if err != nil || e.TravelBuffer != asked {
		t.Fatalf("%+v, %v", e.TravelBuffer, err)
	}
	want := map[meet.PersonID]interval.Span{
		"me": {Start: at(13, 40), End: at(14, 50)}, "al": {Start: at(13, 30), End: at(14, 50)},
	}
	if diff := cmp.Diff(want, w.kept); diff != "" {
		t.Errorf("what is kept (-want +got):\n%s", diff)
	}
}

// Two events of one person may lie as close as the way between them, whichever was booked first.
func TestWaysBetweenTwoBookings(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1", located)
	before := w.propose("p2", located, func(e *meet.Event) {
		e.Start, e.End = at(13, 0), at(13, 30)
		e.Place = &e.Alternatives.Places[0]
	})
	if _, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []meet.PersonID{"me", "al"} {
		w.stays[p] = []meet.Stay{
			{Span: interval.Span{Start: at(14, 0), End: at(14, 30)}, At: mission(), Taken: interval.Span{
				Start: at(13, 30), End: at(14, 30),
			}},
		}
	}
	e, err := w.desk().Confirm(t.Context(), before, booking.Choice{})
	if err != nil || e.TravelBuffer.AfterMinutes != 30 {
		t.Fatalf("%+v, %v", e.TravelBuffer, err)
	}
	if until := w.kept["al"].End; !until.Equal(at(13, 30)) {
		t.Errorf("the way that the later event keeps is kept twice, until %s", until.Format(time.TimeOnly))
	}
}

// A move that is taken back leaves the event with all that it kept busy, wherever the event stands.
func TestAMoveThatIsTakenBackKeepsTheWays(t *testing.T) {
	t.Parallel()
	for _, invites := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			if invites {
				w = invitingWorld()
			}
			w.propose("p1", located)
			w.stay("me", at(12, 30), at(13, 0), ferry())
			w.stay("al", at(15, 15), at(16, 0), ferry())
			confirmAll(t, w.desk(), "p1")
			want := maps.Clone(w.kept)
			w.propose("p2", located, func(e *meet.Event) {
				e.Start, e.End, e.UID, e.Replaces, e.Sequence = at(10, 0), at(10, 30), "p1@convene", "p1", 1
			})
			if _, err := booking.New(*dyingAt(w, "book", diesAfter)).Confirm(t.Context(), "p2",
				booking.Choice{}); !errors.Is(err, errDead) {
				t.Fatalf("confirm = %v, want the death of the process", err)
			}
			if w.kept["me"].Start.Equal(want["me"].Start) {
				t.Fatal("the event was not moved")
			}
			othersWork(t, w, time.Minute)
			if diff := cmp.Diff(want, w.kept); diff != "" {
				t.Errorf("invites %v: what is kept (-before +taken back):\n%s", invites, diff)
			}
		})
	}
}
