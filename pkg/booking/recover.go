package booking

import (
	"context"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/claim"
	"convene/pkg/fault"
)

const (
	// maxAttempts is how often an unfinished saga is tried; with the pauses that takes about three hours.
	maxAttempts = 24
	// forthAttempts is how often a saga tries to go forth before it is taken back.
	forthAttempts = 8
	// The pauses between attempts double from the first.
	firstRest   = 2 * time.Second
	longestRest = 10 * time.Minute
)

// Work finishes the sagas of other processes, until ctx ends. Each process has one.
func (d *Desk) Work(ctx context.Context) {
	claim.Work(ctx, d.cfg.SweepEvery, "unfinished bookings", d.Sweep)
}

// Sweep finishes or takes back all due sagas and returns when that is done. Failed ones are tried again later, with
// growing pauses.
func (d *Desk) Sweep(ctx context.Context) error {
	return claim.Sweep(ctx, d.cfg.Sagas, d.pickUp)
}

// pickUp continues one saga, unless another process does.
func (d *Desk) pickUp(ctx context.Context, uid string) {
	g, err := d.claim(ctx, uid)
	if fault.CodeOf(err) == fault.Conflict {
		return // another process was faster
	}
	if err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Str("uid", uid).Msg("an unfinished booking cannot be continued")
		return
	}
	defer g.LetGo(ctx)
	switch {
	case !g.saga.Unfinished():
		d.goOnAfter(ctx, g)
	case !g.saga.Stuck:
		_ = d.resume(ctx, g) // its error is noted, and the next attempt is due after its pause
	}
}

// resume continues the saga of a process that died or gave up, under its hold. Its error has been noted in the saga.
func (d *Desk) resume(ctx context.Context, g *grip) error {
	hold := g.saga.Hold
	if hold.Token == "" {
		hold = d.newHold(idsOf(&g.saga.Event, g.saga.Moved), g.saga.Proposal)
	}
	if err := d.take(ctx, g, hold); err != nil {
		return err
	}
	defer d.release(ctx, g)
	ctx, cancel := g.Detached(ctx, d.cfg.Limit)
	defer cancel()
	defer d.forget(ctx, idsOf(&g.saga.Event, g.saga.Moved))
	g.saga.Stuck = false // a caller's request starts it again, however often it failed
	g.recorded = g.saga.decided()
	err := d.goOn(ctx, g)
	if err != nil {
		d.note(ctx, g, err)
	}
	return err
}

// goOn follows the saga's course. A permanent failure on the way forth takes it back.
func (d *Desk) goOn(ctx context.Context, g *grip) error {
	if g.saga.Course == Back {
		return d.back(ctx, g)
	}
	if d.hopeless(g.saga) {
		return d.turnBack(ctx, g)
	}
	err := d.forth(ctx, g)
	if err == nil || g.recorded || g.saga.cancels() || claim.Passing(err) || errors.Is(err, errLeft) {
		return err
	}
	zerolog.Ctx(ctx).Warn().Err(err).Str("proposal", string(g.saga.Proposal)).Msg("a booking is taken back")
	return d.turnBack(ctx, g)
}

// hopeless reports whether a saga that goes forth should not: the time may never have been booked, its start has passed
// and no one was informed, or it was tried too often.
func (d *Desk) hopeless(s Saga) bool {
	if s.Course != Forth || s.cancels() || s.decided() {
		return false
	}
	passed := !d.cfg.Now().Before(s.Event.Start)
	return s.At == 0 || passed && !s.delivered(s.At) || s.Attempts >= forthAttempts
}

// note stores and logs the failure of the saga, for the next attempt and the operator. It contains no text of a
// calendar's owner.
func (d *Desk) note(ctx context.Context, g *grip, cause error) {
	log := zerolog.Ctx(ctx).With().Str("proposal", string(g.saga.Proposal)).Str("uid", g.saga.UID).Logger()
	if errors.Is(cause, claim.ErrLost) || errors.Is(cause, errLeft) {
		log.Warn().Err(cause).Msg("a booking is left to be finished by others")
		return
	}
	f := fault.As(cause)
	g.saga.Attempts++
	g.saga.Problem = string(f.Code) + ": " + f.Message
	g.saga.Stuck = g.saga.Attempts >= maxAttempts
	g.Rest = min(firstRest<<min(g.saga.Attempts, 20), longestRest)
	if g.saga.Stuck {
		log.Error().Err(cause).Msg("a booking can neither be finished nor taken back; its record stays")
	} else {
		log.Warn().Err(cause).Int("attempt", g.saga.Attempts).Msg("a booking is not finished yet")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	if err := d.save(ctx, g); err != nil {
		log.Warn().Err(err).Msg("what went wrong with a booking could not be noted")
	}
}
