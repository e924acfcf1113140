package booking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// tries is how often a step is tried while a caller waits for it.
	tries = 3
	// stepPause is the pause after the first try, and longestStepPause the longest that a calendar can ask for.
	stepPause        = 100 * time.Millisecond
	longestStepPause = 3 * time.Second
)

// try does a step, and repeats it after temporary failures.
func try(ctx context.Context, do func(context.Context) error) error {
	for i := range tries {
		err := do(ctx)
		if err == nil || i+1 == tries || !passing(err) {
			return err
		}
		pause := max(stepPause<<i, fault.As(err).RetryAfter)
		if pause > longestStepPause {
			return err
		}
		if wait(ctx, pause); ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// passing reports whether the error may be temporary.
func passing(err error) bool { return !errors.Is(err, errLost) && fault.As(err).Retryable }

// do does one step of the saga.
func (d *Desk) do(ctx context.Context, g *grip, step Step) error {
	switch step.Do {
	case BookTime:
		return bookTime(ctx, d.cfg.Book.Under(g.claim), g.saga)
	case Deliver:
		return d.deliver(ctx, g, step.To)
	case Withdraw:
		return d.withdraw(ctx, g.saga, step.To)
	case Unbook:
		return d.cfg.Book.Under(g.claim).Remove(ctx, idsOf(&g.saga.Event), g.saga.UID)
	case Record:
		return d.record(ctx, g)
	case Retire:
		return d.retire(ctx, g.saga)
	default:
		return fmt.Errorf("unknown step %q", step.Do)
	}
}

// bookTime books the time, with its travel, of all participants. Those with accepted conflicts are booked beside them.
func bookTime(ctx context.Context, book Pages, s Saga) error {
	all := idsOf(&s.Event)
	beside := slices.DeleteFunc(slices.Clone(all), func(id meet.PersonID) bool {
		return s.Change == "" && !accepted(s.Event, id)
	})
	stored := s.Event.Stored(s.Held)
	stored.Change = s.Change
	err := book.Book(ctx, without(all, beside), stored)
	if fault.CodeOf(err) == fault.SlotGone {
		taken := gone("%s has just been taken.", when(s.Event))
		taken.Fault.Err = err
		return taken
	}
	if err != nil {
		return err
	}
	if err := book.PutAll(ctx, beside, stored); err != nil {
		return err
	}
	if s.Moved == nil {
		return nil
	}
	return book.Remove(ctx, without(idsOf(s.Moved), all), s.UID)
}

// accepted reports whether the proposal showed a conflict of the person's with the time, or the way there.
func accepted(e meet.Event, id meet.PersonID) bool {
	return slices.ContainsFunc(e.Participants, func(p meet.Participant) bool {
		return p.ID == id && slices.ContainsFunc(e.Conflicts, func(c meet.Conflict) bool {
			return concerns(c, p) && (c.Kind == meet.ConflictBusy || c.Kind == meet.ConflictTravel)
		})
	})
}

// deliver writes to one calendar and keeps the address of an online event.
func (d *Desk) deliver(ctx context.Context, g *grip, to Delivery) error {
	url, err := d.cfg.Courier.Deliver(ctx, to, g.saga.Event)
	if err != nil {
		return excused(ctx, to, err)
	}
	if url != "" {
		g.saga.Event.JoinURL = url
	}
	return nil
}

func (d *Desk) withdraw(ctx context.Context, s Saga, from Delivery) error {
	return excused(ctx, s.letting(from), d.cfg.Courier.Withdraw(ctx, from, s.Event))
}

// excused drops permanent errors of an Optional calendar.
func excused(ctx context.Context, at Delivery, err error) error {
	if err == nil || !at.Optional || passing(err) {
		return err
	}
	zerolog.Ctx(ctx).Warn().Err(err).Str("provider", at.Provider).Msg("a calendar was passed over")
	return nil
}

// record stores the proposal's final state, if the claim and the hold are still valid at that moment. A store that
// failed may have stored it, so record looks.
func (d *Desk) record(ctx context.Context, g *grip) error {
	s := g.saga
	_, err := d.cfg.Proposals.UpdateProposal(ctx, s.Proposal, func(p *meet.Event) error {
		if s.recordedIn(*p) {
			return nil
		}
		if p.Status != meet.Proposed && !s.cancels() && s.Change == "" {
			return fault.New(fault.Conflict, "This proposal was changed at the same time.")
		}
		*p = s.Event
		return d.renew(ctx, g)
	})
	if err != nil && !errors.Is(err, errLost) {
		now, _, loadErr := d.cfg.Proposals.LoadProposal(ctx, s.Proposal)
		if loadErr == nil && s.recordedIn(now) {
			err = nil
		}
	}
	g.recorded = err == nil
	return err
}

// retire marks the proposals that the confirmed event replaced, so that neither they nor other changes of them can be
// confirmed.
func (d *Desk) retire(ctx context.Context, s Saga) error {
	for _, id := range s.Ancestors {
		_, err := d.cfg.Proposals.UpdateProposal(ctx, id, func(p *meet.Event) error {
			p.Status, p.ReplacedBy = meet.Cancelled, s.Proposal
			return nil
		})
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return err
		}
	}
	return nil
}

// undo undoes one step, which may not have been done.
func (d *Desk) undo(ctx context.Context, g *grip, step Step) error {
	s := g.saga
	switch step.Do {
	case BookTime:
		return unbook(ctx, d.cfg.Book.Under(g.claim), s)
	case Deliver:
		if old, stood := find(s.Standing, step.To); stood {
			return d.restore(ctx, s, old)
		}
		return d.withdraw(ctx, s, step.To)
	case Withdraw:
		return d.restore(ctx, s, step.To)
	default:
		return nil // other steps leave nothing behind unless the outcome is recorded
	}
}

func unbook(ctx context.Context, book Pages, s Saga) error {
	if s.Moved == nil {
		return book.Remove(ctx, idsOf(&s.Event), s.UID)
	}
	before := idsOf(s.Moved)
	if err := book.PutAll(ctx, before, s.restored().Stored(s.HeldBefore)); err != nil {
		return err
	}
	return book.Remove(ctx, without(idsOf(&s.Event), before), s.UID)
}

// restore writes the moved event back to a calendar.
func (d *Desk) restore(ctx context.Context, s Saga, to Delivery) error {
	if s.Moved == nil {
		return d.withdraw(ctx, s, to)
	}
	_, err := d.cfg.Courier.Deliver(ctx, to, s.restored())
	if fault.CodeOf(err) == fault.Conflict && !passing(err) {
		return nil // it was changed there since, and that stays
	}
	return excused(ctx, s.letting(to), err)
}
