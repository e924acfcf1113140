package functions

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// form is a schema of strict mode, for one question: do these arguments fit? The validator can tell what is wrong with
// those that do not; for those that do, which are nearly all, it takes many times as long.
type form struct {
	Type        string           `json:"type"`
	Description string           `json:"description"`
	Enum        []string         `json:"enum"`
	Properties  map[string]*form `json:"properties"`
	Required    []string         `json:"required"`
	Additional  *bool            `json:"additionalProperties"`
	Items       *form            `json:"items"`
	AnyOf       []*form          `json:"anyOf"`
}

// newForm refuses a schema that says anything else, so that nothing that it says is passed over.
func newForm(schema []byte) (*form, error) {
	f := &form{}
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(f); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return f, f.check()
}

// check refuses what fits does not go by.
func (f *form) check() error {
	var known bool
	switch f.Type {
	case "object":
		known = f.Additional != nil && !*f.Additional && len(f.Required) == len(f.Properties) && f.Enum == nil
	case "array":
		known = f.Items != nil && f.Enum == nil
	case "string":
		known = true
	case "integer", "boolean", "null":
		known = f.Enum == nil
	case "":
		known = f.AnyOf != nil && f.Enum == nil
	}
	if !known || f.Type != "" && f.AnyOf != nil {
		return fmt.Errorf("schema: a %q that strict mode does not have", f.Type)
	}
	parts := slices.Clone(f.AnyOf)
	if f.Items != nil {
		parts = append(parts, f.Items)
	}
	for _, name := range f.Required {
		if f.Properties[name] == nil {
			return fmt.Errorf("schema: %q is required and no property", name)
		}
		parts = append(parts, f.Properties[name])
	}
	var all []error
	for _, part := range parts {
		all = append(all, part.check())
	}
	return errors.Join(all...)
}

// fits reports whether the arguments are JSON that the schema allows. It may say no where they are spelled in an unusual
// way: a letter as an escape, a whole number with a fraction of nothing, a property twice.
func (f *form) fits(arguments []byte) bool {
	if !json.Valid(arguments) {
		return false
	}
	r := reader{rest: arguments}
	return r.fits(f)
}

// reader goes over valid JSON.
type reader struct{ rest []byte }

// next is the first byte that is no space, still unread.
func (r *reader) next() byte {
	r.rest = bytes.TrimLeft(r.rest, " \t\r\n")
	return r.rest[0]
}

func (r *reader) take(n int) []byte {
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

// text is what stands between the quotes of a string.
func (r *reader) text() []byte {
	r.take(1)
	text := r.take(stringEnd(r.rest, 0))
	r.take(1)
	return text
}

// word is a number, true, false or null.
func (r *reader) word() []byte {
	end := bytes.IndexAny(r.rest, ",]} \t\r\n")
	if end < 0 {
		end = len(r.rest)
	}
	return r.take(end)
}

func (r *reader) fits(f *form) bool {
	if f.AnyOf != nil {
		start := r.rest
		return slices.ContainsFunc(f.AnyOf, func(branch *form) bool {
			r.rest = start
			return r.fits(branch)
		})
	}
	switch r.next() {
	case '{':
		return f.Type == "object" && r.object(f)
	case '[':
		return f.Type == "array" && r.array(f)
	case '"':
		text := r.text()
		return f.Type == "string" && (f.Enum == nil || slices.Contains(f.Enum, string(text)))
	}
	switch word := r.word(); string(word) {
	case "null":
		return f.Type == "null"
	case "true", "false":
		return f.Type == "boolean"
	default:
		return f.Type == "integer" && !bytes.ContainsAny(word, ".eE")
	}
}

func (r *reader) object(f *form) bool {
	r.take(1)
	seen := make([]string, 0, 32)
	for r.next() != '}' {
		name := string(r.text())
		p := f.Properties[name]
		r.next()
		r.take(1) // the colon
		if p == nil || slices.Contains(seen, name) || !r.fits(p) {
			return false
		}
		seen = append(seen, name)
		if r.next() == ',' {
			r.take(1)
		}
	}
	r.take(1)
	return len(seen) == len(f.Properties)
}

func (r *reader) array(f *form) bool {
	r.take(1)
	for r.next() != ']' {
		if !r.fits(f.Items) {
			return false
		}
		if r.next() == ',' {
			r.take(1)
		}
	}
	r.take(1)
	return true
}
