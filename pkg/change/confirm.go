package change

import (
	"context"
	"errors"
	"slices"

	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Confirm applies a pending set, or the part of it that Only names; the rest is over. It is done once: the same
// confirmation again returns the same result, after another look at what is unknown of it, and another one is refused.
// Only must be a part of the set, without repeats, and with all that it depends on. If something is not as it was
// shown, nothing is written and the error is a *ChangedError.
func (d *Desk) Confirm(ctx context.Context, id meet.ChangesID, c Confirmation) (_ meet.Applied, err error) {
	defer func() { fault.Wrap(&err, "confirm changes %s", id) }()
	r, err := d.latest(ctx, id)
	if err != nil {
		return meet.Applied{}, err
	}
	var (
		answer  *meet.Applied
		refusal error
		g       *grip
	)
	err = d.patiently(ctx, &r, func(ctx context.Context) error {
		if r, err = d.load(ctx, id); err != nil {
			return err
		}
		if answer, refusal = d.settled(ctx, &r, c); answer == nil && refusal == nil {
			g, err = d.claim(ctx, string(id))
		}
		return err
	})
	if g == nil {
		return valueOf(answer), errors.Join(err, refusal)
	}
	defer g.LetGo(ctx)
	return d.confirm(ctx, g, c)
}

// confirm is Confirm under the claim.
func (d *Desk) confirm(ctx context.Context, g *grip, c Confirmation) (meet.Applied, error) {
	if g.rec.Set.ID == "" {
		return meet.Applied{}, fault.New(fault.NotFound, "These changes are forgotten.")
	}
	if g.rec.Open() {
		if err := d.goOn(ctx, g); err != nil {
			return meet.Applied{}, err
		}
	}
	if answer, err := d.settled(ctx, &g.rec, c); err != nil || answer != nil {
		return valueOf(answer), err
	}
	if err := d.begin(ctx, g, c); err != nil {
		return meet.Applied{}, err
	}
	return valueOf(g.rec.applied()), nil
}

// settled is the answer to a confirmation that needs no work: the result of the same one before, or a refusal. It is
// nil if there is work to do, by this process or another one.
func (d *Desk) settled(ctx context.Context, r *Record, c Confirmation) (*meet.Applied, error) {
	if c.Digest != r.Set.Digest {
		return nil, r.fault(DigestMismatch, "digest")
	}
	if err := r.partial(c.Only); err != nil {
		return nil, err
	}
	switch {
	case r.Confirmed != nil && !r.Confirmed.same(r.normal(c)):
		return nil, r.fault(AlreadyApplied, "already")
	case r.Confirmed != nil:
		return r.applied(), nil
	case r.Set.Status == meet.ChangesReplaced:
		return nil, d.replaced(ctx, r)
	case r.Set.Status == meet.ChangesCancelled:
		return nil, r.fault(fault.Conflict, "cancelled")
	case r.expired(d.cfg.Now()):
		return nil, r.fault(Expired, "expired")
	case !r.intact():
		return nil, r.fault(DigestMismatch, "digest")
	default:
		return nil, nil
	}
}

// replaced is the refusal of a set whose place another one took.
func (d *Desk) replaced(ctx context.Context, r *Record) error {
	e := &ChangedError{Fault: r.fault(Changed, "replaced")}
	set, _, _, err := d.Get(ctx, r.ReplacedBy)
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return err
	}
	e.Fresh = set
	return e
}

// partial checks the ids of wanted changes; nil are all.
func (r *Record) partial(only []string) error {
	if only != nil && len(only) == 0 {
		return fault.Invalid("only", "is empty: name at least one change, or leave it out for all")
	}
	for i, id := range only {
		j := slices.IndexFunc(r.Set.Changes, func(c meet.Change) bool { return c.ID == id })
		switch {
		case j < 0:
			return fault.Invalid("only", "names %q, which is none of the changes", id)
		case slices.Contains(only[:i], id):
			return fault.Invalid("only", "names %q twice", id)
		}
		for _, before := range r.Set.Changes[j].DependsOn {
			if !slices.Contains(only, before) {
				return fault.Invalid("only", "names %q without %q, on which it depends", id, before)
			}
		}
	}
	return nil
}

// normal is the confirmation with the names of all that it wants.
func (r *Record) normal(c Confirmation) Confirmation {
	if c.Only == nil {
		for _, change := range r.Set.Changes {
			c.Only = append(c.Only, change.ID)
		}
	}
	return c
}

// begin applies the wanted changes, unless something is not as it was shown. Their record comes first: from then on
// they are carried out, by this process or another one.
func (d *Desk) begin(ctx context.Context, g *grip, c Confirmation) error {
	c = g.rec.normal(c)
	course := &Course{}
	for _, change := range g.rec.Set.Changes {
		if slices.Contains(c.Only, change.ID) {
			course.Steps = append(course.Steps, Step{ID: change.ID, After: change.DependsOn})
		}
	}
	if err := d.check(ctx, g, course); err != nil {
		return err
	}
	if g.rec.expired(d.cfg.Now()) { // the reading took its time
		return g.rec.fault(Expired, "expired")
	}
	g.rec.Set.Status, g.rec.Confirmed, g.rec.Forth = meet.ChangesApplying, &c, course
	return d.goOn(ctx, g)
}

// check reads all targets again, side by side. If one has changed, the record is replaced by one as it would be now.
func (d *Desk) check(ctx context.Context, g *grip, course *Course) error {
	changes := g.rec.changes(course)
	fresh, errs := make([]*meet.Change, len(changes)), make([]error, len(changes))
	err := sideBySide(ctx, changes, func(ctx context.Context, i int) {
		if _, first := before(changes, i); !first {
			return // it is checked by the change before it of the same thing
		}
		errs[i] = claim.Try(ctx, func(ctx context.Context) error {
			return fault.Guard(func() (err error) {
				fresh[i], err = d.cfg.Writers[changes[i].What].Standing(ctx, g.rec.Owner, changes[i])
				return err
			})
		})
	})
	if err != nil {
		return err
	}
	changed := false
	for i, err := range errs {
		if err != nil && fault.CodeOf(err) != Changed {
			return err
		}
		changed = changed || err != nil || fresh[i] != nil
	}
	if !changed {
		return nil
	}
	return d.renew(ctx, g, d.renewed(g.rec.Owner, changes, fresh, errs))
}

// before is the change before the i-th of the same thing; first says that there is none.
func before(changes []meet.Change, i int) (at int, first bool) {
	thing := thingOf(changes[i])
	for at = i - 1; at >= 0; at-- {
		if thing != "" && thingOf(changes[at]) == thing {
			return at, false
		}
	}
	return 0, true
}

// renewed are the changes as they would be now, without those that can no longer be made and what depends on them.
func (d *Desk) renewed(
	owner meet.Person, changes []meet.Change, fresh []*meet.Change, errs []error,
) []meet.Change {
	var list []meet.Change
	now := make([]*meet.Change, len(changes))
	for i, c := range changes {
		gone := errs[i] != nil || slices.ContainsFunc(c.DependsOn, func(id string) bool {
			return !slices.ContainsFunc(list, func(kept meet.Change) bool { return kept.ID == id })
		})
		at, first := before(changes, i)
		chainer, chains := d.cfg.Writers[c.What].(Chainer)
		switch {
		case gone:
			continue
		case fresh[i] != nil:
			id, after := c.ID, c.DependsOn
			c = *fresh[i]
			c.ID, c.DependsOn = id, after
			now[i] = &c
		case !first && now[at] != nil && chains:
			onto, err := chainer.Onto(owner, c, *now[at], nil)
			if err != nil {
				continue
			}
			c, now[i] = onto, &onto
		}
		list = append(list, c)
	}
	return list
}

// renew replaces the record by one with these changes, which is asked for.
func (d *Desk) renew(ctx context.Context, g *grip, changes []meet.Change) error {
	e := &ChangedError{Fault: g.rec.fault(Changed, "changed")}
	if len(changes) > 0 {
		next, _, err := d.record(ctx, Draft{
			Owner: g.rec.Owner, Key: "after " + string(g.rec.Set.ID), PlanID: g.rec.Set.PlanID, Language: g.rec.Language,
			Changes: changes,
		})
		if err != nil {
			return err
		}
		of, err := d.await(ctx, &next)
		if err != nil {
			return err
		}
		defer of.LetGo(ctx)
		of.rec = next
		if err := d.save(ctx, of); err != nil {
			return err
		}
		e.Fault, e.Fresh, g.rec.ReplacedBy = fault.New(Changed, "%s", g.rec.voice().Meanwhile()), next.Set, next.Set.ID
	}
	g.rec.Set.Status = meet.ChangesReplaced
	if err := d.save(ctx, g); err != nil {
		return err
	}
	return e
}

func valueOf(a *meet.Applied) meet.Applied {
	if a == nil {
		return meet.Applied{}
	}
	return *a
}
