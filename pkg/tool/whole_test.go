package tool

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type trip struct {
	Where string   `json:"where"`
	Days  *int     `json:"days" jsonschema:"nullable"`
	Stops []string `json:"stops"`
	Guide *struct {
		Name string  `json:"name"`
		Fee  *int    `json:"fee" jsonschema:"nullable"`
		Says *string `json:"says" jsonschema:"nullable"`
	} `json:"guide" jsonschema:"nullable"`
}

// What may be null or empty may be left out by hand; nothing else may, and nothing is added.
func TestACallByHandLeavesOutWhatMayBeNull(t *testing.T) {
	t.Parallel()
	of := Define("travel", "Travel.", func(_ context.Context, _ struct{}, in trip) (trip, error) { return in, nil })
	three := 3
	for arguments, want := range map[string]trip{
		`{"where":"Rome"}`: {Where: "Rome", Stops: []string{}},
		`{"where":"Rome","days":3,"stops":["Pisa"],"guide":null}`: {Where: "Rome", Days: &three, Stops: []string{"Pisa"}},
	} {
		got, err := of.Call(t.Context(), struct{}{}, []byte(arguments))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", arguments, err, diff)
		}
	}
	if got, err := of.Call(t.Context(), struct{}{}, []byte(`{"where":"Rome","guide":{"name":"Al"}}`)); err != nil ||
		got.Guide == nil || got.Guide.Name != "Al" || got.Guide.Fee != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, arguments := range []string{
		``, `{}`, `[]`, `{"where":1}`, `{"where":"Rome","more":1}`, `{"where":"Rome"}{}`, `{"where":"Rome"}}`, `{`,
		`{"where":"Rome","days":"3"}`, `{"where":"Rome","guide":{}}`,
	} {
		_, err := of.Call(t.Context(), struct{}{}, []byte(arguments))
		if _, wrong := errors.AsType[*ArgumentError](err); !wrong {
			t.Errorf("%s: %v, want an *ArgumentError", arguments, err)
		}
	}
}
