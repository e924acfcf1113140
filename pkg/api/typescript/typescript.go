// Package typescript declares an OpenAPI 3.1 document in TypeScript: a type for each schema, and an interface
// Operations with what each operation takes and answers. It reads the document as it is served, and imports nothing of
// ours.
package typescript

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Declarations returns the declarations in the order of their names, so that equal documents give equal bytes. For an
// extensible list of words (x-extensible-enum), editors suggest the words and compilers accept any other.
func Declarations(openapi []byte) ([]byte, error) {
	var doc document
	if err := json.Unmarshal(openapi, &doc); err != nil {
		return nil, fmt.Errorf("read the description: %w", err)
	}
	var w writer
	w.line("// %s, version %s. Generated from its description; see /openapi.json.", doc.Info.Title, doc.Info.Version)
	for _, name := range slices.Sorted(maps.Keys(doc.Components.Schemas)) {
		w.declare(name, doc.Components.Schemas[name])
	}
	w.operations(doc.Paths)
	return []byte(w.String()), nil
}

// writer writes lines, indented by open braces.
type writer struct {
	strings.Builder
	depth int
}

func (w *writer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") {
		w.depth--
	}
	w.WriteString(strings.Repeat("  ", w.depth) + text + "\n")
	if strings.HasSuffix(text, "{") {
		w.depth++
	}
}

func (w *writer) comment(text string) {
	if text != "" {
		w.line("/** %s */", strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "*\\/"))
	}
}

// declare writes one schema: an interface if it is an object with members, and a type otherwise.
func (w *writer) declare(name string, s *schema) {
	w.line("")
	w.comment(s.Description)
	if len(s.Properties) == 0 {
		w.line("export type %s = %s;", name, typeOf(s))
		return
	}
	w.line("export interface %s {", name)
	for _, m := range members(s) {
		w.comment(s.Properties[m].Description)
		w.line("%s: %s;", property(m, slices.Contains(s.Required, m)), typeOf(s.Properties[m]))
	}
	w.line("}")
}

// members returns the names of an object's members: the discriminator first, then in order.
func members(s *schema) []string {
	names := slices.Sorted(maps.Keys(s.Properties))
	if i := slices.Index(names, "type"); i > 0 {
		names = slices.Insert(slices.Delete(names, i, i+1), 0, "type")
	}
	return names
}

var plain = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

func property(name string, required bool) string {
	if !plain.MatchString(name) {
		name = quote(name)
	}
	if required {
		return name
	}
	return name + "?"
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(b)
}

// typeOf returns the schema as a type expression.
func typeOf(s *schema) string {
	if s == nil {
		return "unknown"
	}
	switch {
	case s.Ref != "":
		return s.target()
	case len(s.Enum) > 0:
		return union(s.Enum, func(v json.RawMessage) string { return string(v) })
	case len(s.Words) > 0:
		return union(s.Words, quote) + " | (string & {})"
	case len(s.OneOf) > 0:
		return union(s.OneOf, typeOf)
	case len(s.AnyOf) > 0:
		return union(s.AnyOf, typeOf)
	case len(s.AllOf) > 0:
		return join(s.AllOf, " & ", typeOf)
	case len(s.Type) == 0:
		return "unknown"
	}
	return union(s.Type, s.basic)
}

// basic returns the type of the schema's values of the JSON type kind.
func (s *schema) basic(kind string) string {
	switch kind {
	case "integer", "number":
		return "number"
	case "array":
		item := typeOf(s.Items)
		if strings.Contains(item, " ") {
			item = "(" + item + ")"
		}
		return item + "[]"
	case "object":
		return s.object()
	default:
		return kind // string, boolean and null have the same names
	}
}

func (s *schema) object() string {
	if len(s.Properties) == 0 {
		values, _ := s.values()
		return "Record<string, " + typeOf(values) + ">"
	}
	described := func(m string) string {
		return property(m, slices.Contains(s.Required, m)) + ": " + typeOf(s.Properties[m])
	}
	return "{ " + join(members(s), "; ", described) + " }"
}

func union[T any](list []T, one func(T) string) string { return join(list, " | ", one) }

func join[T any](list []T, between string, one func(T) string) string {
	parts := make([]string, 0, len(list))
	for _, v := range list {
		parts = append(parts, one(v))
	}
	return strings.Join(parts, between)
}
