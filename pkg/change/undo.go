package change

import (
	"context"
	"errors"
	"slices"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Undo takes back what was applied of a set, the last change first, and stops what is held. If something of it has
// changed since, nothing is undone and the error is a fault Changed, unless something was held; what others changed
// beside it stays. A set that was undone before returns what came of that, with a fault AlreadyUndone.
func (d *Desk) Undo(ctx context.Context, id meet.ChangesID) (_ meet.Applied, err error) {
	defer func() { fault.Wrap(&err, "undo changes %s", id) }()
	g, err := d.find(ctx, id)
	if err != nil {
		return meet.Applied{}, err
	}
	defer g.LetGo(ctx)
	stopped := g.stop()
	if len(stopped) > 0 && g.rec.Forth.Applied != nil {
		d.end(&g.rec, g.rec.Forth)
	}
	if err := errors.Join(d.goOn(ctx, g), d.lookAgain(ctx, g)); err != nil {
		return meet.Applied{}, err
	}
	switch r := &g.rec; {
	case r.Back != nil:
		return *r.Back.Applied, r.fault(AlreadyUndone, "undone")
	case len(stopped) > 0:
	case r.Forth == nil || r.Forth.Applied.Outcome == meet.NothingDone:
		return meet.Applied{}, r.fault(fault.Conflict, "untouched")
	case r.UndoUntil.IsZero():
		return meet.Applied{}, r.fault(fault.Conflict, "final")
	case !d.cfg.Now().Before(r.UndoUntil):
		return meet.Applied{}, r.fault(Expired, "late")
	}
	back := d.wayBack(g, stopped)
	if len(stopped) == 0 {
		if err := d.prepare(ctx, g, back); err != nil {
			return meet.Applied{}, err
		}
	}
	g.rec.Back = back
	if err := d.goOn(ctx, g); err != nil {
		return meet.Applied{}, err
	}
	if back.Applied.Outcome == meet.NothingDone {
		return meet.Applied{}, fault.New(Changed, "%s", back.Applied.Changes[0].Reason)
	}
	return *back.Applied, nil
}

// wayBack is the course that takes back what was done, the last change first, after what was stopped.
func (d *Desk) wayBack(g *grip, stopped []Step) *Course {
	back := &Course{Steps: stopped}
	var changes []meet.Change
	for _, s := range slices.Backward(g.rec.Forth.Steps) {
		if s.Outcome != meet.ChangeDone {
			continue
		}
		step, c := Step{ID: s.ID}, g.rec.change(s.ID)
		for _, later := range changes {
			if slices.Contains(later.DependsOn, c.ID) {
				step.After = append(step.After, later.ID)
			}
		}
		if !c.Undoable || d.sender(c) != nil {
			step.Outcome, step.Reason = meet.ChangeFailed, g.rec.say("final")
		}
		back.Steps, changes = append(back.Steps, step), append(changes, c)
	}
	return back
}

// prepare makes the inverses of those changes on which no other stands before any is written, so that a set that cannot
// be undone stays whole.
func (d *Desk) prepare(ctx context.Context, g *grip, back *Course) error {
	changes := g.rec.changes(back)
	errs := make([]error, len(changes))
	err := sideBySide(ctx, changes, func(ctx context.Context, i int) {
		s := &back.Steps[i]
		if len(s.After) > 0 || s.Outcome != "" {
			return
		}
		var inverse meet.Change
		inverse, errs[i] = d.inverse(ctx, g, changes[i], g.rec.Forth.step(s.ID).Written)
		s.Inverse, s.Deed = &inverse, inverse.Deed
	})
	for _, err := range slices.Concat(errs, []error{err}) {
		if fault.CodeOf(err) == Changed {
			return g.rec.fault(Changed, whyKept(err)).Because(err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ErrLost says that what a change replaced is not known, because the calendar's answer was lost.
var ErrLost = errors.New("what was before is not known")

// whyKept is the word for a change that is not taken back.
func whyKept(err error) string {
	if errors.Is(err, ErrLost) {
		return "lost"
	}
	return "moved"
}

// inverse is the change that takes c back, as things stand now.
func (d *Desk) inverse(ctx context.Context, g *grip, c meet.Change, w Written) (inverse meet.Change, err error) {
	if c, err = d.onto(g, c); err != nil {
		return c, err
	}
	err = claim.Try(ctx, func(ctx context.Context) error {
		return fault.Guard(func() (err error) {
			inverse, err = d.cfg.Writers[c.What].Inverse(ctx, g.rec.Owner, c, w)
			return err
		})
	})
	return inverse, err
}
