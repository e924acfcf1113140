package plan

import (
	"encoding/json"
	"slices"
)

// The names of the definitions that Referring refers to.
const (
	fromRef = "#/$defs/from"
	itemRef = "#/$defs/item"
)

// Definitions are the parts of a schema to which Referring refers: what a step gave, and a member of an item.
func Definitions() map[string]json.RawMessage {
	return map[string]json.RawMessage{
		"from": json.RawMessage(`{"type":"object","description":"What an earlier step gave; member is of the first thing, ` +
			`and null otherwise.","properties":{"$from":{"type":"string"},"member":{"anyOf":[{"type":"string"},` +
			`{"type":"null"}]}},"required":["$from","member"],"additionalProperties":false}`),
		"item": json.RawMessage(`{"type":"object","description":"A member of the item of forEach.","properties":` +
			`{"$item":{"type":"string"}},"required":["$item"],"additionalProperties":false}`),
	}
}

// Referring is the strict schema of a tool's arguments in which references may stand where they have a meaning.
func Referring(family string, arguments json.RawMessage) (json.RawMessage, error) {
	var raw map[string]any
	if err := json.Unmarshal(arguments, &raw); err != nil {
		return nil, err
	}
	schema, err := ReadSchema(arguments)
	if err != nil {
		return nil, err
	}
	widen(raw, schema, place{family: family})
	return json.Marshal(raw)
}

// widen lets references stand in the properties of an object's schema.
func widen(raw map[string]any, s *Schema, at place) {
	properties, _ := raw["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		property, _ := properties[name].(map[string]any)
		is, nullable := s.Properties[name].solid()
		where := place{at.family, at.path + "." + name, name, is, nullable}
		if is.Type == "object" {
			widen(solidIn(property), is, where)
			continue
		}
		if element, _ := is.Items.solid(); is.Type == "array" && element.Type == "object" {
			items, _ := solidIn(property)["items"].(map[string]any)
			widen(items, element, where)
		}
		properties[name] = where.widened(property)
	}
}

// widened is the schema of a property with the references that it may have.
func (p place) widened(property map[string]any) map[string]any {
	if property["enum"] != nil || p.is.Type == "boolean" {
		return property
	}
	var refs []any
	switch wants := p.wants(); {
	case wants == wantItems && !slices.Contains(byName[wantItems], p.name):
		return property
	case wants == wantText || wants == wantNumber:
		refs = []any{map[string]any{"$ref": itemRef}}
	default:
		refs = []any{map[string]any{"$ref": fromRef}, map[string]any{"$ref": itemRef}}
	}
	branches, nullable := property["anyOf"].([]any)
	if !nullable {
		plain := map[string]any{}
		for name, value := range property {
			if name != "description" {
				plain[name] = value
			}
		}
		branches = []any{plain}
	}
	wide := map[string]any{"anyOf": append(branches, refs...)}
	if text := property["description"]; text != nil {
		wide["description"] = text
	}
	return wide
}

// solidIn is the part of a property's schema that is not null.
func solidIn(property map[string]any) map[string]any {
	branches, _ := property["anyOf"].([]any)
	for _, branch := range branches {
		if b, _ := branch.(map[string]any); b["type"] != "null" {
			return b
		}
	}
	return property
}
