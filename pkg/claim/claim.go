// Package claim keeps others from a record while one process works on it. A claim lasts for a while and is renewed as
// long as its process lives; once it has ended, another process continues from the record. A process that has lost its
// claim without knowing can save nothing more, so that the work must be safe to repeat.
package claim

import (
	"context"
	"crypto/rand"
	"errors"
	mathrand "math/rand/v2"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Claim is a claim on a record under a token, for a while.
type Claim struct {
	// ID is the record's.
	ID, Token string
	For       time.Duration
	// Term is higher for later claims on the record.
	Term int64
}

// New is a claim that is still to be taken.
func New(id string, life time.Duration) Claim { return Claim{ID: id, Token: rand.Text(), For: life} }

// Due is a record of a tenant that waits for a process to continue it.
type Due struct {
	Tenant meet.Tenant
	ID     string
}

// Claims keeps claims. A call with a token other than that of the current claim is a fault.Conflict.
type Claims interface {
	// Renew restarts the claim's time.
	Renew(ctx context.Context, c Claim) error
	// Release ends the claim. Due does not list the record again for the pause.
	Release(ctx context.Context, c Claim, pause time.Duration) error
	// Due lists records of all tenants that are open and unclaimed: some of them, if there are many.
	Due(ctx context.Context) ([]Due, error)
}

// ErrLost says that a claim has ended, so that another process may continue.
var ErrLost = errors.New("others may have taken over")

// releaseTime is how long a release may take. A claim that is not released expires.
const releaseTime = 2 * time.Second

// Grip is a claim that is renewed until it is let go or lost.
type Grip struct {
	Claim
	// Rest is how long the record rests after the claim is let go.
	Rest time.Duration

	claims Claims
	beside func(context.Context) error

	// lost is closed when the claim has ended; done ends the renewal, and ended is closed when it has.
	lost, done, ended chan struct{}
}

// Keep renews a claim that was taken; the caller must let it go. beside, if not nil, renews what else the work needs: a
// fault.Conflict of it loses the claim too.
func Keep(ctx context.Context, claims Claims, c Claim, beside func(context.Context) error) *Grip {
	g := &Grip{
		Claim: c, claims: claims, beside: beside,
		lost: make(chan struct{}), done: make(chan struct{}), ended: make(chan struct{}),
	}
	go g.keep(context.WithoutCancel(ctx))
	return g
}

func (g *Grip) keep(ctx context.Context) {
	defer close(g.ended)
	tick := time.NewTicker(g.For / 3)
	defer tick.Stop()
	for {
		select {
		case <-g.done:
			return
		case <-tick.C:
		}
		bounded, cancel := context.WithTimeout(ctx, g.For/3)
		err := g.Renew(bounded)
		cancel()
		if errors.Is(err, ErrLost) {
			close(g.lost)
			return
		}
	}
}

// Renew restarts the claim's time. It is ErrLost if the claim has ended.
func (g *Grip) Renew(ctx context.Context) error {
	err := g.claims.Renew(ctx, g.Claim)
	if err == nil && g.beside != nil {
		err = g.beside(ctx)
	}
	if fault.CodeOf(err) == fault.Conflict {
		return errors.Join(ErrLost, err)
	}
	return err
}

// IsLost reports whether the claim is known to have ended.
func (g *Grip) IsLost() bool {
	select {
	case <-g.lost:
		return true
	default:
		return false
	}
}

// Detached is a context that outlives the client but not the claim.
func (g *Grip) Detached(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
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

// LetGo ends the claim.
func (g *Grip) LetGo(ctx context.Context) {
	close(g.done)
	<-g.ended
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	_ = g.claims.Release(ctx, g.Claim, g.Rest) // one that cannot be released expires
}

// Waiting starts with short pauses, because most work takes a few milliseconds.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// Patiently repeats do until it is no longer a fault.Conflict. After the patience the error is busy.
func Patiently(
	ctx context.Context, patience time.Duration, busy *fault.Error, do func(context.Context) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := do(ctx)
		if err == nil || fault.CodeOf(err) != fault.Conflict {
			return err
		}
		// Jitter, so that waiting callers do not all come back at once.
		Wait(ctx, pause/2+mathrand.N(pause))
		if ctx.Err() != nil {
			return busy.Later(2 * time.Second).Because(ctx.Err())
		}
	}
}

const (
	// tries is how often a step is tried while a caller waits for it.
	tries = 3
	// stepPause is the pause after the first try, and longestStepPause the longest that a server can ask for.
	stepPause        = 100 * time.Millisecond
	longestStepPause = 3 * time.Second
)

// Try does a step, and repeats it after passing failures.
func Try(ctx context.Context, do func(context.Context) error) error {
	for i := range tries {
		err := do(ctx)
		if err == nil || i+1 == tries || !Passing(err) {
			return err
		}
		pause := max(stepPause<<i, fault.As(err).RetryAfter)
		if pause > longestStepPause {
			return err
		}
		if Wait(ctx, pause); ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// Passing reports whether the error may be temporary.
func Passing(err error) bool { return !errors.Is(err, ErrLost) && fault.As(err).Retryable }

// Wait waits for d, or until ctx ends.
func Wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Work calls sweep until ctx ends, with pauses, and logs what fails.
func Work(ctx context.Context, every time.Duration, what string, sweep func(context.Context) error) {
	for ctx.Err() == nil {
		if err := sweep(ctx); err != nil && ctx.Err() == nil {
			zerolog.Ctx(ctx).Warn().Err(err).Msg(what + " could not be looked for")
		}
		Wait(ctx, every)
	}
}

// sweepers bounds the records that one process continues concurrently.
const sweepers = 8

// Sweep picks up all due records, each in its tenant, and returns when that is done.
func Sweep(ctx context.Context, claims Claims, pickUp func(ctx context.Context, id string)) error {
	due, err := claims.Due(ctx)
	if err != nil {
		return err
	}
	var group errgroup.Group
	group.SetLimit(sweepers)
	for _, one := range due {
		group.Go(func() error {
			pickUp(meet.InTenant(ctx, one.Tenant), one.ID)
			return nil
		})
	}
	return group.Wait()
}
