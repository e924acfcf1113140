package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// node is the part of a schema that says what may be left out.
type node struct {
	Type       any             `json:"type"`
	Properties map[string]node `json:"properties"`
	Items      *node           `json:"items"`
	AnyOf      []node          `json:"anyOf"`
}

// whole are arguments in which properties that may be null are null, and lists are empty, where they were left out: the
// strict schema requires all, and people who write a call by hand do not. Value is the same, decoded.
func (t Tool[C, Out]) whole(arguments []byte) (raw []byte, value any, err error) {
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, nil, errNotJSON()
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, nil, errNotJSON()
	}
	if !t.root.fill(value) {
		return arguments, value, nil
	}
	raw, err = json.Marshal(value)
	return raw, value, err
}

// fill fills in what was left out, and reports whether anything was.
func (n node) fill(value any) (filled bool) {
	for _, branch := range append([]node{n}, n.AnyOf...) {
		switch value := value.(type) {
		case map[string]any:
			for name, property := range branch.Properties {
				if _, there := value[name]; !there {
					if empty, may := property.empty(); may {
						value[name], filled = empty, true
					}
				}
				filled = property.fill(value[name]) || filled
			}
		case []any:
			for _, item := range value {
				filled = branch.Items != nil && branch.Items.fill(item) || filled
			}
		}
	}
	return filled
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
