// Package tool makes the tools that a model may call. A tool has a name, words for the model, a handler, and a struct
// of arguments, from which its JSON Schema is made. It is typed by its result, so that a caller needs no switch on
// names. Arguments are checked against the schema before the handler gets them.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"convene/pkg/llm"
)

// Tool is one action that a model may call. Its handler gets the context C, and returns an Out.
type Tool[C, Out any] struct {
	offer  llm.Tool
	schema checked
	// loose is the schema of arguments that programs write: what may be null or empty can be left out.
	loose     checked
	arguments json.RawMessage
	run       func(ctx context.Context, c C, arguments []byte) (Out, error)
}

// Define makes a tool. Its words are Markdown: prose about the tool, then a list in which "- `name`: …" describes every
// property of that name. Enums list values of properties that are not known to the struct's tags. In must be a struct
// that OpenAI's strict mode accepts, or Define panics, in the first test of the tool's package.
func Define[C, In, Out any](
	name, words string, handle func(ctx context.Context, c C, in In) (Out, error), enums ...Enum,
) Tool[C, Out] {
	var in In
	prose, properties := parts(words)
	parameters, err := strictSchema(in, properties, enums...)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err))
	}
	arguments, err := looseSchema(parameters)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err))
	}
	return Tool[C, Out]{
		offer:  llm.Tool{Name: name, Description: prose, Parameters: parameters},
		schema: checkedBy(parameters), loose: checkedBy(arguments), arguments: arguments,
		run: func(ctx context.Context, c C, arguments []byte) (out Out, err error) {
			var in In
			if err := json.Unmarshal(arguments, &in); err != nil {
				return out, &ArgumentError{Problem: err.Error(), cause: err}
			}
			fill(reflect.ValueOf(&in).Elem())
			return handle(ctx, c, in)
		},
	}
}

// Name is the tool's name.
func (t Tool[C, Out]) Name() string { return t.offer.Name }

// Offer is the tool as a model sees it.
func (t Tool[C, Out]) Offer() llm.Tool { return t.offer }

// Call checks the arguments and runs the handler. Properties that may be null may be left out, and so may lists.
func (t Tool[C, Out]) Call(ctx context.Context, c C, arguments []byte) (out Out, err error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	if err := t.Fits(arguments); err != nil {
		return out, err
	}
	return t.run(ctx, c, arguments)
}

// Fits returns an *ArgumentError that says why Call would refuse arguments without running anything; nil if they fit.
func (t Tool[C, Out]) Fits(arguments []byte) error { return t.loose.check(arguments) }

// Set is a list of tools that are offered together.
type Set[C, Out any] []Tool[C, Out]

// Tools are the set as the model sees it.
func (s Set[C, Out]) Tools() []llm.Tool {
	tools := make([]llm.Tool, len(s))
	for i, t := range s {
		tools[i] = t.offer
	}
	return tools
}

// Call checks the call against the set and the tool's schema, and runs its handler. An *ArgumentError says what the
// model should correct; any other error is final.
func (s Set[C, Out]) Call(ctx context.Context, c C, call llm.Call) (out Out, err error) {
	var names []string
	for _, t := range s {
		if t.offer.Name == call.Name {
			arguments := []byte(call.Arguments)
			if err := t.schema.check(arguments); err != nil {
				return out, err
			}
			return t.run(ctx, c, arguments)
		}
		names = append(names, t.offer.Name)
	}
	return out, &ArgumentError{Problem: "no such function; call one of: " + strings.Join(names, ", ")}
}

// ArgumentError is a wrong call. Field and Problem are written for the model, not for a user.
type ArgumentError struct {
	Field   string
	Problem string
	// cause is what the schema or the decoder says.
	cause error
}

func (e *ArgumentError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + ": " + e.Problem
}

// BadArgument returns an *ArgumentError.
func BadArgument(field, format string, args ...any) error {
	return &ArgumentError{Field: field, Problem: fmt.Sprintf(format, args...)}
}
