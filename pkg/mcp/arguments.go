package mcp

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"convene/pkg/fault"
)

// arguments are the arguments of a call by name, without those that are null.
type arguments map[string]json.RawMessage

// read accepts the arguments of the schema and refuses others by name. null, and "" for a required argument, count as
// missing, because models write them.
func read(raw json.RawMessage, schema *jsonschema.Schema) (arguments, error) {
	args := arguments{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return nil, fault.Invalid("arguments", "must be an object with the arguments by name")
		}
	}
	maps.DeleteFunc(args, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if schema.Properties[name] == nil {
			known := strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", ")
			return nil, fault.Invalid(name[:min(len(name), 100)], "is not known here; the known arguments are %s", known)
		}
	}
	for _, name := range schema.Required {
		if value := string(args[name]); value == "" || value == `""` {
			return nil, fault.Invalid(name, "is missing. %s", schema.Properties[name].Description)
		}
	}
	return args, nil
}

// take removes a string from the arguments; "" if it was not given.
func (a arguments) take(name string) (s string, err error) {
	if raw, ok := a[name]; ok {
		delete(a, name)
		if json.Unmarshal(raw, &s) != nil {
			return "", fault.Invalid(name, "must be a string")
		}
	}
	return s, nil
}

// as decodes the arguments as a T, whose members have the types of the schema.
func as[T any](a arguments, schema *jsonschema.Schema) (v T, err error) {
	body, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && schema.Properties[wrong.Field] != nil {
		return v, fault.Invalid(wrong.Field, "must be of the type %s", schema.Properties[wrong.Field].Type)
	}
	return v, err
}
