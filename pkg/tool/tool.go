// Package tool makes the tools that a model may call. A tool is a name, the words that the model reads, a handler, and
// a struct of arguments, of which its JSON Schema is made. It is typed by what it returns, so that a caller needs no
// switch on names. What a model sends is checked against the schema before a handler sees it.
package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"convene/pkg/llm"
)

// Tool is one action that a model may call. Its handler gets what it needs as a C, and returns an Out.
type Tool[C, Out any] struct {
	offer  llm.Tool
	schema *jsonschema.Schema
	run    func(ctx context.Context, c C, arguments []byte) (Out, error)
}

// Define makes a tool. Its words are Markdown: prose on the tool, then a list in which "- `name`: …" describes the
// property of that name wherever it occurs. Enums list the values of properties that the tags of the struct cannot. In
// must be a struct that OpenAI's strict mode accepts; Define panics if it is not, in the first test of the tool's
// package.
func Define[C, In, Out any](
	name, words string, handle func(ctx context.Context, c C, in In) (Out, error), enums ...Enum,
) Tool[C, Out] {
	var in In
	parameters, schema, err := strictSchema(in, words, enums...)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", name, err))
	}
	return Tool[C, Out]{
		offer:  llm.Tool{Name: name, Description: description(words), Parameters: parameters},
		schema: schema,
		run: func(ctx context.Context, c C, arguments []byte) (out Out, err error) {
			var in In
			if err := json.Unmarshal(arguments, &in); err != nil {
				return out, &ArgumentError{Problem: err.Error()}
			}
			return handle(ctx, c, in)
		},
	}
}

// Set is the tools that are offered together.
type Set[C, Out any] []Tool[C, Out]

// Tools are the set as a model is shown it.
func (s Set[C, Out]) Tools() []llm.Tool {
	tools := make([]llm.Tool, len(s))
	for i, t := range s {
		tools[i] = t.offer
	}
	return tools
}

// Call checks the call against the set and the tool's schema, and runs its handler. An *ArgumentError says what the
// model should mend; any other error is final.
func (s Set[C, Out]) Call(ctx context.Context, c C, call llm.Call) (out Out, err error) {
	for _, t := range s {
		if t.offer.Name != call.Name {
			continue
		}
		arguments := []byte(call.Arguments)
		if err := t.check(arguments); err != nil {
			return out, err
		}
		return t.run(ctx, c, arguments)
	}
	return out, &ArgumentError{Problem: "no such function; call one of: " + strings.Join(s.names(), ", ")}
}

func (s Set[C, Out]) names() []string {
	names := make([]string, len(s))
	for i, t := range s {
		names[i] = t.offer.Name
	}
	return names
}

func (t Tool[C, Out]) check(arguments []byte) error {
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return &ArgumentError{Problem: "the arguments are not valid JSON"}
	}
	if err := t.schema.Validate(value); err != nil {
		return &ArgumentError{Problem: err.Error()}
	}
	return nil
}

// ArgumentError is a call that the model got wrong. Field and Problem are written for the model, not for a person.
type ArgumentError struct {
	Field   string
	Problem string
}

func (e *ArgumentError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + ": " + e.Problem
}

// BadArgument is an ArgumentError.
func BadArgument(field, format string, args ...any) error {
	return &ArgumentError{Field: field, Problem: fmt.Sprintf(format, args...)}
}
