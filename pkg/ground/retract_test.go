package ground

import "testing"

// What a message takes back at its end is not asked for. The same words elsewhere take nothing back.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"move the gym to 9am. actually forget it":           "en",
		"cancel the osteopath, never mind":                  "en",
		"cancela el osteópata... no, olvídalo":              "es",
		"תבטלי את הרופא, לא משנה":                           "he",
		"tell noa I love it, or better don't":               "en",
		"cancel the gym on friday, actually not":            "en",
		"cancela el osteópata, o mejor no":                  "es",
		"never mind":                                        "",
		"remind me to never forget it":                      "",
		"never mind the osteopath, move the gym to 9":       "",
		"rename the osteopath to \"forget it\"":             "",
		"forget about it, I meant the gym. move it to nine": "",
	} {
		if got := TakenBack(text); got != want {
			t.Errorf("%q is taken back in %q, want %q", text, got, want)
		}
	}
}
