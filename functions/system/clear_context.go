package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

//go:embed clear_context.md
var clearContextWords string

// ClearContextArguments say how much is forgotten; null is the conversation.
type ClearContextArguments struct {
	Scope *string `json:"scope" jsonschema:"nullable,enum=conversation,enum=all"`
}

// Cleared is the data of system_clearContext.
type Cleared struct {
	Cleared bool `json:"cleared"`
}

// clearContext forgets the conversation. Convene keeps nothing else of what was said, so that all is the conversation
// too; preferences and what stands in calendars stay.
func clearContext() world.Tool {
	return world.Define("system_clearContext", clearContextWords,
		bare(world.Changes, meet.DeleteResource, meet.PlanResource),
		func(ctx context.Context, w *world.World, _ ClearContextArguments) (answer world.Answer[Cleared], err error) {
			if w.Clear == nil {
				return answer, fault.New(fault.Unavailable, "%s", say(w, "noConversation"))
			}
			if err := w.Clear(ctx); err != nil {
				return answer, err
			}
			return world.Answer[Cleared]{
				Data: Cleared{true}, Display: meet.CardDisplay, Title: say(w, "cleared"), Description: say(w, "clearedAll"),
			}, nil
		})
}
