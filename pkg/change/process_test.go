package change_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"convene/pkg/change"
	"convene/pkg/claim"
	"convene/pkg/meet"
)

var errBroken = errors.New("broken pipe")

// fate is what happens to a process at one of its calls to the world.
type fate string

const (
	failsOnce    fate = "fails once"
	answerIsLost fate = "is done and its answer is lost"
	diesBefore   fate = "the process dies before it"
	diesAfter    fate = "the process dies after it"
)

// process is one process in a world that others share. Its calls are counted from 1, and its fate befalls it at one of
// them. After it has died, nothing that it does has any effect.
type process struct {
	*world
	fate fate
	at   int

	lock  sync.Mutex
	calls int
	dead  bool
	what  []string
}

func (p *process) desk() *change.Desk {
	cfg := p.config()
	cfg.Records = p
	own := ownShelf{p}
	cfg.Writers = map[meet.ChangeWhat]change.Writer{meet.EventThing: own, meet.BlockThing: own}
	return change.New(cfg)
}

func (p *process) call(what string, do func() error) error {
	p.lock.Lock()
	befallen := fate("")
	if p.calls++; p.calls == p.at {
		befallen = p.fate
	}
	p.what = append(p.what, what)
	dead := p.dead
	p.dead = p.dead || befallen == diesBefore || befallen == diesAfter
	p.lock.Unlock()
	switch {
	case dead || befallen == diesBefore || befallen == failsOnce:
		return errBroken
	case befallen != "":
		return errors.Join(do(), errBroken)
	default:
		return do()
	}
}

func (p *process) Claim(ctx context.Context, c claim.Claim) (r change.Record, term int64, err error) {
	err = p.call("claim", func() error {
		r, term, err = p.world.Claim(ctx, c)
		return err
	})
	return r, term, err
}

func (p *process) Renew(ctx context.Context, c claim.Claim) error {
	return p.call("renew", func() error { return p.world.Renew(ctx, c) })
}

func (p *process) Release(ctx context.Context, c claim.Claim, pause time.Duration) error {
	return p.call("release", func() error { return p.world.Release(ctx, c, pause) })
}

func (p *process) Load(ctx context.Context, id meet.ChangesID) (r change.Record, err error) {
	err = p.call("load", func() error {
		r, err = p.world.Load(ctx, id)
		return err
	})
	return r, err
}

func (p *process) Save(ctx context.Context, c claim.Claim, r change.Record) error {
	return p.call("save", func() error { return p.world.Save(ctx, c, r) })
}

type ownShelf struct{ *process }

func (s ownShelf) Standing(ctx context.Context, o meet.Person, c meet.Change) (fresh *meet.Change, err error) {
	err = s.call("standing", func() error {
		fresh, err = shelf{s.world}.Standing(ctx, o, c)
		return err
	})
	return fresh, err
}

func (s ownShelf) Write(ctx context.Context, o meet.Person, c meet.Change) (w change.Written, err error) {
	err = s.call("write", func() error {
		w, err = shelf{s.world}.Write(ctx, o, c)
		return err
	})
	return w, err
}

func (s ownShelf) Inverse(
	ctx context.Context, o meet.Person, c meet.Change, w change.Written,
) (inverse meet.Change, err error) {
	err = s.call("inverse", func() error {
		inverse, err = shelf{s.world}.Inverse(ctx, o, c, w)
		return err
	})
	return inverse, err
}

func (s ownShelf) Onto(o meet.Person, c, before meet.Change, w *change.Written) (meet.Change, error) {
	return shelf{s.world}.Onto(o, c, before, w)
}
