package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strings"

	invopop "github.com/invopop/jsonschema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// strictSchema makes the schema of a struct of arguments for OpenAI's strict mode: every object closed, every property
// required, null as the only way to leave one out, no oneOf, properties in the struct's order, with the descriptions.
func strictSchema(in any, descriptions map[string]string, enums ...Enum) (json.RawMessage, error) {
	if err := refuseLoose(reflect.TypeOf(in), "arguments"); err != nil {
		return nil, err
	}
	reflector := invopop.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	root := reflector.Reflect(in)
	root.Version = ""
	for _, enum := range enums {
		for property, values := range enum {
			root.Properties.Value(property).Enum = values
		}
	}
	unused := maps.Clone(descriptions)
	tighten(root, descriptions, unused)
	for property := range unused {
		return nil, fmt.Errorf("the words describe %q, which is no property", property)
	}
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("marshal: %w", err)
	}
	return raw, nil
}

// Enum lists the values of properties, by the properties' names.
type Enum map[string][]any

// tighten walks a schema, replaces the oneOf of nullable fields by anyOf and sets descriptions.
func tighten(s *invopop.Schema, words, unused map[string]string) {
	if s == nil {
		return
	}
	if len(s.OneOf) > 0 {
		s.AnyOf, s.OneOf = s.OneOf, nil
	}
	for _, branch := range s.AnyOf {
		tighten(branch, words, unused)
	}
	tighten(s.Items, words, unused)
	if s.Properties == nil {
		return
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if text, ok := words[p.Key]; ok {
			p.Value.Description = text
			delete(unused, p.Key)
		}
		tighten(p.Value, words, unused)
	}
}

// refuseLoose returns an error for a type that strict mode cannot express.
func refuseLoose(t reflect.Type, path string) error {
	switch t.Kind() {
	case reflect.Map, reflect.Interface:
		return fmt.Errorf("%s: a %s has no strict schema", path, t.Kind())
	case reflect.Pointer, reflect.Slice:
		return refuseLoose(t.Elem(), path)
	case reflect.Struct:
	default:
		return nil
	}
	for f := range t.Fields() {
		where := path + "." + f.Name
		if strings.Contains(f.Tag.Get("json"), "omit") {
			return fmt.Errorf("%s: an optional property has no strict schema; make it a nullable pointer", where)
		}
		nullable := strings.Contains(f.Tag.Get("jsonschema"), "nullable")
		if (f.Type.Kind() == reflect.Pointer) != nullable {
			return fmt.Errorf("%s: pointers, and only they, carry the tag nullable", where)
		}
		if err := refuseLoose(f.Type, where); err != nil {
			return err
		}
	}
	return nil
}

func compile(raw []byte) (*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	// The name is absolute, because errors quote it, and a relative one would name a folder of this machine.
	const name = "urn:convene:tool"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, value); err != nil {
		return nil, fmt.Errorf("add schema: %w", err)
	}
	return compiler.Compile(name)
}

// parts are the prose of a tool's words, and the descriptions of properties by name.
func parts(words string) (prose string, properties map[string]string) {
	properties = map[string]string{}
	for line := range strings.Lines(words) {
		rest, listed := strings.CutPrefix(line, "- `")
		if name, text, ok := strings.Cut(rest, "`: "); listed && ok {
			properties[name] = strings.TrimSpace(text)
		} else {
			prose += line
		}
	}
	return strings.TrimSpace(prose), properties
}

// SchemaOf is the JSON Schema of a type of results.
func SchemaOf[T any]() (json.RawMessage, error) {
	var zero T
	reflector := invopop.Reflector{Anonymous: true, DoNotReference: true, ExpandedStruct: true}
	root := reflector.Reflect(zero)
	root.Version = ""
	root = describeAny(root)
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, fmt.Errorf("marshal: %w", err)
	}
	return raw, nil
}

// describeAny describes the parts of a schema that allow any JSON: a schema that says nothing is written as true, which
// readers of OpenAPI do not expect.
func describeAny(s *invopop.Schema) *invopop.Schema {
	if s == nil {
		return nil
	}
	if raw, err := json.Marshal(s); err == nil && string(raw) == "true" {
		return &invopop.Schema{Description: "Any JSON value."} // not s, which the library may share
	}
	s.Items = describeAny(s.Items)
	if s.Properties != nil {
		for p := s.Properties.Oldest(); p != nil; p = p.Next() {
			p.Value = describeAny(p.Value)
		}
	}
	return s
}
