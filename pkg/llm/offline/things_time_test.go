package offline

import (
	"testing"
	"time"
)

// A day and an hour that are said apart are one time, wherever the way to ask for it is cut.
func TestAReminderHasItsWholeTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)
	for message, c := range map[string]struct{ title, reminder string }{
		"remind me tomorrow at 7 pm to take out the bins":       {"take out the bins", "2026-11-24T19:00"},
		"ping me at quarter to three to call mum":               {"call mum", "2026-11-23T14:45"},
		"recuérdame mañana a las 7 de la tarde sacar la basura": {"sacar la basura", "2026-11-24T19:00"},
		"recordame el jueves a las 9 pagar la luz":              {"pagar la luz", "2026-11-26T09:00"},
		"תזכיר לי מחר בשמונה בבוקר לזרוק את האשפה":              {"לזרוק את האשפה", "2026-11-24T08:00"},
	} {
		got, ok := thingIn(message, languageIn(message, nil), now, keeping{})
		if !ok || got.values["title"] != c.title || got.values["reminder"] != c.reminder {
			t.Errorf("%q: %v %v; want %q at %s", message, ok, got.facts, c.title, c.reminder)
		}
	}
}
