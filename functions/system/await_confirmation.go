package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed await_confirmation.md
var awaitConfirmationWords string

// awaitConfirmation says that a set waits for its owner, who is asked. It waits for nothing itself: what waits is kept,
// and goes on with the answer.
func awaitConfirmation() world.Tool {
	return world.Define("system_awaitConfirmation", awaitConfirmationWords,
		bare(world.Reads, meet.ReadResource, meet.PlanResource),
		func(ctx context.Context, w *world.World, in ProposalArguments) (world.Answer[Proposal], error) {
			return pending(ctx, w, meet.ChangesID(in.ID))
		})
}
