package preference

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/tool"
)

//go:embed view.md
var viewWords string

// ViewArguments say which preferences; none is all that are set.
type ViewArguments struct {
	Keys []string `json:"keys"`
}

// view shows the owner's preferences.
func view() world.Tool {
	return world.Define("preference_view", viewWords, trait(world.Reads, meet.ReadResource), func(
		_ context.Context, w *world.World, in ViewArguments,
	) (answer world.Answer[Preferences], err error) {
		if err := known("keys", in.Keys); err != nil {
			return answer, err
		}
		answer.Data.Preferences = []Preference{}
		for _, key := range preference.Keys() {
			value, there := w.Preferences[key]
			switch {
			case there && (len(in.Keys) == 0 || slices.Contains(in.Keys, key)):
				answer.Data.Preferences = append(answer.Data.Preferences, listed(key, value))
			case slices.Contains(in.Keys, key):
				answer.Data.Preferences = append(answer.Data.Preferences, listed(key, nil))
			}
		}
		return told(w, answer), nil
	})
}

// known is an error if one of the keys is none.
func known(field string, keys []string) error {
	for _, key := range keys {
		if !slices.Contains(preference.Keys(), key) {
			return tool.BadArgument(field, "there is no preference %q; there are %s", key,
				strings.Join(preference.Keys(), ", "))
		}
	}
	return nil
}
