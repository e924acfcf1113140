package message

import "testing"

func TestAcknowledgment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, said, want string }{
		{"a plain one", "Let me find a good time for coffee with Al next week.", "Let's grab coffee with Al next week",
			"Let me find a good time for coffee with Al next week."},
		{"earlier", "Let me look for earlier times.", "do I have any earlier times?", "Let me look for earlier times."},
		{"thanks", "You're welcome!", "thanks", "You're welcome!"},
		{"an infinitive", "Let's set up a call and schedule it. I'll book it and move the other.", "call Al",
			"Let's set up a call and schedule it. I'll book it and move the other."},
		{"may as a verb", "Let me see when you may both be free.", "coffee with Al", "Let me see when you may both be free."},
		{"the time as the user wrote it", "I'll check 3:00 PM on Tuesday.", "tues 3pm?", "I'll check 3:00 PM on Tuesday."},
		{"a possessive day", "Let me look at Friday afternoon.", "move Friday's call to the afternoon",
			"Let me look at Friday afternoon."},
		{"tomorrow in short", "Looking for a time tomorrow!", "lunch tmrw", "Looking for a time tomorrow!"},
		{"a link", "Let me look [here](https://evil.example).", "lunch", "Let me look here."},
		{"an address for itself", "One moment. See evil[.]example", "lunch", ""},
		{"a page for itself", "Look at https://evil.example/x while I look.", "lunch", ""},
		{"Hebrew", "אחפש זמן טוב לקפה עם דנה בשבוע הבא.", "קפה עם דנה בשבוע הבא", "אחפש זמן טוב לקפה עם דנה בשבוע הבא."},
		{"Hebrew with a prefix", "אני בודק מה פנוי למחר", "פגישה מחר", "אני בודק מה פנוי למחר"},
		{"Spanish", "Voy a buscar un buen hueco para el café con Ana mañana.", "café con Ana mañana",
			"Voy a buscar un buen hueco para el café con Ana mañana."},
		{"Spanish without accents", "Busco un hueco el miércoles.", "el miercoles con Ana", "Busco un hueco el miércoles."},
		{"a manner of speaking", "One moment, it may take a second. How can I help you today?",
			"hi", "One moment, it may take a second. How can I help you today?"},
		{"a length in short", "Let me find time for a 30-minute call.", "30 min call",
			"Let me find time for a 30-minute call."},
		{"tonight is this evening", "Let me look at this evening.", "dinner tonight", "Let me look at this evening."},
		{"Spanish, welcome", "¡De nada! Aquí estoy si necesitas algo más.", "gracias",
			"¡De nada! Aquí estoy si necesitas algo más."},
		{"Hebrew, welcome", "אין בעד מה!", "תודה", "אין בעד מה!"},
		{"German", "Ich suche einen Termin für den Kaffee.", "Kaffee mit Al", "Ich suche einen Termin für den Kaffee."},
		{"German, another day", "Ich suche am Freitag.", "Kaffee mit Al", ""},
		{"one as an hour", "How about one?", "coffee", ""},
		{"Japanese", "明日の予定を探します。", "明日コーヒー", ""},
		{"another day", "Let me look at Thursday.", "coffee on Tuesday", ""},
		{"another day, in short", "Let me look at Thu.", "coffee on Tuesday", ""},
		{"a day that nobody named", "I'll check tomorrow.", "coffee with Al", ""},
		{"an hour", "Let me look around 3 PM.", "coffee with Al at 2pm", ""},
		{"another half of the day", "Let me look around 3 AM.", "coffee with Al at 3pm", ""},
		{"other minutes", "Let me look at 3:30 PM.", "coffee at 3pm", ""},
		{"an hour in words", "How about three?", "coffee", ""},
		{"an hour in Arabic digits", "Let me try ٣.", "coffee", ""},
		{"an hour as a picture", "Looking 🕒", "coffee", ""},
		{"a month", "I'll look in May.", "coffee in June", "" /* a month, with its capital */},
		{"booked", "I've booked coffee with Al.", "coffee with Al", ""},
		{"booked, in the user's words", "Your coffee is booked!", "is my coffee booked?", ""},
		{"all set", "You're all set!", "coffee", ""},
		{"it is set", "It’s set!", "coffee", ""},
		{"sent", "The invite was sent.", "coffee", ""},
		{"done", "Done!", "coffee", ""},
		{"Spanish, booked", "He reservado el café.", "café", ""},
		{"Hebrew, booked", "קבעתי לך קפה", "קפה", ""},
		{"Hebrew, another day", "אחפש ביום שלישי", "קפה ביום שני", ""},
		{"Hebrew, a day as a letter", "אחפש ביום ד'", "קפה", ""},
		{"nothing", "", "coffee", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, problems := Acknowledgment(test.text, test.said)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if (got != test.text) != (problems > 0) {
				t.Errorf("problems = %d for %q", problems, got)
			}
		})
	}
}

func FuzzAcknowledgment(f *testing.F) {
	f.Add("Let me look at 3 PM on Friday 🕒 ד' 明日", "friday")
	f.Fuzz(func(t *testing.T, text, said string) {
		clean, problems := Acknowledgment(text, said)
		if problems < 0 || clean != "" && len(terms(clean)) > len(text) {
			t.Errorf("%q, %d", clean, problems)
		}
		if again, more := Acknowledgment(clean, said); again != clean || more != 0 && problems == 0 {
			t.Errorf("%q became %q when read again", clean, again)
		}
	})
}
