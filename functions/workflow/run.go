package workflow

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed run.md
var runWords string

// NameArguments name a workflow.
type NameArguments struct {
	Workflow string `json:"workflow"`
}

// run lets the turn read the workflow's words anew. Nothing happens here.
func run() world.Tool {
	return world.Define("workflow_run", runWords, trait(world.Reads, meet.Execute), func(
		ctx context.Context, w *world.World, in NameArguments,
	) (answer world.Answer[Workflows], err error) {
		found, err := one(ctx, w, in.Workflow)
		if err != nil {
			return answer, err
		}
		return world.Answer[Workflows]{
			Data: Workflows{[]Workflow{dataOf(w, found, false)}}, Display: meet.CardDisplay, Title: say(w, "title"),
			Description: described(w, found), Next: &world.Next{Workflow: &found},
		}, nil
	})
}
