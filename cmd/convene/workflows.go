package main

import (
	"context"

	"github.com/rs/zerolog"

	"convene/pkg/change"
	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

// Saved are a person's saved workflows, by name.
func (w worlds) Saved(ctx context.Context, person meet.PersonID) ([]workflow.Workflow, error) {
	values, err := w.books[meet.WorkflowThing].Of(ctx, person)
	if err != nil {
		return nil, err
	}
	return workflow.All(values)
}

// Runs are a person's latest runs, with what has become of their changes.
func (w worlds) Runs(ctx context.Context, person meet.PersonID, most int) ([]workflow.Run, error) {
	kept, err := w.runs.Runs(ctx, person, most)
	if err != nil {
		return nil, err
	}
	runs := make([]workflow.Run, len(kept))
	for i, one := range kept {
		if runs[i], err = w.seen(ctx, one); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// Run is a run with what has become of its changes.
func (w worlds) Run(ctx context.Context, id string) (workflow.Record, error) {
	kept, err := w.runs.Run(ctx, id)
	if err == nil {
		kept.Run, err = w.seen(ctx, kept)
	}
	return kept, err
}

// seen is a run as its owner sees it. A set that nothing has become of is forgotten once it has expired.
func (w worlds) seen(ctx context.Context, kept workflow.Record) (workflow.Run, error) {
	if kept.Status != workflow.Proposed {
		return kept.Seen(w.now(), nil), nil
	}
	set, _, _, err := w.desk.Get(ctx, kept.Changes)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		set = meet.ChangeSet{Status: meet.ChangesExpired}
	case err != nil:
		return workflow.Run{}, err
	}
	return kept.Seen(w.now(), &set), nil
}

// Cancel ends a run that waits for an answer.
func (w worlds) Cancel(ctx context.Context, id string) (workflow.Run, error) {
	kept, err := w.runs.Change(ctx, id, func(r *workflow.Record) error { return r.Cancel(w.now().UTC()) })
	return kept.Run, err
}

// noting are the records of change sets. They tell the run that a set came of what has become of it, for the time after
// the set is forgotten.
type noting struct {
	change.Records
	runs workflow.Store
}

// Save stores the record of a set.
func (n noting) Save(ctx context.Context, by claim.Claim, r change.Record) error {
	if err := n.Records.Save(ctx, by, r); err != nil || r.Set.PlanID == "" {
		return err
	}
	_, err := n.runs.Change(ctx, r.Set.PlanID, func(kept *workflow.Record) error {
		kept.Settle(r.Set)
		return nil
	})
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("a run does not know what has become of its changes")
	}
	return nil
}

// ownRuns are the runs of one owner, for tools.
type ownRuns struct {
	worlds
	owner meet.PersonID
}

func (o ownRuns) Runs(ctx context.Context, most int) ([]workflow.Run, error) {
	return o.worlds.Runs(ctx, o.owner, most)
}

func (o ownRuns) Run(ctx context.Context, id string) (workflow.Run, error) {
	kept, err := o.worlds.Run(ctx, id)
	if err == nil && kept.Owner != o.owner {
		return workflow.Run{}, fault.New(fault.NotFound, "There is no run with this id.")
	}
	return kept.Run, err
}
