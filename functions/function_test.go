package functions

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/llm"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// tools are all functions as a model is shown them.
func tools() []llm.Tool {
	return []llm.Tool{
		ClassifyIntent().tool, GenerateEventTemplate().tool, EditEventTemplate().tool, NavigateToBookingLink().tool,
		GenerateEvent().tool, ProvideAlternatives().tool,
	}
}

// A schema that changes by accident changes what every model answers: each is pinned.
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

func TestCallsThatDoNotFitGoBack(t *testing.T) {
	t.Parallel()
	c := TemplateContext{BookingLinks: []string{"https://book.example/dana"}}
	set := NewTemplates().For(c)
	for name, call := range map[string]llm.Call{
		"unknown function":    {Name: "deleteEverything", Arguments: "{}"},
		"not offered":         {Name: "editEventTemplate", Arguments: "{}"},
		"no JSON":             {Name: "generateEventTemplate", Arguments: `{"title":`},
		"missing property":    {Name: "generateEventTemplate", Arguments: `{"title":"coffee"}`},
		"additional property": {Name: "navigateToBookingLink", Arguments: `{"url":"https://book.example/dana","x":1}`},
		"invented link":       {Name: "navigateToBookingLink", Arguments: `{"url":"https://evil.example/"}`},
	} {
		_, err := set.Call(c, call)
		if _, ok := errors.AsType[*ArgumentError](err); !ok {
			t.Errorf("%s: got %v, want an ArgumentError", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "file:") {
			t.Errorf("%s: %v tells the model of a folder of this machine", name, err)
		}
	}
}

func TestLooseStructsAreRefused(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]any{
		"map":       struct{ M map[string]int }{},
		"interface": struct{ A any }{},
		"omitempty": struct {
			S string `json:"s,omitempty"`
		}{},
		"pointer, not nullable": struct {
			P *int `json:"p"`
		}{},
	} {
		if _, _, err := strictSchema(in, ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := strictSchema(struct{ S string }{}, "- `nothing`: words for a property that is not there"); err == nil {
		t.Error("words for an unknown property: no error")
	}
}

// A date on which nothing suits is told as one with a list of no hours.
func TestADateWithoutHoursHasAList(t *testing.T) {
	t.Parallel()
	read, err := hours("newHours", &Hours{On: []DateHours{{Date: "2026-03-10"}}})
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(read)
	if err != nil || strings.Contains(string(told), "null") {
		t.Errorf("told as %s, %v", told, err)
	}
}
