package when

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// Reading looks at a token at most so often for each token of the text, and so often for the text as a whole.
const (
	looksPerToken = 3_000
	looksPerText  = 30_000
)

// looks is how often reading a text looks at a token, and how many tokens the text has.
func looks(text string, s Setting) (steps, tokens int) {
	p := s.parser(text, time.Date(2026, time.March, 4, 9, 0, 0, 0, time.UTC))
	assemble(p, p.prepared())
	return p.steps, max(len(p.tokens), len(tokenize(text)))
}

// atHand is a setting in which the text is about an event, where the most rules apply.
func atHand(language string) Setting {
	return Setting{Language: language, Start: time.Date(2026, time.March, 6, 15, 0, 0, 0, time.UTC)}
}

// A word or phrase that stands there three times as often costs three times as much, whichever it is: each further
// repetition costs what the one before it did.
func TestNoWordIsReadInMoreThanLinearTime(t *testing.T) {
	t.Parallel()
	for name, units := range vocabularies(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, unit := range units {
				straight(t, unit, atHand(name))
				if testenv.Soak() {
					straight(t, unit, Setting{})
				}
			}
		})
	}
}

// The same of words and phrases side by side.
func TestNoMixIsReadInMoreThanLinearTime(t *testing.T) {
	t.Parallel()
	for name, units := range vocabularies(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for range testenv.Count(100, 5_000) {
				mix := make([]string, 2+random.IntN(3))
				for i := range mix {
					mix[i] = units[random.IntN(len(units))]
				}
				straight(t, strings.Join(mix, " "), atHand(name))
			}
		})
	}
}

// straight holds the cost of a repeated text to a straight line. Where an end of the text is read differently, it may
// bend a little, and once as many parts were said as count, it may fall.
func straight(t *testing.T, unit string, s Setting) {
	t.Helper()
	var steps [3]int
	for i := range steps {
		var tokens int
		steps[i], tokens = looks(strings.Repeat(unit+" ", 6*(i+2)), s)
		if most := looksPerToken*tokens + looksPerText; steps[i] > most {
			t.Errorf("%q: %d looks at %d tokens, want at most %d", unit, steps[i], tokens, most)
		}
	}
	if bend := steps[2] - 2*steps[1] + steps[0]; bend > 50 {
		t.Errorf("%q: 12, 18 and 24 of it take %v looks, which bends by %d", unit, steps, bend)
	}
}

// vocabularies are all words and turns of phrase of each language, with something in their slots, and under no name
// what the rules of the grammar look for.
func vocabularies(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{"": expressionsOf(t, "*.go")}
	slots := map[string]*strings.Replacer{
		"en": strings.NewReplacer("<n>", "5", "<m>", "7", "<t>", "monday", "<month>", "may", "<z>", "tokyo", "<w>", "dana"),
		"he": strings.NewReplacer("<n>", "חמש", "<m>", "7", "<t>", "שבוע", "<month>", "מאי", "<z>", "לונדון", "<w>", "דנה"),
		"es": strings.NewReplacer("<n>", "cinco", "<m>", "7", "<t>", "lunes", "<month>", "mayo",
			"<z>", "madrid", "<w>", "dana"),
	}
	for _, g := range tongues {
		if slots[g.tag] == nil {
			t.Fatalf("what stands in the slots of %q?", g.tag)
		}
		set := map[string]bool{}
		for _, words := range []map[string]bool{g.vocabulary, g.telling} {
			for w := range words {
				set[slots[g.tag].Replace(w)] = true
			}
		}
		for _, list := range g.turns {
			for _, u := range list {
				set[slots[g.tag].Replace(strings.Join(u.words, " "))] = true
			}
		}
		all[g.tag] = slices.Sorted(maps.Keys(set))
	}
	return all
}

// expressionsOf are the texts in the source files, which are what the rules look for.
func expressionsOf(t *testing.T, pattern string) []string {
	t.Helper()
	set := map[string]bool{}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := goparser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == gotoken.STRING {
				text, _ := strconv.Unquote(literal.Value) // a literal that was parsed
				for one := range strings.SplitSeq(text, "|") {
					set[strings.TrimSpace(one)] = true
				}
			}
			return true
		})
	}
	filled := strings.NewReplacer("<n>", "2", "<day>", "friday", "<theday>", "the 3rd", "<hour>", "4", "?", "", "(", "",
		")", "", "!", "", "^", "", "/", " ")
	for _, rows := range theGrammar.rows {
		for _, r := range rows {
			for one := range strings.SplitSeq(r.said, " | ") {
				set[strings.TrimSpace(filled.Replace(one))] = true
			}
		}
	}
	delete(set, "")
	return slices.Sorted(maps.Keys(set))
}

// The longest text that is read, and what is beyond it.
func TestReadingIsBounded(t *testing.T) {
	t.Parallel()
	long := []string{
		strings.Repeat("a\u0301", 50_000), "\u05d0" + strings.Repeat("\u05b0\"", 50_000), strings.Repeat("9", 100_000),
	}
	for _, unit := range append(long, heaps...) {
		text := strings.Repeat(unit, 100_000/len(unit)+1)
		steps, tokens := looks(text, Setting{})
		if most := looksPerToken*tokens + looksPerText; steps > most || steps > 5_000_000 {
			t.Errorf("%.20q: %d looks at %d tokens of 100 kB, want at most %d", unit, steps, tokens, most)
		}
	}
}

// FuzzReadingIsBounded reads what repeats itself.
func FuzzReadingIsBounded(f *testing.F) {
	for _, unit := range heaps {
		f.Add(unit)
	}
	f.Fuzz(func(t *testing.T, unit string) {
		if len(unit) > 200 {
			return
		}
		for _, language := range []string{"", "he", "es"} {
			straight(t, unit, Setting{Language: language})
			straight(t, unit, atHand(language))
		}
	})
}
