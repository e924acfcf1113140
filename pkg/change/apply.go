package change

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// perProvider is how many changes are made, or targets read, at one provider concurrently.
	perProvider = 4
	// maxAttempts is how many processes work on a set before what is open counts as unknown.
	maxAttempts = 5
)

// goOn does what is open of the record's course, and what was held until now, and ends it. After an error another
// process continues.
func (d *Desk) goOn(ctx context.Context, g *grip) error {
	g.now = d.cfg.Now()
	course := g.rec.open()
	if until := g.rec.heldUntil(); course == nil && !until.IsZero() && !g.now.Before(until) {
		course = g.rec.Forth
	}
	if course == nil {
		return nil
	}
	ctx, cancel := g.Detached(ctx, d.cfg.Limit)
	defer cancel()
	course.Attempts++
	if err := d.save(ctx, g); err != nil {
		return g.unfinished(err)
	}
	switch {
	case course.Attempts > maxAttempts:
		d.giveUp(g, course, meet.ChangeUnknown, "unknown")
	case !g.rec.intact():
		d.giveUp(g, course, meet.ChangeFailed, "damaged")
	default:
		d.run(ctx, g, course)
	}
	open := slices.ContainsFunc(course.Steps, func(s Step) bool { return s.waits(g.now) })
	if open || g.broken != nil {
		return g.unfinished(errors.Join(g.broken, ctx.Err()))
	}
	before := course.Applied
	d.look(ctx, g, course)
	d.end(&g.rec, course)
	if err := errors.Join(d.late(ctx, g, before, course.Applied), d.save(ctx, g)); err != nil {
		course.Applied = before
		return g.unfinished(err)
	}
	return nil
}

// unfinished is the answer while a set is neither applied nor given up.
func (g *grip) unfinished(cause error) error {
	return g.rec.fault(fault.Unavailable, "unfinished").Later(5 * time.Second).Because(cause)
}

// giveUp ends all open steps. What cannot be repeated and was not begun was not made.
func (d *Desk) giveUp(g *grip, course *Course, outcome meet.ChangeOutcome, reason string) {
	for i := range course.Steps {
		s := &course.Steps[i]
		if !s.waits(g.now) {
			continue
		}
		s.Outcome, s.Reason = outcome, g.rec.say(reason)
		if outcome == meet.ChangeUnknown && !s.Begun && d.sender(g.rec.change(s.ID)) != nil {
			s.Outcome, s.Reason = meet.ChangeFailed, g.rec.say("notDone")
		}
	}
}

// end sums up a course whose steps have all ended, in the order of the set.
func (d *Desk) end(r *Record, course *Course) {
	applied := meet.Applied{ChangesID: r.Set.ID, Outcome: meet.PartlyApplied, Changes: []meet.ChangeResult{}}
	count := map[meet.ChangeOutcome]int{}
	undoable := false
	for _, c := range r.Set.Changes {
		s := course.step(c.ID)
		if s == nil {
			continue
		}
		applied.Changes = append(applied.Changes, meet.ChangeResult{ID: s.ID, Outcome: s.Outcome, Reason: s.Reason})
		count[s.Outcome]++
		undoable = undoable || s.Outcome == meet.ChangeDone && c.Undoable && d.sender(c) == nil
	}
	status := meet.ChangesPartly
	switch {
	case count[meet.ChangeDone]+count[meet.ChangeHeld] == len(course.Steps):
		applied.Outcome, status = meet.AllApplied, meet.ChangesApplied
	case count[meet.ChangeDone]+count[meet.ChangeUnknown]+count[meet.ChangeHeld] == 0:
		applied.Outcome = meet.NothingDone
	}
	course.Applied = &applied
	if course.Ended.IsZero() {
		course.Ended = d.cfg.Now().UTC()
	}
	switch {
	case course == r.Forth:
		r.Set.Status, r.UndoUntil = status, r.heldUntil()
		if undoable {
			r.UndoUntil = course.Ended.Truncate(time.Millisecond).Add(undoFor)
		}
		if until := r.UndoUntil; !until.IsZero() {
			applied.UndoUntil = &until
		}
	case applied.Outcome == meet.NothingDone:
		r.Back = nil // so that it can be tried again
	default:
		r.Set.Status = meet.ChangesUndone
	}
}

// step is the step of that id; nil if there is none.
func (c *Course) step(id string) *Step {
	for i := range c.Steps {
		if c.Steps[i].ID == id {
			return &c.Steps[i]
		}
	}
	return nil
}

// run does the open steps of a course: independent ones side by side, those of one thing or series one after the other.
// A step that ctx or the record's store kept from its end stays open.
func (d *Desk) run(ctx context.Context, g *grip, course *Course) {
	ctx, g.end = context.WithCancel(ctx)
	defer g.end()
	changes, ended := g.rec.changes(course), make([]chan struct{}, len(course.Steps))
	gates, latest := gatesOf(changes), map[string]int{}
	var group sync.WaitGroup
	for i, s := range slices.Clone(course.Steps) {
		ended[i] = make(chan struct{})
		var waits []int
		if before, ok := latest[laneOf(changes[i])]; ok {
			waits = append(waits, before)
		}
		latest[laneOf(changes[i])] = i
		for j := range i {
			if slices.Contains(s.After, changes[j].ID) {
				waits = append(waits, j)
			}
		}
		group.Go(func() {
			defer close(ended[i])
			for _, before := range waits {
				<-ended[before]
			}
			if s.waits(g.now) && gates.enter(ctx, changes[i]) {
				defer gates.leave(changes[i])
				d.take(ctx, g, course, s)
			}
		})
	}
	group.Wait()
}

// changes are those of a course's steps.
func (r *Record) changes(course *Course) []meet.Change {
	list := make([]meet.Change, len(course.Steps))
	for i, s := range course.Steps {
		list[i] = r.change(s.ID)
	}
	return list
}

// take does one open step, unless it is held or what it depends on was not done, and records its end.
func (d *Desk) take(ctx context.Context, g *grip, course *Course, s Step) {
	g.mu.Lock()
	ready, open := true, ctx.Err() != nil
	for _, id := range s.After {
		before := course.step(id).Outcome
		ready = ready && (before == meet.ChangeDone || before == meet.ChangeHeld)
		open = open || before == ""
	}
	held := ready && d.hold(g, course, &s)
	g.mu.Unlock()
	switch {
	case open:
		return
	case held:
	case ready:
		d.do(ctx, g, course, &s)
	default:
		s.Outcome, s.Reason = meet.ChangeSkipped, g.rec.say("skipped")
	}
	if s.Outcome != "" {
		_ = d.note(ctx, g, course, s) // broken has it
	}
}

// note records a step as it is now. If that fails, no other begins.
func (d *Desk) note(ctx context.Context, g *grip, course *Course, s Step) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	*course.step(s.ID) = s
	err := d.save(ctx, g)
	if err != nil {
		g.broken = err
		g.end()
	}
	return err
}

// do writes one step's change, and sets its outcome; none if the work was stopped.
func (d *Desk) do(ctx context.Context, g *grip, course *Course, s *Step) {
	c, err := d.deed(ctx, g, course, s)
	tried := err == nil
	switch {
	case tried && course == g.rec.Forth && d.sender(c) != nil:
		err = d.send(ctx, g, course, s, c)
	case tried:
		s.Written, err = d.write(ctx, g, c, course.Attempts > 1)
	}
	if err == nil {
		s.Outcome, s.Reason = meet.ChangeDone, ""
		return
	}
	if ctx.Err() != nil {
		return
	}
	zerolog.Ctx(ctx).Warn().Err(err).Str("changes", string(g.rec.Set.ID)).Str("change", s.ID).Msg("a change was not made")
	switch f := fault.As(err); {
	case f.Code == Changed && course == g.rec.Back:
		s.Outcome, s.Reason = meet.ChangeFailed, g.rec.say(whyKept(err))
	case f.Code == Changed:
		s.Outcome, s.Reason = meet.ChangeFailed, g.rec.say("meanwhile")
	case tried && (errors.Is(err, errDoubt) || f.Retryable && d.sender(c) == nil):
		s.Outcome, s.Reason = meet.ChangeUnknown, g.rec.say("unknown")
	default:
		s.Outcome, s.Reason = meet.ChangeFailed, f.Message
	}
}

// errDoubt says that an earlier try of a change that is refused now may have made it.
var errDoubt = errors.New("an earlier try may have gone through")

// write makes a change, and tries again after passing failures. repeated says that another process may have tried
// before.
func (d *Desk) write(ctx context.Context, g *grip, c meet.Change, repeated bool) (w Written, err error) {
	doubt := repeated
	err = claim.Try(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, d.cfg.WriteLimit)
		defer cancel()
		err := fault.Guard(func() (err error) {
			w, err = d.cfg.Writers[c.What].Write(ctx, g.rec.Owner, c)
			return err
		})
		doubt = doubt || claim.Passing(err)
		return err
	})
	if err != nil && doubt && fault.CodeOf(err) != Changed {
		err = errors.Join(err, errDoubt)
	}
	return w, err
}

// deed is what a step writes: on the way forth the change, and on the way back its inverse, which is recorded first, so
// that a repeat writes the same.
func (d *Desk) deed(ctx context.Context, g *grip, course *Course, s *Step) (meet.Change, error) {
	c := g.rec.change(s.ID)
	if course == g.rec.Forth {
		return d.onto(g, c)
	}
	if s.Inverse == nil {
		inverse, err := d.inverse(ctx, g, c, g.rec.Forth.step(s.ID).Written)
		if err != nil {
			return c, err
		}
		s.Inverse, s.Deed = &inverse, inverse.Deed
		if err := d.note(ctx, g, course, *s); err != nil {
			return c, err
		}
	}
	c = *s.Inverse
	c.Deed = s.Deed
	return c, nil
}

// onto is a change on top of what the one before it of the same thing left.
func (d *Desk) onto(g *grip, c meet.Change) (meet.Change, error) {
	chainer, ok := d.cfg.Writers[c.What].(Chainer)
	if before, w := g.beneath(c); ok && w != nil {
		return chainer.Onto(g.rec.Owner, c, before, w)
	}
	return c, nil
}

// beneath is the change that was made before c of the same thing, with what was written; nil if there is none.
func (g *grip) beneath(c meet.Change) (before meet.Change, w *Written) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.rec.Forth.Steps {
		if s.ID == c.ID {
			break
		}
		if at := g.rec.change(s.ID); s.Outcome == meet.ChangeDone && thingOf(at) != "" && thingOf(at) == thingOf(c) {
			written := s.Written
			before, w = at, &written
		}
	}
	return before, w
}

// gates bound what is done concurrently at each provider.
type gates map[string]chan struct{}

func gatesOf(changes []meet.Change) gates {
	all := gates{}
	for _, c := range changes {
		if all[c.Where.Provider] == nil {
			all[c.Where.Provider] = make(chan struct{}, perProvider)
		}
	}
	return all
}

// enter waits for a place, and reports whether there was one before ctx ended.
func (g gates) enter(ctx context.Context, c meet.Change) bool {
	select {
	case g[c.Where.Provider] <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g gates) leave(c meet.Change) { <-g[c.Where.Provider] }

// sideBySide does something for each change, and returns when all is done or ctx has ended.
func sideBySide(ctx context.Context, changes []meet.Change, do func(ctx context.Context, i int)) error {
	gates := gatesOf(changes)
	var group sync.WaitGroup
	for i, c := range changes {
		group.Go(func() {
			if gates.enter(ctx, c) {
				defer gates.leave(c)
				do(ctx, i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}
