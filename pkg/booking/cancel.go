package booking

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Cancel withdraws a proposal, or takes a confirmed event out of the calendars. Cancelling twice is cancelling once.
// The cancelled event counts one up, so that calendars take its file for the last word.
func (d *Desk) Cancel(ctx context.Context, id meet.ProposalID) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "cancel proposal %s", id) }()
	event, turn, err := d.cfg.Proposals.LoadProposal(ctx, id)
	if err != nil || event.Status == meet.Cancelled {
		return event, err
	}
	b := booking{event: event, turn: turn}
	return d.withHold(ctx, b, func(ctx context.Context) (meet.Event, error) { return d.cancel(ctx, id) })
}

// cancel runs under the hold, so that no confirmation is under way. Where recording fails after the event was
// removed, cancelling again finishes it.
func (d *Desk) cancel(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	if err != nil {
		return meet.Event{}, err
	}
	if event.Status == meet.Confirmed {
		if err := d.cfg.Writer.Remove(ctx, event); err != nil {
			return meet.Event{}, err
		}
	}
	return d.cfg.Proposals.UpdateProposal(ctx, id, func(p *meet.Event) error {
		if p.Status != meet.Cancelled { // another may have been quicker
			p.Status, p.Sequence = meet.Cancelled, p.Sequence+1
		}
		return nil
	})
}
