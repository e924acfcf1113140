// Package functions is what a model may call. Each function is one file, with the struct of its arguments and its
// handler, and a Markdown file beside it with the words that the model reads. The JSON Schema comes from the struct.
//
// Handlers are thin: they check what a schema cannot, adjust, and return a value. They call no model and search
// nothing. A function is typed by what it returns, so that whoever dispatches needs no switch on names: a new
// function is one file here and one element of a Set.
package functions

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"convene/pkg/llm"
)

// Function is one action that a model may call in context C, giving an Out.
type Function[C, Out any] struct {
	tool   llm.Tool
	schema *jsonschema.Schema
	run    func(C, []byte) (Out, error)
}

// define makes a function from its name, the words the model reads and its handler; enums say what properties may be
// that the tags of the struct cannot say. The arguments' struct must be one that strict mode accepts; anything else is
// a mistake of this package and panics in its first test.
func define[C, In, Out any](name, words string, handle func(C, In) (Out, error), enums ...oneOf) Function[C, Out] {
	var in In
	parameters, schema, err := strictSchema(in, words, enums...)
	if err != nil {
		panic(fmt.Sprintf("functions: %s: %v", name, err))
	}
	return Function[C, Out]{
		tool:   llm.Tool{Name: name, Description: description(words), Parameters: parameters},
		schema: schema,
		run: func(c C, arguments []byte) (out Out, err error) {
			var in In
			if err := json.Unmarshal(arguments, &in); err != nil {
				return out, &ArgumentError{Problem: err.Error()}
			}
			return handle(c, in)
		},
	}
}

// Set is the functions offered together.
type Set[C, Out any] []Function[C, Out]

// Tools are the set as a model is shown it.
func (s Set[C, Out]) Tools() []llm.Tool {
	tools := make([]llm.Tool, len(s))
	for i, f := range s {
		tools[i] = f.tool
	}
	return tools
}

// Call checks the call against the set and the function's schema, and runs its handler. An *ArgumentError says what
// the model should mend; any other error is final.
func (s Set[C, Out]) Call(c C, call llm.Call) (out Out, err error) {
	for _, f := range s {
		if f.tool.Name != call.Name {
			continue
		}
		arguments := []byte(call.Arguments)
		if err := f.check(arguments); err != nil {
			return out, err
		}
		return f.run(c, arguments)
	}
	return out, &ArgumentError{Problem: "no such function; call one of: " + strings.Join(s.names(), ", ")}
}

func (s Set[C, Out]) names() []string {
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.tool.Name
	}
	return names
}

func (f Function[C, Out]) check(arguments []byte) error {
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return &ArgumentError{Problem: "the arguments are not valid JSON"}
	}
	if err := f.schema.Validate(value); err != nil {
		return &ArgumentError{Problem: err.Error()}
	}
	return nil
}

// ArgumentError is a call that the model got wrong. Field and Problem are for the model, not for a person.
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

func badArgument(field, format string, args ...any) error {
	return &ArgumentError{Field: field, Problem: fmt.Sprintf(format, args...)}
}
