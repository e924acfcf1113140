package tool

import (
	"bytes"
	"encoding/json"
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
	var root node
	if err := json.Unmarshal(t.offer.Parameters, &root); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, &ArgumentError{Problem: "the arguments are not valid JSON"}
	}
	root.fill(value)
	return json.Marshal(value)
}

func (n node) fill(value any) {
	switch value := value.(type) {
	case map[string]any:
		for _, branch := range append([]node{n}, n.AnyOf...) {
			for name, property := range branch.Properties {
				if _, there := value[name]; !there {
					if empty, may := property.empty(); may {
						value[name] = empty
					}
				}
				property.fill(value[name])
			}
		}
	case []any:
		for _, branch := range append([]node{n}, n.AnyOf...) {
			if branch.Items != nil {
				for _, item := range value {
					branch.Items.fill(item)
				}
			}
		}
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
