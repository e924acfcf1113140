package when

import (
	"embed"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
)

// files are the languages: a folder each, named by its tag. What a line of one means is told in en/words.txt.
//
//go:embed */words.txt
var files embed.FS

// tongue is a language: how its words and turns of phrase are said in the words of the grammar, which are English ones,
// and what its speakers take for granted.
type tongue struct {
	tag string
	// script has the letters that no other language here has; nil where it shares them.
	script *unicode.RangeTable
	// turns are by their first word, or by "<n>" and "<t>" where they begin with a number or a noun of time.
	turns map[string][]turn
	// vocabulary are all words that stand in turns, by which particles are told from the words that they are glued to.
	vocabulary map[string]bool
	// particles are letters that stand in front of a word without a space.
	particles string
	// telling are further words by which the language is recognized.
	telling  map[string]bool
	spelling Lexicon
	// dayFirst says that 3/12 is in December.
	dayFirst bool
	// dottedDays says that 3.12 is in December too, and no time, unless an hour is spoken of.
	dottedDays bool
	// longHours says that hours beyond the twelfth are said in words too ("a las veinte").
	longHours bool
	// weekStart and weekend are the days with which a week and its end begin.
	weekStart, weekend time.Weekday
}

// turn is a turn of phrase: what it looks like and what it is in the words of the grammar.
type turn struct {
	words []string
	// taken is how many of the words the turn takes; those after must follow and are left to be read.
	taken int
	out   []string
}

var tongues = readTongues()

// english is the language in which the grammar is written.
var english = tongues[slices.IndexFunc(tongues, func(t *tongue) bool { return t.tag == "en" })]

// readTongues reads all languages, in the order of their tags.
func readTongues() []*tongue {
	var all []*tongue
	folders, _ := files.ReadDir(".")
	for _, folder := range folders {
		text, err := files.ReadFile(path.Join(folder.Name(), "words.txt"))
		if err == nil {
			all = append(all, readTongue(folder.Name(), string(text)))
		}
	}
	return all
}

// readTongue reads a language's file.
func readTongue(tag, text string) *tongue {
	t := &tongue{
		tag: tag, turns: map[string][]turn{}, vocabulary: map[string]bool{}, telling: map[string]bool{},
		weekStart: time.Monday, weekend: time.Saturday,
	}
	var slips, kept []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		meaning, said, found := strings.Cut(line, ":")
		switch meaning {
		case "@tells":
			for _, w := range strings.Fields(said) {
				t.telling[folded(w)] = true
			}
		case "@slips":
			slips = append(slips, strings.Fields(folded(said))...)
		case "@kept":
			kept = append(kept, strings.Fields(folded(said))...)
		case "@particles":
			t.particles = strings.TrimSpace(said)
		case "@script":
			t.script = unicode.Scripts[strings.TrimSpace(said)]
		case "@week":
			t.weekStart = weekdays[strings.TrimSpace(said)]
		case "@weekend":
			t.weekend = weekdays[strings.TrimSpace(said)]
		case "@24 hours":
			t.longHours = true
		case "@day first":
			t.dayFirst = true
		case "@dotted days":
			t.dottedDays = true
		default:
			if found {
				t.learn(strings.Fields(meaning), said)
			}
		}
	}
	t.spelling = NewLexicon(slips, kept)
	t.learnZones()
	return t
}

// learn adds the turns of one line.
func (t *tongue) learn(out []string, said string) {
	for one := range strings.SplitSeq(said, "|") {
		var u turn
		for _, w := range strings.Fields(one) {
			ahead := strings.HasPrefix(w, "(")
			w = strings.Trim(folded(w), "()")
			u.words = append(u.words, w)
			if !ahead {
				u.taken++
			}
			if out[0][0] != zoneMark[0] || len(out[0]) == 1 || t.script != nil && !ascii(w) {
				t.vocabulary[w] = true // the names of places tell nothing about the language
			}
		}
		if u.taken > 0 {
			u.out = out
			t.turns[u.words[0]] = append(t.turns[u.words[0]], u)
		}
	}
}

// folded is a word in lower case without its accents: nobody types them reliably.
func folded(w string) string {
	w = strings.ToLower(w)
	if strings.IndexFunc(w, accented) < 0 {
		return w
	}
	return accents.Replace(w)
}

// accented reports whether accents may replace a character.
func accented(r rune) bool {
	return r >= '\u00e0' && r <= '\u00ff' || r >= '\u0300' && r <= '\u036f' || r == '\u2019' ||
		r >= '\u05c1' && r <= '\u05c2' || r >= '\u05f3' && r <= '\u05f4'
}

var accents = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "ü", "u", "ñ", "n", "ç", "c",
	"\u0301", "", "\u0303", "", "\u0308", "", "\u2019", "'", "\u05f3", "'", "\u05f4", "\"", "\u05c1", "", "\u05c2", "")

// tongueOf is the language of a text, by its letters or else by the words that one language has and another has not.
// The language that is expected decides where the text does not.
func tongueOf(tokens []token, text, expected string) *tongue {
	for _, t := range tongues {
		if t.script != nil && (written(text, t.script) || t.tag == expected && t != english) {
			return t
		}
	}
	best, most := english, 0
	for _, t := range tongues {
		if t == english || t.script != nil {
			continue
		}
		score := 0
		if t.tag == expected {
			score = 2
		}
		for i := range tokens {
			score += t.tells(&tokens[i])
		}
		if score > most {
			best, most = t, score
		}
	}
	return best
}

// tells is what a word says about the language: for this one, for English, or nothing.
func (t *tongue) tells(w *token) int {
	if w.kind != word {
		return 0
	}
	mine := t.vocabulary[w.text] || t.telling[w.text]
	plain := theGrammar.openings[w.text] || english.vocabulary[w.text] || english.telling[w.text]
	switch {
	case mine && !plain:
		return 2
	case plain && !mine:
		return -2
	}
	return 0
}

// written reports whether at least a third of the letters are of the script.
func written(text string, script *unicode.RangeTable) bool {
	mine, all := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				all++
			}
			continue
		}
		if unicode.Is(script, r) {
			mine++
		}
		all++
	}
	return mine > 0 && 3*mine >= all
}

// weekOf is the first day of the week of d.
func (p *parser) weekOf(d interval.Date) interval.Date {
	return d.AddDays(-p.inWeek(d.Weekday()))
}

// inWeek is how many days after the first of the week a weekday comes.
func (p *parser) inWeek(day time.Weekday) int { return (int(day) - int(p.tongue.weekStart) + 7) % 7 }

// weekendOf is the first day of the weekend in the week of d.
func (p *parser) weekendOf(d interval.Date) interval.Date {
	return p.weekOf(d).AddDays(p.inWeek(p.tongue.weekend))
}

// weekendDays are the days of a weekend.
func (p *parser) weekendDays() []time.Weekday {
	return []time.Weekday{p.tongue.weekend, (p.tongue.weekend + 1) % 7}
}

// workDays are the other days.
func (p *parser) workDays() []time.Weekday {
	var all []time.Weekday
	for day := time.Sunday; day <= time.Saturday; day++ {
		if !slices.Contains(p.weekendDays(), day) {
			all = append(all, day)
		}
	}
	return all
}
