package record_test

import (
	"encoding/json"
	"testing"

	"convene/pkg/meet"
	"convene/pkg/record"
)

var things = record.Kind{What: meet.ListThing}

// What others changed meanwhile stays; a deed clashes if it changes the same member.
func TestADeedOnWhatStandsNow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to, now, want string
		clash               bool
	}{
		"unchanged":              {`{"a":1}`, `{"a":2}`, `{"a":1}`, `{"a":2}`, false},
		"another member changed": {`{"a":1,"b":1}`, `{"a":2,"b":1}`, `{"a":1,"b":3}`, `{"a":2,"b":3}`, false},
		"one was added below": {
			`{"items":{"x":{}}}`, `{"items":{"x":{},"y":{}}}`, `{"items":{"x":{},"z":{}}}`,
			`{"items":{"x":{},"y":{},"z":{}}}`, false,
		},
		"one was removed below": {`{"i":{"x":1,"y":2}}`, `{"i":{"x":1}}`, `{"i":{"x":3,"y":2}}`, `{"i":{"x":3}}`, false},
		"the same member":       {`{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":2}`, true},
		"the same change":       {`{"a":1}`, `{"a":2}`, `{"a":2}`, `{"a":2}`, false},
		"set to nothing":        {`{"a":1,"b":1}`, `{"a":null,"b":1}`, `{"a":1,"b":2}`, `{"a":null,"b":2}`, false},
		"lists are whole":       {`[1]`, `[1,2]`, `[1,3]`, `[1,2]`, true},
		"deleted meanwhile":     {`{"a":1}`, `{"a":2}`, ``, `{"a":2}`, true},
		"made":                  {``, `{"a":1}`, `null`, `{"a":1}`, false},
		"deleted":               {`{"a": 1}`, ``, `{"a":1}`, `null`, false},
		"deleted though changed": {
			`{"a":1}`, ``, `{"a":2}`, `null`, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := record.Deed{Key: "k", ID: "i", From: json.RawMessage(c.from), To: json.RawMessage(c.to)}
			got, clash := d.On([]byte(c.now))
			if string(got.To) != c.want || clash != c.clash || !record.Same(got.From, []byte(c.now)) {
				t.Errorf("%s from %s, clash %v; want %s, clash %v", got.To, got.From, clash, c.want, c.clash)
			}
		})
	}
}

// Later steps of a turn see what earlier ones would change, and nothing is written.
func TestAWorkingCopy(t *testing.T) {
	t.Parallel()
	given := record.Values{"a": []byte(`{"n":1}`), "b": []byte(`{"n":2}`)}
	book := record.Book{Kind: things, Store: empty{}, Given: func(meet.PersonID) record.Values { return given }}
	c := book.NewCopy("dana")
	if _, err := c.Make(t.Context(), "1", "a", []byte(`{"n":7}`), "A"); err != nil {
		t.Fatal(err)
	}
	second, err := c.Make(t.Context(), "2", "a", nil, "A")
	if err != nil || second.Kind != meet.DeleteThing || string(second.Before) != `{"n":7}` {
		t.Fatalf("%+v, %v; want the deletion of what the first change leaves", second, err)
	}
	if all, _ := c.All(t.Context()); len(all) != 1 || string(all["b"]) != `{"n":2}` {
		t.Errorf("the copy has %s", all)
	}
	if values, _ := book.Of(t.Context(), "dana"); len(values) != 2 {
		t.Errorf("the book has %s: something was written", values)
	}
}
