package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed present_proposal.md
var presentProposalWords string

// presentProposal shows a set as it stands, whatever came of it.
func presentProposal() world.Tool {
	return world.Define("system_presentProposal", presentProposalWords,
		bare(world.Reads, meet.ReadResource, meet.PlanResource),
		func(ctx context.Context, w *world.World, in ProposalArguments) (world.Answer[Proposal], error) {
			return proposal(ctx, w, meet.ChangesID(in.ID))
		})
}
