package tool

import (
	"encoding/json"
	"testing"

	"convene/pkg/jsontext"
)

// What the shape admits the schema admits too; of what the schema admits, the shape leaves out oddities only.
func FuzzShape(f *testing.F) {
	for _, arguments := range []string{
		`{"title":"x","choice":{"part":{"start":"9","end":"10"},"names":["a"],"parts":[{"start":"","end":""}],"order":"up"}}`,
		` { "title" : "\u0041", "choice" : null, "count" : -3 } `, `{"title":"x","count":1.0}`, `{"title":"x","count":1e400}`,
		`{"title":"x","count":01}`, `{"title":"x","title":2}`, `{"Title":"x"}`, `{"title":null}`, `{"title":"x","choice":[]}`,
		`{"title":"x","choice":{"order":"around"}}`, `{"title":"x","choice":{"part":{"start":"9","start":"9"}}}`,
		`{"title":"x","colour":{}}`, `{"title":"x"}{}`, `null`, `[]`, `{"title":"x","choice":{"names":[1]}}`, `{"title":nul}`,
	} {
		f.Add(arguments)
	}
	of := newWanted().loose
	schema, err := of.whole()
	if err != nil || of.shape == nil {
		f.Fatal(err, of.shape)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		var l jsontext.Lexer
		l.Begin([]byte(arguments), 0)
		of.shape.read(&l)
		var value any
		if err := json.Unmarshal([]byte(arguments), &value); err == nil {
			err = schema.Validate(value)
			if admits := l.End() == nil; admits && err != nil {
				t.Errorf("admitted: %v", err)
			}
		} else if l.End() == nil {
			t.Errorf("admitted: %v", err)
		}
	})
}

// Usual arguments need no more than the shape.
func TestTheShapeAdmitsUsualArguments(t *testing.T) {
	t.Parallel()
	of := newWanted()
	for schema, arguments := range map[*checked]string{
		&of.loose: `{"title":"x","choice":{"parts":[{"start":"9","end":"10"}],"order":"up"},"count":2}`,
		&of.schema: `{"choice":{"part":null,"names":["\u0041"],"parts":[],"order":null},"title":"x",
			"count":null}`,
	} {
		schema.whole = nil
		if err := schema.check([]byte(arguments)); err != nil {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}
