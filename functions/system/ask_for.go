package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed ask_for.md
var askForWords string

// AskForArguments are a question whose answer is in the owner's own words.
type AskForArguments struct {
	Question string `json:"question"`
}

// askFor asks the owner for a fact.
func askFor() world.Tool {
	return world.Define("system_askFor", askForWords, bare(world.Reads, meet.Execute, meet.PlanResource), func(
		_ context.Context, w *world.World, in AskForArguments,
	) (world.Answer[Question], error) {
		return ask(w, in.Question, []meet.Option{})
	})
}
