package offline

import (
	"slices"
	"testing"
)

// A message that makes something names nothing that is there; what it changes, or calls "the" or "my", it names.
func TestStanding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, language, names string }{
		{"Let's grab coffee with Ines next week", english, ""},
		{"schedule a call about the kickoff on friday", english, ""},
		{"dinner with the team tomorrow", english, ""},
		{"something after the seminar", english, ""},
		{"as of May the seminar with Ines lasts 15 minutes", english, "seminar with Ines"},
		{"maybe dinner on friday, somewhere on the phone", english, ""},
		{"can Ines and i meet before the seminar", english, ""},
		{"Ines wrote that friday works for her, book a short call then", english, ""},
		{"Eva dice que el jueves le va bien, organiza una llamada con ella", "es", ""},
		{"nix my haircut", english, "haircut"},
		{"postpone haircut a bit more", english, "haircut"},
		{"tomemos un café con Eva", "es", ""},
		{"capaz que cambio la cena con Eva", "es", "cena con Eva"},
		{"desde el 3 yoga arranca a las 19", "es", "yoga"},
		{"תקבע ארוחת ערב עם נועה", "he", ""},
		{"אולי אזיז את ארוחת הערב עם נועה", "he", "ארוחת הערב עם נועה"},
	} {
		parts := Standing(c.message, c.language)
		if c.names == "" && len(parts) > 0 || c.names != "" && !slices.Contains(parts, c.names) {
			t.Errorf("%q names %q, want %q", c.message, parts, c.names)
		}
	}
}

// A verb is told by any of its forms, and no other word is.
func TestVerbForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, form, verb, pronoun string }{
		{"es", "mové", "mover", ""}, {"es", "muevan", "mover", ""}, {"es", "movelo", "mover", "ello"},
		{"es", "pasámelas", "pasar", "ellos"}, {"es", "cancelame", "cancelar", ""}, {"es", "despejen", "despejar", ""},
		{"es", "pon", "poner", ""}, {"es", "pospón", "posponer", ""}, {"es", "cancel", "", ""}, {"es", "masaje", "", ""},
		{"he", "הזז", "להזיז", ""}, {"he", "תזיזי", "להזיז", ""}, {"he", "שתזיזו", "להזיז", ""}, {"he", "בטלי", "לבטל", ""},
		{"he", "סמינר", "", ""}, {english, "moving", "move", ""}, {english, "cancelling", "cancel", ""},
		{english, "seminar", "", ""},
	} {
		verb, r := operationBooks()[c.language].verbs.Of(c.form)
		if verb != c.verb || verb != "" && r.Pronoun != c.pronoun {
			t.Errorf("%s: %q is of %q with %q, want %q with %q", c.language, c.form, verb, r.Pronoun, c.verb, c.pronoun)
		}
	}
}

// A choice is told by what distinguishes it, also if all have the same title.
func TestChoicesAreToldByWhatDistinguishesThem(t *testing.T) {
	t.Parallel()
	options := []string{"Walk Wednesday, 5:00–5:30 PM, Ines Roth", "Walk Friday, 5:00–5:30 PM, Dana Wolf"}
	for answer, want := range map[string][]int{
		"the one with Dana": {1}, "Wednesday's walk": {0}, "the one on Friday": {1}, "1": {0}, "the walk": nil,
	} {
		got := Reply(answer, Waiting{Kind: WaitingChoices, Options: options})
		if want == nil && got.Kind == AnswerPick || want != nil && !slices.Equal(got.Indices, want) {
			t.Errorf("%q is %v, want %v", answer, got, want)
		}
	}
}

// What belongs to the event that is being arranged is taken from it, and the event stays.
func TestAPartOfTheProposal(t *testing.T) {
	t.Parallel()
	talk := Talk{HasEvent: true, Turns: []Exchange{{
		User: "dinner with Grace on Saturday", Assistant: "I suggest **Dinner with Grace** on **Saturday** at Zazie.",
	}}}
	for message, want := range map[string]string{
		"remove the place": "", "quita el sitio": "", "תוריד את המקום": "", "delete the event": "act",
	} {
		if got, _, _ := Kind(message, talk); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}
