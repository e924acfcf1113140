package people_test

import (
	"slices"
	"strings"
	"testing"

	"convene/pkg/people"
)

// A mention has as much of a name as the text has, and means everyone whom those words fit.
func TestMentionedWords(t *testing.T) {
	t.Parallel()
	contacts := named("Sam Rivera", "Sam Okafor", "Elizabeth Warrick", "Renée Dubois", "Dana Weiss", "נועם לוי", "Al Chen",
		"Ken Ito")
	for text, want := range map[string][]string{
		"tea with sam":                          {"sam=Sam Rivera", "sam=Sam Okafor"},
		"tea with sam rivera":                   {"sam rivera=Sam Rivera"},
		"tea with sam rivrea":                   {"sam rivrea=Sam Rivera"},
		"tea with Sam, Okafor is away":          {"Sam=Sam Rivera", "Sam=Sam Okafor", "Okafor=Sam Okafor"},
		"a word with OKAFOR’s people":           {"OKAFOR=Sam Okafor"},
		"liz and renee":                         {"liz=Elizabeth Warrick", "renee=Renée Dubois"},
		"אני ודנה":                              {"דנה=Dana Weiss"},
		"להתקשר לדנה וייס":                      {"דנה וייס=Dana Weiss"},
		"מה קיבלתי מדנה":                        {"דנה=Dana Weiss"},
		"לדבר על זה עם כל הצוות":                nil,
		"noam levi tomorrow":                    {"noam levi=נועם לוי"},
		"same time, samuel, danas, elizabethan": nil,
	} {
		var got []string
		for _, m := range people.Of(contacts).Mentioned(text) {
			got = append(got, m.Words+"="+m.Person.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Mentioned(%q) = %q, want %q", text, got, want)
		}
	}
}

// A slip of the keys is forgiven in a name of four letters if no other name is as likely.
func TestASlipOfTheKeys(t *testing.T) {
	t.Parallel()
	contacts := named("Dana Weiss", "Lena Hoffmann")
	for asked, want := range map[string]string{
		"Dnaa": "Dana Weiss", "Dsna": "Dana Weiss", "Danna": "Dana Weiss", "Dina": "", "Diana": "", "Lana": "",
	} {
		if got := strings.Join(names(people.Of(contacts).Find(asked)), ", "); got != want {
			t.Errorf("Match(%q) = %q, want %q", asked, got, want)
		}
	}
}
