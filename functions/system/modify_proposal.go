package system

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed modify_proposal.md
var modifyProposalWords string

// ModifyProposalArguments name a set, and the changes of it that are not wanted.
type ModifyProposalArguments struct {
	ProposalArguments
	Without []string `json:"without"`
}

// modifyProposal makes a new set of what is left of a pending one. What depends on a change that is not wanted goes
// with it.
func modifyProposal() world.Tool {
	return world.Define("system_modifyProposal", modifyProposalWords,
		bare(world.Changes, meet.UpdateResource, meet.PlanResource),
		func(ctx context.Context, w *world.World, in ModifyProposalArguments) (answer world.Answer[Proposal], err error) {
			answer, err = pending(ctx, w, meet.ChangesID(in.ID))
			if err != nil {
				return answer, err
			}
			set := &answer.Data.Changes
			left, err := in.left(set.Changes)
			if err != nil {
				return world.Answer[Proposal]{}, err
			}
			answer.Changes, answer.Replaces, answer.Confirm = slices.Clone(left), set.ID, ""
			set.Changes, set.Digest = left, "" // the new set gets its own
			answer.Description = w.Voice().Changes(*set, nil)
			answer.Components = []meet.Component{world.Part(meet.ChangeListPart, *set)}
			return answer, nil
		})
}

// left are the changes that are still wanted.
func (in ModifyProposalArguments) left(changes []meet.Change) (left []meet.Change, err error) {
	if len(in.Without) == 0 {
		return nil, tool.BadArgument("without", "names no change")
	}
	gone := map[string]bool{}
	for _, id := range in.Without {
		if !slices.ContainsFunc(changes, func(c meet.Change) bool { return c.ID == id }) {
			return nil, tool.BadArgument("without", "there is no change %q", id)
		}
		gone[id] = true
	}
	for before := -1; before != len(gone); { // until nothing more depends on what goes
		before = len(gone)
		for _, c := range changes {
			if slices.ContainsFunc(c.DependsOn, func(id string) bool { return gone[id] }) {
				gone[c.ID] = true
			}
		}
	}
	for _, c := range changes {
		if !gone[c.ID] {
			left = append(left, c)
		}
	}
	if len(left) == 0 {
		return nil, tool.BadArgument("without", "nothing would be left; cancel the proposal instead")
	}
	return left, nil
}
