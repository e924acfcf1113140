package booking

import (
	"context"
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// uidSuffix follows the id of the first proposal of an event in its UID.
const uidSuffix = "@convene"

// Amend makes a change of a confirmed event, which its organizer made in their own calendar: in the book, in the
// proposal, and in the copies that Convene keeps for others. Others are told as of a move. The owner may take a time
// that is not free. A repeat does nothing. An event of no proposal, or of another organizer, is a fault.NotFound.
func (d *Desk) Amend(ctx context.Context, a meet.Amending) (err error) {
	uid := a.UID
	defer func() { fault.Wrap(&err, "amend event %s", uid) }()
	if !strings.HasSuffix(uid, uidSuffix) {
		return fault.New(fault.NotFound, "This event was not booked here.")
	}
	g, err := d.await(ctx, uid)
	if err != nil {
		return err
	}
	defer g.LetGo(ctx)
	if g.saga.Unfinished() {
		if err := d.resume(ctx, g); err != nil {
			return unfinished(err)
		}
	}
	before, turn, err := d.latest(ctx, uid)
	if err == nil && turn.Organizer.ID != a.Owner {
		err = fault.New(fault.NotFound, "Only its organizer can change this event.")
	}
	if err != nil {
		return err
	}
	after := before
	after.Participants = slices.Clone(before.Participants)
	a.Make(&after)
	if untouched(before, after) {
		return nil
	}
	if err := d.take(ctx, g, d.newHold(idsOf(&before, &after), before.ID)); err != nil {
		return err
	}
	defer d.release(ctx, g)
	if after.Status == meet.Cancelled {
		g.saga = newCancellation(before, g.saga)
	} else {
		if g.saga, err = d.newAmendment(ctx, before, after, turn, g.saga); err != nil {
			return err
		}
		g.saga.Change = a.Key
		g.saga.Steps = slices.DeleteFunc(g.saga.Steps, func(s Step) bool {
			return s.Do == Deliver && s.To.Provider == a.Provider && s.To.Owner.ID == a.Owner
		})
	}
	_, err = d.carry(ctx, g)
	return err
}

// untouched reports whether an amendment leaves the event as it was: it was made before, or is of what only the owner's
// calendar has.
func untouched(a, b meet.Event) bool {
	return a.Status == b.Status && a.Title == b.Title && a.Start.Equal(b.Start) && a.End.Equal(b.End) &&
		slices.Equal(a.Participants, b.Participants)
}

// latest is the proposal that the event with the UID is now, with its turn.
func (d *Desk) latest(ctx context.Context, uid string) (meet.Event, meet.Turn, error) {
	id := meet.ProposalID(strings.TrimSuffix(uid, uidSuffix))
	for range maxAncestors {
		e, turn, err := d.cfg.Proposals.LoadProposal(ctx, id)
		switch {
		case err != nil:
			return e, turn, err
		case e.ReplacedBy != "":
			id = e.ReplacedBy
		case e.Status == meet.Proposed:
			return e, turn, fault.New(fault.NotFound, "This event is not booked.")
		default:
			return e, turn, nil
		}
	}
	return meet.Event{}, meet.Turn{}, fault.New(fault.NotFound, "This event is not booked.")
}

// newAmendment is the saga of a changed event. One that is brought back is delivered as a new one is.
func (d *Desk) newAmendment(ctx context.Context, before, after meet.Event, turn meet.Turn, last Saga) (Saga, error) {
	by := after.Start.Sub(before.Start)
	for i := range after.Participants {
		after.Participants[i].LocalStart = after.Participants[i].LocalStart.Add(by)
	}
	after.Sequence = before.Sequence + 1
	if by != 0 {
		after.Conflicts, after.Unknown = []meet.Conflict{}, nil // they were of the other time
	}
	after.Links = meet.Links{}
	if d.cfg.Links != nil {
		after.Links = d.cfg.Links(after)
	}
	b, deliveries := booking{event: after, moved: &before}, last.Standing
	if before.Status != meet.Confirmed {
		b.moved = nil
		var err error
		if deliveries, err = d.cfg.Courier.Plan(ctx, after, turn.Organizer); err != nil {
			return Saga{}, err
		}
	}
	s := newSaga(b, deliveries, last)
	s.Held, s.HeldBefore = last.Held, last.Held
	return s, nil
}
