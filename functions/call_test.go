package functions

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"convene/pkg/llm"
	"convene/pkg/tool"
)

func TestCallsThatDoNotFitGoBack(t *testing.T) {
	t.Parallel()
	c := TemplateContext{BookingLinks: []string{"https://book.example/dana"}}
	set := NewTemplates().For(c)
	for name, call := range map[string]llm.Call{
		"unknown function":    {Name: "deleteEverything", Arguments: "{}"},
		"not offered":         {Name: "editEventTemplate", Arguments: "{}"},
		"no JSON":             {Name: "generateEventTemplate", Arguments: `{"title":`},
		"missing property":    {Name: "generateEventTemplate", Arguments: `{"title":"coffee"}`},
		"additional property": {Name: "navigateToBookingLink", Arguments: `{"url":"https://book.example/dana","x":1}`},
		"invented link":       {Name: "navigateToBookingLink", Arguments: `{"url":"https://evil.example/"}`},
	} {
		_, err := set.Call(t.Context(), c, call)
		if _, ok := errors.AsType[*tool.ArgumentError](err); !ok {
			t.Errorf("%s: got %v, want an tool.ArgumentError", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "file:") {
			t.Errorf("%s: %v tells the model of a folder of this machine", name, err)
		}
	}
}

// A date on which nothing suits is told as one with a list of no hours.
func TestADateWithoutHoursHasAList(t *testing.T) {
	t.Parallel()
	read, err := hours("newHours", &Hours{On: []DateHours{{Date: "2026-03-10"}}})
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(read)
	if err != nil || strings.Contains(string(told), "null") {
		t.Errorf("told as %s, %v", told, err)
	}
}
