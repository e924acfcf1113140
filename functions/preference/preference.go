package preference

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/preference"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// Preferences are the data of the family's tools: as they stand or, of a tool that changes them, those that change, as
// they would be. A null value is none.
type Preferences struct {
	Preferences []Preference `json:"preferences"`
}

// Preference is one of them.
type Preference struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	return world.Trait{
		Family: Family, Effect: effect, Gives: world.Settings, Operation: operation, Resource: meet.PreferenceResource,
	}
}

// change adds the change of a preference to an answer. A nil value takes it back.
func change(w *world.World, answer *world.Answer[Preferences], key string, value []byte) error {
	changed, err := w.Prefer(key, value, w.Voice().Say(phrases, key))
	if err != nil {
		return err
	}
	answer.Changes = append(answer.Changes, changed)
	shown := json.RawMessage("null")
	if value != nil {
		shown = value
	}
	answer.Data.Preferences = append(answer.Data.Preferences, Preference{Key: key, Value: shown, Pending: true})
	return nil
}

// told is the answer with its preferences in words.
func told(w *world.World, answer world.Answer[Preferences]) world.Answer[Preferences] {
	v := w.Voice()
	var lines []string
	for _, p := range answer.Data.Preferences {
		value := v.Say(phrases, "none")
		if string(p.Value) != "null" {
			value = inWords(w, p.Key, p.Value)
		}
		lines = append(lines, "- "+v.Say(phrases, "line", "name", v.Say(phrases, p.Key), "value", value))
	}
	answer.Display, answer.Title = meet.ListDisplay, v.Say(phrases, "title")
	if answer.Description = strings.Join(lines, "\n"); len(lines) == 0 {
		answer.Description = v.Say(phrases, "nothing")
	}
	return answer
}

// inWords is a value in words: times with their days, minutes, names.
func inWords(w *world.World, key string, value []byte) string {
	v, p := w.Voice(), preference.Read(preference.Values{key: value})
	var parts []string
	for _, week := range []*interval.Week{p.WorkingHours, p.MeetingHours} {
		if week != nil {
			parts = append(parts, v.Week(*week))
		}
	}
	for _, kept := range p.Protected {
		if kept.Title != "" {
			parts = append(parts, v.Title(kept.Title)+" "+v.Week(kept.Week))
		} else {
			parts = append(parts, v.Week(kept.Week))
		}
	}
	if p.Minutes > 0 {
		parts = append(parts, v.Length(p.Minutes))
	}
	if key == preference.Buffers {
		parts = append(parts, v.Say(phrases, "around", "before", strconv.Itoa(p.Buffer.BeforeMinutes),
			"after", strconv.Itoa(p.Buffer.AfterMinutes)))
	}
	for _, kind := range p.Always {
		parts = append(parts, v.Say(phrases, string(kind)))
	}
	for _, name := range []string{p.WorkCalendar, p.PersonalCalendar, p.TaskList} {
		if name != "" {
			parts = append(parts, v.Title(name))
		}
	}
	if len(parts) == 0 {
		return v.Say(phrases, "none")
	}
	return v.List(parts)
}
