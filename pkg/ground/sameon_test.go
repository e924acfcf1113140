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
		{"en", "skip the one on the 27th", friday},
		{"en", "the one on november 27, drop it", friday},
		{"es", "el del 27 quítalo", friday},
		{"he", "את זה של ה-27 תמחק", friday},
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
		const one = `{"selection":{"one":true,"window":{"start":"2026-11-27","end":"2026-11-28"}}}`
		m.AtHand, m.Last = "", []string{"osteopath", "harbour"}
		if got := ofThatName(m); c.want != "" && string(got.Arguments) != one {
			t.Errorf("%q does not ask which of several events is meant: %s", c.text, got.Arguments)
		}
		if m.Before.Tool = "task_viewTasks"; c.want != "" && !ofThatName(m).Denied {
			t.Errorf("%q after tasks is of an event", c.text)
		}
		m.Last, m.Waits, m.Before.Tool = []string{"fencing-24"}, true, "calendar_deleteEvents"
		if got := follow(m); c.want != "" && string(got.Arguments) != `{"selection":{"ids":["fencing-24","fencing-27"]}}` {
			t.Errorf("%q besides what waits is %s %s", c.text, got.Tool, got.Arguments)
		}
	}
}
