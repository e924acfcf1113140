package booking

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Cancel withdraws a proposal, or takes a confirmed event out of the calendars. Cancelling twice is cancelling once.
// The cancelled event counts one up, so that calendars take its file for the last word. Where it fails half-way it is
// finished later, by whoever cancels again or by Work.
func (d *Desk) Cancel(ctx context.Context, id meet.ProposalID) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "cancel proposal %s", id) }()
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	if err != nil || event.Status == meet.Cancelled {
		return event, err
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
		return event, nil
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
