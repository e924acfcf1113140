package tool

import (
	"context"
	"encoding/json"

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

// WithSchema makes a tool whose arguments have a schema that no struct can express. Strict mode must accept it.
func WithSchema[C, Out any](
	name, words string, schema json.RawMessage, handle func(ctx context.Context, c C, arguments []byte) (Out, error),
) Tool[C, Out] {
	return Tool[C, Out]{
		offer:  llm.Tool{Name: name, Description: words, Parameters: schema},
		schema: checkedBy(schema), loose: checkedBy(schema), arguments: schema, run: handle,
	}
}
