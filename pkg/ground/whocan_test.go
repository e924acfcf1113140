package ground

import "testing"

// A question who of several people has time asks for their calendars, and makes no event.
func TestWhoCan(t *testing.T) {
	t.Parallel()
	const both = `"people":["Yara Stone","Al Reyes"]`
	thursday := "calendar_checkAvailability {" + both + `,"start":"2026-11-26T14:00"}`
	for _, c := range []struct{ language, text, want string }{
		{"en", "which of yara and al could make it on thursday at 2pm for a coffee?", thursday},
		{"en", "so who out of Yara, Al is free thursday at 2 pm", thursday},
		{"en", "who can do thursday at 2pm, yara or al?", thursday},
		{"es", "¿quién de yara y al puede el jueves a las 14?", thursday},
		{"es", "quién está libre el jueves a las 14, yara o al?", thursday},
		{"he", "מי מ-Yara ו-Al יכול ביום חמישי ב-14:00?", thursday},
		{"en", "who of yara, al and nadia has time on friday?",
			`calendar_checkAvailability {"people":["Yara Stone","Al Reyes","nadia"],` +
				`"window":{"start":"2026-11-27","end":"2026-11-28"}}`},
		// No time, nobody known, another order besides: it is not read so.
		{"en", "which of yara and al can come?", ""},
		{"en", "which of the two can do thursday?", ""},
		{"en", "which of yara and al can do thursday at 2pm? book it with them", ""},
	} {
		m := Message{Text: c.text, Language: c.language, Now: now, People: []Person{
			{Name: "Yara Stone", Said: "Yara"}, {Name: "Al Reyes", Said: "Al"},
		}}
		got := whoCan(m)
		if call := got.Tool + " " + string(got.Arguments); call != c.want && (got.Tool != "" || c.want != "") {
			t.Errorf("%q is %s, want %s", c.text, call, c.want)
		}
		if c.want != "" && Creates(m) {
			t.Errorf("%q makes an event", c.text)
		}
	}
}

// What "it" is told to move to is no new event.
func TestMovingItCreatesNothing(t *testing.T) {
	t.Parallel()
	for language, text := range map[string]string{
		"en": "Al can't make today's review meeting. Move it to Monday at 4.",
		"es": "Al no puede hacer la reunión de hoy. Muévela al lunes a las 4.",
		"he": "אל לא יכול לקבוע את הפגישה היום. תזיז אותה ליום שני.",
	} {
		if Creates(Message{Text: text, Language: language, Now: now}) {
			t.Errorf("%q makes a new event", text)
		}
	}
}
