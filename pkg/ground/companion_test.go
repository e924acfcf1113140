package ground_test

import (
	"testing"
	"time"

	"convene/pkg/ground"
)

// Only a question who is free "then" means the time of what is arranged.
func TestFreeThen(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 24, 14, 30, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"am i free then?":           "am i free 2026-11-24 14:30-15:00?",
		"is Dana available then":    "is Dana available 2026-11-24 14:30-15:00",
		"¿estoy libre a esa hora?":  "¿estoy libre 2026-11-24 14:30-15:00?",
		"אני פנוי אז?":              "אני פנוי 2026-11-24 14:30-15:00?",
		"make it free entry then":   "",
		"and then are we available": "",
	} {
		got := ""
		if ground.AsksThen(text) {
			got = ground.AtTime(text, start, start.Add(30*time.Minute))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is told by the event that is being talked about, and whether right beside it.
func TestBeside(t *testing.T) {
	t.Parallel()
	type said struct {
		words        string
		after, close bool
	}
	for text, want := range map[string]said{
		"and one with Dana right after that": {"after that", true, true},
		"coffee after it":                    {"after it", true, false},
		"a walk just before that":            {"before that", false, true},
		"café justo después":                 {"después", true, true},
		"קפה מיד אחרי זה":                    {"אחרי זה", true, true},
		"coffee on Friday":                   {},
	} {
		var got said
		if got.words, got.after, got.close = ground.Beside(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestCompanions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"set up a call with her", "set up a call with Dana"},
		{"Coffee with him tomorrow at 3", "Coffee with Dana tomorrow at 3"},
		{"lunch with her on friday", "lunch with Dana on friday"},
		{"dinner with them, please", "dinner with Dana and Al, please"},
		{"lunch with her sister", ""},
		{"a call with Herman", ""},
		{"pon una llamada con ella a las 3", "pon una llamada con Dana a las 3"},
		{"cena con ellos", "cena con Dana y Al"},
		{"café con elena", ""},
		{"קפה איתה מחר", "קפה עם Dana מחר"},
		{"פגישה איתם", "פגישה עם Dana וAl"},
		{"call her", ""},
	} {
		got := ""
		if found, ok := ground.CompanionIn(c.text); ok {
			names := []string{"Dana"}
			if found.Several {
				names = append(names, "Al")
			}
			got = found.Name(c.text, names)
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
