package preference

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/tool"
)

//go:embed forget.md
var forgetWords string

// ForgetArguments say which preferences are taken back.
type ForgetArguments struct {
	Keys []string `json:"keys"`
}

// forget takes preferences back. One that is not set is not found.
func forget() world.Tool {
	return world.Define("preference_forget", forgetWords, trait(world.Changes, meet.DeleteResource), func(
		_ context.Context, w *world.World, in ForgetArguments,
	) (answer world.Answer[Preferences], err error) {
		if len(in.Keys) == 0 {
			return answer, tool.BadArgument("keys", "there must be at least one")
		}
		if err := known("keys", in.Keys); err != nil {
			return answer, err
		}
		answer.Data.Preferences = []Preference{}
		for _, key := range in.Keys {
			if w.Preferences[key] == nil {
				return world.Answer[Preferences]{}, notSet(w, key)
			}
			if err := change(w, &answer, key, nil); err != nil {
				return answer, err
			}
		}
		return told(w, answer), nil
	})
}

// notSet is the fault that a preference is not set, with those that are.
func notSet(w *world.World, key string) error {
	v := w.Voice()
	text := v.Say(phrases, "notSet", "name", v.Say(phrases, key))
	var names []string
	for _, other := range preference.Keys() {
		if w.Preferences[other] != nil {
			names = append(names, v.Say(phrases, other))
		}
	}
	if len(names) > 0 {
		text += " " + v.Say(phrases, "set", "list", v.List(names))
	}
	return fault.New(fault.NotFound, "%s", text)
}
