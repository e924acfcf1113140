package booking

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// undoTime is how long taking back may take beyond Config.Limit.
const undoTime = 10 * time.Second

// carry starts the saga and goes to its end. Once begun it goes there, or back to its start, even if the client is
// gone.
func (d *Desk) carry(ctx context.Context, g *grip) (meet.Event, error) {
	ctx, cancel := g.Detached(ctx, d.cfg.Limit)
	defer cancel()
	g.saga.Hold, g.recorded = g.held(), false
	if err := d.save(ctx, g); err != nil {
		return meet.Event{}, err
	}
	defer d.forget(ctx, idsOf(&g.saga.Event, g.saga.Moved))
	err := d.forth(ctx, g)
	switch {
	case err == nil:
	case g.recorded:
		d.note(ctx, g, err) // the booking stands; Work tidies up
	case g.saga.cancels() || errors.Is(err, errLeft):
		d.note(ctx, g, err)
		return meet.Event{}, err
	default:
		if err := d.takeBack(ctx, g, err); err != nil {
			return meet.Event{}, err
		}
	}
	return g.saga.Event, nil
}

// forth does the remaining steps.
func (d *Desk) forth(ctx context.Context, g *grip) error {
	for g.saga.At < len(g.saga.Steps) {
		step := g.saga.Steps[g.saga.At]
		if err := claim.Try(ctx, func(ctx context.Context) error { return d.do(ctx, g, step) }); err != nil {
			return fmt.Errorf("%s event: %w", step.Do, err)
		}
		if g.saga.At++; g.saga.At == len(g.saga.Steps) {
			break // the last save says that all is done
		}
		if err := d.save(ctx, g); err != nil {
			return err
		}
	}
	return d.close(ctx, g)
}

// takeBack undoes the saga. It returns cause, the failure, if everything could be undone, and nil if the outcome was
// recorded after all.
func (d *Desk) takeBack(ctx context.Context, g *grip, cause error) error {
	ctx, cancel := g.Detached(ctx, undoTime)
	defer cancel()
	err := d.turnBack(ctx, g)
	if err != nil {
		d.note(ctx, g, err)
	}
	switch {
	case g.recorded:
		return nil
	case err == nil:
		return cause
	}
	f := fault.New(fault.Unavailable, "The event could not be booked properly and may stand in some calendars. "+
		"It is being taken back; please try again in a moment.")
	return f.Later(5 * time.Second).Because(errors.Join(cause, fmt.Errorf("undo: %w", err)))
}

// turnBack records that the saga goes back, so that no process goes forth again, and then goes back.
func (d *Desk) turnBack(ctx context.Context, g *grip) error {
	g.saga.turn()
	if err := d.save(ctx, g); err != nil {
		return err
	}
	return d.back(ctx, g)
}

// back undoes the steps, the last one first. If the outcome was recorded after all, it goes forth instead.
func (d *Desk) back(ctx context.Context, g *grip) error {
	recorded, err := d.fence(ctx, g.saga)
	if err != nil {
		return err
	}
	if g.recorded = recorded; recorded {
		// The steps from there can be done again.
		g.saga.Course, g.saga.At = Forth, max(g.saga.At, 0)
		return d.forth(ctx, g)
	}
	for g.saga.At >= 0 {
		step := g.saga.Steps[g.saga.At]
		if err := claim.Try(ctx, func(ctx context.Context) error { return d.undo(ctx, g, step) }); err != nil {
			return fmt.Errorf("undo %s: %w", step.Do, err)
		}
		if g.saga.At--; g.saga.At < 0 {
			break
		}
		if err := d.save(ctx, g); err != nil {
			return err
		}
	}
	if err := d.recount(ctx, g.saga); err != nil {
		return err
	}
	return d.close(ctx, g)
}

// fence changes the proposal, so that no process that read it before can record an outcome any more, and reports
// whether one has. If guests were informed, the sequence rises: a later confirmation must be newer for them.
func (d *Desk) fence(ctx context.Context, s Saga) (recorded bool, err error) {
	delivered := s.delivered(s.At + 1)
	err = claim.Try(ctx, func(ctx context.Context) error {
		now, err := d.cfg.Proposals.UpdateProposal(ctx, s.Proposal, func(p *meet.Event) error {
			if p.Status == meet.Proposed && delivered {
				p.Sequence = max(p.Sequence, s.Event.Sequence+1)
			}
			return nil
		})
		recorded = err == nil && s.recordedIn(now)
		if fault.CodeOf(err) == fault.NotFound {
			return nil // the proposal has expired
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("fence proposal: %w", err)
	}
	return recorded, nil
}

// recount raises the moved event's sequence after it was restored.
func (d *Desk) recount(ctx context.Context, s Saga) error {
	if s.Moved == nil {
		return nil
	}
	return claim.Try(ctx, func(ctx context.Context) error {
		_, err := d.cfg.Proposals.UpdateProposal(ctx, s.Moved.ID, func(p *meet.Event) error {
			p.Sequence = max(p.Sequence, s.restored().Sequence)
			return nil
		})
		if fault.CodeOf(err) == fault.NotFound {
			return nil
		}
		return err
	})
}

// errLeft says that the saga's record could not be written, so that another process continues from the previous one.
var errLeft = errors.New("the record of what is being done cannot be written")

// save records the saga's progress.
func (d *Desk) save(ctx context.Context, g *grip) error {
	err := d.cfg.Sagas.Save(ctx, g.Claim, g.saga)
	if err == nil {
		return nil
	}
	if fault.CodeOf(err) == fault.Conflict {
		err = errors.Join(claim.ErrLost, err)
	}
	return fault.New(fault.Unavailable, "The booking could not be finished just now. Please try again in a moment.").
		Later(5 * time.Second).Because(errors.Join(errLeft, err))
}

// forget is best effort: cached readings expire.
func (d *Desk) forget(ctx context.Context, people []meet.PersonID) {
	if err := d.cfg.Courier.Forget(ctx, people); err != nil {
		zerolog.Ctx(ctx).Debug().Err(err).Msg("earlier readings of calendars could not be dropped")
	}
}
