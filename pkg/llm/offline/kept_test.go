package offline

import (
	"encoding/json"
	"testing"
	"time"
)

// What is said of times that are kept free becomes one update of the preference, and every language says the same.
func TestTimesThatAreKeptFree(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)
	const asks = `{"key":"writing_block_config","value":"{\"allowExceptionsWithApproval\":true}"}`
	for _, c := range []struct{ language, message, want string }{
		{"en", "Don't schedule anything during my writing block, but if it's urgent let me approve exceptions", asks},
		{"es", "No programes nada durante mi bloque de escritura, pero si es urgente déjame aprobar excepciones", asks},
		{"he", "אל תקבע לי כלום בזמן הכתיבה שלי, אבל אם זה דחוף תן לי לאשר חריגות", asks},
		{"en", "No meetings during my lunch", `{"key":"lunch_hours","value":"{\"allowExceptionsWithApproval\":false}"}`},
		{"en", "lunch is sacred between 12:30 and 1:30", `{"key":"lunch_hours","value":"{\"start\":\"12:30\",\"end\":\"13:30\"}"}`},
		{"en", "I write on Tuesdays from 9 to 11", `{"key":"writing_block_config","value":` +
			`"{\"days\":[\"tuesday\"],\"start\":\"09:00\",\"end\":\"11:00\"}"}`},
		{"en", "Turn my gym times off", `{"key":"gym_schedule","on":false}`},
		{"es", "desactiva mi comida", `{"key":"lunch_hours","on":false}`},
		{"he", "תכבה את זמן הכתיבה", `{"key":"writing_block_config","on":false}`},
		{"en", "Turn my lunch break back on", `{"key":"lunch_hours","on":true}`},
	} {
		all := operations(c.message, c.language, now, known{}, pointing{})
		got := ""
		if len(all) == 1 && all[0].missing == "" {
			update, _ := all[0].facts(now).values["updates"].([]map[string]any)
			if len(update) == 1 {
				delete(update[0], "days")
				delete(update[0], "without")
				raw, err := json.Marshal(update[0])
				if err != nil {
					t.Fatal(err)
				}
				got = string(raw)
			}
		}
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.message, got, c.want)
		}
	}
}

// Words of other wishes are no preference.
func TestNoTimeThatIsKeptFree(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)
	for _, message := range []string{
		"lunch with Al tomorrow at 1", "I have lunch with Dana on Friday from 12 to 1", "urgent meeting with Al on Tuesday",
		"I write to you because of Tuesday", "turn off the lights", "cancel my lunch",
	} {
		for _, op := range operations(message, "en", now, known{}, pointing{}) {
			if duties[op.verb].family == "preference" {
				t.Errorf("%q: %s", message, op.verb)
			}
		}
	}
}
