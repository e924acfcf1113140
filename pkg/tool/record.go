package tool

import (
	"context"

	"convene/pkg/llm"
)

// Recorded is the tool with a handler that runs nothing and returns the call: for a plan, whose steps are carried out
// later. The arguments are complete, and fit the schema.
func (t Tool[C, Out]) Recorded() Tool[struct{}, llm.Call] {
	return Tool[struct{}, llm.Call]{
		offer: t.offer, schema: t.schema,
		run: func(_ context.Context, _ struct{}, arguments []byte) (llm.Call, error) {
			return llm.Call{Name: t.offer.Name, Arguments: string(arguments)}, nil
		},
	}
}
