package offline

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// guests reads in the words of the message, in its own language, who is added and who is left out. The phrases are
// those of the language's changes.txt.
type guests struct {
	*sentence
	venue *venue
	// names are those of the people whom the conversation knows, the participants first; taking is how many those are.
	names  []guestName
	taking int
	// strange reports whether a word of another language than English may be a name. Nil for English.
	strange func(i int) bool
	kin     func(i int) bool
	// latest is the one of them whom the message before named, and unclear a word for one of several who take part:
	// "without him".
	latest, unclear string
}

// guestName is a known name, and its words in small letters.
type guestName struct {
	name  string
	words []string
}

// guests are the words of the message as they are read for people.
func (e *editor) guests(v *venue) *guests {
	g := &guests{sentence: e.written(), venue: v, taking: len(e.data.Template.Participants)}
	for _, name := range slices.Concat(e.data.Template.Participants, e.data.known()) {
		g.names = append(g.names, guestName{name, strings.Fields(strings.ToLower(name))})
	}
	g.latest = g.lately(e.data.RecentTurns)
	if !e.own.foreign() {
		return g
	}
	apart := *g.sentence
	apart.words = g.unglued(&e.own.tongue)
	g.sentence, g.venue = &apart, &venue{}
	meaning := func(i int) (string, bool) {
		_, meaning, n := e.own.at([]string{g.at(i).text})
		return meaning, n > 0
	}
	g.strange = func(i int) bool {
		w := g.at(i)
		_, known := meaning(i)
		return !w.mark && !w.timed && !known && g.inChange("in their place", i) == 0 &&
			utf8.RuneCountInString(w.text) > 1 && onlyLetters(w.text) &&
			(w.capital() || i > 0 && g.inChange("whom", i-1) > 0 ||
				e.own.Particles != "" && !unicode.Is(unicode.Latin, rune(w.text[0])))
	}
	g.kin = func(i int) bool {
		m, known := meaning(i)
		return known && strings.HasPrefix(m, "my ")
	}
	return g
}

// unglued are the words with the letters in front of a known name as words of their own, and with the "and" in front of
// a verb of adding or leaving out; of an exchange, with those in front of any word that the language's table does not
// have.
func (g *guests) unglued(t *tongue) []word {
	var words []word
	exchange := g.changes("swaps")
	for _, w := range g.words {
		_, _, inTable := t.at([]string{w.text})
		for _, p := range t.Particles {
			rest, ok := strings.CutPrefix(w.lower, string(p))
			rest = strings.TrimLeft(rest, "-־")
			known := exchange && inTable == 0 && g.begins("for", string(p)) ||
				g.begins("and", string(p)) && (g.begins("adds", rest) || g.begins("drops", rest) || g.begins("swaps", rest)) ||
				slices.ContainsFunc(g.names, func(n guestName) bool { return n.words[0] == rest })
			if ok && known {
				first := w
				first.text, first.lower, first.end = string(p), string(p), w.start+len(string(p))
				w.text, w.lower, w.start = rest, rest, first.end
				words = append(words, first)
				break
			}
		}
		words = append(words, w)
	}
	return words
}

// begins reports whether a phrase of the key begins with a word.
func (g *guests) begins(key, w string) bool { return len(changeBooks()[g.language].other[key][w]) > 0 }

// called is the longest known name at word i, in any case, and the index after it; a participant's goes first. A
// first or a last name is given as it is written.
func (g *guests) called(i int) (name string, end int) {
	spoken := func(i int) string {
		w := g.at(i).lower
		return strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "'")
	}
	for _, known := range g.names {
		for from := range known.words {
			n := 0
			for from+n < len(known.words) && spoken(i+n) == known.words[from+n] {
				n++
			}
			if n == 0 || i+n <= end || from > 0 && from+n < len(known.words) {
				continue
			}
			name, end = known.name, i+n
			if n < len(known.words) {
				name = upperFirst(strings.Join(known.words[from:from+n], " "))
			}
		}
	}
	return name, max(end, i)
}

// participant is the name under which someone takes part who is called so; empty where nobody does.
func (g *guests) participant(name string) string {
	words := strings.Fields(strings.ToLower(name))
	for _, known := range g.names[:g.taking] {
		short, long := words, known.words
		if len(short) > len(long) {
			short, long = long, short
		}
		if slices.Equal(short, long[:len(short)]) || len(words) == 1 && slices.Contains(known.words, words[0]) {
			return known.name
		}
	}
	return ""
}

// person reads whom words from i on name, and where that ends; an empty name is the user's own part. Small says that a
// unknown name may stand there in small letters.
func (g *guests) person(i int, small bool) (name string, end int) {
	if n := g.inChange("self", i); n > 0 {
		return "", i + n
	}
	if g.at(i).address {
		return g.at(i).text, i + 1
	}
	if name, end = g.called(i); end > i {
		return name, end
	}
	if g.strange == nil {
		return g.stranger(i, small)
	}
	for end = i; g.kin(end) || (small || g.at(end).capital()) && end-i < 2 && g.strange(end); end++ {
		if g.kin(end) {
			from := end
			if g.at(end-1).lower == "mi" {
				from--
			}
			return g.spoken(from, end+1), end + 1
		}
	}
	return g.spoken(i, end), end
}

// stranger is person for a name that nobody knows, and for someone who is the user's in English: "my sister".
func (g *guests) stranger(i int, small bool) (name string, end int) {
	if w := g.at(i).lower; (w == "my" || w == "our") && g.isKin(i+1) && !g.at(i+2).capital() {
		for end = i + 1; g.isKin(end); end++ {
		}
		return strings.ToLower(g.spoken(i, end)), end
	}
	if !small && stopWords[g.at(i).lower] {
		return "", i
	}
	p, end := g.nameAt(i, small, g.venue)
	return p.name, end
}

// list reads the people whom word i begins to list, and where that ends: at i where it names nobody.
func (g *guests) list(i int, small bool) (names []string, myself bool, end int) {
	i = g.pastAlso(i)
	end = i
	for range maxPeople {
		name, next := g.person(i, small)
		if next == i {
			break
		}
		if name == "" {
			myself = true
		} else {
			names = append(names, name)
		}
		end = next
		and := g.inChange("and", end)
		if and == 0 {
			break
		}
		i = end + and
		i += g.inChange("and", i) // ", and"
		i = g.pastAlso(i)
		small = small && !g.looseEnd(i, g.venue)
	}
	return names, myself, end
}

// pastAlso is the first word from i on that is none of the few that may stand before a name.
func (g *guests) pastAlso(i int) int {
	const most = 4
	for range most {
		i += g.inChange("also", i)
	}
	return i
}

// before are the people whose list ends right before word i, but for what may stand between them and a verb.
func (g *guests) before(i int) []string {
	for _, end := range []int{g.pastMight(i), i} {
		for from := max(0, end-2*maxNameWords); from < end; from++ {
			if w := g.at(from); w.mark || g.inChange("and", from) > 0 || g.goesOnFrom(from) {
				continue
			}
			if names, _, after := g.list(from, false); after == end && len(names) > 0 {
				return names
			}
		}
	}
	return nil
}

func (g *guests) pastMight(i int) int {
	for i > 0 && g.inChange("might", i-1) > 0 {
		i--
	}
	return i
}

// goesOnFrom reports whether word i is one as "will" that need not be a name, after the person and before
// what is said of them.
func (g *guests) goesOnFrom(i int) bool {
	w, before := g.at(i), g.at(i-1)
	return stopWords[w.lower] && !w.capital() && i > 0 && !before.mark && g.inChange("asks", i-1) == 0
}

// after are the people named after the phrases of a key.
func (g *guests) after(key string, small bool) (names []string) {
	for i := range g.words {
		n := g.inChange(key, i)
		if key == "drops" && g.dropsApart(i) {
			n = max(n, 1)
		}
		if n == 0 || g.negated(i) && key != "drops" && key != "denies" {
			continue
		}
		found, _, _ := g.list(i+n, small && g.at(i+n).text != "," && !g.at(i+n).timed)
		if key == "drops" || key == "instead of" {
			found = append(found, g.them(i+n)...)
		}
		names = append(names, found...)
	}
	return names
}

// negated reports whether what stands right before word i turns it down: "don't invite".
func (g *guests) negated(i int) bool { return g.denied(i) || i > 0 && g.inChange("not", i-1) == 1 }

// told are the people in front of the phrases of a key, which say that these come or do not.
func (g *guests) told(key string) (names []string) {
	for i := range g.words {
		n := g.inChange(key, i)
		goesOn := key == "leaves" && g.inChange("further", i+n) > g.inChange("taking part", i+n)
		if n == 0 || g.negated(i) || g.at(i+n).timed || goesOn {
			continue
		}
		if found := g.before(i); g.knows(found) || key != "instead" && key != "joins too" {
			names = append(names, found...)
		}
	}
	return names
}

// partOf are those of the names whose bearers take part, as they take part.
func (g *guests) partOf(names []string) (taking []string) {
	for _, name := range names {
		if p := g.participant(name); p != "" {
			taking = append(taking, p)
		}
	}
	return taking
}

// people reads who is added, who is left out, and who comes in someone's place.
func (e *editor) people(v *venue) {
	g := e.guests(v)
	gone := g.partOf(slices.Concat(g.after("drops", false), g.after("denies", false), g.told("leaves")))
	if !e.aboutTime() {
		gone = append(gone, g.partOf(g.told("absent"))...)
	}
	come := slices.Concat(g.after("adds", true), g.after("wants", false), g.told("joins"), g.told("joins too"),
		g.told("instead"), g.first(), g.exchanged(&gone))
	if others := g.after("instead of", false); len(g.partOf(others)) > 0 {
		gone = append(gone, g.partOf(others)...)
		come = slices.Concat(come, g.told("instead of"), others) // "Dana instead of Al", "instead of Al, Dana"
	}
	if names, ok := g.alone(); ok {
		stay := g.partOf(names)
		gone = append(gone, slices.DeleteFunc(slices.Clone(e.data.Template.Participants), func(name string) bool {
			return slices.Contains(stay, name)
		})...)
		come = append(come, names...)
	}
	gone = append(gone, e.replaced(g, gone, come)...)
	come = slices.DeleteFunc(come, func(name string) bool { return g.participant(name) != "" })
	come = append(come, g.corrected(&gone, len(come) > 0)...)
	e.out.RemoveParticipants = distinctNames(gone)
	e.out.AddParticipants = slices.DeleteFunc(distinctNames(come), func(name string) bool {
		return slices.ContainsFunc(slices.Concat(gone, e.data.Participants), func(other string) bool {
			return strings.EqualFold(other, name)
		})
	})
	if len(e.out.AddParticipants)+len(e.out.RemoveParticipants) > 0 {
		e.touch("participants")
	}
	for _, name := range e.out.AddParticipants {
		e.forgetTimesIn(name) // April, who is no month
	}
}

// first are the people of a list that begins the message, or goes on after a comma, with "and".
func (g *guests) first() []string {
	for i := range g.words {
		if n := g.inChange("adds first", i); n > 0 && (i == 0 || g.at(i-1).text == ",") {
			names, _, _ := g.list(i+n, i == 0)
			return names
		}
	}
	return nil
}

// only is the one who takes part; empty where there are more, or none.
func (g *guests) only() string {
	if g.taking == 1 {
		return g.names[0].name
	}
	return ""
}

// sharing is the participant who has a name in common with the one given.
func (g *guests) sharing(name string) string {
	words := strings.Fields(strings.ToLower(name))
	for _, p := range g.names[:g.taking] {
		if slices.ContainsFunc(p.words, func(w string) bool { return slices.Contains(words, w) }) {
			return p.name
		}
	}
	return ""
}

// namesake is the one other person whom the conversation knows by a name, and the name itself where there are several;
// the participant of the name goes.
func (g *guests) namesake(name string, gone *[]string) []string {
	was := firstOf(g.sharing(name), g.only())
	first, _, _ := strings.Cut(strings.ToLower(name), " ")
	var others []string
	for _, p := range g.names[g.taking:] {
		if p.words[0] == first && !strings.EqualFold(p.name, was) && !slices.Contains(others, p.name) {
			others = append(others, p.name)
		}
	}
	*gone = append(*gone, was)
	if len(others) == 1 {
		return others
	}
	return []string{upperFirst(first)}
}

// knows reports whether all of the names are those of people whom the conversation knows.
func (g *guests) knows(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		words := strings.Fields(strings.ToLower(name))
		return !slices.ContainsFunc(g.names, func(known guestName) bool {
			return slices.Contains(known.words, words[0]) && len(words) <= len(known.words)
		})
	})
}

// alone are all who take part from now on, by "only Al" and "just me and Lena"; ok tells whether the message says so.
func (g *guests) alone() (names []string, ok bool) {
	if g.changes("adding") {
		return nil, false
	}
	for i := range g.words {
		n := g.inChange("alone", i)
		if n == 0 {
			continue
		}
		names, myself, end := g.list(i+n, false)
		if len(names) == 0 || n == 1 && !myself && !g.knows(names) {
			continue
		}
		if g.at(end).mark && g.at(end).text != "'" || g.inChange("taking part", end) > 0 {
			return names, true
		}
	}
	return nil, false
}

func distinctNames(all []string) []string {
	kept := []string{}
	for _, name := range all {
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, name) }) {
			kept = append(kept, name)
		}
	}
	return kept
}
