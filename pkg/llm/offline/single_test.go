package offline

import (
	"encoding/json"
	"testing"
)

// A clause is the call of a tool only if the rules make sense of each of its words.
func TestSingle(t *testing.T) {
	t.Parallel()
	offered := []Offered{
		{copyMissing, json.RawMessage(`{"properties":{"from":{"type":"string"},"to":{"type":"string"},
			"both":{"type":"boolean"},"withoutPrivate":{"type":"boolean"},
			"window":{"properties":{"start":{"type":"string"},"end":{"type":"string"}}}}}`)},
		{"calendar_deleteEvents", json.RawMessage(`{"properties":{"selection":{"properties":{
			"from":{"type":"array","items":{"type":"string"}},"titleHas":{"type":"array","items":{"type":"string"}}}}}}`)},
	}
	for _, c := range []struct{ language, text, shown, want string }{
		{"en", "sync my work and personal calendars", "",
			`{"both":true,"from":"work","to":"personal","window":{"end":"","start":""},"withoutPrivate":false}`},
		{"en", "sync my work and personal calendars for next week, but don't copy private events", "",
			`{"both":true,"from":"work","to":"personal","window":{"end":"2026-03-16","start":"2026-03-09"},` +
				`"withoutPrivate":true}`},
		{"es", "sincroniza mis calendarios trabajo y personal, pero no copies los privados", "",
			`{"both":true,"from":"trabajo","to":"personal","window":{"end":"","start":""},"withoutPrivate":true}`},
		{"en", "sync my work and personal calendars, but only if it rains", "", ``},
		{"en", "cancel them", "events", `{"selection":{"from":["shown"],"titleHas":[]}}`},
		{"en", "cancel them", "", ``},
	} {
		name, arguments, ok := Single(Clause{
			Text: c.text, Language: c.language, Now: wednesday, Shown: c.shown,
		}, offered)
		if ok != (c.want != "") || string(arguments) != c.want {
			t.Errorf("%q is %s %s, want %s", c.text, name, arguments, c.want)
		}
	}
}
