package ground

import "testing"

// A day alone, as that of one of several, means the event of the same name on it.
func TestOfThatName(t *testing.T) {
	t.Parallel()
	const friday = `{"selection":{"titleHas":["Fencing practice"],"window":{"start":"2026-11-27","end":"2026-11-28"}}}`
	for _, c := range []struct{ language, text, want string }{
		{"en", "and cancel friday's", friday},
		{"en", "cancel friday's one too", friday},
		{"en", "also skip the one on friday please", friday},
		{"es", "y el del viernes cancélalo directamente", friday},
		{"es", "quita también la del viernes", friday},
		{"he", "ואת של יום שישי תבטל", friday},
		{"he", "ותבטל גם את זה של שישי", friday},
		{"en", "and cancel friday", ""},
		{"en", "cancel friday's gala", ""},
		{"en", "move friday's one", ""},
		{"es", "cancela el viernes", ""},
		{"he", "תבטל את יום שישי", ""},
	} {
		m := Message{
			Text: c.text, Language: c.language, Now: now, Things: home(), AtHand: "fencing-24",
			Before: Call{Tool: "calendar_moveEvents", Arguments: []byte(`{}`)},
		}
		if got := ofThatName(m); string(got.Arguments) != c.want || got.Denied {
			t.Errorf("%q is %s %s, want %s", c.text, got.Tool, got.Arguments, c.want)
		}
		if m.AtHand, m.Last = "", []string{"osteopath", "harbour"}; c.want != "" && !ofThatName(m).Denied {
			t.Errorf("%q says which of two events is meant", c.text)
		}
		m.Last, m.Waits, m.Before.Tool = []string{"fencing-24"}, true, "calendar_deleteEvents"
		if got := follow(m); c.want != "" && string(got.Arguments) != `{"selection":{"ids":["fencing-24","fencing-27"]}}` {
			t.Errorf("%q besides what waits is %s %s", c.text, got.Tool, got.Arguments)
		}
	}
}
