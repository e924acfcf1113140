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
		before            int
	}{
		{"brunch with Eva on her birthday at 11", "on her birthday", "", false, 0},
		{"drinks on Eva Roth's birthday", "on Eva Roth's birthday", "Eva Roth", false, 0},
		{"see everyone on my birthday", "on my birthday", "", true, 0},
		{"a walk on her birthday party", "", "", false, 0},
		{"email Eva that we meet on her birthday", "", "", false, 0},
		{"remind me to text Eva on her birthday", "on her birthday", "", false, 0},
		{"dinner for her birthday", "", "", false, 0},
		{"almuerzo con Eva el día de su cumpleaños", "el día de su cumpleaños", "", false, 0},
		{"cena en el cumpleaños de Eva", "en el cumpleaños de Eva", "Eva", false, 0},
		{"fiesta en mi cumple", "en mi cumple", "", true, 0},
		{"קפה עם נועה ביום ההולדת שלה", "ביום ההולדת שלה", "", false, 0},
		{"ארוחה ביום ההולדת של נועה", "ביום ההולדת של נועה", "נועה", false, 0},
		{"remind me three days before Eva's birthday to buy a gift", "three days before Eva's birthday", "Eva", false, 3},
		{"remind me a week before her birthday", "a week before her birthday", "", false, 7},
		{"recuérdame comprar flores dos días antes del cumpleaños de Eva", "dos días antes del cumpleaños de Eva", "Eva",
			false, 2},
		{"תזכיר לי לקנות מתנה שבועיים לפני יום ההולדת של נועה", "שבועיים לפני יום ההולדת של נועה", "נועה", false, 14},
		{"lunch before her birthday", "", "", false, 0},
		{"remind me a few days before Eva's birthday", "", "", false, 0},
		{"remind me to work on Eva's birthday dinner", "", "", false, 0},
		{"מסיבה ביום הולדתי", "ביום הולדתי", "", true, 0},
	} {
		words := ""
		b, ok := ground.BirthdayIn(c.text)
		if ok {
			words = c.text[b.Start:b.End]
		}
		if words != c.words || ok && (b.Name != c.name || b.Own != c.own || b.Before != c.before) {
			t.Errorf("%q: %q, %+v", c.text, words, b)
		}
	}
}
