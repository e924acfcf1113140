package stagestest

import (
	"encoding/json"

	"convene/pkg/llm"
)

// Whole are the arguments of a call in which all that the tool's strict schema requires is there: null, or an empty
// list.
func Whole(offer llm.Tool, arguments string) (string, error) {
	var schema, value map[string]any
	if err := json.Unmarshal(offer.Parameters, &schema); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(arguments), &value); err != nil {
		return "", err
	}
	fill(schema, value)
	raw, err := json.Marshal(value)
	return string(raw), err
}

func fill(schema map[string]any, value any) {
	branches, _ := schema["anyOf"].([]any)
	for _, branch := range append([]any{schema}, branches...) {
		branch, _ := branch.(map[string]any)
		properties, _ := branch["properties"].(map[string]any)
		switch value := value.(type) {
		case map[string]any:
			for name, property := range properties {
				of, _ := property.(map[string]any)
				if _, there := value[name]; !there && of["type"] == "array" {
					value[name] = []any{}
				} else if !there && of["anyOf"] != nil {
					value[name] = nil
				}
				fill(of, value[name])
			}
		case []any:
			items, _ := branch["items"].(map[string]any)
			for _, item := range value {
				fill(items, item)
			}
		}
	}
}
