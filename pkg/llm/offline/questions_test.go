package offline

import "testing"

// What people do with events is no title, a question may come last, and a calendar is told by its name.
func TestQuestions(t *testing.T) {
	t.Parallel()
	meant := known{contacts: []zoned{{Name: "Ines", Said: []string{"Ines"}}, {Name: "רותם", Said: []string{"רותם"}}}}
	for message, want := range map[string]string{
		"who's supposed to be at the seminar":          "who seminar",
		"remind me when the seminar is":                "when seminar",
		"what time does judo end":                      "when judo",
		"the seminar – what time, where":               "find seminar",
		"the seminar - when is it?":                    "when seminar",
		"what did I write down for the seminar":        "notes seminar",
		"how much of tomorrow goes to Ines":            "long [2026-03-05T00:00 2026-03-06T00:00] with Ines",
		"how often do I meet Ines tomorrow":            "count [2026-03-05T00:00 2026-03-06T00:00] with Ines",
		"when was the last time I met Ines":            "when with Ines -start 1",
		"is Ines in on friday":                         "in [2026-03-06T00:00 2026-03-07T00:00] with Ines 2026-03-06",
		"where am I supposed to be at 11 tomorrow":     "where [2026-03-05T11:00 2026-03-05T11:15]",
		"what did I do on sunday":                      "did 2026-03-01",
		"how's my friday shaping up":                   "view 2026-03-06",
		"is there a gap of 2 hours anywhere on friday": "gaps 2026-03-06",
		"friday 9:15, am I busy or not":                "free 2026-03-06 09:15",
		"move the seminar from april on to 5pm": "move [2026-04-01T00:00 2026-04-29T00:00] seminar 17:00 " +
			"scope following",
		"¿quién viene al seminario?":          "who seminario",
		"¿qué puse en la nota del seminario?": "notes seminario",
		"a que hora termina el seminario":     "when seminario",
		"q tengo mañana":                      "view [2026-03-05T00:00 2026-03-06T00:00]",
		"מי אמור להגיע לסמינר":                "who סמינר",
		"הסמינר, מתי זה?":                     "when הסמינר",
	} {
		all := operations(message, Language(message, nil), wednesday, meant, pointing{})
		if len(all) != 1 || all[0].String() != want {
			t.Errorf("%q:\n got %v\nwant %s", message, all, want)
		}
	}
}
