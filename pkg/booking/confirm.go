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

// Confirm writes a proposal, or the chosen alternative, to the calendars of its participants. It is idempotent. If the
// time has gone the error is a *GoneError with other times, which can be chosen then; a calendar that was read for the
// proposal and cannot be read now is a retryable fault. A proposal that changes a confirmed event moves that event. An
// unfinished earlier confirmation is finished or taken back first.
func (d *Desk) Confirm(ctx context.Context, id meet.ProposalID, c Choice) (_ meet.Event, err error) {
	defer func() { fault.Wrap(&err, "confirm proposal %s", id) }()
	b, err := d.prepare(ctx, id, c)
	if err == nil && b.settled {
		return b.event, nil
	}
	var event meet.Event
	if err == nil {
		event, err = d.exclusively(ctx, b, c)
	}
	if g, ok := errors.AsType[*GoneError](err); ok && d.cfg.Fresh != nil {
		g.Slots = d.offer(ctx, b)
	}
	return event, err
}

// exclusively books under the claim on the event and the hold on its people.
func (d *Desk) exclusively(ctx context.Context, b booking, c Choice) (meet.Event, error) {
	g, err := d.await(ctx, b.event.UID)
	if err != nil {
		return meet.Event{}, err
	}
	defer g.LetGo(ctx)
	if g.saga.Unfinished() {
		if err := d.resume(ctx, g); err != nil {
			return meet.Event{}, unfinished(err)
		}
		if b, err = d.prepare(ctx, b.event.ID, c); err != nil || b.settled {
			return b.event, err
		}
	}
	if err := d.take(ctx, g, d.newHold(idsOf(&b.event, b.moved), b.event.ID)); err != nil {
		return meet.Event{}, err
	}
	defer d.release(ctx, g)
	return d.book(ctx, g, b, c)
}

// unfinished is the answer while an earlier booking of the same event is neither finished nor taken back.
func unfinished(cause error) error {
	if f := fault.As(cause); f.Code == fault.CalendarFailed && !f.Retryable {
		return cause // it says what to do
	}
	return fault.New(fault.Unavailable, "An earlier booking of this event is still being finished. Please try again in "+
		"a moment.").
		Later(5 * time.Second).Because(cause)
}

// booking is a confirmation in the making.
type booking struct {
	// event is the event to write.
	event meet.Event
	turn  meet.Turn
	// settled says that it was written before.
	settled bool
	// moved is the confirmed event that this one changes; nil for a new one.
	moved *meet.Event
	// ancestors are the proposals that this one replaces, with moved.
	ancestors []meet.Event
}

// prepare reads the proposal and makes the booking. With a *GoneError the booking is filled in too.
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
		return b, fault.New(fault.Conflict, "This event is already booked for %s. Ask for a change to move it.",
			when(b.event))
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

// trace follows the replaced proposals back to the event in the calendars. This one takes over its UID, so that
// confirming a change moves the event instead of adding another.
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
		// People may have files of the older one, even of its cancellation.
		b.event.Sequence = max(b.event.Sequence, older.Sequence+1)
		if older.Status == meet.Confirmed {
			b.moved = &older
			b.event.UID = older.UID
			if b.event.EventType == meet.Video {
				b.event.JoinURL = older.JoinURL
			}
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

// book runs under the hold. It reads everything again, because it may have changed while waiting; an index that now
// means another alternative is not the user's choice.
func (d *Desk) book(ctx context.Context, g *grip, chosen booking, c Choice) (meet.Event, error) {
	ctx, cancel := context.WithTimeout(ctx, d.cfg.Limit)
	defer cancel()
	b, err := d.prepare(ctx, chosen.event.ID, c)
	if err != nil || b.settled {
		return b.event, err
	}
	if !sameOffer(b.event, chosen.event) || b.event.UID != chosen.event.UID ||
		!slices.Equal(idsOf(&b.event, b.moved), idsOf(&chosen.event, chosen.moved)) {
		return meet.Event{}, changedMeanwhile()
	}
	readings, err := d.check(ctx, b)
	if err != nil {
		return meet.Event{}, err
	}
	b, ways, err := d.settle(ctx, b, c, readings)
	if err != nil {
		return meet.Event{}, err
	}
	deliveries, err := d.cfg.Courier.Plan(ctx, b.event, b.turn.Organizer)
	if err != nil {
		return meet.Event{}, fmt.Errorf("plan deliveries: %w", err)
	}
	before := g.saga
	g.saga = newSaga(b, deliveries, before)
	g.saga.Held, g.saga.HeldBefore = ways, before.Held
	return d.carry(ctx, g)
}

// freshTime bounds the search for other times and their storing.
const freshTime = 8 * time.Second

// offer looks for other times and makes them the proposal's alternatives. It is best effort: the user learns that the
// time has gone, with or without others. Times that could not be stored are not shown, because their indexes would mean
// others.
func (d *Desk) offer(ctx context.Context, b booking) []meet.Slot {
	ctx, cancel := context.WithTimeout(ctx, freshTime)
	defer cancel()
	slots, err := d.cfg.Fresh(ctx, b.turn, b.event)
	if err == nil && len(slots) > 0 {
		_, err = d.cfg.Proposals.UpdateProposal(ctx, b.event.ID, func(p *meet.Event) error {
			if p.Status != meet.Proposed {
				return fault.New(fault.Conflict, "This proposal was changed at the same time.")
			}
			p.Alternatives.Slots, p.Alternatives.Renewed = slots, true
			return nil
		})
	}
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("proposal", string(b.event.ID)).
			Msg("no other times could be offered for one that has gone")
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
