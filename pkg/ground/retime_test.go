package ground

import (
	"testing"
	"time"
)

// A message that only says another time is the one before it with that time.
func TestRetimed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 23, 7, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		language, text, want string
		earlier              []string
	}{
		{"en", "make it 5:30", "email Al that I'll come on friday at 5:30 and put it in my calendar", []string{
			"email Al that I'll come on friday at 5 and put it in my calendar",
		}},
		{"en", "no, make it thursday", "email Al that I'll come on thursday at 6", []string{
			"email Al that I'll come on friday at 5", "make it 6",
		}},
		{"en", "make it 6", "", []string{"block 2 to 4 tomorrow and remind me to eat"}},
		{"en", "make it 6", "", []string{"call at 2 and email Al that I'm in at 4"}},
		{"en", "make it shorter", "", []string{"email Al that I'll come at 5"}},
		{"en", "make it 6 and add Dana", "", []string{"email Al that I'll come at 5"}},
		{"es", "mejor a las 7", "cancela la cena y recuérdame mañana a las 7 llamar", []string{
			"cancela la cena y recuérdame mañana a las 6 llamar",
		}},
		{"he", "תעשה את זה ב-9", "תבטל את החוג ותזכיר לי מחר ב-9 להתקשר", []string{"תבטל את החוג ותזכיר לי מחר ב-8 להתקשר"}},
	} {
		if got := Retimed(Message{Text: c.text, Language: c.language, Now: now}, c.earlier); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
