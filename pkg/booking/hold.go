package booking

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// releaseTime bounds what is done after a saga has ended or failed.
const releaseTime = 2 * time.Second

// grip keeps others out: it is the claim on an event's record and the hold on its people. Both are renewed until they
// are let go.
type grip struct {
	*claim.Grip
	// saga is the claimed record.
	saga Saga
	// recorded says that the outcome is recorded.
	recorded bool

	mu   sync.Mutex
	hold Hold
}

// await claims the record of an event as soon as it is free.
func (d *Desk) await(ctx context.Context, uid string) (g *grip, err error) {
	err = d.patiently(ctx, func(ctx context.Context) error {
		g, err = d.claim(ctx, uid)
		return err
	})
	return g, err
}

// claim claims the record; the caller must let it go.
func (d *Desk) claim(ctx context.Context, uid string) (*grip, error) {
	g, c := &grip{}, claim.New(uid, d.cfg.HoldFor)
	var err error
	if g.saga, c.Term, err = d.cfg.Sagas.Claim(ctx, c); err != nil {
		return nil, err
	}
	g.saga.UID = uid
	g.Grip = claim.Keep(ctx, d.cfg.Sagas, c, func(ctx context.Context) error {
		if hold := g.held(); len(hold.People) > 0 {
			return d.cfg.Holds.Renew(ctx, hold)
		}
		return nil
	})
	return g, nil
}

// renew restarts the grip's time. It is claim.ErrLost if it has ended.
func renew(ctx context.Context, g *grip) error {
	err := g.Renew(ctx)
	if !errors.Is(err, claim.ErrLost) {
		return err
	}
	return fault.New(fault.Unavailable, "The booking took too long. Please try again in a moment.").
		Later(2 * time.Second).Because(err)
}

func (g *grip) held() Hold {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.hold
}

func (g *grip) keepHold(h Hold) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hold = h
}

// newHold is a hold on the people. An event without known people is held by its own id.
func (d *Desk) newHold(people []meet.PersonID, id meet.ProposalID) Hold {
	if len(people) == 0 {
		people = []meet.PersonID{meet.PersonID("proposal:" + id)}
	}
	return Hold{Token: rand.Text(), People: people, For: d.cfg.HoldFor}
}

// take waits until the people are free to be booked, and holds them.
func (d *Desk) take(ctx context.Context, g *grip, h Hold) error {
	h.For = d.cfg.HoldFor
	err := d.patiently(ctx, func(ctx context.Context) error { return d.cfg.Holds.Hold(ctx, h) })
	if err == nil {
		g.keepHold(h)
	}
	return err
}

// release ends the hold. After the grip was lost, another process may have the hold under the same token.
func (d *Desk) release(ctx context.Context, g *grip) {
	hold := g.held()
	g.keepHold(Hold{})
	if g.IsLost() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	_ = d.cfg.Holds.Release(ctx, hold) // one that cannot be released expires
}

// patiently repeats do until it is no longer a fault.Conflict.
func (d *Desk) patiently(ctx context.Context, do func(context.Context) error) error {
	return claim.Patiently(ctx, d.cfg.Patience, fault.New(fault.Unavailable,
		"Another booking for the same people is under way. Please try again in a moment."), do)
}
