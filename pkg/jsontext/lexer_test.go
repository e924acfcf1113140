package jsontext_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"convene/pkg/jsontext"
)

func ExampleLexer() {
	var l jsontext.Lexer
	l.Begin([]byte(`{"id":7,"deep":[{},null],"name":"caf\u00e9"}`), 0)
	l.Object(func(key []byte) {
		switch string(key) {
		case "name":
			fmt.Println(string(l.Text()))
		default:
			l.Skip()
		}
	})
	fmt.Println(l.End())
	// Output:
	// café
	// <nil>
}

// What can be skipped is what encoding/json calls valid, unless it is nested too deep.
func FuzzSkip(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+3,true,null,"\ud83c\udf89"]}`, `[01]`, `[1.]`, `{"a":1,}`, `"\x"`, "\"\t\"", "\"\xff\"",
		`nul`, `{} {}`, ``,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var l jsontext.Lexer
		l.Begin([]byte(text), 0)
		l.Skip()
		deep := strings.Count(text, "[")+strings.Count(text, "{") > 64
		if got, want := l.End() == nil, json.Valid([]byte(text)); got != want && !deep {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
