package api

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// glossaryText describes members of updates by schema and member, because their packages know nothing of OpenAPI.
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
				return fmt.Errorf("the glossary describes %s.%s, which does not exist", name, member)
			}
			described := *schema.Properties[member]
			described.Description = text
			schema.Properties[member] = &described
		}
	}
	return nil
}

// operationsText has the descriptions of the operations by tag; the tag's own is under "".
//
//go:embed operations.json
var operationsText []byte

// describeOperations adds tags, descriptions and the 4XX response to the document.
func (s *Server) describeOperations() error {
	var tags map[string]map[string]string
	if err := json.Unmarshal(operationsText, &tags); err != nil {
		return fmt.Errorf("read the descriptions of operations: %w", err)
	}
	document, tagOf := s.huma.OpenAPI(), map[string]string{}
	for _, tag := range slices.Sorted(maps.Keys(tags)) {
		document.Tags = append(document.Tags, &huma.Tag{Name: tag, Description: tags[tag][""]})
		for id := range tags[tag] {
			tagOf[id] = tag
		}
	}
	for _, op := range operationsOf(document) {
		tag, ok := tagOf[op.OperationID]
		switch {
		case ok:
			op.Tags = []string{tag}
			op.Description = cmp.Or(tags[tag][op.OperationID], op.Description)
		case len(op.Tags) == 0:
			return fmt.Errorf("operations.json says nothing of %s", op.OperationID)
		}
		if wrong := op.Responses["default"]; wrong != nil {
			op.Responses["4XX"] = &huma.Response{Description: "What is wrong with the request.", Content: wrong.Content}
		}
	}
	return nil
}

// operationsOf returns the operations of the document, webhooks included.
func operationsOf(document *huma.OpenAPI) (all []*huma.Operation) {
	for _, items := range []map[string]*huma.PathItem{document.Paths, document.Webhooks} {
		for _, item := range items {
			all = append(all, item.Get, item.Put, item.Post, item.Patch, item.Delete)
		}
	}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

// describeLists removes null from the schemas of lists: huma allows it for every slice, and no response has it.
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
