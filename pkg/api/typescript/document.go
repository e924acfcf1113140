package typescript

import (
	"encoding/json"
	"strings"
)

// document is the declared part of an OpenAPI document.
type document struct {
	Info struct {
		Title   string `json:"title"`
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string             `json:"operationId"`
	Summary     string             `json:"summary"`
	Parameters  []parameter        `json:"parameters"`
	RequestBody *content           `json:"requestBody"`
	Responses   map[string]content `json:"responses"`
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Schema      *schema `json:"schema"`
}

// content is a body by its media type.
type content struct {
	Required bool `json:"required"`
	Content  map[string]struct {
		Schema *schema `json:"schema"`
	} `json:"content"`
}

// schema is the part of JSON Schema that describes the shape of a value.
type schema struct {
	Ref         string             `json:"$ref"`
	Type        types              `json:"type"`
	Description string             `json:"description"`
	Enum        []json.RawMessage  `json:"enum"`
	Words       []string           `json:"x-extensible-enum"`
	OneOf       []*schema          `json:"oneOf"`
	AnyOf       []*schema          `json:"anyOf"`
	AllOf       []*schema          `json:"allOf"`
	Properties  map[string]*schema `json:"properties"`
	Required    []string           `json:"required"`
	Items       *schema            `json:"items"`
	// Additional is a schema, or true or false.
	Additional json.RawMessage `json:"additionalProperties"`
}

// UnmarshalJSON accepts true too, which is a schema that every value fits.
func (s *schema) UnmarshalJSON(data []byte) error {
	type plain schema
	if string(data) == "true" {
		return nil
	}
	return json.Unmarshal(data, (*plain)(s))
}

// types is one type, or a list of types.
type types []string

// UnmarshalJSON accepts both.
func (t *types) UnmarshalJSON(data []byte) error {
	var one string
	if err := json.Unmarshal(data, &one); err == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// target returns the name of the schema that a reference refers to.
func (s *schema) target() string { return s.Ref[strings.LastIndex(s.Ref, "/")+1:] }

// values returns the schema of additional properties, if there is one.
func (s *schema) values() (*schema, bool) {
	var v *schema
	if len(s.Additional) == 0 || s.Additional[0] != '{' || json.Unmarshal(s.Additional, &v) != nil {
		return nil, false
	}
	return v, true
}
