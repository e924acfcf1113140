package booking_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestHundredConfirmationsOfOneProposalWriteOneEvent(t *testing.T) {
	t.Parallel()
	w := newWorld()
	id := w.propose("p1")
	d := w.desk()
	errs := together(100, func(int) error {
		e, err := d.Confirm(t.Context(), id, booking.Choice{})
		if err == nil && e.Status != meet.Confirmed {
			err = fmt.Errorf("status %s", e.Status)
		}
		return err
	})
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
	if w.writes != 1 {
		t.Errorf("writes = %d, want 1", w.writes)
	}
}

func TestHundredProposalsForOneSlotGiveOneEvent(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for i := range 100 {
		w.propose(meet.ProposalID(fmt.Sprint("p", i)))
	}
	d := w.desk()
	errs := together(100, func(i int) error {
		_, err := d.Confirm(t.Context(), meet.ProposalID(fmt.Sprint("p", i)), booking.Choice{})
		return err
	})
	confirmed := 0
	for _, err := range errs {
		if err == nil {
			confirmed++
			continue
		}
		if got := fault.CodeOf(err); got != fault.SlotGone {
			t.Errorf("loser's error = %v, want slot_gone", err)
		}
	}
	if confirmed != 1 || w.writes != 1 {
		t.Errorf("%d confirmed with %d writes, want exactly one", confirmed, w.writes)
	}
}

func TestConfirmGivesUpWaitingForAHold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.propose("p1")
		w.holds["al"] = taken{"somebody else's", time.Now().Add(time.Hour)}
		start := time.Now()
		_, err := w.desk().Confirm(t.Context(), "p1", booking.Choice{})
		if f := fault.As(err); f.Code != fault.Unavailable || !f.Retryable {
			t.Errorf("error = %v, want a retryable fault", err)
		}
		if waited := time.Since(start); waited < 11*time.Second || waited > 13*time.Second {
			t.Errorf("waited %s, want some 12 s", waited)
		}
	})
}

func TestConfirmFinishesThoughTheClientHasGone(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.propose("p1")
	ctx, leave := context.WithCancel(t.Context())
	cfg := w.config()
	cfg.Book = leavingBook{book{w}, leave}
	d := booking.New(cfg)
	if _, err := d.Confirm(ctx, "p1", booking.Choice{}); err != nil {
		t.Errorf("confirm: %v", err)
	}
	if got := w.proposals["p1"].Status; got != meet.Confirmed {
		t.Errorf("status = %s, want confirmed like the calendar", got)
	}
}

// leavingBook loses the client while it is written to.
type leavingBook struct {
	book  booking.Book
	leave func()
}

type leavingPages struct {
	booking.Pages
	leave func()
}

func (b leavingBook) Under(c booking.Claim) booking.Pages {
	return leavingPages{b.book.Under(c), b.leave}
}

func (p leavingPages) Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	p.leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.Pages.Book(ctx, people, e)
}

// together runs n calls at the same time.
func together(n int, call func(int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	wg.Wait()
	return errs
}

// A process that has lost the claim stops what is under way, since others may be doing the same.
func TestAProcessThatLostItsClaimStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := invitingWorld()
		cfg := w.config()
		cfg.Courier = slowCourier{&w.outside, 20 * time.Second}
		time.AfterFunc(time.Second, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			clear(w.claims)
		})
		began := time.Now()
		_, err := booking.New(cfg).Confirm(t.Context(), "p1", booking.Choice{})
		if f := fault.As(err); f.Code != fault.Unavailable || time.Since(began) > 5*time.Second {
			t.Errorf("confirm = %v after %s, want to be told at once that it is not finished", err, time.Since(began))
		}
		othersWork(t, w, time.Minute)
		if diff := cmp.Diff([]string{"invited 14:00"}, w.outside.alHeard()); diff != "" {
			t.Errorf("Al heard (-want +got):\n%s", diff)
		}
		wantNothingLeft(t, "afterwards", w)
	})
}
