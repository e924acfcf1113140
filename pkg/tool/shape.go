package tool

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"convene/pkg/jsontext"
)

// checked is a schema against which arguments are checked: by its shape first, which is quick, and if they do not fit
// that, by the whole schema, which says why.
type checked struct {
	shape *shape
	whole func() (*jsonschema.Schema, error)
}

func checkedBy(schema json.RawMessage) checked {
	c := checked{whole: sync.OnceValues(func() (*jsonschema.Schema, error) { return compile(schema) })}
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.DisallowUnknownFields() // a keyword that a shape does not know may refuse what the shape admits
	if err := decoder.Decode(&c.shape); err != nil || !c.shape.number() {
		c.shape = nil
	}
	return c
}

func (c checked) check(arguments []byte) error {
	if c.shape != nil {
		var l jsontext.Lexer
		l.Begin(arguments, 0)
		if c.shape.read(&l); l.End() == nil {
			return nil
		}
	}
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return &ArgumentError{Problem: "the arguments are not valid JSON"}
	}
	schema, err := c.whole()
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return &ArgumentError{Problem: err.Error(), cause: err}
	}
	return nil
}

// shape is a JSON Schema with the keywords that tools use. It admits nothing that the schema refuses.
type shape struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Properties  map[string]*shape `json:"properties"`
	Required    []string          `json:"required"`
	Additional  *bool             `json:"additionalProperties"`
	Items       *shape            `json:"items"`
	AnyOf       []*shape          `json:"anyOf"`
	Enum        []string          `json:"enum"`
	// bit is that of a required property.
	bit uint64
}

// number gives the required properties their bits. It is false for more of them than there are bits.
func (s *shape) number() bool {
	if s == nil {
		return true
	}
	for i, name := range s.Required {
		p := s.Properties[name]
		if p == nil || i > 63 {
			return false
		}
		p.bit = 1 << i
	}
	ok := s.Items.number()
	for _, p := range s.Properties {
		ok = ok && p.number()
	}
	for _, branch := range s.AnyOf {
		ok = ok && branch.number()
	}
	return ok
}

// read reads a value of the shape. The lexer fails at anything else, and at what a shape does not know.
func (s *shape) read(l *jsontext.Lexer) {
	next := l.Next()
	switch {
	case l.Err != nil:
	case len(s.AnyOf) > 0 && s.Type == "":
		for i, at := 0, l.At; i == 0 || i < len(s.AnyOf) && l.Err != nil; i++ {
			l.At, l.Err = at, nil
			s.AnyOf[i].read(l)
		}
	case s.Type == "null" && l.Null():
	case s.Type == "boolean" && (next == 't' || next == 'f'):
		l.Skip()
	case s.Type == "integer" && next != 'n':
		l.Integer()
	case s.Type == "number":
		l.Number()
	case s.Type == "string" && next == '"':
		s.readText(l)
	case s.Type == "array" && next == '[' && s.Items != nil:
		l.Array(func() { s.Items.read(l) })
	case s.Type == "object" && next == '{' && s.Additional != nil && !*s.Additional:
		s.readObject(l)
	default:
		l.Fail()
	}
}

func (s *shape) readText(l *jsontext.Lexer) {
	text := l.Text()
	if s.Enum != nil && !slices.Contains(s.Enum, string(text)) {
		l.Fail()
	}
}

func (s *shape) readObject(l *jsontext.Lexer) {
	var seen uint64
	l.Object(func(key []byte) {
		p := s.Properties[string(key)]
		if p == nil {
			l.Fail()
			return
		}
		seen |= p.bit
		p.read(l)
	})
	if seen != 1<<len(s.Required)-1 {
		l.Fail()
	}
}
