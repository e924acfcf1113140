package workflow

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

//go:embed view.md
var viewWords string

// ViewArguments name a workflow; null is all.
type ViewArguments struct {
	Workflow *string `json:"workflow" jsonschema:"nullable"`
}

// view shows what is kept.
func view() world.Tool {
	return world.Define("workflow_view", viewWords, trait(world.Reads, meet.ReadResource), func(
		ctx context.Context, w *world.World, in ViewArguments,
	) (answer world.Answer[Workflows], err error) {
		all, err := own(ctx, w)
		if err == nil && in.Workflow != nil {
			var found workflow.Workflow
			found, err = one(ctx, w, *in.Workflow)
			all = []workflow.Workflow{found}
		}
		if err != nil {
			return answer, err
		}
		answer.Data, answer.Display, answer.Title = Workflows{[]Workflow{}}, meet.ListDisplay, say(w, "title")
		var texts []string
		for _, of := range all {
			answer.Data.Workflows = append(answer.Data.Workflows, dataOf(w, of, false))
			texts = append(texts, described(w, of))
			answer.Suggestions = append(answer.Suggestions, say(w, "run", "name", of.Name))
		}
		if answer.Description = strings.Join(texts, "\n\n"); len(all) == 0 {
			answer.Description = say(w, "empty")
		}
		return answer, nil
	})
}
