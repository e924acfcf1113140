package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// node is the part of a schema that says what may be left out.
type node struct {
	Type       any             `json:"type"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
	AnyOf      []node          `json:"anyOf"`
}

// whole are arguments in which properties that may be null are null, and lists are empty, where they were left out: the
// strict schema requires all, and people who write a call by hand do not.
func (t Tool[C, Out]) whole(arguments []byte) ([]byte, error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, &ArgumentError{Problem: "the arguments are not valid JSON"}
	}
	t.root.fill(value)
	return json.Marshal(value)
}

func (n node) fill(value any) {
	for _, branch := range append([]node{n}, n.AnyOf...) {
		switch value := value.(type) {
		case map[string]any:
			branch.fillObject(value)
		case []any:
			for _, item := range value {
				if branch.Items != nil {
					branch.Items.fill(item)
				}
			}
		}
	}
}

func (n node) fillObject(value map[string]any) {
	for name, property := range n.Properties {
		if _, there := value[name]; !there {
			if empty, may := property.empty(); may {
				value[name] = empty
			}
		}
		property.fill(value[name])
	}
}

// empty is what stands for a property that was left out, if it may be.
func (n node) empty() (value any, may bool) {
	if n.Type == "array" {
		return []any{}, true
	}
	for _, branch := range n.AnyOf {
		if branch.Type == "null" {
			return nil, true
		}
	}
	return nil, false
}

// Arguments is the schema of the arguments that Call accepts: that of the offer, in which only what may not be left out
// is required.
func (t Tool[C, Out]) Arguments() (json.RawMessage, error) {
	var schema map[string]any
	if err := json.Unmarshal(t.offer.Parameters, &schema); err != nil {
		return nil, err
	}
	t.root.relax(schema)
	return json.Marshal(schema)
}

// relax removes from a schema's required members those that may be left out. The node is that of the same schema.
func (n node) relax(schema map[string]any) {
	if required, ok := schema["required"].([]any); ok {
		required = slices.DeleteFunc(required, func(name any) bool {
			property, known := n.Properties[fmt.Sprint(name)]
			_, may := property.empty()
			return known && may
		})
		if schema["required"] = required; len(required) == 0 {
			delete(schema, "required")
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range n.Properties {
		if below, ok := properties[name].(map[string]any); ok {
			property.relax(below)
		}
	}
	if items, ok := schema["items"].(map[string]any); ok && n.Items != nil {
		n.Items.relax(items)
	}
	branches, _ := schema["anyOf"].([]any)
	for i, branch := range branches {
		if below, ok := branch.(map[string]any); ok && i < len(n.AnyOf) {
			n.AnyOf[i].relax(below)
		}
	}
}
