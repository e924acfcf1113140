package message

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

func TestUnreadIsSaidInTheLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, reason, want string }{
		{"es", "no calendar is connected", "no hay ningún calendario conectado"},
		{"es-MX", "the feed is gone; add its new address", "no se pudo leer el calendario"},
		{"he", "nobody by this name is among your contacts", "אין איש קשר בשם הזה"},
		{"en", "the feed is gone; add its new address", "the feed is gone; add its new address"},
		{"tlh", "no calendar is connected", "no calendar is connected"},
		{"he", "", ""},
	} {
		if got := Unread(c.language, c.reason); got != c.want {
			t.Errorf("Unread(%s, %q) = %q, want %q", c.language, c.reason, got, c.want)
		}
	}
	for language, own := range reasons() {
		if len(own) != len(reasons()["es"]) || own[anyReason] == "" {
			t.Errorf("%s: there are %d reasons, or none for any", language, len(own))
		}
	}
}

func TestConflictsAreSaidInTheLanguage(t *testing.T) {
	t.Parallel()
	list := []meet.Conflict{
		{Person: "me", Name: "Sam Poe", Kind: meet.ConflictBusy, Text: "you have another event"},
		{Person: "other", Name: "Sam Poe", Kind: meet.ConflictBusy, Text: "Sam has another event"},
		{Person: "al", Name: "*Al* Chen", Kind: meet.ConflictTravel, Text: "*Al* needs that time for travel"},
		{Person: "me", Name: "Sam Poe", Kind: meet.ConflictWorkingHours, Text: "outside your working hours"},
		{Name: "*Al* Roe", Kind: meet.ConflictUsualHours, Text: "outside *Al* Roe's usual hours"},
		{Person: "me", Name: "Sam Poe", Kind: meet.ConflictNotice, Text: "there is too little notice"},
		{Person: "ana", Name: "Ana Ruiz", Kind: "another", Text: "Ana cannot"},
	}
	english := make([]string, len(list))
	for i, c := range list {
		english[i] = c.Text
	}
	for language, want := range map[string][]string{
		"": english, "en-GB": english, "tlh": english,
		"es-MX": {
			"tienes otro evento", "Sam tiene otro evento", "muy poco tiempo de desplazamiento para *Al* Chen",
			"fuera de tu horario laboral", "fuera del horario habitual de *Al* Roe", "con muy poca antelación para ti",
			"no le viene bien a Ana",
		},
		"he": {
			"יש אירוע אחר ביומן שלך", "יש אירוע אחר ביומן של \u2068Sam\u2069",
			"מעט מדי זמן נסיעה ביומן של \u2068*Al* Chen\u2069",
			"מחוץ לשעות העבודה שלך", "מחוץ לשעות הרגילות של \u2068*Al* Roe\u2069", "קרוב מדי ללוח הזמנים שלך",
			"לא מתאים ללוח הזמנים של \u2068Ana\u2069",
		},
	} {
		f := &Facts{Language: language, Organizer: meet.Person{ID: "me", Name: "Sam Poe"}, People: []meet.Person{
			{ID: "other", Name: "Sam Poe"}, {ID: "al", Name: "*Al* Chen"}, {Name: "*Al* Roe"}, {ID: "ana", Name: "Ana Ruiz"},
		}}
		told := f.Conflicts([]meet.Slot{{State: meet.SlotFree}, {State: meet.SlotConflict, Conflicts: list}})
		got := make([]string, len(told[1].Conflicts))
		for i, c := range told[1].Conflicts {
			if got[i] = c.Text; list[i].Text != english[i] || c.Kind != list[i].Kind || c.Name != list[i].Name {
				t.Errorf("%s: more than the text of %+v is %+v", language, list[i], c)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", language, diff)
		}
	}
}

func TestReasonsAreSaidInTheLanguage(t *testing.T) {
	t.Parallel()
	list := []meet.Reason{
		{Change: meet.AnyDay, Text: "any day instead of Monday gives 10 times", Times: 10},
		{Change: meet.WithoutPerson, Name: "*Al* Chen", Text: "meeting without *Al* Chen gives 1 time", Times: 1},
		{Change: "another", Text: "<another> change gives 2 times", Times: 2},
	}
	for language, want := range map[string][]string{
		"en": {list[0].Text, list[1].Text, list[2].Text},
		"fr": {list[0].Text, list[1].Text, list[2].Text},
		"es": {"con cualquier otro día hay 10 opciones", "sin *Al* Chen hay 1 opción", list[2].Text},
		"he": {"בכל יום אחר יש 10 אפשרויות", "בלי \u2068*Al* Chen\u2069 יש אפשרות אחת", list[2].Text},
	} {
		got := (&Facts{Language: language, People: []meet.Person{{Name: "*Al* Chen"}}}).Reasons(list)
		for i, r := range got {
			if r.Text != want[i] || r.Times != list[i].Times {
				t.Errorf("%s: %q, want %q", language, r.Text, want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d reasons, want %d", language, len(got), len(want))
		}
	}
}
