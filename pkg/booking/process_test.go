package booking_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"convene/pkg/booking"
	"convene/pkg/meet"
)

// fate is what happens to a process at one of its calls to the world.
type fate string

const (
	failsOnce    fate = "fails once"
	answerIsLost fate = "is done and its answer is lost"
	failsForGood fate = "fails for good"
	diesBefore   fate = "the process dies before it"
	diesAfter    fate = "the process dies after it"
	standsStill  fate = "the process stands still before it"
)

var errDead = errors.New("this process is dead")

// process is one process in a world that others share. Its calls are counted from 1, and its fate befalls it at one of
// them. After it has died, nothing that it does has any effect.
type process struct {
	*world
	fate fate
	at   int

	mu    sync.Mutex
	calls int
	dead  bool
	// broken is the operation that fails for good.
	broken string
	// awake is when it goes on after it stood still.
	awake time.Time
}

func (p *process) desk() *booking.Desk {
	cfg := p.config()
	cfg.Proposals, cfg.Calendars, cfg.Book, cfg.Holds, cfg.Sagas = p, p, ownBook{p}, p, ownSagas{p}
	cfg.Courier, cfg.Outbox = ownCourier{p}, ownOutbox{p}
	return booking.New(cfg)
}

// mend ends what fails for good.
func (p *process) mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fate, p.broken = "", ""
}

// befallen is what happens at this call.
func (p *process) befallen(operation string) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return diesBefore
	}
	p.calls++
	switch {
	case p.calls != p.at && (p.broken == "" || p.broken != operation):
		return ""
	case p.fate == failsForGood:
		p.broken = operation
	case p.fate == diesBefore || p.fate == diesAfter:
		p.dead = true
	case p.fate == standsStill:
		p.awake = time.Now().Add(time.Minute)
	}
	return p.fate
}

// call does one operation, as far as fate lets it.
func (p *process) call(operation string, do func() error) error {
	befallen := p.befallen(operation)
	p.mu.Lock()
	awake := p.awake
	p.mu.Unlock()
	time.Sleep(time.Until(awake))
	switch befallen {
	case failsOnce, failsForGood:
		return errBroken
	case answerIsLost:
		return errors.Join(do(), errBroken)
	case diesBefore:
		return errDead
	case diesAfter:
		return errors.Join(do(), errDead)
	default:
		return do()
	}
}

func (p *process) LoadProposal(ctx context.Context, id meet.ProposalID) (e meet.Event, t meet.Turn, err error) {
	err = p.call("load", func() error {
		e, t, err = p.world.LoadProposal(ctx, id)
		return err
	})
	return e, t, err
}

func (p *process) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (e meet.Event, err error) {
	err = p.call("update", func() error {
		e, err = p.world.UpdateProposal(ctx, id, change)
		return err
	})
	return e, err
}

func (p *process) Busy(ctx context.Context, q meet.BusyQuery) (r map[meet.PersonID]meet.Schedule, err error) {
	err = p.call("busy", func() error {
		r, err = p.world.Busy(ctx, q)
		return err
	})
	return r, err
}

type ownBook struct{ *process }

// ownPages are the book as the process writes it under a claim.
type ownPages struct {
	*process
	pages booking.Pages
}

func (b ownBook) Under(c booking.Claim) booking.Pages {
	return ownPages{b.process, book{b.world}.Under(c)}
}

func (p ownPages) Book(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	return p.call("book", func() error { return p.pages.Book(ctx, people, e) })
}

func (p ownPages) PutAll(ctx context.Context, people []meet.PersonID, e meet.StoredEvent) error {
	return p.call("put", func() error { return p.pages.PutAll(ctx, people, e) })
}

func (p ownPages) Remove(ctx context.Context, people []meet.PersonID, uid string) error {
	return p.call("remove", func() error { return p.pages.Remove(ctx, people, uid) })
}

func (p *process) Hold(ctx context.Context, h booking.Hold) error {
	return p.call("hold", func() error { return p.world.Hold(ctx, h) })
}

func (p *process) Renew(ctx context.Context, h booking.Hold) error {
	return p.call("renew hold", func() error { return p.world.Renew(ctx, h) })
}

func (p *process) Release(ctx context.Context, h booking.Hold) error {
	return p.call("release hold", func() error { return p.world.Release(ctx, h) })
}

type ownSagas struct{ *process }

func (s ownSagas) Claim(ctx context.Context, c booking.Claim) (saga booking.Saga, term int64, err error) {
	err = s.call("claim", func() error {
		saga, term, err = sagas{s.world}.Claim(ctx, c)
		return err
	})
	return saga, term, err
}

func (s ownSagas) Renew(ctx context.Context, c booking.Claim) error {
	return s.call("renew claim", func() error { return sagas{s.world}.Renew(ctx, c) })
}

func (s ownSagas) Save(ctx context.Context, c booking.Claim, saga booking.Saga) error {
	return s.call("save", func() error { return sagas{s.world}.Save(ctx, c, saga) })
}

func (s ownSagas) Release(ctx context.Context, c booking.Claim, pause time.Duration) error {
	return s.call("release claim", func() error { return sagas{s.world}.Release(ctx, c, pause) })
}

func (s ownSagas) Due(ctx context.Context) (due []booking.Due, err error) {
	err = s.call("due", func() error {
		due, err = sagas{s.world}.Due(ctx)
		return err
	})
	return due, err
}

type ownOutbox struct{ *process }

func (o ownOutbox) Tell(ctx context.Context, n booking.Notice) error {
	return o.call("tell", func() error { return outbox{o.world}.Tell(ctx, n) })
}

type ownCourier struct{ *process }

func (c ownCourier) Plan(
	ctx context.Context, e meet.Event, organizer meet.Person,
) (plan []booking.Delivery, err error) {
	err = c.call("plan", func() error {
		plan, err = c.outside.Plan(ctx, e, organizer)
		return err
	})
	return plan, err
}

func (c ownCourier) Deliver(ctx context.Context, to booking.Delivery, e meet.Event) (url string, err error) {
	err = c.call("deliver to "+to.Provider, func() error {
		url, err = c.outside.Deliver(ctx, to, e)
		return err
	})
	return url, err
}

func (c ownCourier) Invitations(
	ctx context.Context, of booking.Delivery, e meet.Event,
) (all []booking.Invited, err error) {
	err = c.call("invitations", func() error {
		all, err = c.outside.Invitations(ctx, of, e)
		return err
	})
	return all, err
}

func (c ownCourier) Withdraw(ctx context.Context, from booking.Delivery, e meet.Event) error {
	return c.call("withdraw from "+from.Provider, func() error { return c.outside.Withdraw(ctx, from, e) })
}

func (c ownCourier) Forget(ctx context.Context, people []meet.PersonID) error {
	return c.call("forget", func() error { return c.outside.Forget(ctx, people) })
}
