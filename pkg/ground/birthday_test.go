package ground_test

import (
	"testing"

	"convene/pkg/ground"
)

func TestBirthdayIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, words, name string
		own               bool
	}{
		{"brunch with Eva on her birthday at 11", "on her birthday", "", false},
		{"drinks on Eva Roth's birthday", "on Eva Roth's birthday", "Eva Roth", false},
		{"see everyone on my birthday", "on my birthday", "", true},
		{"a walk on her birthday party", "", "", false},
		{"email Eva that we meet on her birthday", "", "", false},
		{"remind me to text Eva on her birthday", "on her birthday", "", false},
		{"dinner for her birthday", "", "", false},
		{"almuerzo con Eva el día de su cumpleaños", "el día de su cumpleaños", "", false},
		{"cena en el cumpleaños de Eva", "en el cumpleaños de Eva", "Eva", false},
		{"fiesta en mi cumple", "en mi cumple", "", true},
		{"קפה עם נועה ביום ההולדת שלה", "ביום ההולדת שלה", "", false},
		{"ארוחה ביום ההולדת של נועה", "ביום ההולדת של נועה", "נועה", false},
		{"מסיבה ביום הולדתי", "ביום הולדתי", "", true},
	} {
		words := ""
		b, ok := ground.BirthdayIn(c.text)
		if ok {
			words = c.text[b.Start:b.End]
		}
		if words != c.words || ok && (b.Name != c.name || b.Own != c.own) {
			t.Errorf("%q: %q, %+v", c.text, words, b)
		}
	}
}
