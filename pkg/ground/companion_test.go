package ground_test

import (
	"testing"

	"convene/pkg/ground"
)

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
