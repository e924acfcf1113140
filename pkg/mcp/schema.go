package mcp

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"convene/pkg/interval"
)

// object is an object without other properties.
func object(properties map[string]*jsonschema.Schema, required ...string) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: properties, Required: required, AdditionalProperties: never(),
	}
}

// never is a schema that no value satisfies.
func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func text(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description}
}

func moment(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Format: "date-time", Description: description}
}

// index counts from 0.
func index(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: new(float64), Description: description}
}

func listOf(items *jsonschema.Schema, description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "array", Items: items, Description: description}
}

// message is bounded as in the API.
func message(description string) *jsonschema.Schema {
	longest := 8000
	return &jsonschema.Schema{Type: "string", MinLength: new(1), MaxLength: &longest, Description: description}
}

// person is the id of a stored person, or a person given inline.
func person(description string) *jsonschema.Schema {
	inline := object(map[string]*jsonschema.Schema{
		"id":       text("Your own id for the person; give the same one again in later calls."),
		"name":     text("Full name."),
		"email":    {Type: "string", Format: "email", Description: "The email of a stored person means that person."},
		"timezone": zone("IANA time zone of the person, as Europe/Berlin."),
		"location": location(),
		"calendarType": {Type: "string", Enum: []any{"personal", "work"},
			Description: "A work calendar offers working hours only."},
		"bookingLink": {Type: "string", Format: "uri", Description: "An https page on which others book the person."},
		"workingHours": {Type: "object", Description: `Hours by weekday, as {"mon": [{"start": "09:00", "end": "17:00"}]}; ` +
			`a day that is left out has none.`},
	}, "name")
	return &jsonschema.Schema{
		Description: description, AnyOf: []*jsonschema.Schema{text("The id of a stored person."), inline},
	}
}

func zone(description string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Description: description, Examples: []any{"America/Los_Angeles"}}
}

func location() *jsonschema.Schema {
	s := object(map[string]*jsonschema.Schema{
		"latitude":  {Type: "number", Minimum: new(-90.0), Maximum: new(90.0)},
		"longitude": {Type: "number", Minimum: new(-180.0), Maximum: new(180.0)},
		"label":     text("What the place is called."),
	}, "latitude", "longitude")
	s.Description = "Where the person usually starts from."
	return s
}

// availability is when people are busy whose calendars Convene cannot read.
func availability() *jsonschema.Schema {
	span := object(map[string]*jsonschema.Schema{
		"start": moment("With an offset, as 2026-03-10T14:00:00-07:00."),
		"end":   moment("With an offset; after start."),
	}, "start", "end")
	return listOf(object(map[string]*jsonschema.Schema{
		"person": text("The id of a stored person or of one in this call; for a person given inline without one, the email " +
			"or the name."),
		"busy": listOf(span, "When the person is busy; all other time counts as free."),
	}, "person", "busy"), "Replaces the calendars of the people it names. Give it again with every edit.")
}

// resultSchema describes a result. It allows unknown properties, because more may be added. It is made once, and never
// changed.
var resultSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	s, err := jsonschema.For[result](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[interval.Week]():   {Type: "object", Description: "Hours by weekday."},
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		return nil, err
	}
	delete(s.Properties["event"].Properties, "alternatives")
	open(s)
	return s, nil
})

// open allows unknown properties.
func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Properties) > 0 {
		s.AdditionalProperties = nil
	}
	for _, property := range s.Properties {
		open(property)
	}
	open(s.Items)
}
