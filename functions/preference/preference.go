package preference

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"
	"time"

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
	// Said are the owner's words that set it, and SaidAt is when; empty if none did.
	Said   string `json:"said"`
	SaidAt string `json:"saidAt"`
	// Off marks one that counts for nothing.
	Off bool `json:"off"`
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

func trait(effect world.Effect, operation meet.Operation) world.Trait {
	return world.Trait{
		Family: Family, Effect: effect, Gives: world.Settings, Operation: operation, Resource: meet.PreferenceResource,
	}
}

// listed is a preference as its owner sees it; without a value, one that is not set.
func listed(key string, value []byte) Preference {
	if value == nil {
		return Preference{Key: key, Value: json.RawMessage("null")}
	}
	rule := preference.RuleOf(value)
	p := Preference{Key: key, Value: rule.Value, Said: rule.Said, Off: rule.Off}
	if !rule.SaidAt.IsZero() {
		p.SaidAt = rule.SaidAt.Format(time.RFC3339)
	}
	return p
}

// change adds the change of a preference to an answer. A nil value takes it back.
func change(w *world.World, answer *world.Answer[Preferences], key string, value []byte) error {
	changed, err := w.Prefer(key, value, w.Voice().Say(phrases, key))
	if err != nil {
		return err
	}
	answer.Changes = append(answer.Changes, changed)
	p := listed(key, value)
	p.Pending = true
	answer.Data.Preferences = append(answer.Data.Preferences, p)
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
		if p.Off {
			value = v.Say(phrases, "off", "value", value)
		}
		if at, err := time.Parse(time.RFC3339, p.SaidAt); err == nil {
			value = v.Say(phrases, "said", "value", value, "day", v.OnDay(at.In(w.Zone())), "words", v.Title(p.Said))
		}
		lines = append(lines, "- "+v.Say(phrases, "line", "name", v.Say(phrases, p.Key), "value", value))
		if preference.NoTime(p.Key, p.Value) {
			lines = append(lines, v.Say(phrases, "noTime", "name", v.Say(phrases, p.Key)))
		}
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
		if kept.Exceptions {
			parts = append(parts, v.Say(phrases, "exceptions"))
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
	for _, name := range []string{p.WorkCalendar, p.PersonalCalendar, p.TaskList, p.Home, p.Office} {
		if name != "" {
			parts = append(parts, v.Title(name))
		}
	}
	if p.Language != "" {
		parts = append(parts, v.Say(phrases, p.Language))
	}
	if preference.NoTime(key, value) {
		parts = append(parts, v.Say(phrases, "exceptions"))
	}
	if len(parts) == 0 {
		return v.Say(phrases, "none")
	}
	return v.List(parts)
}
