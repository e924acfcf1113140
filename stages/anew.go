package stages

import (
	"context"

	"convene/pkg/fault"
	"convene/pkg/plan"
	"convene/prompts"
)

// anew is another plan for the message, if a model made this one and it has not found what it needs: nothing was
// written, so that all of it begins again. It is made once, of what the steps came to, and never of what they read. Nil
// if this plan is told as it stands.
func (c *carriage) anew(ctx context.Context) (*carriage, error) {
	if !c.mendable || !c.amiss() {
		return nil, nil
	}
	r := c.run
	made, err := perform(ctx, r, "replan", func(ctx context.Context) (drafted, error) {
		made, err := c.planner.several(ctx, r.situation, c.drafts.tools, c.cameTo()...)
		if ctx.Err() != nil {
			return made, context.Cause(ctx)
		}
		if err != nil {
			r.receipt.degraded("another plan could not be made")
			return drafted{}, nil //nolint:nilerr // the plan before is told
		}
		return made, nil
	})
	if err != nil || made.Plan == nil {
		return nil, err
	}
	*made.Plan = harmlessIn(*made.Plan, r)
	other := c.carriage(r, made, c.id+"_2")
	other.path = "again"
	return other, nil
}

// amiss reports whether a step failed because what it means is not there or does not fit, or if nothing would be
// changed because a step found nothing.
func (c *carriage) amiss() bool {
	for i, is := range c.state.Steps {
		switch code := c.code(i); {
		case is.Status == plan.Failed && (code == string(fault.NotFound) || code == unfit):
			return true
		case code == nothingThere && len(c.made) == 0:
			return true
		}
	}
	return false
}

// Codes of what went wrong with a step that has no error of its tool: its arguments did not fit together, or what it
// refers to gave nothing.
const (
	unfit        = "unfit"
	nothingThere = "nothing_there"
)

// code is that of what went wrong with a step; empty if nothing did.
func (c *carriage) code(i int) string {
	switch is, v := c.state.Steps[i], c.run.voice(); {
	case c.steps[i].Response.Error != nil:
		return c.steps[i].Response.Error.Code
	case is.Why == v.Unfit():
		return unfit
	case is.Why == v.NothingThere():
		return nothingThere
	}
	return ""
}

// cameTo is what came of each step, without anything that it read.
func (c *carriage) cameTo() (all []prompts.Attempted) {
	for i, step := range c.state.Plan.Steps {
		all = append(all, prompts.Attempted{
			ID: step.ID, Tool: step.Tool, Arguments: step.Arguments, Status: string(c.state.Steps[i].Status),
			Gives: c.gives(i), Count: c.count(i), Error: c.code(i),
		})
	}
	return all
}
