package tool

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Arguments is the schema of the arguments that Call accepts: that of the offer, in which only what may not be left out
// is required. People who write a call by hand leave out what is null or empty; the strict schema requires all.
func (t Tool[C, Out]) Arguments() (json.RawMessage, error) { return t.arguments, nil }

// looseSchema is a strict schema in which properties that may be null, and lists, are not required.
func looseSchema(strict []byte) (json.RawMessage, error) {
	var schema map[string]any
	if err := json.Unmarshal(strict, &schema); err != nil {
		return nil, err
	}
	relax(schema)
	return json.Marshal(schema)
}

// relax removes what may be left out from what a schema and those within it require.
func relax(schema map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	required = slices.DeleteFunc(required, func(name any) bool { return mayLack(properties[fmt.Sprint(name)]) })
	if schema["required"] = required; len(required) == 0 {
		delete(schema, "required")
	}
	branches, _ := schema["anyOf"].([]any)
	below := append([]any{schema["items"]}, branches...)
	for _, property := range properties {
		below = append(below, property)
	}
	for _, part := range below {
		if part, ok := part.(map[string]any); ok {
			relax(part)
		}
	}
}

// mayLack reports whether a property of that schema may be left out: a list, or what may be null.
func mayLack(property any) bool {
	schema, _ := property.(map[string]any)
	branches, _ := schema["anyOf"].([]any)
	return schema["type"] == "array" || slices.ContainsFunc(branches, func(branch any) bool {
		is, _ := branch.(map[string]any)
		return is["type"] == "null"
	})
}

// fill makes lists that were left out empty ones, in all of a struct.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem())
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	default:
	}
}
