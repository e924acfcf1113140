package booking_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"

	"github.com/google/go-cmp/cmp"
)

// dyingAt is the desk of a process that dies at the first call of an operation.
func dyingAt(w *world, operation string, f fate) *booking.Config {
	cfg := w.config()
	p := &process{world: w}
	cfg.Proposals, cfg.Book, cfg.Holds, cfg.Sagas = p, ownBook{p}, p, ownSagas{p}
	cfg.Courier, cfg.Outbox = ownCourier{p}, ownOutbox{p}
	doomed := &doom{process: p, operation: operation, fate: f}
	if operation == "book" {
		cfg.Book = doomedBook{doomed}
	} else {
		cfg.Courier = doomedCourier{doomed}
	}
	return &cfg
}

// doom lets a process die at one operation.
type doom struct {
	*process
	operation string
	fate      fate
}

// strike has the next call be the last.
func (d *doom) strike() { d.process.fate, d.at = d.fate, d.calls+1 }

type doomedBook struct{ *doom }

type doomedPages struct {
	booking.Pages
	doom *doom
}

func (b doomedBook) Under(c booking.Claim) booking.Pages {
	return doomedPages{ownBook{b.process}.Under(c), b.doom}
}

func (p doomedPages) Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	p.doom.strike()
	return p.Pages.Book(ctx, people, e)
}

type doomedCourier struct{ *doom }

func (c doomedCourier) Plan(ctx context.Context, e meet.Event, organizer meet.Person) ([]booking.Delivery, error) {
	return ownCourier{c.process}.Plan(ctx, e, organizer)
}

func (c doomedCourier) Deliver(ctx context.Context, to booking.Delivery, e meet.Event) (string, error) {
	if c.operation == "deliver to "+to.Provider {
		c.strike()
	}
	return ownCourier{c.process}.Deliver(ctx, to, e)
}

func (c doomedCourier) Invitations(ctx context.Context, of booking.Delivery, e meet.Event) ([]booking.Invited, error) {
	return ownCourier{c.process}.Invitations(ctx, of, e)
}

func (c doomedCourier) Withdraw(ctx context.Context, from booking.Delivery, e meet.Event) error {
	return ownCourier{c.process}.Withdraw(ctx, from, e)
}

func (c doomedCourier) Forget(ctx context.Context, people []meet.PersonID) error {
	return ownCourier{c.process}.Forget(ctx, people)
}

// Until the time is known to be taken, what was begun is taken back; from then on it is finished, unless the event lies
// in the past and nobody was told of it.
func TestWhichWayOthersGo(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, operation string
		fate            fate
		passed          bool
		want            meet.Status
		heard           []string
	}{
		{name: "before the time is taken", operation: "book", fate: diesBefore, want: meet.Proposed, heard: []string{}},
		{name: "with the time taken and not recorded", operation: "book", fate: diesAfter, want: meet.Proposed,
			heard: []string{}},
		{name: "before guests are invited", operation: "deliver to mine", fate: diesBefore, want: meet.Confirmed,
			heard: []string{"invited 14:00"}},
		{name: "with guests invited and not recorded", operation: "deliver to mine", fate: diesAfter, want: meet.Confirmed,
			heard: []string{"invited 14:00"}},
		{name: "with a copy written", operation: "deliver to copies", fate: diesAfter, want: meet.Confirmed,
			heard: []string{"invited 14:00"}},
		{name: "in the past with nobody told", operation: "deliver to mine", fate: diesBefore, passed: true,
			want: meet.Proposed, heard: []string{}},
		{name: "in the past with guests told", operation: "deliver to copies", fate: diesBefore, passed: true,
			want: meet.Confirmed, heard: []string{"invited 14:00"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := invitingWorld()
				if _, err := booking.New(*dyingAt(w, tt.operation, tt.fate)).Confirm(t.Context(),
					"p1", booking.Choice{}); !errors.Is(err, errDead) {
					t.Fatalf("confirm = %v, want the death of the process", err)
				}
				if tt.passed {
					w.now = at(20, 0)
				}
				othersWork(t, w, time.Minute)
				if got := w.proposals["p1"].Status; got != tt.want {
					t.Errorf("status = %s, want %s", got, tt.want)
				}
				if diff := cmp.Diff(tt.heard, w.outside.alHeard()); diff != "" {
					t.Errorf("Al heard (-want +got):\n%s", diff)
				}
				wantNothingLeft(t, tt.name, w)
			})
		})
	}
}

// The hold of a process that died is taken over, however long it lasts.
func TestOthersTakeTheHoldOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := invitingWorld()
		_, _ = booking.New(*dyingAt(w, "deliver to mine", diesAfter)).Confirm(t.Context(), "p1", booking.Choice{})
		for p, hold := range w.holds {
			w.holds[p] = taken{hold.token, time.Now().Add(time.Hour)}
		}
		othersWork(t, w, time.Minute)
		if got := w.proposals["p1"].Status; got != meet.Confirmed {
			t.Errorf("status = %s, want confirmed", got)
		}
		wantNothingLeft(t, "afterwards", w)
	})
}

// lapsing lets the hold, or the claim, end between reading a proposal and replacing it.
type lapsing struct {
	*world
	lapse func(*world)
}

func (l lapsing) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	return l.world.UpdateProposal(ctx, id, func(e *meet.Event) error {
		l.mu.Lock()
		l.lapse(l.world)
		l.mu.Unlock()
		return change(e)
	})
}

func TestNothingIsRecordedOnceTheGripIsLost(t *testing.T) {
	t.Parallel()
	tests := map[string]func(*world){
		"hold":  func(w *world) { clear(w.holds) },
		"claim": func(w *world) { clear(w.claims) },
		"both":  func(w *world) { clear(w.holds); clear(w.claims) },
	}
	for name, lapse := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := invitingWorld()
				cfg := w.config()
				cfg.Proposals = lapsing{w, lapse}
				_, err := booking.New(cfg).Confirm(t.Context(), "p1", booking.Choice{})
				if f := fault.As(err); f.Code != fault.Unavailable || !f.Retryable {
					t.Errorf("confirm = %v, want a retryable fault", err)
				}
				if got := w.proposals["p1"].Status; got != meet.Proposed {
					t.Errorf("status = %s, want proposed", got)
				}
				othersWork(t, w, time.Minute)
				if _, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{}); err != nil {
					t.Errorf("confirm again: %v", err)
				}
				wantNothingLeft(t, "afterwards", w)
			})
		})
	}
}

// slowCourier takes its time.
type slowCourier struct {
	*mailboxes
	takes time.Duration
}

func (c slowCourier) Deliver(ctx context.Context, to booking.Delivery, e meet.Event) (string, error) {
	select {
	case <-time.After(c.takes):
		return c.mailboxes.Deliver(ctx, to, e)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// A provider that takes longer than holds and claims last without being renewed loses neither.
func TestHoldsAreRenewedWhileAProviderIsSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := invitingWorld()
		cfg := w.config()
		cfg.Courier = slowCourier{&w.outside, 14 * time.Second}
		other := w.propose("other")
		var late error
		go func() {
			<-time.After(25 * time.Second)
			late = fault.New(fault.Internal, "not asked")
			impatient := w.config()
			impatient.Patience = time.Second
			_, late = booking.New(impatient).Confirm(context.WithoutCancel(t.Context()), other, booking.Choice{})
		}()
		go othersWork(t, w, 40*time.Second)
		if _, err := booking.New(cfg).Confirm(t.Context(), "p1", booking.Choice{}); err != nil {
			t.Errorf("confirm: %v", err)
		}
		synctest.Wait()
		if got := fault.CodeOf(late); got != fault.Unavailable {
			t.Errorf("another booking of the same people meanwhile: %v, want to be told to wait", late)
		}
		if diff := cmp.Diff([]string{"invited 14:00"}, w.outside.alHeard()); diff != "" {
			t.Errorf("Al heard (-want +got):\n%s", diff)
		}
		<-time.After(time.Minute)
	})
}

// refusingCourier refuses for good what refuses says.
type refusingCourier struct {
	*mailboxes
	deliver, withdraw map[string]bool
	optional          bool
}

var errReconnect = fault.New(fault.CalendarFailed, "reconnect the calendar")

func (c refusingCourier) Plan(ctx context.Context, e meet.Event, organizer meet.Person) ([]booking.Delivery, error) {
	plan, err := c.mailboxes.Plan(ctx, e, organizer)
	for i := range plan {
		plan[i].Optional = c.optional && plan[i].Provider == "copies"
	}
	return plan, err
}

func (c refusingCourier) Deliver(ctx context.Context, to booking.Delivery, e meet.Event) (string, error) {
	if c.deliver[to.Provider] {
		return "", errReconnect
	}
	return c.mailboxes.Deliver(ctx, to, e)
}

func (c refusingCourier) Withdraw(ctx context.Context, from booking.Delivery, e meet.Event) error {
	if c.withdraw[from.Provider] {
		return errReconnect
	}
	return c.mailboxes.Withdraw(ctx, from, e)
}

func TestACalendarThatRefusesForGood(t *testing.T) {
	t.Parallel()
	for _, optional := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := invitingWorld()
			cfg := w.config()
			cfg.Courier = refusingCourier{mailboxes: &w.outside, deliver: map[string]bool{"copies": true}, optional: optional}
			_, err := booking.New(cfg).Confirm(t.Context(), "p1", booking.Choice{})
			want := []string{"invited 14:00", "cancelled"}
			if optional {
				want = want[:1]
			}
			if errors.Is(err, errReconnect) == optional {
				t.Errorf("optional %v: confirm = %v", optional, err)
			}
			if diff := cmp.Diff(want, w.outside.alHeard()); diff != "" {
				t.Errorf("optional %v: Al heard (-want +got):\n%s", optional, diff)
			}
			wantNothingLeft(t, "afterwards", w)
		})
	}
}

// What can neither be finished nor taken back is tried for hours, then its record stays with the reason. The time stays
// taken as long as the event may stand in a calendar; who asks again has it tried again.
func TestWhatCannotBeTakenBackIsNotForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := invitingWorld()
		cfg := w.config()
		cfg.Courier = refusingCourier{
			mailboxes: &w.outside, deliver: map[string]bool{"copies": true}, withdraw: map[string]bool{"mine": true},
		}
		_, err := booking.New(cfg).Confirm(t.Context(), "p1", booking.Choice{})
		if f := fault.As(err); f.Code != fault.Unavailable || !strings.Contains(f.Message, "may stand in some calendars") {
			t.Errorf("confirm = %v, want to be told that the event may stand", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 12*time.Hour)
		defer cancel()
		cfg.SweepEvery = time.Minute
		booking.New(cfg).Work(ctx)
		s := w.sagas["p1@convene"]
		if !s.Stuck || s.Course != booking.Back || !strings.Contains(s.Problem, "reconnect the calendar") {
			t.Errorf("the record says stuck %v going %s: %q", s.Stuck, s.Course, s.Problem)
		}
		if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, "al")); diff != "" {
			t.Errorf("Convene's book (-want +got):\n%s", diff)
		}
		if _, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{}); err != nil {
			t.Errorf("confirm with all in order again: %v", err)
		}
		wantNothingLeft(t, "afterwards", w)
	})
}

// An event that was changed by hand since is newer than ours: nothing is forced on it.
func TestAnEventChangedByHandStaysAsItIs(t *testing.T) {
	t.Parallel()
	w := invitingWorld()
	confirmAll(t, w.desk(), "p1")
	const box = "mine/me/p1@convene"
	byHand := w.outside.boxes[box]
	byHand.sequence, byHand.at = 7, "14:10"
	w.outside.boxes[box] = byHand
	if _, err := w.desk().Confirm(t.Context(), "p2", booking.Choice{}); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("moving it = %v, want a conflict", err)
	}
	if diff := cmp.Diff(byHand, w.outside.boxes[box], cmp.AllowUnexported(letter{})); diff != "" {
		t.Errorf("the calendar (-by hand +now):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"14:00 p1@convene"}, w.booked(t, "al")); diff != "" {
		t.Errorf("Convene's book (-want +got):\n%s", diff)
	}
	wantNothingLeft(t, "afterwards", w)
}

// An event that was delivered as copies, and is moved once the organizer has connected a calendar that invites, is an
// invitation then, and nobody has it twice.
func TestCopiesBecomeAnInvitation(t *testing.T) {
	t.Parallel()
	w := invitingWorld()
	w.outside.organizer, w.outside.owners = "", []meet.PersonID{"me", "al"}
	confirmAll(t, w.desk(), "p1")
	if diff := cmp.Diff([]string{"copies/al/p1@convene 14:00", "copies/me/p1@convene 14:00"},
		w.outside.standing()); diff != "" {
		t.Fatalf("copies (-want +got):\n%s", diff)
	}
	w.outside.organizer, w.outside.owners = "mine", nil
	confirmAll(t, w.desk(), "p2")
	if diff := cmp.Diff([]string{"mine/me/p1@convene 15:00"}, w.outside.standing()); diff != "" {
		t.Errorf("after the move (-want +got):\n%s", diff)
	}
	if _, err := w.desk().Cancel(t.Context(), "p2"); err != nil {
		t.Fatal(err)
	}
	if got := w.outside.standing(); len(got) > 0 {
		t.Errorf("after the cancellation there is %v", got)
	}
}

// blind reads everyone as free, as calendars do in which a booking of a moment ago is not seen yet.
type blind struct{}

func (blind) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	readings := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		readings[p.ID] = meet.Schedule{Status: meet.CalendarStatus{State: meet.Checked}}
	}
	return readings, nil
}

// Convene's own book decides who gets the time, whatever was read before. Only who saw a conflict and accepted it is
// booked beside it.
func TestTheBookDecides(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		accepted []meet.Conflict
		want     fault.Code
	}{
		{"nothing was accepted", nil, fault.SlotGone},
		{"one of two accepted it", []meet.Conflict{{Person: "al", Kind: meet.ConflictBusy}}, fault.SlotGone},
		{"another kind of conflict", []meet.Conflict{
			{Person: "al", Kind: meet.ConflictWorkingHours}, {Person: "me", Kind: meet.ConflictBusy},
		}, fault.SlotGone},
		{"both accepted it", []meet.Conflict{
			{Name: "Al", Kind: meet.ConflictTravel}, {Person: "me", Kind: meet.ConflictBusy},
		}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.propose("first")
			w.propose("second", func(e *meet.Event) { e.Conflicts = tt.accepted })
			cfg := w.config()
			cfg.Calendars = blind{}
			d := booking.New(cfg)
			confirmAll(t, d, "first")
			_, err := d.Confirm(t.Context(), "second", booking.Choice{})
			if got := fault.CodeOf(err); got != tt.want {
				t.Errorf("confirm = %v, want code %q", err, tt.want)
			}
			if g, ok := errors.AsType[*booking.GoneError](err); ok && len(g.Slots) != 1 {
				t.Errorf("slots = %v, want the fresh one", g.Slots)
			}
			want := []string{"14:00 first@convene"}
			if tt.want == "" {
				want = append(want, "14:00 second@convene")
			}
			for _, p := range []meet.PersonID{"me", "al"} {
				if diff := cmp.Diff(want, w.booked(t, p)); diff != "" {
					t.Errorf("%s's book (-want +got):\n%s", p, diff)
				}
			}
			wantNothingLeft(t, "afterwards", w)
		})
	}
}
