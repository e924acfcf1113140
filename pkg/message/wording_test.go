package message

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

// Every language has all phrases, and no phrase has a hole that nothing fills.
func TestWordingsHaveTheSamePhrases(t *testing.T) {
	t.Parallel()
	var all map[string]map[string]json.RawMessage
	if err := json.Unmarshal(wordingJSON, &all); err != nil {
		t.Fatal(err)
	}
	optional := []string{"alone", "label", "decimal", "reasons", "slots", "anyCalendar"}
	for key := range all[english] {
		for tag := range all {
			if _, ok := all[tag][key]; !ok && !slices.Contains(optional, key) {
				t.Errorf("%s: %s is missing", tag, key)
			}
		}
	}
	holes := regexp.MustCompile(`\{(\w+)\}`)
	known := strings.Fields("n count title when at place minutes before after length lengthBefore lengthAfter clauses " +
		"why whose names name them kind previous km end until choices times weekday day month year time article wishes " +
		"wish area km anchor free said what event events ask zone address hours city")
	for tag := range all {
		for key, text := range all[tag] {
			for _, hole := range holes.FindAllStringSubmatch(string(text), -1) {
				if !slices.Contains(known, hole[1]) {
					t.Errorf("%s: %s has the hole %s", tag, key, hole[0])
				}
			}
		}
	}
}

func TestNoHoleIsLeftOpen(t *testing.T) {
	t.Parallel()
	for tag := range wordings() {
		for _, s := range scenes(t) {
			if text := new(withLanguage(s.facts, tag)).Proposal(s.choice); strings.ContainsAny(text, "{}") {
				t.Errorf("%s, %s: %s", tag, s.name, text)
			}
		}
	}
}

func TestListsOfNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tag  string
		who  []string
		want string
	}{
		{"en", []string{"Al", "Ana"}, "Al and Ana"},
		{"es", []string{"Al", "Ana"}, "Al y Ana"},
		{"es", []string{"Al", "Inés"}, "Al e Inés"},
		{"es", []string{"Al", "Hilario"}, "Al e Hilario"},
		{"es", []string{"Al", "Hiedra"}, "Al y Hiedra"},
		{"he", []string{"דן", "נועה"}, "דן ונועה"},
		{"he", []string{"דן", "Al"}, "דן ו־\u2068Al\u2069"},
		{"he", []string{"Al"}, "\u2068Al\u2069"},
	} {
		f := Facts{Language: c.tag}
		for _, name := range c.who {
			f.People = append(f.People, meet.Person{Name: name})
		}
		if got := f.list(c.who, f.phrases()); got != c.want {
			t.Errorf("%s: %q, want %q", c.tag, got, c.want)
		}
	}
}

func TestCounted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tag  string
		n    int
		want string
	}{
		{"es", 1, "1 minuto"}, {"es", 30, "30 minutos"}, {"he", 1, "דקה אחת"}, {"he", 2, "שתי דקות"}, {"he", 30, "30 דקות"},
	} {
		if got := counted(phrasesOf(c.tag).Minutes, c.n); got != c.want {
			t.Errorf("%s, %d: %q, want %q", c.tag, c.n, got, c.want)
		}
	}
}

func TestTheWeekendIsThatOfTheZone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone string
		days []time.Weekday
	}{
		{"Asia/Jerusalem", []time.Weekday{time.Friday, time.Saturday}},
		{"Europe/Madrid", []time.Weekday{time.Sunday, time.Saturday}},
	} {
		var got []time.Weekday
		for day := range 7 {
			if at := time.Date(2026, 11, 22+day, 10, 0, 0, 0, zone(t, c.zone)); isWeekend(at) {
				got = append(got, at.Weekday())
			}
		}
		if !slices.Equal(got, c.days) {
			t.Errorf("%s: %v, want %v", c.zone, got, c.days)
		}
	}
}

func TestShortTextsFollowTheLanguage(t *testing.T) {
	t.Parallel()
	sams := []string{"Sam Rivera", "Oscar Okafor"}
	for _, c := range []struct{ got, want string }{
		{Which("en", "Sam", sams), "Which Sam do you mean: Sam Rivera or Oscar Okafor?"},
		{Which("es", "Sam", sams), "¿A qué Sam te refieres: Sam Rivera u Oscar Okafor?"},
		{Which("he", "Sam", sams), "לאיזה \u2068Sam\u2069 הכוונה: \u2068Sam Rivera\u2069 או \u2068Oscar Okafor\u2069?"},
		{Which("en", "Sam", sams[:1]), ""},
		{Joins("en", sams[:1]), "Should Sam be there too?"},
		{Joins("es", sams), "¿Incluyo también a Sam y Oscar?"},
		{Joins("he", sams[:1]), "לצרף גם את \u2068Sam\u2069?"},
		{Look("en"), "Let me have a look."},
		{Look("es-MX"), "Déjame ver."},
		{Look("tlh"), "Let me have a look."},
		{NothingToShow("es"), "Todavía no hay nada de lo que mostrar más. Dime qué te gustaría organizar y con quién."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestActivitiesAndNothingFollowTheLanguage(t *testing.T) {
	t.Parallel()
	madrid := zone(t, "Europe/Madrid")
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, madrid)
	at := func(day, hour int) time.Time { return time.Date(2026, 11, day, hour, 0, 0, 0, madrid) }
	list := []meet.Suggestion{{Title: "Mercado de otoño", Venue: "La Nave", Start: at(21, 9), End: at(21, 14)}}
	want := lines("Esto es lo que encontré:", "", "1. **Mercado de otoño** en La Nave, sábado 21 de noviembre a las "+
		"9:00 hasta las 14:00", "", "Dime cuál te gusta y lo organizo.")
	if got := Activities("es", list, now); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	f := withLanguage(coffee(t), "es")
	//nolint:misspell // it is Spanish
	want = lines("No encontré ningún momento para Coffee with Al.", "- con cualquier otro día hay 6 opciones",
		"- sin Al hay 1 opción", "", "Dime qué te gustaría cambiar y vuelvo a buscar.")
	reasons := []meet.Reason{
		{Change: meet.AnyDay, Text: "any day gives 6 times", Times: 6},
		{Change: meet.WithoutPerson, Name: "Al Rivera", Text: "without Al", Times: 1},
	}
	if got := f.Nothing(reasons); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// No digit of a composed message can become another one: days, hours and lengths are facts in every language.
func TestNoDigitOfAComposedMessageCanChange(t *testing.T) {
	t.Parallel()
	for tag := range wordings() {
		f := withLanguage(berlin(coffee(t)), tag)
		runes := []rune(f.Proposal(four()))
		inLink := false
		for i, r := range runes {
			switch {
			case r == '(':
				inLink = i > 0 && runes[i-1] == ']'
			case r == ')':
				inLink = false
			case r >= '0' && r <= '9' && !inLink:
				changed := slices.Clone(runes)
				changed[i] = '0' + (r-'0'+1)%10
				if _, _, err := check(f, four(), PathProposal, string(changed)); err == nil {
					t.Errorf("%s passed with digit %d changed:\n%s", tag, i, string(changed))
				}
			}
		}
	}
}
