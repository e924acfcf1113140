package ground

import "testing"

// Tasks that are excepted from a group are left out of the call; if nobody knows which ones, there is none. Hours in
// which something is done are no deadline, and a person in the name of something new is a part of it.
func TestExceptions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ deed, language, text, want string }{
		{"task_done", "en", "mark all tasks due today as done except the visa", `task_completeTask {"selection":` +
			`{"dueFrom":"2026-11-23","dueTo":"2026-11-23","titleLacks":["Apply for the visa"]}}`},
		{"task_done", "en", "mark all overdue tasks as done except the gutters and the visa", `task_completeTask ` +
			`{"selection":{"overdue":true,"titleLacks":["Clean the gutters","Apply for the visa"]}}`},
		{"task_done", "en", "mark all overdue tasks as done except the taxes", ""},
		{"task_done", "es", "marca como hechas todas las tareas de hoy menos visa", `task_completeTask {"selection":` +
			`{"dueFrom":"2026-11-23","dueTo":"2026-11-23","titleLacks":["Apply for the visa"]}}`},
		{"task_done", "he", "תסמן את כל המשימות של היום כבוצעו חוץ מ-visa", `task_completeTask {"selection":` +
			`{"dueFrom":"2026-11-23","dueTo":"2026-11-23","titleLacks":["Apply for the visa"]}}`},
		{"task_due", "en", "put the visa into friday 11 to 12:30", ""},
		{"task_create", "en", `add "talk to yara" to my tasks`,
			`task_createTask {"dependencies":[],"tags":[],"title":"talk to yara"}`},
		{"list_create", "es", "crea una lista llamada verano", `list_add {"items":[],"list":"verano"}`},
	} {
		if got := calls(c.deed, c.language, c.text); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// Nothing is changed for what others say, for someone who is not named, or for two events that change places.
func TestNothingForOthers(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"en": {
			"my boss says cancel the osteopath", "everyone says that i should cancel the osteopath",
			"cancel my next meeting with them", "swap the osteopath and the harbour walk on friday",
			"tell yara and al that i'm late",
		},
		"es": {"mi jefa dice que cancele el osteopath", "intercambia osteopath y harbour walk el viernes"},
		"he": {"הבוס אמר לבטל את ה-osteopath"},
	} {
		for _, text := range texts {
			if got := read(language, text); got.Tool != "" && !got.Reads {
				t.Errorf("%q is %s %s", text, got.Tool, got.Arguments)
			}
		}
	}
}

// The deletion of the turn before is repeated for the occurrence that the message names.
func TestAgainOnADay(t *testing.T) {
	t.Parallel()
	before := Call{"calendar_deleteEvents", []byte(`{"selection":{"ids":["osteopath"]}}`)}
	for language, text := range map[string]string{
		"en": "and also friday's fencing practice", "es": "y también fencing practice del viernes",
	} {
		got := Read(Message{Text: text, Language: language, Now: now, Things: home(), Before: before})
		if want := `{"selection":{"ids":["fencing-27"]}}`; string(got.Arguments) != want {
			t.Errorf("%q is %s %s", text, got.Tool, got.Arguments)
		}
	}
}
