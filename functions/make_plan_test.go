package functions

import (
	"encoding/json"
	"strings"
	"testing"

	"convene/pkg/meet"
	"convene/prompts"
)

// The bundles for plans keep the limits of strict schemas, are long enough to be cached, and the same every time.
func TestPlansAreFixed(t *testing.T) {
	t.Parallel()
	const mostTools, mostProperties, deepest, bytesPerToken, cached = 20, 5000, 10, 4, 1024
	library, err := prompts.New()
	if err != nil {
		t.Fatal(err)
	}
	prompt, err := library.Steps("", prompts.Plan{})
	if err != nil || len(prompt.System)/bytesPerToken < cached {
		t.Errorf("the prompt has %d bytes, %v", len(prompt.System), err)
	}
	for _, of := range plans {
		if len(of.Tools) > mostTools {
			t.Errorf("bundle %s has %d tools", of.Name, len(of.Tools))
		}
		var schemas [2]string
		for i := range schemas {
			box, err := NewToolbox(Tools())
			if err != nil {
				t.Fatal(err)
			}
			name, set, err := box.PlanOffer(meet.Understanding{Families: of.Families})
			if err != nil || name != of.Name || len(set) != 2 {
				t.Fatalf("bundle %s: %s with %d functions is offered for its families, %v", of.Name, name, len(set), err)
			}
			schemas[i] = string(set.Tools()[0].Parameters)
		}
		if schemas[0] != schemas[1] {
			t.Errorf("the schema of bundle %s differs from time to time", of.Name)
		}
		var schema map[string]any
		if err := json.Unmarshal([]byte(schemas[0]), &schema); err != nil {
			t.Fatal(err)
		}
		definitions, _ := schema["$defs"].(map[string]any)
		properties, levels := measured(t, of.Name, schema, definitions, 0)
		for _, d := range definitions {
			more, _ := measured(t, of.Name, d.(map[string]any), definitions, 0)
			properties += more
		}
		if properties > mostProperties || levels > deepest {
			t.Errorf("bundle %s: %d properties on %d levels", of.Name, properties, levels)
		}
		t.Logf("%s: %d tools, %d properties, %d levels, %d bytes", of.Name, len(of.Tools), properties, levels,
			len(schemas[0]))
	}
}

// measured counts the properties of a schema, and the levels of objects with those of definitions, and checks that it
// is strict.
func measured(t *testing.T, name string, s, definitions map[string]any, level int) (properties, levels int) {
	t.Helper()
	levels = level
	below := []any{s["items"]}
	if s["oneOf"] != nil || s["type"] == "object" && s["additionalProperties"] != false {
		t.Errorf("bundle %s: a part is not strict: %v", name, s)
	}
	if ref, ok := s["$ref"].(string); ok {
		d, _ := definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		if d == nil {
			t.Fatalf("bundle %s: %s is not defined", name, ref)
		}
		_, deep := measured(t, name, d, definitions, level)
		return 0, deep
	}
	if all, ok := s["properties"].(map[string]any); ok {
		level++
		required, _ := s["required"].([]any)
		if len(required) != len(all) {
			t.Errorf("bundle %s: %d of %d properties are required", name, len(required), len(all))
		}
		properties += len(all)
		for _, p := range all {
			below = append(below, p)
		}
	}
	branches, _ := s["anyOf"].([]any)
	for _, part := range append(below, branches...) {
		if part, ok := part.(map[string]any); ok {
			n, deep := measured(t, name, part, definitions, level)
			properties, levels = properties+n, max(levels, deep)
		}
	}
	return properties, max(levels, level)
}
