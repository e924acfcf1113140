// Package preference has the words and rules of what a person prefers: closed keys, each with a schema, and what they
// mean for hours, lengths and protected times.
package preference

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Values are preferences as JSON, by key.
type Values = record.Values

// Kind is that of preferences as records.
var Kind = record.Kind{What: meet.PreferenceThing, Show: show, Validate: Validate}

// Setting is a preference as it is listed.
type Setting struct {
	Key string `json:"key"`
	Rule
}

func show(key string, value []byte) (json.RawMessage, error) {
	return meet.MarshalLine(Setting{key, RuleOf(value)})
}

// The keys.
const (
	WorkingHours     = "working_hours"
	MeetingHours     = "meeting_hours"
	Buffers          = "buffers"
	DefaultDuration  = "default_duration"
	LunchHours       = "lunch_hours"
	GymSchedule      = "gym_schedule"
	WritingBlock     = "writing_block_config"
	ProtectedTimes   = "protected_times"
	WorkCalendar     = "work_calendar_id"
	PersonalCalendar = "personal_calendar_id"
	DefaultTaskList  = "default_task_list"
	Confirmations    = "confirmations"
	Home             = "home"
	Office           = "office"
	Language         = "language"
)

// Keys are all keys, in the order in which they are shown.
func Keys() []string {
	return []string{
		WorkingHours, MeetingHours, Buffers, DefaultDuration, LunchHours, GymSchedule, WritingBlock, ProtectedTimes,
		WorkCalendar, PersonalCalendar, DefaultTaskList, Confirmations, Home, Office, Language,
	}
}

//go:embed schemas.json
var schemasJSON []byte

// compiled are the schemas by key. A test compiles them all, so that they are valid here.
var compiled = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemasJSON))
	if err != nil {
		return nil, fmt.Errorf("preferences: %w", err)
	}
	// The name is absolute, because a relative one would name a folder of this machine.
	const name = "urn:convene:preferences"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, value); err != nil {
		return nil, fmt.Errorf("preferences: %w", err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, key := range Keys() {
		if schemas[key], err = compiler.Compile(name + "#/" + key); err != nil {
			return nil, fmt.Errorf("preference %s: %w", key, err)
		}
	}
	return schemas, nil
})

// Schemas are the JSON Schemas of all keys, as one document: a member for each key, and what they share in $defs.
func Schemas() json.RawMessage { return slices.Clone(schemasJSON) }

// Validate checks a value in JSON, or a rule with one. Its error is a fault.InvalidRequest whose field is the key with
// the wrong member, as "gym_schedule[0].start".
func Validate(key string, value []byte) error {
	schemas, err := compiled()
	if err != nil {
		return err
	}
	schema, known := schemas[key]
	if !known {
		return fault.Invalid(key, "There is no preference %q. There are: %s.", key, strings.Join(Keys(), ", "))
	}
	rule := RuleOf(value)
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(rule.Value))
	if err != nil {
		return fault.Invalid(key, "The value is not valid JSON.")
	}
	if wrong, ok := errors.AsType[*jsonschema.ValidationError](schema.Validate(decoded)); ok {
		field, problem := problemOf(key, wrong)
		return fault.Invalid(field, "%s.", problem)
	}
	if _, err = read(key, rule.Value); err == nil {
		err = rule.check(key)
	}
	return err
}

// problemOf is what is wrong with a value, and with which member: of several the first in the order of their names.
func problemOf(key string, wrong *jsonschema.ValidationError) (field, problem string) {
	if len(wrong.Causes) == 0 {
		return member(key, wrong.InstanceLocation),
			wrong.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	}
	for _, cause := range wrong.Causes {
		if f, p := problemOf(key, cause); field == "" || f < field || f == field && p < problem {
			field, problem = f, p
		}
	}
	return field, problem
}

// member is a place in a value: "gym_schedule[0].start".
func member(key string, location []string) string {
	for _, part := range location {
		if _, err := strconv.Atoi(part); err == nil {
			key += "[" + part + "]"
		} else {
			key += "." + part
		}
	}
	return key
}

// Parse reads an object of preferences, key → value, and validates each.
func Parse(raw []byte) (Values, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, fault.Invalid("preferences", "Preferences are a JSON object, key → value.").Because(err)
	}
	values := Values{}
	for key, value := range object {
		if err := Validate(key, value); err != nil {
			return nil, err
		}
		values[key] = value
	}
	return values, nil
}
