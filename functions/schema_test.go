package functions_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/stages"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tools are all functions as a model is shown them.
func tools() []llm.Tool {
	classify := tool.Set[struct{}, meet.Understanding]{functions.ClassifyIntent(stages.Intents())}
	templates := tool.Set[functions.TemplateContext, meet.Draft]{
		functions.GenerateEventTemplate(), functions.EditEventTemplate(), functions.NavigateToBookingLink(),
	}
	selections := tool.Set[struct{}, meet.Selection]{functions.GenerateEvent(), functions.ProvideAlternatives()}
	return slices.Concat(classify.Tools(), templates.Tools(), selections.Tools())
}

// An accidental change of a schema changes the answers of every model: each is pinned.
func TestSchemasAreAsPinned(t *testing.T) {
	t.Parallel()
	for _, tool := range tools() {
		t.Run(tool.Name, func(t *testing.T) {
			t.Parallel()
			var pretty strings.Builder
			encoder := json.NewEncoder(&pretty)
			encoder.SetIndent("", "  ")
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(tool.Parameters); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", tool.Name+".schema.golden")
			if *update {
				if err := os.WriteFile(golden, []byte(pretty.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), pretty.String()); diff != "" {
				t.Errorf("schema differs (-want +got); go test ./functions -update rewrites it:\n%s", diff)
			}
		})
	}
}

// Strict mode refuses a schema that breaks any of these rules.
func TestSchemasAreStrict(t *testing.T) {
	t.Parallel()
	for _, tool := range tools() {
		var root map[string]any
		if err := json.Unmarshal(tool.Parameters, &root); err != nil {
			t.Fatal(err)
		}
		if root["type"] != "object" {
			t.Errorf("%s: the root is a %v, want an object", tool.Name, root["type"])
		}
		walk(t, tool.Name, root)
		if tool.Description == "" {
			t.Errorf("%s has no description", tool.Name)
		}
	}
}

func walk(t *testing.T, path string, schema map[string]any) {
	t.Helper()
	for _, keyword := range []string{"oneOf", "allOf", "default", "$ref", "$schema", "not"} {
		if _, ok := schema[keyword]; ok {
			t.Errorf("%s uses %s", path, keyword)
		}
	}
	if properties, ok := schema["properties"].(map[string]any); ok {
		if schema["additionalProperties"] != false {
			t.Errorf("%s is open to other properties", path)
		}
		required, _ := schema["required"].([]any)
		if len(required) != len(properties) {
			t.Errorf("%s requires %d of %d properties", path, len(required), len(properties))
		}
		for name, p := range properties {
			walk(t, path+"."+name, p.(map[string]any))
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		walk(t, path+"[]", items)
	}
	branches, _ := schema["anyOf"].([]any)
	for _, b := range branches {
		walk(t, path+"|", b.(map[string]any))
	}
}
