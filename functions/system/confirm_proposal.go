package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed confirm_proposal.md
var confirmProposalWords string

// ConfirmProposalArguments are what was shown, and which of its changes are wanted; null is all.
type ConfirmProposalArguments struct {
	ProposalArguments
	Digest string    `json:"digest"`
	Only   *[]string `json:"only" jsonschema:"nullable"`
}

// confirmProposal applies a set as it was shown. If things have changed meanwhile, nothing is written, and the error's
// details are the set as it would be now.
func confirmProposal() world.Tool {
	return world.Define("system_confirmProposal", confirmProposalWords,
		bare(world.Changes, meet.Execute, meet.PlanResource),
		func(ctx context.Context, w *world.World, in ConfirmProposalArguments) (answer world.Answer[Proposal], err error) {
			desk, err := desk(w)
			if err != nil {
				return answer, err
			}
			var only []string
			if in.Only != nil {
				if only = *in.Only; len(only) == 0 {
					return answer, tool.BadArgument("only", "names no change; leave it out to confirm all")
				}
			}
			id := meet.ChangesID(in.ID)
			applied, fresh, err := desk.Confirm(ctx, id, in.Digest, only)
			if fresh != nil && err != nil {
				return answer, &world.DetailedError{Fault: fault.As(err), Details: fresh}
			}
			if err != nil {
				return answer, err
			}
			set, _, err := desk.Get(ctx, id)
			return shown(w, set, &applied), err
		})
}
