package booking

import (
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Waiting for a hold starts with short pauses, because most confirmations take a few milliseconds.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 250 * time.Millisecond
	releaseTime  = 2 * time.Second
)

// errLost says that the claim or the hold has ended, so that another process may continue the saga.
var errLost = errors.New("others may have taken over")

// grip keeps others out: it is the claim on an event's record and the hold on its people. Both are renewed until they
// are let go.
type grip struct {
	claim Claim
	// saga is the claimed record.
	saga Saga
	// recorded says that the outcome is recorded.
	recorded bool
	// rest is how long the saga rests after it is let go.
	rest time.Duration

	mu   sync.Mutex
	hold Hold

	// lost is closed when one of them has ended; done ends the renewal, and ended is closed when it has.
	lost, done, ended chan struct{}
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
	g := &grip{
		claim: Claim{UID: uid, Token: rand.Text(), For: d.cfg.HoldFor},
		lost:  make(chan struct{}), done: make(chan struct{}), ended: make(chan struct{}),
	}
	saga, term, err := d.cfg.Sagas.Claim(ctx, g.claim)
	if err != nil {
		return nil, err
	}
	g.claim.Term, g.saga = term, saga
	g.saga.UID = uid
	go d.keep(context.WithoutCancel(ctx), g)
	return g, nil
}

// keep renews the grip until it is let go or lost.
func (d *Desk) keep(ctx context.Context, g *grip) {
	defer close(g.ended)
	tick := time.NewTicker(d.cfg.HoldFor / 3)
	defer tick.Stop()
	for {
		select {
		case <-g.done:
			return
		case <-tick.C:
		}
		bounded, cancel := context.WithTimeout(ctx, d.cfg.HoldFor/3)
		err := d.renew(bounded, g)
		cancel()
		if errors.Is(err, errLost) {
			close(g.lost)
			return
		}
	}
}

// renew restarts the grip's time. It is errLost if it has ended.
func (d *Desk) renew(ctx context.Context, g *grip) error {
	err := d.cfg.Sagas.Renew(ctx, g.claim)
	if hold := g.held(); err == nil && len(hold.People) > 0 {
		err = d.cfg.Holds.Renew(ctx, hold)
	}
	if fault.CodeOf(err) != fault.Conflict {
		return err
	}
	return fault.New(fault.Unavailable, "The booking took too long. Please try again in a moment.").
		Later(2 * time.Second).Because(errors.Join(errLost, err))
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

func (g *grip) isLost() bool {
	select {
	case <-g.lost:
		return true
	default:
		return false
	}
}

// detached is a context that outlives the client but not the grip.
func (g *grip) detached(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	go func() {
		select {
		case <-g.lost:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// letGo ends the claim. One that cannot be released expires.
func (d *Desk) letGo(ctx context.Context, g *grip) {
	close(g.done)
	<-g.ended
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	_ = d.cfg.Sagas.Release(ctx, g.claim, g.rest)
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
	if g.isLost() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	_ = d.cfg.Holds.Release(ctx, hold) // one that cannot be released expires
}

// patiently repeats do until it is no longer a fault.Conflict.
func (d *Desk) patiently(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.cfg.Patience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := do(ctx)
		if err == nil || fault.CodeOf(err) != fault.Conflict {
			return err
		}
		// Jitter, so that waiting callers do not all come back at once.
		wait(ctx, pause/2+mathrand.N(pause))
		if ctx.Err() != nil {
			return fault.New(fault.Unavailable,
				"Another booking for the same people is under way. Please try again in a moment.").
				Later(2 * time.Second).Because(ctx.Err())
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
