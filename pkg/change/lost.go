package change

import (
	"context"
	"slices"

	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Looker is a Writer that can tell what came of a change whose answer was lost.
type Looker interface {
	// Look reads the target of a change. It is done if the target is as the change leaves it, and failed if it is as it
	// was before; otherwise the outcome stays unknown. Written is what Inverse needs of a change that is done.
	Look(ctx context.Context, owner meet.Person, c meet.Change) (meet.ChangeOutcome, Written, error)
}

// lost is the last course, if it has ended and the outcome of a step is unknown; nil otherwise.
func (r *Record) lost() *Course {
	course := r.Forth
	if r.Back != nil {
		course = r.Back
	}
	isLost := func(s Step) bool { return s.Outcome == meet.ChangeUnknown }
	if course == nil || course.Applied == nil || !slices.ContainsFunc(course.Steps, isLost) {
		return nil
	}
	return course
}

// latest is the record, after another look at what is unknown of it. While others work on it, it is as it stands.
func (d *Desk) latest(ctx context.Context, id meet.ChangesID) (Record, error) {
	r, err := d.load(ctx, id)
	if err != nil || r.lost() == nil {
		return r, err
	}
	g, err := d.claim(ctx, string(id))
	if err != nil {
		return r, nil // it stays unknown
	}
	defer g.LetGo(ctx)
	if err := d.lookAgain(ctx, g); err != nil {
		return r, nil // it stays unknown
	}
	return g.rec, nil
}

// lookAgain ends a course anew whose lost changes are found. None is written again.
func (d *Desk) lookAgain(ctx context.Context, g *grip) error {
	course := g.rec.lost()
	if course == nil || !d.look(ctx, g, course) {
		return nil
	}
	d.end(&g.rec, course)
	return d.save(ctx, g)
}

// look looks for the lost changes of a course, and reports whether one was found. A change that is not there may still
// be on its way for as long as one try may take.
func (d *Desk) look(ctx context.Context, g *grip, course *Course) (found bool) {
	arrived := !course.Ended.IsZero() && d.cfg.Now().Sub(course.Ended) >= d.cfg.WriteLimit
	for i := range course.Steps {
		s := &course.Steps[i]
		if s.Outcome != meet.ChangeUnknown {
			continue
		}
		outcome, w, err := d.lookFor(ctx, g, course, s)
		switch {
		case err != nil:
			zerolog.Ctx(ctx).Warn().Err(err).Str("change", s.ID).Msg("it is still unknown whether a change was made")
		case outcome == meet.ChangeDone:
			s.Outcome, s.Reason, s.Written, found = outcome, "", w, true
		case outcome == meet.ChangeFailed && arrived:
			s.Outcome, s.Reason, found = outcome, g.rec.say("notDone"), true
		}
	}
	return found
}

func (d *Desk) lookFor(
	ctx context.Context, g *grip, course *Course, s *Step,
) (outcome meet.ChangeOutcome, w Written, err error) {
	c, err := d.deed(ctx, g, course, s)
	looker, ok := d.cfg.Writers[c.What].(Looker)
	if err != nil || !ok {
		return meet.ChangeUnknown, w, err
	}
	ctx, cancel := context.WithTimeout(ctx, d.cfg.WriteLimit)
	defer cancel()
	err = fault.Guard(func() (err error) {
		outcome, w, err = looker.Look(ctx, g.rec.Owner, c)
		return err
	})
	return outcome, w, err
}
