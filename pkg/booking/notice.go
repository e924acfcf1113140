package booking

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// tellTime bounds how long a booking waits for the Outbox. What takes longer is told by whoever sweeps.
const tellTime = 5 * time.Second

// Notice is what became of an event. There is one for each confirmation, move and cancellation that was recorded, and
// one each time it was found that more invitations have failed. What became, the UID and the sequence of the event and
// how many have failed tell it from all others.
type Notice struct {
	Became Fate `json:"became"`
	// Event is the event as it stands from then on.
	Event meet.Event `json:"event"`
	// At is when it was done.
	At time.Time `json:"at"`
}

// Failed is how many invitations to the event are known to have failed.
func (n Notice) Failed() int {
	untold, copied := n.Event.Undelivered()
	return len(untold) + len(copied)
}

// Fate is what becomes of an event.
type Fate string

// An event is confirmed, moved as often as changes of it are confirmed, and cancelled. A proposal that is withdrawn
// before it was confirmed was never an event.
const (
	Confirmed Fate = "confirmed"
	Moved     Fate = "moved"
	Cancelled Fate = "cancelled"
	// Undelivered is of invitations to an event that stands.
	Undelivered Fate = "undelivered"
)

// notice is what is to be told of the saga once it has come to its end.
func (s Saga) notice(at time.Time) Notice {
	n := Notice{Became: Confirmed, Event: s.Event, At: at}
	switch {
	case s.cancels():
		n.Became = Cancelled
	case s.Moved != nil:
		n.Became = Moved
	}
	return n
}

// close records that the saga has come to its end, together with what is owed for it, and then tells what is owed. It
// fails only where the record cannot be written.
func (d *Desk) close(ctx context.Context, g *grip) error {
	if d.cfg.Outbox != nil && g.saga.Course == Forth {
		g.saga.Owed = append(g.saga.Owed, g.saga.notice(d.cfg.Now()))
	}
	g.saga.finish()
	if err := d.save(ctx, g); err != nil {
		return err
	}
	d.goOnAfter(ctx, g)
	return nil
}

// goOnAfter does what is open of a saga that has come to its end. Nothing that goes wrong is a reason to call a booking
// unfinished: it is left to whoever sweeps after a pause.
func (d *Desk) goOnAfter(ctx context.Context, g *grip) {
	if err := d.look(ctx, g); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Msg("what became of invitations could not be noted")
		return
	}
	d.tell(ctx, g)
}

// tell tells what is owed. What cannot be told now is left to whoever sweeps after a pause: it is never a reason to
// call a booking unfinished.
func (d *Desk) tell(ctx context.Context, g *grip) {
	if d.cfg.Outbox == nil || len(g.saga.Owed) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tellTime)
	defer cancel()
	err := d.tellAll(ctx, g)
	if err != nil {
		g.saga.Attempts++
		g.saga.Problem = string(fault.CodeOf(err))
		g.rest = min(firstRest<<min(g.saga.Attempts, 20), longestRest)
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Int("attempt", g.saga.Attempts).
			Msg("what became of an event is still to be told")
	} else {
		g.saga.Attempts, g.saga.Problem = 0, ""
	}
	if err := d.save(ctx, g); err != nil {
		// It is told once more, which does no harm.
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Msg("that something was told could not be noted")
	}
}

// tellAll tells the oldest first, until one is not taken.
func (d *Desk) tellAll(ctx context.Context, g *grip) error {
	for len(g.saga.Owed) > 0 {
		if err := d.cfg.Outbox.Tell(ctx, g.saga.Owed[0]); err != nil {
			return err
		}
		g.saga.Owed = g.saga.Owed[1:]
	}
	return nil
}
