package when

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// grammarWords and grammarRules are the lists and the rules of the grammar; their heads tell what a line means.
var (
	//go:embed en/grammar.txt
	grammarWords string
	//go:embed en/rules.txt
	grammarRules string
)

// row is a line of a list.
type row struct{ meaning, said string }

// readRows are the lines of a file by their first word.
func readRows(text string) map[string][]row {
	all := map[string][]row{}
	for line := range strings.Lines(text) {
		head, said, found := strings.Cut(strings.TrimSpace(line), ": ")
		if name, meaning, _ := strings.Cut(head, " "); found && !strings.HasPrefix(line, "//") {
			all[name] = append(all[name], row{meaning, said})
		}
	}
	return all
}

// grammar is what the rules look for.
type grammar struct {
	rows  map[string][]row
	lists map[string]*list[string]
	// openings are the words and marks with which some phrase begins. Most words of most texts are none, and no rule has
	// to look at them.
	openings map[string]bool
	// begins are the bits of the lists that a word begins.
	begins map[string]uint64
	// always are those of the lists that any word may begin.
	always   uint64
	parts    map[string]dayPart
	holidays map[string]holiday
	words    map[string]map[string]bool
	// dayLists and itemLists are the rules for days and for phrases, by their name.
	dayLists   map[string]*list[rule[days]]
	itemLists  map[string]*list[rule[item]]
	originList *list[rule[origin]]
	calendar   *list[rule[calendarDay]]
	tests      map[string]func(p *parser, i int) bool
	slots      map[string]func(m *match, i int) int
	// firstsOf are the words that slots begin with; any word may begin those that are not here.
	firstsOf map[string][]string
}

var theGrammar = readGrammar(grammarWords+grammarRules, holidayNames)

func readGrammar(text, holidays string) *grammar {
	g := &grammar{
		rows: readRows(text), lists: map[string]*list[string]{}, parts: map[string]dayPart{}, openings: map[string]bool{},
		holidays: map[string]holiday{}, words: map[string]map[string]bool{}, begins: map[string]uint64{},
		tests: tests, slots: maps.Clone(slots),
	}
	g.words["gluing"], g.words["possessives"] = g.wordSet("gluing"), g.wordSet("possessives")
	for line := range strings.Lines(holidays) {
		if day, names, found := strings.Cut(strings.TrimSpace(line), ": "); found && !strings.HasPrefix(line, "//") {
			g.rows["holidays"] = append(g.rows["holidays"], row{day, names})
			g.holidays[day] = holidayOf(strings.Fields(day))
		}
	}
	maps.Copy(g.slots, calendarSlots)
	g.firstsOf = g.starts()
	g.dayLists, g.itemLists = map[string]*list[rule[days]]{}, map[string]*list[rule[item]]{}
	for _, name := range []string{
		"days", "leanings", "week", "near", "ahead", "apart", "month", "holiday", "years", "partYears", "bounded",
	} {
		g.dayLists[name] = rules(g, name, dayRules)
	}
	for name, by := range map[string]map[string]func(m *match) item{
		"firstPhrases": phraseRules, "negating": phraseRules, "phrases": phraseRules, "lastPhrases": phraseRules,
		"partTimes": timeRules, "times": timeRules, "lastTimes": timeRules, "lengths": lengthRules,
	} {
		g.itemLists[name] = rules(g, name, by)
	}
	g.calendar, g.originList = rules(g, "calendar", calendarRules), rules(g, "origins", originRules)
	for name := range g.rows {
		g.list(name)
	}
	g.always = g.begins[anyWord]
	for _, r := range g.rows["parts"] {
		g.parts[r.meaning] = dayPartOf(r.meaning)
	}
	g.learnOpenings()
	return g
}

// learnOpenings gathers the words with which phrases begin: those of rules, and those that only code knows.
func (g *grammar) learnOpenings() {
	names := append(strings.Fields(g.rows["opening"][0].said), "openings", "days", "leanings")
	for _, name := range slices.AppendSeq(names, maps.Keys(g.itemLists)) {
		for _, first := range g.firsts(name) {
			g.openings[first] = first != anyWord && first != anyFigures
		}
	}
	for _, table := range []map[string]int{cardinals, ordinals} {
		for w := range table {
			g.openings[w] = true
		}
	}
	for w := range weekdays {
		g.openings[w], g.openings[w+"s"] = true, true
	}
	for w := range months {
		g.openings[w] = true
	}
}

// list is the list of a name.
func (g *grammar) list(name string) *list[string] {
	if l, known := g.lists[name]; known {
		return l
	}
	if len(g.rows[name]) == 0 {
		panic("when: no list " + name)
	}
	l := &list[string]{bit: bitOf(name), lines: map[string][]line[string]{}}
	g.lists[name] = l
	for _, r := range g.rows[name] {
		l.add(g, r.said, r.meaning)
	}
	return l
}

// rules are the lines of a name with what makes something of them.
func rules[T any](g *grammar, name string, by map[string]func(m *match) T) *list[rule[T]] {
	l := &list[rule[T]]{bit: bitOf(name), lines: map[string][]line[rule[T]]{}}
	for _, r := range g.rows[name] {
		verb, arg, _ := strings.Cut(r.meaning, " ")
		n, _ := strconv.Atoi(arg) // a word is no number
		if by[verb] == nil {
			panic("when: no rule " + r.meaning)
		}
		l.add(g, r.said, rule[T]{by[verb], arg, n})
	}
	return l
}

// wordSet is a list of single words.
func (g *grammar) wordSet(name string) map[string]bool {
	set := map[string]bool{}
	for _, r := range g.rows[name] {
		for w := range strings.SplitSeq(r.said, " | ") {
			set[w] = true
		}
	}
	return set
}

// dayPartOf reads "8:00-12:00 am".
func dayPartOf(meaning string) dayPart {
	var h1, m1, h2, m2 int
	var hint string
	_, _ = fmt.Sscanf(meaning, "%d:%d-%d:%d %s", &h1, &m1, &h2, &m2, &hint) // a line that is none has no hours
	return span(h1, m1, h2, m2, map[string]half{"am": am, "pm": pm}[hint])
}

// partOfDay is the part of the day at token i.
func (p *parser) partOfDay(i int) (dayPart, int) {
	meaning, end := p.means("parts", i)
	return p.parts[meaning], end
}

// link is what joins or separates at token i.
func (p *parser) link(i int) (link, int) {
	meaning, end := p.means("links", i)
	return linkKinds[meaning], end
}

var linkKinds = map[string]link{
	"orLink": orLink, "andLink": andLink, "commaLink": commaLink, "stopLink": stopLink, "butLink": butLink,
}

var boundKinds = map[string]hoursKind{"after": after, "before": before, "until": until}
