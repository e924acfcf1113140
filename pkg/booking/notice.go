package booking

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// tellTime bounds how long a booking waits for the Outbox. After it Sweep informs the Outbox.
const tellTime = 5 * time.Second

// Notice is the fate of an event. There is one for each recorded confirmation, move and cancellation, and one each time
// more invitations are found to have failed. Became, the event's UID and sequence, and Failed identify it.
type Notice struct {
	Became Fate `json:"became"`
	// Event is the event from then on.
	Event meet.Event `json:"event"`
	// At is the time of the change.
	At time.Time `json:"at"`
}

// Failed counts the invitations to the event that are known to have failed.
func (n Notice) Failed() int {
	untold, copied := n.Event.Undelivered()
	return len(untold) + len(copied)
}

// Fate is what becomes of an event.
type Fate string

// An event is confirmed, moved as often as changes of it are confirmed, and cancelled. A proposal that is withdrawn
// before its confirmation was never an event.
const (
	Confirmed Fate = "confirmed"
	Moved     Fate = "moved"
	Cancelled Fate = "cancelled"
	// Undelivered says that invitations to a confirmed event have failed.
	Undelivered Fate = "undelivered"
)

// notice is the saga's notice for the Outbox.
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

// close records the saga's end together with its notice, and then informs the Outbox. It fails only if the record
// cannot be written.
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

// goOnAfter does the open work of a finished saga. Failures never make a booking unfinished: Sweep tries again after a
// pause.
func (d *Desk) goOnAfter(ctx context.Context, g *grip) {
	if err := d.look(ctx, g); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Msg("what became of invitations could not be noted")
		return
	}
	d.tell(ctx, g)
}

// tell sends the notices that are owed. A notice that cannot be sent now is left to a later sweep: it is never a reason
// to call a booking unfinished.
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
		g.Rest = min(firstRest<<min(g.saga.Attempts, 20), longestRest)
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Int("attempt", g.saga.Attempts).
			Msg("a notice of an event is still owed")
	} else {
		g.saga.Attempts, g.saga.Problem = 0, ""
	}
	if err := d.save(ctx, g); err != nil {
		// The notice is sent once more, which is harmless.
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", g.saga.UID).Msg("that a notice was sent could not be recorded")
	}
}

// tellAll sends the oldest notice first, until the Outbox refuses one.
func (d *Desk) tellAll(ctx context.Context, g *grip) error {
	for len(g.saga.Owed) > 0 {
		if err := d.cfg.Outbox.Tell(ctx, g.saga.Owed[0]); err != nil {
			return err
		}
		g.saga.Owed = g.saga.Owed[1:]
	}
	return nil
}
