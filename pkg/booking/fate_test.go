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

// trial is something that a process is asked to do, and what the world must be like afterwards, whatever befell it.
type trial struct {
	name string
	// before is done by a process that nothing befalls.
	before func(*testing.T, *world)
	ask    func(context.Context, *booking.Desk) (meet.Event, error)
	done   meet.Status
	// wanted is the world where it was done; untouched is the world as it was before.
	wanted, untouched state
	// failing says that Al's invitations fail, so that a copy goes to the calendar of his own.
	failing bool
}

// state is what can be seen of the world from outside.
type state struct {
	Status  meet.Status
	Book    map[meet.PersonID][]string
	Outside []string
}

func seen(t *testing.T, w *world, id meet.ProposalID) state {
	t.Helper()
	s := state{Status: w.proposals[id].Status, Book: map[meet.PersonID][]string{}, Outside: w.outside.standing()}
	for _, p := range []meet.PersonID{"me", "al", "bo", "zoe"} {
		if list := w.booked(t, p); len(list) > 0 {
			s.Book[p] = list
		}
	}
	return s
}

// invitingWorld is one in which my calendar invites guests, and Bo, who has no address, has a calendar of his own.
func invitingWorld() *world {
	w := newWorld()
	w.outside.organizer, w.outside.owners = "mine", []meet.PersonID{"bo"}
	with := func(p meet.Participant) func(*meet.Event) {
		return func(e *meet.Event) {
			e.EventType = meet.Video
			e.Participants = append(slices.Clone(e.Participants), p)
		}
	}
	w.propose("p1", with(meet.Participant{ID: "bo", Name: "Bo"}))
	w.propose("p2", change("p1", 1, 15), with(meet.Participant{ID: "zoe", Name: "Zoe", Email: "zoe@example.com"}))
	return w
}

// world is the one in which the trial takes place.
func (tr trial) world() *world {
	w := invitingWorld()
	if tr.failing {
		w.outside.fates = map[string]meet.Invitation{"Al": meet.InvitationFailed, "Zoe": meet.InvitationDelivered}
		w.outside.copying = []string{"Al"}
	}
	return w
}

// undelivered are the trials with Al's invitations failing: whatever stands outside stands in his own calendar too.
func undelivered(all []trial) []trial {
	for i := range all {
		all[i].failing = true
		for _, s := range []*state{&all[i].wanted, &all[i].untouched} {
			own := slices.Clone(s.Outside)
			for _, line := range s.Outside {
				if at, mine := strings.CutPrefix(line, "mine/me/"); mine {
					own = append(own, "own/al/"+at)
				}
			}
			slices.Sort(own)
			s.Outside = own
		}
	}
	return all
}

func trials() []trial {
	nothing := func(*testing.T, *world) {}
	booked := func(t *testing.T, w *world) {
		t.Helper()
		confirmAll(t, w.desk(), "p1")
	}
	confirm := func(id meet.ProposalID) func(context.Context, *booking.Desk) (meet.Event, error) {
		return func(ctx context.Context, d *booking.Desk) (meet.Event, error) {
			return d.Confirm(ctx, id, booking.Choice{})
		}
	}
	none := state{Book: map[meet.PersonID][]string{}, Outside: []string{}}
	old := []string{"14:00 p1@convene"}
	first := state{
		Book:    map[meet.PersonID][]string{"me": old, "al": old, "bo": old},
		Outside: []string{"copies/bo/p1@convene 14:00", "mine/me/p1@convene 14:00"},
	}
	later := []string{"15:00 p1@convene"}
	second := state{
		Book:    map[meet.PersonID][]string{"me": later, "al": later, "zoe": later},
		Outside: []string{"mine/me/p1@convene 15:00"},
	}
	return []trial{
		{"new", nothing, confirm("p1"), meet.Confirmed, first, none, false},
		{"move", booked, confirm("p2"), meet.Confirmed, second, first, false},
		{"cancel", booked, func(ctx context.Context, d *booking.Desk) (meet.Event, error) {
			return d.Cancel(ctx, "p1")
		}, meet.Cancelled, none, first, false},
	}
}

func (tr trial) proposal() meet.ProposalID {
	if tr.name == "move" {
		return "p2"
	}
	return "p1"
}

// Whatever befalls a process at whichever of its calls: the event is in all calendars or in none, guests hear of it
// once, nobody stays held, and asking again does what was asked.
func TestWhateverBefallsAProcess(t *testing.T) {
	t.Parallel()
	for _, tr := range append(trials(), undelivered(trials())...) {
		for _, f := range []fate{failsOnce, answerIsLost, failsForGood, diesBefore, diesAfter} {
			t.Run(fmt.Sprintf("%s/%s/undelivered %t", tr.name, f, tr.failing), func(t *testing.T) {
				t.Parallel()
				struck := true
				for at := 1; struck; at++ {
					synctest.Test(t, func(t *testing.T) { struck = tr.undergo(t, f, at) })

					if !struck && at < 12 {
						t.Errorf("there were only %d calls", at-1)
					}
				}
			})
		}
	}
}

// undergo has it done by a process that something befalls, and the rest by others. It reports whether there was
// such a call.
func (tr trial) undergo(t *testing.T, f fate, at int) bool {
	t.Helper()
	name := fmt.Sprintf("call %d %s", at, f)
	w := tr.world()
	tr.before(t, w)
	heardBefore := len(w.outside.alHeard())
	struck := &process{world: w, fate: f, at: at}
	event, err := tr.ask(t.Context(), struck.desk())
	if struck.calls < at {
		return false
	}
	if err == nil && (event.Status != tr.done || w.proposals[tr.proposal()].Status != tr.done) {
		t.Errorf("%s: it was said to be done, and is %s", name, w.proposals[tr.proposal()].Status)
	}
	struck.mend()
	othersWork(t, w, 3*time.Minute)
	tr.wantWhole(t, name, w)
	if _, err := tr.ask(t.Context(), w.desk()); err != nil {
		t.Errorf("%s: asked again: %v", name, err)
	}
	wanted := tr.wanted
	wanted.Status = tr.done
	if diff := cmp.Diff(wanted, seen(t, w, tr.proposal())); diff != "" {
		t.Errorf("%s: after asking again (-want +got):\n%s", name, diff)
	}
	tr.wantTold(t, name, w)
	tr.wantHeard(t, name, w.outside.alHeard()[heardBefore:], f)
	if got, want := distinct(w.told), tr.notices(); !slices.Equal(got, want) {
		t.Errorf("%s: the outbox was told %q, want %q", name, got, want)
	}
	wantNothingLeft(t, name, w)
	return true
}

// othersWork lets another process finish what it finds.
func othersWork(t *testing.T, w *world, forTime time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), forTime)
	defer cancel()
	w.desk().Work(ctx)
}

// wantWhole wants all or nothing of what was asked.
func (tr trial) wantWhole(t *testing.T, name string, w *world) {
	t.Helper()
	got := seen(t, w, tr.proposal())
	want := tr.untouched
	if got.Status == tr.done {
		want = tr.wanted
	}
	want.Status = got.Status
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: half done (-want +got):\n%s", name, diff)
	}
	if e := w.proposals[tr.proposal()]; e.Status == meet.Confirmed && e.JoinURL != "https://meet.example/mine" {
		t.Errorf("%s: it takes place at %q", name, e.JoinURL)
	}
	wantNothingLeft(t, name, w)
}

// wantHeard wants guests to have been told once. Only where something fails for good may they have been told the
// contrary in between.
func (tr trial) wantHeard(t *testing.T, name string, heard []string, f fate) {
	t.Helper()
	once := map[string][]string{"new": {"invited 14:00"}, "move": {"moved 15:00"}, "cancel": {"cancelled"}}[tr.name]
	taken := map[string][]string{
		"new": {"invited 14:00", "cancelled", "invited 14:00"}, "move": {"moved 15:00", "moved 14:00", "moved 15:00"},
	}[tr.name]
	if !slices.Equal(heard, once) && (f != failsForGood || !slices.Equal(heard, taken)) {
		t.Errorf("%s: Al heard %q, want %q", name, heard, once)
	}
}

// wantTold wants the event that stands to say what became of the invitations.
func (tr trial) wantTold(t *testing.T, name string, w *world) {
	t.Helper()
	e := w.proposals[tr.proposal()]
	if _, got := e.Undelivered(); tr.failing && e.Status == meet.Confirmed && !slices.Equal(got, []string{"Al"}) {
		t.Errorf("%s: copies for %q, want one for Al: %+v", name, got, e.Participants)
	}
}

func wantNothingLeft(t *testing.T, name string, w *world) {
	t.Helper()
	for p, hold := range w.holds {
		if time.Now().Before(hold.until) {
			t.Errorf("%s: %s is still held", name, p)
		}
	}
	for uid, s := range w.sagas {
		if s.Open() {
			t.Errorf("%s: the saga of %s is left at step %d going %s, owing %d notices: %s", name, uid, s.At, s.Course,
				len(s.Owed), s.Problem)
		}
	}
}
