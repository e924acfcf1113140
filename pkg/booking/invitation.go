package booking

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// lookTime bounds one check of invitations.
const lookTime = 15 * time.Second

// lookRests are the pauses between checks: a server may send invitations some time after it accepts the event, and
// learn of a bounced mail later still.
var lookRests = [...]time.Duration{10 * time.Second, time.Minute, 10 * time.Minute}

// invites reports whether the delivery sends invitations.
func (d Delivery) invites() bool { return len(d.Guests) > 0 }

// look checks the fate of the invitations, if it is open. A guest whose invitation failed gets a copy, once, and the
// event and the Outbox say so. Failures are tried again at the next look; they never make a booking unfinished. The
// only error is that the record could not be written, so that the Outbox must not be informed.
func (d *Desk) look(ctx context.Context, g *grip) error {
	if g.saga.Looks == 0 {
		return nil
	}
	ctx, cancel := g.Detached(ctx, lookTime)
	defer cancel()
	open, err := d.lookAt(ctx, g)
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Msg("what became of invitations could not be found out")
	}
	if g.saga.Looks--; !open && err == nil {
		g.saga.Looks = 0
	}
	if g.saga.Looks > 0 {
		g.Rest = lookRests[len(lookRests)-g.saga.Looks]
	}
	return d.save(ctx, g)
}

// lookAt checks once. It reports whether more may be known later: not from a calendar that says nothing of any guest
// twice.
func (d *Desk) lookAt(ctx context.Context, g *grip) (open bool, err error) {
	e, silent := g.saga.Event, true
	e.Participants = slices.Clone(e.Participants)
	for _, of := range slices.Clone(g.saga.Standing) {
		if !of.invites() {
			continue
		}
		all, askErr := d.cfg.Courier.Invitations(ctx, of, g.saga.Event)
		err = errors.Join(err, askErr)
		for _, one := range all {
			i := slices.IndexFunc(e.Participants, func(p meet.Participant) bool { return strings.EqualFold(p.Email, one.Email) })
			if i < 0 || one.Email == "" || e.Participants[i].Copied {
				continue // a guest with a copy needs no invitation
			}
			p := &e.Participants[i]
			p.Invitation = one.Invitation
			if p.Invitation == meet.InvitationFailed && one.Copy != nil {
				copyErr := d.copy(ctx, g, *one.Copy)
				p.Copied, err = copyErr == nil, errors.Join(err, copyErr)
			}
			open = open || p.Invitation == "" || p.Invitation == meet.InvitationUnknown
			silent = silent && p.Invitation == ""
		}
	}
	if first := g.saga.Looks > len(lookRests); silent && !first {
		open = false
	}
	if slices.Equal(e.Participants, g.saga.Event.Participants) {
		return open, err
	}
	return open, errors.Join(err, d.mark(ctx, g, e))
}

// copy writes the event to a guest's own calendar. It records that first, so that the copy is removed with the event
// whatever happens.
func (d *Desk) copy(ctx context.Context, g *grip, to Delivery) error {
	if _, stands := find(g.saga.Standing, to); !stands {
		g.saga.Standing = append(g.saga.Standing, to)
		if err := d.save(ctx, g); err != nil {
			return err
		}
	}
	_, err := d.cfg.Courier.Deliver(ctx, to, g.saga.Event)
	return err
}

// mark replaces the event with e, which knows more of invitations: in the proposal, in the owed notices and, if an
// invitation has failed, in a new notice.
func (d *Desk) mark(ctx context.Context, g *grip, e meet.Event) error {
	_, err := d.cfg.Proposals.UpdateProposal(ctx, e.ID, func(p *meet.Event) error {
		if g.saga.recordedIn(*p) {
			p.Participants = e.Participants
		}
		return nil
	})
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return err
	}
	for i, n := range g.saga.Owed {
		if n.Event.ID == e.ID && n.Event.Sequence == e.Sequence {
			g.saga.Owed[i].Event = e
		}
	}
	failed := (Notice{Event: e}).Failed() > (Notice{Event: g.saga.Event}).Failed()
	if g.saga.Event = e; failed && d.cfg.Outbox != nil {
		g.saga.Owed = append(g.saga.Owed, Notice{Became: Undelivered, Event: e, At: d.cfg.Now()})
	}
	return nil
}
