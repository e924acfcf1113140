package booking

import (
	"cmp"
	"context"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Cancel withdraws a proposal, or removes a confirmed event from the calendars. It is idempotent. A moved event belongs
// to another proposal, which is the one to cancel: a cancellation of the older one would make people stay away, and is
// a fault.Conflict. The cancelled event has a higher sequence, so that calendars accept its file. A cancellation that
// fails half-way is finished later, by another Cancel or by Work.
func (d *Desk) Cancel(ctx context.Context, id meet.ProposalID) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "cancel proposal %s", id) }()
	event, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
	if err != nil {
		return meet.Event{}, err
	}
	if event.Status == meet.Cancelled {
		return event, d.moved(ctx, event)
	}
	g, err := d.await(ctx, event.UID)
	if err != nil {
		return meet.Event{}, err
	}
	defer g.LetGo(ctx)
	if g.saga.Unfinished() {
		if err := d.resume(ctx, g); err != nil {
			return meet.Event{}, unfinished(err)
		}
	}
	if err := d.take(ctx, g, d.newHold(idsOf(&event), id)); err != nil {
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
		return event, d.moved(ctx, event)
	case event.Status == meet.Confirmed:
		g.saga = newCancellation(event, g.saga)
		return d.carry(ctx, g)
	}
	if err := d.outrank(ctx, event); err != nil {
		return meet.Event{}, err
	}
	return d.cfg.Proposals.UpdateProposal(ctx, id, func(p *meet.Event) error {
		if p.Status == meet.Proposed { // another call may have been faster
			p.Status, p.Sequence = meet.Cancelled, p.Sequence+1
		}
		return nil
	})
}

// outrank raises the sequence of the events that a change would replace before the change is withdrawn: people may have
// the change's file, which has the same UID and must not be newer than that of the remaining event. It comes first,
// because a cancelled proposal is not cancelled again.
func (d *Desk) outrank(ctx context.Context, change meet.Event) error {
	id := change.Replaces
	for n := 0; id != "" && n < maxAncestors; n++ {
		older, err := d.cfg.Proposals.UpdateProposal(ctx, id, func(p *meet.Event) error {
			if p.Status != meet.Cancelled {
				p.Sequence = max(p.Sequence, change.Sequence+2)
			}
			return nil
		})
		if fault.CodeOf(err) == fault.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		if id = older.Replaces; older.Status == meet.Confirmed {
			return nil
		}
	}
	return nil
}

// moved is a fault.Conflict if the cancelled proposal's event still stands, because it was moved.
func (d *Desk) moved(ctx context.Context, e meet.Event) error {
	if e.ReplacedBy == "" {
		return nil
	}
	standing, err := d.Standing(ctx, e)
	if err != nil || standing == nil {
		return err
	}
	return fault.New(fault.Conflict, "Nothing was cancelled: this event was moved to %s, and stands as proposal %s now. "+
		"Cancel that one.", when(*standing), standing.ID)
}

// Standing is the confirmed proposal of e's event: the one to which it was moved or, for an unconfirmed change, the one
// that it would change. Both have one UID, so that a file that cancels the one would cancel the other. Nil means that
// there is no confirmed event.
func (d *Desk) Standing(ctx context.Context, e meet.Event) (_ *meet.Event, err error) {
	defer func() { fault.Wrap(&err, "find what stands of proposal %s", e.ID) }()
	seen := map[meet.ProposalID]bool{"": true}
	for e.Status != meet.Confirmed {
		seen[e.ID] = true
		next := cmp.Or(e.ReplacedBy, e.Replaces)
		if seen[next] || len(seen) > maxAncestors {
			return nil, nil
		}
		e, _, err = d.cfg.Proposals.LoadProposal(ctx, next)
		if fault.CodeOf(err) == fault.NotFound {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return &e, nil
}
