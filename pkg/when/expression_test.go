package when

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestExpressionsReadWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expression, text, left string
	}{
		{"day after tomorrow", "day after tomorrow at 5", "at 5"},
		{"day after tomorrow", "day-after-tomorrow at 5", "at 5"},
		{"day after tomorrow", "day after today", "day after today"},
		{"this/next week", "next week or not", "or not"},
		{"the? week", "the week", ""},
		{"the? week", "week", ""},
		{"$nextLeads week", "in the next week", ""},
		{"$nextLeads? week", "week", ""},
		{"in <n> days", "in a couple of days", ""},
		{"in <n> days", "in 3 hours", "in 3 hours"},
		{"<week> (at)", "next week at 5", "at 5"},
		{"<week> (at)", "next week by 5", "next week by 5"},
		{"<weekday> !after", "friday", ""},
		{"<weekday> !after", "friday after 5", "friday after 5"},
		{"week ^week of", "week of", ""},
		{"week ^^week of", "week of", "week of"},
		{"<weekday> <ends>", "friday, or later", ", or later"},
		{"<weekday> <ends>", "friday fish", "friday fish"},
	} {
		if left := unread(c.expression, c.text); left != c.left {
			t.Errorf("%q of %q leaves %q, want %q", c.expression, c.text, left, c.left)
		}
	}
}

// unread is what an expression leaves of a text.
func unread(expression, text string) string {
	g := *theGrammar
	g.begins = maps.Clone(g.begins)
	l := &list[bool]{bit: g.always, lines: map[string][]line[bool]{}}
	l.add(&g, expression, true)
	p := Setting{}.parser(text, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
	_, end := l.at(p, 0)
	if end == len(p.tokens) {
		return ""
	}
	return text[p.tokens[end].start:]
}

// A name that a line asks for and that is nowhere ends the program; this is the other way round.
func TestNoLineOfTheGrammarIsIdle(t *testing.T) {
	t.Parallel()
	var asked strings.Builder
	asked.WriteString(grammarRules + grammarWords)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		asked.Write(text)
	}
	for name := range theGrammar.rows {
		idle := true
		for _, form := range []string{"\"*\"", "<*>", "$* ", "$*?", "$*\n", "$*)"} {
			idle = idle && !strings.Contains(asked.String(), strings.Replace(form, "*", name, 1))
		}
		if idle {
			t.Errorf("nothing asks for %q", name)
		}
	}
}
