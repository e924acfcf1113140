package functions

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"convene/pkg/llm"
	"convene/pkg/meet"
)

// What the three calls of a turn look like.
const (
	understanding = `{"intent":"handle_event","acknowledgment":"Let me find a good time for coffee with Ada next week.","language":"en"}`
	template      = `{"title":"Coffee with Ada","eventType":"in-person","activity":"coffee","duration":30,` +
		`"preferredSchedulableDates":[{"start":"2031-05-05","end":"2031-05-11"}],"preferredSchedulableHours":null,"excludedDates":[],` +
		`"excludedHours":null,"participants":["Ada"],"suggestedPlaceTypes":["cafe"],"intentSpecificity":"activity_type",` +
		`"activitySearchQuery":"","placeName":"","travelBuffer":null,"suggestedActivity":null,"wishes":[],"where":null,"excludedPlaces":[]}`
	selection = `{"rankedSlotIndices":[0,1,2,3,4,5],"rankedPlaceIndices":[0,1,2,3,4,5],"calendarProvider":"local",` +
		`"message":"I've found a time that works for everybody: **Monday, May 5 at 12:00 PM** at [Corner Cup](https://maps.example/1)."}`
)

func TestUsualArgumentsFit(t *testing.T) {
	t.Parallel()
	for arguments, form := range map[string]*form{
		understanding: ClassifyIntent().form, template: GenerateEventTemplate().form, selection: GenerateEvent().form,
	} {
		if !form.fits([]byte(arguments)) {
			t.Errorf("does not fit: %s", arguments)
		}
	}
}

func TestUnknownSchemasAreRefused(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"a bound":                       `{"type":"integer","minimum":1}`,
		"a pattern":                     `{"type":"string","pattern":"x"}`,
		"several types":                 `{"type":["string","null"]}`,
		"another type":                  `{"type":"number"}`,
		"no type":                       `{}`,
		"an array of anything":          `{"type":"array"}`,
		"an array of few":               `{"type":"array","items":{"type":"string"},"maxItems":2}`,
		"an open object":                `{"type":"object","properties":{},"required":[]}`,
		"an optional property":          `{"type":"object","properties":{"a":{"type":"string"}},"required":[],"additionalProperties":false}`,
		"a property that is not there":  `{"type":"object","properties":{"a":{"type":"string"}},"required":["b"],"additionalProperties":false}`,
		"choice of numbers":             `{"type":"integer","enum":[1]}`,
		"both a type and an anyOf":      `{"type":"string","anyOf":[{"type":"string"}]}`,
		"an unknown part of an element": `{"type":"array","items":{"type":"number"}}`,
		"an unknown branch":             `{"anyOf":[{"type":"null"},{"type":"number"}]}`,
	} {
		if _, err := newForm([]byte(schema)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Nothing fits that the validator refuses.
func FuzzForm(f *testing.F) {
	for _, arguments := range []string{
		understanding, template, selection, `{}`, `[]`, `null`, `0`, `""`, ` {"url" : "x" } `, `{"url":"x","url":"y"}`, `{"url":null}`,
		`{"intent":"other","acknowledgment":"","language":""}`, `{"intent":"converse","acknowledgment":"a\"b","language":"\u0065"}`,
		`{"rankedSlotIndices":[1.0,-0,1e2],"rankedPlaceIndices":[],"calendarProvider":"local","message":"\\"}`,
	} {
		f.Add([]byte(arguments))
	}
	type pair struct {
		form      *form
		validator *jsonschema.Schema
	}
	pairs := []pair{
		{ClassifyIntent().form, ClassifyIntent().schema}, {GenerateEventTemplate().form, GenerateEventTemplate().schema},
		{EditEventTemplate().form, EditEventTemplate().schema}, {NavigateToBookingLink().form, NavigateToBookingLink().schema},
		{GenerateEvent().form, GenerateEvent().schema}, {ProvideAlternatives().form, ProvideAlternatives().schema},
	}
	f.Fuzz(func(t *testing.T, arguments []byte) {
		for _, p := range pairs {
			if !p.form.fits(arguments) {
				continue
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
			if err == nil {
				err = p.validator.Validate(value)
			}
			if err != nil {
				t.Errorf("%s fits, but: %v", arguments, err)
			}
		}
	})
}

// BenchmarkCall checks and runs the three calls of a turn.
func BenchmarkCall(b *testing.B) {
	classify := Set[struct{}, meet.Understanding]{ClassifyIntent()}
	draft := NewTemplates().For(TemplateContext{})
	choose := Set[struct{}, meet.Selection]{GenerateEvent()}
	c := TemplateContext{Now: time.Date(2031, 5, 2, 9, 0, 0, 0, time.UTC)}
	b.ReportAllocs()
	for b.Loop() {
		_, classified := classify.Call(struct{}{}, llm.Call{Name: "classifyIntent", Arguments: understanding})
		_, drafted := draft.Call(c, llm.Call{Name: "generateEventTemplate", Arguments: template})
		_, chosen := choose.Call(struct{}{}, llm.Call{Name: "generateEvent", Arguments: selection})
		if err := errors.Join(classified, drafted, chosen); err != nil {
			b.Fatal(err)
		}
	}
}
