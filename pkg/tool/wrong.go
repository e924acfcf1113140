package tool

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Argument is the path of the wrong argument, as "selection.window.start" or "people[0]", and what is wrong with it,
// for callers that are programs. The path is empty if all arguments together are wrong.
func (e *ArgumentError) Argument() (path, problem string) {
	if wrong, ok := errors.AsType[*jsonschema.ValidationError](e.cause); ok {
		return refused(deepest(wrong))
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](e.cause); ok {
		return wrong.Field, "must be a whole number, written without a fraction, and not " +
			strings.TrimPrefix(wrong.Value, "number ")
	}
	return e.Field, e.Problem
}

// deepest is the cause with the longest path: of several branches of a schema, the one that fits best so far.
func deepest(err *jsonschema.ValidationError) *jsonschema.ValidationError {
	best := err
	for _, cause := range err.Causes {
		if found := deepest(cause); len(best.Causes) > 0 || len(found.InstanceLocation) > len(best.InstanceLocation) {
			best = found
		}
	}
	return best
}

// refused says which argument a schema refuses, and why.
func refused(err *jsonschema.ValidationError) (path, problem string) {
	at := err.InstanceLocation
	switch why := err.ErrorKind.(type) {
	case *kind.Required:
		return pathOf(append(at, why.Missing[0])), "is missing"
	case *kind.AdditionalProperties:
		return pathOf(append(at, why.Properties[0])), "is not known here"
	}
	return pathOf(at), err.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}

func pathOf(location []string) string {
	var path strings.Builder
	for _, part := range location {
		switch _, err := strconv.Atoi(part); {
		case err == nil:
			path.WriteString("[" + part + "]")
		case path.Len() > 0:
			path.WriteString("." + part)
		default:
			path.WriteString(part)
		}
	}
	return path.String()
}
