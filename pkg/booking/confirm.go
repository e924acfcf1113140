package booking

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// undoTime is kept back of every hold, so that a confirmation that runs out of time can still undo what it wrote.
const undoTime = 5 * time.Second

// Confirm writes a proposal to the calendars of its participants, at the chosen alternative where there is a choice.
// The same confirmation twice gives the same event. Where the time has gone the error is a *GoneError with other
// times, which can be chosen then; a calendar that was read for the proposal and cannot be read now is a retryable fault. A proposal that
// changes a confirmed event moves that event.
func (d *Desk) Confirm(ctx context.Context, id meet.ProposalID, c Choice) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "confirm proposal %s", id) }()
	b, err := d.prepare(ctx, id, c)
	if err == nil && b.settled {
		return b.event, nil
	}
	var event meet.Event
	if err == nil {
		event, err = d.withHold(ctx, b, func(ctx context.Context) (meet.Event, error) { return d.book(ctx, b, c) })
	}
	if g, ok := errors.AsType[*GoneError](err); ok && d.cfg.Fresh != nil {
		g.Slots = d.offer(ctx, b)
	}
	return event, err
}

// booking is a confirmation in the making.
type booking struct {
	// event is what will be written.
	event meet.Event
	turn  meet.Turn
	// settled says that it was written before.
	settled bool
	// moved is the confirmed event that this one changes; nil where it is a new one.
	moved *meet.Event
	// ancestors are the proposals that this one takes the place of, moved among them.
	ancestors []meet.Event
}

// prepare reads the proposal and decides what there is to do. On a *GoneError the booking is filled in too.
func (d *Desk) prepare(ctx context.Context, id meet.ProposalID, c Choice) (b booking, err error) {
	if b.event, b.turn, err = d.cfg.Proposals.LoadProposal(ctx, id); err != nil {
		return b, err
	}
	if err := c.validate(b.event); err != nil {
		return b, err
	}
	switch {
	case b.event.Status == meet.Cancelled:
		return b, fault.New(fault.Conflict, "This proposal was withdrawn or replaced by a later one.")
	case b.event.Status == meet.Confirmed && c.made(b.event):
		b.settled = true
		return b, nil
	case b.event.Status == meet.Confirmed:
		return b, fault.New(fault.Conflict, "This event is already booked for %s. Ask for a change to move it.", when(b.event))
	}
	if b.event, err = c.apply(b.event, d.cfg.Links); err != nil {
		return b, err
	}
	if err := c.meant(b.event); err != nil {
		return b, err
	}
	if !d.cfg.Now().Before(b.event.Start) {
		return b, gone("%s has already passed.", when(b.event))
	}
	return b, d.trace(ctx, &b)
}

// maxAncestors bounds how far a chain of changes is followed back.
const maxAncestors = 50

// trace follows the proposals that this one replaces back to the event that stands in the calendars. Its identity
// goes over to this one, so that confirming a change moves the event instead of adding another.
func (d *Desk) trace(ctx context.Context, b *booking) error {
	for id := b.event.Replaces; id != "" && len(b.ancestors) < maxAncestors; {
		older, _, err := d.cfg.Proposals.LoadProposal(ctx, id)
		if fault.CodeOf(err) == fault.NotFound {
			return nil
		}
		if err != nil {
			return err
		}
		if b.overtaken(older) {
			return fault.New(fault.Conflict, "The event was changed in another way since. Ask for the change again.")
		}
		b.ancestors = append(b.ancestors, older)
		// Files of the older one, of its cancellation too, may be about.
		b.event.Sequence = max(b.event.Sequence, older.Sequence+1)
		if older.Status == meet.Confirmed {
			b.moved = &older
			b.event.UID = older.UID
			return nil
		}
		id = older.Replaces
	}
	return nil
}

// overtaken reports whether another change of the older proposal was confirmed before this one.
func (b booking) overtaken(older meet.Event) bool {
	by := older.ReplacedBy
	isBy := func(e meet.Event) bool { return e.ID == by }
	return by != "" && !isBy(b.event) && !slices.ContainsFunc(b.ancestors, isBy)
}

// book runs under the hold. Everything is read again, because it may have changed while waiting; an index that means
// something else now than it did before is not what was chosen.
func (d *Desk) book(ctx context.Context, chosen booking, c Choice) (meet.Event, error) {
	b, err := d.prepare(ctx, chosen.event.ID, c)
	if err != nil || b.settled {
		return b.event, err
	}
	if !sameOffer(b.event, chosen.event) {
		return meet.Event{}, changedMeanwhile()
	}
	if err := d.check(ctx, b); err != nil {
		return meet.Event{}, err
	}
	return d.commit(ctx, b)
}

// commit writes and records. Once it has begun it goes through to its end, or back to its start, even where the
// client has gone.
func (d *Desk) commit(ctx context.Context, b booking) (meet.Event, error) {
	deadline, _ := ctx.Deadline()
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	b.event.Status = meet.Confirmed
	if err := d.write(ctx, b); err != nil {
		return meet.Event{}, d.undo(ctx, b, fmt.Errorf("write event: %w", err))
	}
	event, err := d.record(ctx, b)
	if err != nil {
		return meet.Event{}, d.undo(ctx, b, fmt.Errorf("record event: %w", err))
	}
	d.retire(ctx, b)
	return event, nil
}

// write puts the event where it belongs. Whoever took part in the event as it was, and no longer does, loses it
// first.
func (d *Desk) write(ctx context.Context, b booking) error {
	if dropped, ok := b.dropped(); ok {
		if err := d.cfg.Writer.Remove(ctx, dropped); err != nil {
			return err
		}
	}
	return d.cfg.Writer.Write(ctx, b.event)
}

// dropped is the moved event with only those participants whom the change leaves out.
func (b booking) dropped() (meet.Event, bool) {
	if b.moved == nil {
		return meet.Event{}, false
	}
	old := *b.moved
	old.Participants = slices.DeleteFunc(slices.Clone(old.Participants), func(p meet.Participant) bool {
		return slices.ContainsFunc(b.event.Participants, func(q meet.Participant) bool { return p.ID == q.ID && p.Name == q.Name })
	})
	return old, len(old.Participants) > 0
}

// record marks the proposal as confirmed. A store that failed may have stored it all the same, so it is asked.
func (d *Desk) record(ctx context.Context, b booking) (meet.Event, error) {
	event, err := d.cfg.Proposals.UpdateProposal(ctx, b.event.ID, func(p *meet.Event) error {
		if p.Status != meet.Proposed {
			return fault.New(fault.Conflict, "This proposal was changed at the same time.")
		}
		*p = b.event
		return nil
	})
	if err == nil {
		return event, nil
	}
	stored, _, loadErr := d.cfg.Proposals.LoadProposal(ctx, b.event.ID)
	if loadErr == nil && stored.Status == meet.Confirmed && stored.Start.Equal(b.event.Start) {
		return stored, nil
	}
	return meet.Event{}, err
}

// undo takes back what was written, and puts a moved event where it was. cause is what went wrong before.
func (d *Desk) undo(ctx context.Context, b booking, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime-time.Second)
	defer cancel()
	err := d.cfg.Writer.Remove(ctx, b.event)
	if err == nil && b.moved != nil {
		err = d.cfg.Writer.Write(ctx, *b.moved)
	}
	if err != nil {
		f := fault.New(fault.Unavailable, "The event could not be booked properly and may stand in some calendars. Please confirm it again.")
		return f.Later(0).Because(errors.Join(cause, fmt.Errorf("undo: %w", err)))
	}
	return cause
}

// retire marks what the confirmed event replaced, so that neither an old proposal nor another change of it can be
// confirmed any more. The booking stands whether that succeeds or not; a second attempt is all that is worth making.
func (d *Desk) retire(ctx context.Context, b booking) {
	for _, old := range b.ancestors {
		replaced := func(p *meet.Event) error {
			p.Status, p.ReplacedBy = meet.Cancelled, b.event.ID
			return nil
		}
		if _, err := d.cfg.Proposals.UpdateProposal(ctx, old.ID, replaced); err != nil {
			_, _ = d.cfg.Proposals.UpdateProposal(ctx, old.ID, replaced)
		}
	}
}

// freshTime bounds the search for other times and their being put on offer.
const freshTime = 8 * time.Second

// offer looks for other times and makes them the proposal's alternatives. It is best effort: the user is told that the
// time has gone, with or without others. Times that could not be put on offer are not shown, because their indices
// would take others.
func (d *Desk) offer(ctx context.Context, b booking) []meet.Slot {
	ctx, cancel := context.WithTimeout(ctx, freshTime)
	defer cancel()
	slots, err := d.cfg.Fresh(ctx, b.turn, b.event)
	if err != nil || len(slots) == 0 {
		return nil
	}
	_, err = d.cfg.Proposals.UpdateProposal(ctx, b.event.ID, func(p *meet.Event) error {
		if p.Status != meet.Proposed {
			return fault.New(fault.Conflict, "This proposal was changed at the same time.")
		}
		p.Alternatives.Slots = slots
		return nil
	})
	if err != nil {
		return nil
	}
	return slots
}

// when names the event's start for a person, in the event's own zone.
func when(e meet.Event) string {
	start := e.Start
	if e.Timezone != "" {
		start = start.In(meet.Person{Timezone: e.Timezone}.Zone())
	}
	return start.Format("Monday, January 2 at 3:04 PM")
}
