package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed undo.md
var undoWords string

// undo takes back what was applied of a set.
func undo() world.Tool {
	return world.Define("system_undo", undoWords, bare(world.Changes, meet.UpdateResource, meet.PlanResource), func(
		ctx context.Context, w *world.World, in ProposalArguments,
	) (answer world.Answer[Proposal], err error) {
		desk, err := desk(w)
		if err != nil {
			return answer, err
		}
		id := meet.ChangesID(in.ID)
		applied, err := desk.Undo(ctx, id)
		if err != nil {
			return answer, err
		}
		set, _, err := desk.Get(ctx, id)
		return shown(w, set, &applied), err
	})
}
