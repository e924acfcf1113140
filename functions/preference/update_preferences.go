package preference

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/tool"
)

//go:embed update_preferences.md
var updatePreferencesWords string

// UpdatePreferencesArguments are new values.
type UpdatePreferencesArguments struct {
	Updates []Update `json:"updates"`
}

// Update is a new value of a preference, as JSON text.
type Update struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// updatePreferences sets preferences. All are validated before any is changed; one that stands already is no change.
func updatePreferences() world.Tool {
	return world.Define("preference_updatePreferences", updatePreferencesWords,
		trait(world.Changes, meet.UpdateResource),
		func(_ context.Context, w *world.World, in UpdatePreferencesArguments) (answer world.Answer[Preferences], err error) {
			values, err := in.values()
			if err != nil {
				return answer, err
			}
			answer.Data.Preferences = []Preference{}
			for i, u := range in.Updates {
				if preference.Same(values[i], w.Preferences[u.Key]) {
					answer.Data.Preferences = append(answer.Data.Preferences, Preference{Key: u.Key, Value: values[i]})
				} else if err := change(w, &answer, u.Key, values[i]); err != nil {
					return answer, err
				}
			}
			return told(w, answer), nil
		})
}

// values are the new values in JSON without spaces. An error names the update, and of its value the wrong member.
func (in UpdatePreferencesArguments) values() ([][]byte, error) {
	if len(in.Updates) == 0 {
		return nil, tool.BadArgument("updates", "there must be at least one")
	}
	seen := map[string]bool{}
	values := make([][]byte, len(in.Updates))
	for i, u := range in.Updates {
		if err := known(fmt.Sprintf("updates[%d].key", i), []string{u.Key}); err != nil {
			return nil, err
		}
		if seen[u.Key] {
			return nil, tool.BadArgument(fmt.Sprintf("updates[%d].key", i), "%s is set twice", u.Key)
		}
		seen[u.Key] = true
		if err := preference.Validate(u.Key, []byte(u.Value)); err != nil {
			f := fault.As(err)
			if f.Code != fault.InvalidRequest {
				return nil, err
			}
			return nil, tool.BadArgument(fmt.Sprintf("updates[%d].value", i), "%s: %s", f.Field, f.Message)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(u.Value)); err != nil {
			return nil, err
		}
		values[i] = compact.Bytes()
	}
	return values, nil
}
