package preference

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/tool"
)

//go:embed update_preferences.md
var updatePreferencesWords string

// UpdatePreferencesArguments are new values.
type UpdatePreferencesArguments struct {
	Updates []Update `json:"updates"`
}

// Update is a new value of a preference, as JSON text, or what is said of hours.
type Update struct {
	Key      string   `json:"key"`
	Value    *string  `json:"value" jsonschema:"nullable"`
	Days     []string `json:"days" jsonschema:"enum=monday,enum=tuesday,enum=wednesday,enum=thursday,enum=friday,enum=saturday,enum=sunday"`
	Earliest *string  `json:"earliest" jsonschema:"nullable"`
	Latest   *string  `json:"latest" jsonschema:"nullable"`
	Without  []Hours  `json:"without"`
	On       *bool    `json:"on" jsonschema:"nullable"`
}

// Hours is a stretch of a day, "HH:MM" to "HH:MM".
type Hours struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// updatePreferences sets preferences. All are validated before any is changed; one that stands already is no change.
func updatePreferences() world.Tool {
	return world.Define("preference_updatePreferences", updatePreferencesWords,
		trait(world.Changes, meet.UpdateResource),
		func(_ context.Context, w *world.World, in UpdatePreferencesArguments) (answer world.Answer[Preferences], err error) {
			values, err := in.values(w)
			if err != nil {
				return answer, err
			}
			answer.Data.Preferences = []Preference{}
			for i, u := range in.Updates {
				if record.Same(values[i], w.Preferences[u.Key]) {
					answer.Data.Preferences = append(answer.Data.Preferences, listed(u.Key, values[i]))
				} else if err := change(w, &answer, u.Key, values[i]); err != nil {
					return answer, err
				}
			}
			return told(w, answer), nil
		})
}

// values are the new values in JSON without spaces. An error names the update, and of its value the wrong member.
func (in UpdatePreferencesArguments) values(w *world.World) ([][]byte, error) {
	if len(in.Updates) == 0 {
		return nil, tool.BadArgument("updates", "there must be at least one")
	}
	seen := map[string]bool{}
	values := make([][]byte, len(in.Updates))
	for i, u := range in.Updates {
		at := fmt.Sprintf("updates[%d].", i)
		if err := known(at+"key", []string{u.Key}); err != nil {
			return nil, err
		}
		if seen[u.Key] {
			return nil, tool.BadArgument(at+"key", "%s is set twice", u.Key)
		}
		seen[u.Key] = true
		value, err := u.rule(w)
		if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
			return nil, tool.BadArgument(at+f.Field, "%s", f.Message)
		}
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// rule is what the update makes of the standing rule. A new value is what the owner says now, and is on.
func (u Update) rule(w *world.World) ([]byte, error) {
	rule := preference.RuleOf(w.Preferences[u.Key])
	if u.On != nil && u.Value == nil && u.Earliest == nil && u.Latest == nil && len(u.Without) == 0 {
		if rule.Value == nil {
			return nil, notSet(w, u.Key)
		}
		rule.Off = !*u.On
		return rule.JSON()
	}
	value, err := u.on(rule.Value)
	if err != nil {
		return nil, err
	}
	if off := u.On != nil && !*u.On; !record.Same(value, rule.Value) || rule.Off != off {
		if !record.Same(value, rule.Value) {
			rule = rule.SaidBy(w.Said, w.Now)
		}
		rule.Value, rule.Off = value, off
	}
	return rule.JSON()
}

// on is the value that the update makes of the standing one. An error is a fault that names the wrong argument.
func (u Update) on(standing []byte) ([]byte, error) {
	hours := preference.Hours{Days: u.Days, Earliest: u.Earliest, Latest: u.Latest}
	for i, out := range u.Without {
		start, startErr := interval.ParseClock(out.Start)
		end, endErr := interval.ParseClock(out.End)
		if startErr != nil || endErr != nil || end <= start {
			return nil, fault.Invalid(fmt.Sprintf("without[%d]", i), "%q to %q are no hours of a day.", out.Start, out.End)
		}
		hours.Without = append(hours.Without, interval.Window{Start: start, End: end})
	}
	said := u.Earliest != nil || u.Latest != nil || len(u.Without) > 0
	switch {
	case said == (u.Value != nil):
		return nil, fault.Invalid("value", "Say either the value, or earliest, latest or without.")
	case said:
		value, err := hours.On(u.Key, standing)
		if err != nil {
			return nil, err
		}
		return value, valid(u.Key, value, "without")
	}
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(*u.Value)) != nil {
		return nil, fault.Invalid("value", "%s: The value is not valid JSON.", u.Key)
	}
	value, err := preference.Merge(u.Key, standing, compact.Bytes())
	if err != nil {
		return nil, err
	}
	return value, valid(u.Key, value, "value")
}

// valid refuses a value that its schema refuses, as one of that argument.
func valid(key string, value []byte, argument string) error {
	err := preference.Validate(key, value)
	if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
		return fault.Invalid(argument, "%s: %s", f.Field, f.Message)
	}
	return err
}
