package ground

import "testing"

// Who tells when they are away, and asks to have that in the calendar, has it there on those days.
func TestAsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "i'm flying to haifa on the 14th and back on the 17th, mark me as out of office those days",
			"i am out of office from the 14th to the 17th"},
		{"en", "put me down as away from the 14th to the 17th", "i am away from the 14th to the 17th"},
		{"en", "take friday off in my calendar", "take friday off"},
		{"en", "oh and take the whole friday off in my calendar", "take the whole friday off"},
		{"en", "I'm sick today, can you mark that in my calendar", "I'm sick today"},
		{"es", "me voy de vacaciones del 21 al 27 de diciembre, apúntalo en el calendario porfa",
			"me voy de vacaciones del 21 al 27 de diciembre"},
		{"es", "viajo a Haifa el 14 y vuelvo el 17, márcame como fuera de la oficina",
			"estoy fuera de la oficina del 14 al 17"},
		{"he", "אני בחופש מה-21 עד ה-27 בדצמבר, תסמן ביומן", "אני בחופש מה-21 עד ה-27 בדצמבר"},
		{"en", "i'm off friday. add it to the shopping list", "i'm off friday. add it to the shopping list"},
		{"en", "take pottery off my calendar on friday", "take pottery off my calendar on friday"},
		{"en", "put the gym on friday in my calendar", "put the gym on friday in my calendar"},
	} {
		if got := asAway(Message{Text: c.text, Language: c.language, Now: now}); got != c.want {
			t.Errorf("%q is %q, want %q", c.text, got, c.want)
		}
	}
}

// Another last day is that of the days that were just kept free.
func TestAwayUntil(t *testing.T) {
	t.Parallel()
	const longer = `{"events":[{"end":"2026-12-29","start":"2026-12-21","title":"Off"}]}`
	for _, c := range []struct{ last, language, text, want string }{
		{"new x", "en", "sorry, until the 28th", longer},
		{"x", "en", "sorry, until the 28th", `{"selection":{"ids":["x"]},"set":{"durationMinutes":11520}}`},
		{"new x", "es", "perdón, hasta el 28", longer},
		{"new x", "he", "סליחה, עד ה-28", longer},
		{"new x", "en", "make it till monday", longer},
		{"new x", "en", "until the 20th of december", ""},
		{"new x", "en", "until friday at 5", ""},
		{"new x", "en", "until the 28th with al", ""},
	} {
		got := follow(Message{
			Text: c.text, Language: c.language, Now: now, AtHand: "x", Last: []string{c.last}, Waits: true, Before: Call{
				"calendar_createEvents", []byte(`{"events":[{"title":"Off","start":"2026-12-21","end":"2026-12-28"}]}`),
			},
		})
		if string(got.Arguments) != c.want {
			t.Errorf("%q is %s %s, want %s", c.text, got.Tool, got.Arguments, c.want)
		}
	}
}
