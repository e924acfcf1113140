package api

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"
)

// glossaryText says of members of what is streamed what their names do not, by schema and member: the packages of words
// know nothing of documents.
//
//go:embed glossary.json
var glossaryText []byte

// describeMembers adds the glossary to the document.
func (s *Server) describeMembers() error {
	var glossary map[string]map[string]string
	if err := json.Unmarshal(glossaryText, &glossary); err != nil {
		return fmt.Errorf("read the glossary: %w", err)
	}
	schemas := s.huma.OpenAPI().Components.Schemas.Map()
	for name, members := range glossary {
		for member, text := range members {
			schema, ok := schemas[name]
			if !ok || schema.Properties[member] == nil {
				return fmt.Errorf("the glossary has %s.%s, which nothing else has", name, member)
			}
			described := *schema.Properties[member]
			described.Description = text
			schema.Properties[member] = &described
		}
	}
	return nil
}

// describeLists says that a list is never null: huma takes one of Go's for a list or null, and no answer has null for it.
func (s *Server) describeLists() {
	for _, schema := range s.huma.OpenAPI().Components.Schemas.Map() {
		neverNull(schema)
	}
}

func neverNull(s *huma.Schema) {
	if s == nil {
		return
	}
	s.Nullable = s.Nullable && s.Type != huma.TypeArray
	neverNull(s.Items)
	for _, member := range s.Properties {
		neverNull(member)
	}
}
