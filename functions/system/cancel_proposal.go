package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed cancel_proposal.md
var cancelProposalWords string

// CancelProposalArguments name a set, and may say why it is not wanted.
type CancelProposalArguments struct {
	ProposalArguments
	Reason *string `json:"reason" jsonschema:"nullable"`
}

// cancelProposal ends a pending set.
func cancelProposal() world.Tool {
	return world.Define("system_cancelProposal", cancelProposalWords,
		bare(world.Changes, meet.DeleteResource, meet.PlanResource),
		func(ctx context.Context, w *world.World, in CancelProposalArguments) (answer world.Answer[Proposal], err error) {
			desk, err := desk(w)
			if err != nil {
				return answer, err
			}
			reason := ""
			if in.Reason != nil {
				reason = *in.Reason
			}
			set, err := desk.Cancel(ctx, meet.ChangesID(in.ID), reason)
			if err != nil {
				return answer, err
			}
			answer = shown(w, set, nil)
			answer.Description = answer.Title
			return answer, nil
		})
}
