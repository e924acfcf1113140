package offline

import "testing"

// What names an event of the calendar is read as that, in each language, and is no part of the rest: no title, person
// or place comes of it.
func TestATimeIsNamedByAnEvent(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		language, text, relation, event, second, rest string
	}{
		{"en", "lunch with Bo sometime after my physio", "after", "physio", "", "lunch with Bo"},
		{"en", "call Bo before the board meeting on Friday", "before", "board meeting", "", "call Bo on Friday"},
		{"en", "tea with Bo right after pilates on Monday", "right after", "pilates", "", "tea with Bo on Monday"},
		{"en", "tea with Bo between my two lectures", "between", "two lectures", "", "tea with Bo"},
		{"en", "tea between my sync with Cy and the recital", "between", "sync with cy", "recital", "tea"},
		{"en", "hike with Bo during Cy's visit", "during", "cy's visit", "", "hike with Bo"},
		{"en", "tea with Bo when my exam is over", "after", "exam", "", "tea with Bo"},
		{"en", "tea with Bo, but not before my exam", "after", "exam", "", "tea with Bo, but"},
		{"en", "dinner the day before my trip", "day before", "trip", "", "dinner"},
		{"en", "tea after my physio appointment with Bo", "after", "physio appointment", "", "tea with Bo"},
		{"en", "tea with Bo after my call with Cy", "after", "call with cy", "", "tea with Bo"},
		{"en", "hike with Bo after lunch with Cy", "after", "lunch with cy", "", "hike with Bo"},
		{"en", "tea with Bo before my 1:1", "before", "1:1", "", "tea with Bo"},
		{"en", "tea with Bo after lunch", "after", "lunch", "", "tea with Bo after lunch"},
		{"es", "té con Bo después de mi fisioterapeuta", "after", "fisioterapeuta", "", "té con Bo"},
		{"es", "té con Bo entre mi clase y mi examen", "between", "clase", "examen", "té con Bo"},
		{"he", "תה עם בו אחרי הבחינה שלי", "after", "הבחינה שלי", "", "תה עם בו"},
		{"he", "תה עם בו אחרי התור למכון שלי", "after", "התור למכון שלי", "", "תה עם בו"},
		{"he", "תה עם בו בין הבחינה לטיול שלי", "between", "הבחינה", "לטיול שלי", "תה עם בו"},
		{"he", "תה עם בו לפני הטיול שלי ביום שני", "before", "הטיול שלי", "", "תה עם בו ביום שני"},
	} {
		got, rest := anchored(test.text, test.language, someDay)
		want := anchorArguments{test.relation, test.event, test.second}
		if got == nil || *got != want || rest != test.rest {
			t.Errorf("%q: got %+v and %q, want %+v and %q", test.text, got, rest, want, test.rest)
		}
	}
}

func TestWhatNamesNoEvent(t *testing.T) {
	t.Parallel()
	for language, texts := range map[string][]string{
		"en": {
			"tea with Bo after 3", "tea between 2 and 4", "tea the day after tomorrow", "tea before the weekend",
			"tea before we leave", "tea after that", "somewhere between us", "someone to look after my dog",
			"meet with the following people: Bo and Cy", "tea with Bo",
		},
		"es": {"té después de las 3", "té entre las 2 y las 4", "té antes de que salga"},
		"he": {"תה עם בו, ורק אחרי הצהריים", "תה אחרי 3", "תה בין 2 ל-4", "משהו באמצע בינינו", "תה לפני שאני הולך"},
	} {
		for _, text := range texts {
			if got, rest := anchored(text, language, someDay); got != nil || rest != text {
				t.Errorf("%q: got %+v and %q", text, got, rest)
			}
		}
	}
}
