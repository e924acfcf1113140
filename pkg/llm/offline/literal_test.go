package offline

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What an expression needs rejects texts that it cannot match, and no other.
func TestNeedsOfAnExpression(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expression, text string
		want             bool
	}{
		{`(?i)^\s+remind me to (?P<task>.+?)$`, " remind me to pay", true},
		{`(?i)^\s+remind me to (?P<task>.+?)$`, " remember to pay", false},
		{`(?i)open|read me|show`, "SHOW it", true},
		{`(?i)open|read me|show`, "let me see", false},
		{`(?i)(?:e-?mail|mail)s?`, "an E-Mail", true},
		{`(?i)(?:e-?mail|mail)s?`, "a letter", false},
		{`(?i)take.+(?:out|off)`, "take it", false},
		{`(?i)take.+(?:out|off)`, "take it off", true},
		{`(?i)mask`, "maſK", true},
		{`(?i)perd[óo]n`, "PERDON", true},
		{`(?i)perd[óo]n`, "PERDÓN", true},
		{`(?i)ב(?:יטל|טל)`, "לבטל", true},
		{`(?i)ב(?:יטל|טל)`, "לקבוע", false},
		{`(?:call){0,2}`, "none", true},
		{`(?:call)?`, "none", true},
		{`a|call`, "none", true},
		{`[\s,]+call\s+dana`, " call, dana", true},
		{`x*y+(?:ring)+`, "y", false},
		{``, "", true},
		{`ab`, "a", false},
	} {
		p, err := newPattern(c.expression)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.needs.meets(foldedOf(c.text)); got != c.want {
			t.Errorf("%q may match %q: %v, want %v (it needs %q)", c.expression, c.text, got, c.want, p.needs)
		}
	}
}

// No way of any language is rejected that matches a message, and hardly any that does not is tried.
func TestNeedsRejectNoWayThatMatches(t *testing.T) {
	t.Parallel()
	messages := []string{
		"remind me to call the dentist tomorrow", "add oat milk and eggs to the shopping list", "what's on my to-do list?",
		"archive all newsletters", "show me unread mails from Dana", "note that the wifi code is 4711",
		"push the tiles by a week", "mark it as done", "reply to Nadia saying thanks", "Let's grab coffee with Al next week",
		"recuérdame pagar el alquiler", "¿qué correos nuevos tengo?", "añade leche a la lista", "marca la tarea como hecha",
		"תזכיר לי להתקשר לדנה", "תוסיף חלב לרשימה", "תראה לי מיילים מנדיה", "תסמן את המשימה כבוצעה",
	}
	tried, ways := 0, 0
	for language, book := range thingBooks() {
		for _, message := range messages {
			text := " " + message
			said := foldedOf(text)
			for _, w := range book.ways {
				ways++
				may := w.form.needs.meets(said)
				if may {
					tried++
				}
				if !may && w.form.compiled().MatchString(text) {
					t.Errorf("%s: %q is %s, and rejected by %q", language, message, w.tool, w.form.needs)
				}
			}
			for name, words := range book.words {
				if words.MatchString(text) && !book.needs[name].meets(said) {
					t.Errorf("%s: %q says %q, and is rejected by %q", language, message, name, book.needs[name])
				}
			}
		}
	}
	const most = 0.05
	if share := float64(tried) / float64(ways); share > most {
		t.Errorf("%.3f of all ways are tried, want %.2f at most", share, most)
	}
}

// Whatever is matched is not rejected.
func FuzzNeeds(f *testing.F) {
	f.Add(`(?i)(?:re|un)?mail(?:box)?`, "remailBOX")
	f.Add(`(?i)[aá]b|c+d{2}|e?f`, "ÁB")
	f.Fuzz(func(t *testing.T, expression, text string) {
		p, err := newPattern(expression)
		if err != nil {
			t.Skip(err)
		}
		if _, err := regexp.Compile(expression); err != nil {
			t.Skip(err)
		}
		if p.compiled().MatchString(text) && !p.needs.meets(foldedOf(text)) {
			t.Errorf("%q matches %q, and is rejected by %q", expression, text, p.needs)
		}
	})
}

func TestFoldedTextsHaveTheirParts(t *testing.T) {
	t.Parallel()
	text := foldedOf("Añade leche, por favor")
	for _, c := range []struct {
		part string
		want bool
	}{{"AÑADE", true}, {"LECHE,", true}, {"OR", true}, {"LECHO", false}, {"ROVAF", false}} {
		if got := text.has(c.part); got != c.want {
			t.Errorf("%q has %q: %v, want %v", text.text, c.part, got, c.want)
		}
	}
	if strings.Contains(text.text, "a") || slices.Contains([]byte(text.text), 'l') {
		t.Errorf("%q is not folded", text.text)
	}
}
