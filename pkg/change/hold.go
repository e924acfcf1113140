package change

import (
	"context"
	"errors"
	"time"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Sender is a Writer that also makes changes which can neither be repeated nor taken back: mail that leaves. A set
// whose changes are held counts as applied. Any process makes them once the hold is over, unless they are undone.
type Sender interface {
	// Sends reports whether a change can neither be repeated nor taken back.
	Sends(c meet.Change) bool
	// Send makes it. It calls commit before the step after which nobody can tell whether it is made, and goes no further
	// if that fails. A fault says that it was not made, whenever it comes; any other error after commit leaves it open.
	// Without a commit it is idempotent.
	Send(ctx context.Context, owner meet.Person, c meet.Change, commit func() error) error
}

// sender makes a change that cannot be repeated; nil for any other change.
func (d *Desk) sender(c meet.Change) Sender {
	if s, ok := d.cfg.Writers[c.What].(Sender); ok && s.Sends(c) {
		return s
	}
	return nil
}

// held reports whether changes wait until their hold is over.
func (r *Record) held() bool { return !r.heldUntil().IsZero() }

// heldUntil is when the first of the held changes is due; zero if there is none.
func (r *Record) heldUntil() (first time.Time) {
	if r.Forth == nil {
		return first
	}
	for _, s := range r.Forth.Steps {
		if s.Outcome == meet.ChangeHeld && (first.IsZero() || s.Until.Before(first)) {
			first = s.Until
		}
	}
	return first
}

// waits reports whether a step has to be done: it is open, or was held until now.
func (s Step) waits(now time.Time) bool {
	return s.Outcome == "" || s.Outcome == meet.ChangeHeld && !now.Before(s.Until)
}

// hold delays a step that is not to be made yet, or that depends on one that is held, and reports whether it does. The
// time of a hold begins when the set is confirmed.
func (d *Desk) hold(g *grip, course *Course, s *Step) bool {
	if course != g.rec.Forth {
		return false
	}
	if s.Until.IsZero() && d.sender(g.rec.change(s.ID)) != nil {
		s.Until = g.now.UTC().Truncate(time.Millisecond).Add(d.cfg.Hold)
	}
	for _, id := range s.After {
		if before := course.step(id); before.Outcome == meet.ChangeHeld && before.Until.After(s.Until) {
			s.Until = before.Until
		}
	}
	if !s.Until.After(g.now) {
		return false
	}
	s.Outcome, s.Reason = meet.ChangeHeld, g.rec.say("held")
	return true
}

// late tells of changes that were held before and have not been made: nobody waits for an answer any more.
func (d *Desk) late(ctx context.Context, g *grip, before, now *meet.Applied) (err error) {
	if before == nil || d.cfg.Late == nil {
		return nil
	}
	for i, r := range now.Changes {
		if before.Changes[i].Outcome == meet.ChangeHeld && r.Outcome != meet.ChangeHeld && r.Outcome != meet.ChangeDone {
			err = errors.Join(err, d.cfg.Late(ctx, g.rec.Owner, g.rec.change(r.ID), r))
		}
	}
	return err
}

// stop ends all changes that are held and have not been begun, and returns their steps of the way back.
func (g *grip) stop() (stopped []Step) {
	if g.rec.Forth == nil {
		return nil
	}
	for i := range g.rec.Forth.Steps {
		s := &g.rec.Forth.Steps[i]
		if s.Outcome == meet.ChangeHeld && !s.Begun {
			s.Outcome, s.Reason = meet.ChangeSkipped, g.rec.say("stopped")
			stopped = append(stopped, Step{ID: s.ID, Outcome: meet.ChangeDone})
		}
	}
	return stopped
}

// send makes a change that cannot be repeated. That it is about to be made is recorded first; if that stands there
// already, another process has tried, and the change is looked for and never made again.
func (d *Desk) send(ctx context.Context, g *grip, course *Course, s *Step, c meet.Change) error {
	if s.Begun {
		if outcome, _, err := d.lookFor(ctx, g, course, s); err != nil || outcome != meet.ChangeDone {
			return errors.Join(errDoubt, err)
		}
		return nil
	}
	var refusal error
	err := claim.Try(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, d.cfg.SendLimit)
		defer cancel()
		err := fault.Guard(func() error {
			return d.sender(c).Send(ctx, g.rec.Owner, c, func() error {
				s.Begun = true
				return d.note(ctx, g, course, *s)
			})
		})
		if s.Begun {
			refusal, err = err, nil // nothing is tried again after that
		}
		return err
	})
	if refusal == nil {
		return err
	}
	if f, told := errors.AsType[*fault.Error](refusal); told {
		return fault.New(f.Code, "%s", f.Message).Because(f.Err)
	}
	return errors.Join(refusal, errDoubt)
}
