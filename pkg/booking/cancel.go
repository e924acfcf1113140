package booking

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Cancel withdraws a proposal, or takes a confirmed event out of the calendars. Cancelling twice is cancelling once. An
// event that was moved stands as another proposal, which is the one to cancel: to say of the older one that it is
// cancelled would have people stay away, and is a fault.Conflict.
// The cancelled event counts one up, so that calendars take its file for the last word. Where it fails half-way it is
// finished later, by whoever cancels again or by Work.
func (d *Desk) Cancel(ctx context.Context, id meet.ProposalID) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "cancel proposal %s", id) }()
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	if err != nil {
		return meet.Event{}, err
	}
	if event.Status == meet.Cancelled {
		return event, d.stands(ctx, event)
	}
	g, err := d.await(ctx, event.UID)
	if err != nil {
		return meet.Event{}, err
	}
	defer d.letGo(ctx, g)
	if g.saga.Unfinished() {
		if err := d.resume(ctx, g); err != nil {
			return meet.Event{}, unfinished(err)
		}
	}
	if err := d.take(ctx, g, d.newHold(idsOf(event), id)); err != nil {
		return meet.Event{}, err
	}
	defer d.release(ctx, g)
	return d.cancel(ctx, g, id)
}

// cancel runs under the hold, so that no confirmation is under way.
func (d *Desk) cancel(ctx context.Context, g *grip, id meet.ProposalID) (meet.Event, error) {
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	switch {
	case err != nil:
		return meet.Event{}, err
	case event.Status == meet.Cancelled:
		return event, d.stands(ctx, event)
	case event.Status == meet.Confirmed:
		g.saga = newCancellation(event, g.saga)
		return d.carry(ctx, g)
	}
	return d.cfg.Proposals.UpdateProposal(ctx, id, func(p *meet.Event) error {
		if p.Status == meet.Proposed { // another may have been quicker
			p.Status, p.Sequence = meet.Cancelled, p.Sequence+1
		}
		return nil
	})
}

// stands is the fault.Conflict that a proposal of which nothing is left to cancel was moved, and that the event stands.
func (d *Desk) stands(ctx context.Context, e meet.Event) error {
	for range maxAncestors {
		if e.ReplacedBy == "" {
			return nil
		}
		later, _, err := d.cfg.Proposals.LoadProposal(ctx, e.ReplacedBy)
		switch {
		case fault.CodeOf(err) == fault.NotFound:
			return nil // it is kept for longer than the event stands
		case err != nil:
			return err
		case later.Status == meet.Confirmed:
			return fault.New(fault.Conflict, "Nothing was cancelled: this event was moved to %s, and stands as proposal %s now. "+
				"Cancel that one.", when(later), later.ID)
		}
		e = later
	}
	return nil
}
