package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

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
		if _, err := strictSchema(in, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	unknown := map[string]string{"nothing": "words for an unknown property"}
	if _, err := strictSchema(struct{ S string }{}, unknown); err == nil {
		t.Error("words for an unknown property: no error")
	}
}

// Raw JSON has a schema that is an object, as readers of OpenAPI expect.
func TestTheSchemaOfRawJSONIsAnObject(t *testing.T) {
	t.Parallel()
	schema, err := SchemaOf[struct {
		List []struct {
			Value json.RawMessage `json:"value"`
		} `json:"list"`
	}]()
	if err != nil || strings.Contains(string(schema), `"value":true`) {
		t.Errorf("%s, %v", schema, err)
	}
}
