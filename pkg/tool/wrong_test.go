package tool

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type part struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

type choice struct {
	Part  *part    `json:"part" jsonschema:"nullable"`
	Names []string `json:"names"`
	Parts []part   `json:"parts"`
	Order *string  `json:"order" jsonschema:"nullable,enum=up,enum=down"`
}

type wanted struct {
	Choice *choice `json:"choice" jsonschema:"nullable"`
	Title  string  `json:"title"`
	Count  *int    `json:"count" jsonschema:"nullable"`
}

func newWanted() Tool[struct{}, string] {
	return Define("wanted", "Words.", func(_ context.Context, _ struct{}, in wanted) (string, error) {
		if in.Title == "odd" {
			return "", BadArgument("title", "is odd")
		}
		return in.Title, nil
	})
}

// A program that writes a call by hand is told which argument is wrong, by its path.
func TestTheWrongArgumentIsNamed(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		`{"title":"x","choice":{"part":{"start":"9"}}}`: "choice.part.end: is missing",
		`{"title":"x","choice":{"part":{"start":9,"end":"10"}}}`: "choice.part.start: got number, " +
			"want string",
		`{"title":"x","choice":{"parts":[{"start":"1","end":"2"},{"end":"3"}]}}`: "choice.parts[1].start: is missing",
		`{"title":"x","choice":{"names":[1]}}`:                                   "choice.names[0]: got number, want string",
		`{"title":"x","choice":{"order":"around"}}`: "choice.order: value must be one of " +
			"'up', 'down'",
		`{"title":"x","colour":"red"}`:            "colour: is not known here",
		`{"title":"x","choice":{"colour":"red"}}`: "choice.colour: is not known here",
		`{"title":"x","count":1.0}`: "count: must be a whole number, written " +
			"without a fraction, and not 1.0",
		`{}`:              "title: is missing",
		`{"title":"odd"}`: "title: is odd",
		`[]`:              ": got array, want object",
		`{"title":`:       ": the arguments are not valid JSON",
	} {
		_, err := newWanted().Call(t.Context(), struct{}{}, []byte(arguments))
		got := ""
		if wrong, ok := errors.AsType[*ArgumentError](err); ok {
			path, problem := wrong.Argument()
			got = path + ": " + problem
		}
		if got != want {
			t.Errorf("%s: %q, want %q (%v)", arguments, got, want, err)
		}
	}
}

// The schema for programs requires what a call must have, and nothing else.
func TestArgumentsMayBeLeftOut(t *testing.T) {
	t.Parallel()
	raw, err := newWanted().Arguments()
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Required   []string
		Properties map[string]struct {
			AnyOf []struct{ Required []string }
		}
	}
	var got schema
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"title"}, got.Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	if below := got.Properties["choice"].AnyOf; len(below) != 2 || len(below[0].Required)+len(below[1].Required) != 0 {
		t.Errorf("of a choice is required %+v, want nothing", below)
	}
	if _, err := newWanted().Call(t.Context(), struct{}{}, []byte(`{"title":"x"}`)); err != nil {
		t.Error(err)
	}
}
