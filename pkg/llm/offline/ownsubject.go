package offline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"convene/pkg/when"
)

// callings are the words by which what a message asks for is told from how it asks, each line of titles.txt a set of them.
// A language without the file has none, and titles of its own are the nouns of its activities.
type callings struct {
	// asking words begin a request, generic ones say that there is a thing and plain ones how often it is: none of them is
	// a title. Calendar words say where it is to be noted.
	asking, generic, plain, calendar map[string]bool
	// breaks end a title, about goes on with one behind a time.
	breaks, about map[string]bool
	// span are stretches of the day that give a noun its name ("evening of games"), names those that look like no name.
	span, names map[string]bool
	// nouns are said with a letter in front as infinitives are.
	nouns map[string]bool
	// houses begin a venue's name behind "at"; towns are areas.
	houses map[string]bool
	towns  []string
}

func readCallings(language string) callings {
	text, err := data.ReadFile("data/" + language + "/titles.txt")
	if err != nil {
		return callings{}
	}
	lists := map[string][]string{}
	var c callings
	for line := range strings.Lines(string(text)) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		switch {
		case !ok || strings.HasPrefix(line, "#"):
		case name == "towns":
			for town := range strings.SplitSeq(list, "|") {
				c.towns = append(c.towns, strings.TrimSpace(town))
			}
		default:
			lists[name] = append(lists[name], strings.Fields(list)...)
		}
	}
	for name, set := range map[string]*map[string]bool{
		"asking": &c.asking, "generic": &c.generic, "plain": &c.plain, "calendar": &c.calendar, "breaks": &c.breaks,
		"about": &c.about, "span": &c.span, "nouns": &c.nouns, "names": &c.names, "houses": &c.houses,
	} {
		*set = wordSet(strings.Join(lists[name], " "))
	}
	return c
}

// heading is what a message of another language calls the thing that it asks for, in the words of the message: what it is,
// and behind that what it is about, or where. It says where it is by itself where that is a venue by name, or a town.
type heading struct {
	title, behind string
	venue, area   string
}

// titled is the title with whoever takes part: "a meeting with Al about the budget".
func (t heading) titled(own ownWords, names []string, a activity) string {
	return strings.TrimSpace(own.titled(firstOf(t.title, own.called(a)), names) + " " + t.behind)
}

// ownWord is a word as it is written: timed where it belongs to a phrase of time, last where a mark stands behind it.
type ownWord struct {
	text        string
	timed, last bool
}

// header reads the heading of one message.
type header struct {
	tongue
	words []ownWord
	// people take part under these names, and noun is the activity by the word of the message.
	people []string
	noun   string
	// dining says that the thing is done at a venue, so that an unknown "at" is one.
	dining bool
	out    heading
	title  []string
}

// heading finds what the text calls the thing: the first words that do not ask, nor say when, where or with whom; and
// behind these what it is about.
func (o ownWords) heading(people []string, dining bool) heading {
	if o.callings.asking == nil {
		return heading{}
	}
	h := &header{tongue: o.tongue, words: writtenWords(o.text, o.phrases), people: people, noun: o.name, dining: dining}
	start := h.start()
	end := h.run(start)
	if at := h.nounIn(start, end); at >= 0 && (at >= end || h.infinitive(h.words[start].text)) {
		h.title, h.out = nil, heading{}
		end = h.run(at)
	}
	h.out.title, h.title = h.joined(), nil
	h.rest(end)
	h.out.behind = h.joined()
	return h.out
}

// joined is the title so far, without words at its end that are none of it.
func (h *header) joined() string {
	n := len(h.title)
	for n > 0 && (h.callings.asking[h.title[n-1]] || h.callings.plain[h.title[n-1]]) {
		n--
	}
	return strings.Join(h.title[:n], " ")
}

// writtenWords are the words of a text, without the marks around them.
func writtenWords(text string, phrases []when.Entity) []ownWord {
	var words []ownWord
	for start := 0; start < len(text); {
		rest := strings.TrimLeft(text[start:], " \t\n")
		start = len(text) - len(rest)
		end := start + len(rest)
		if i := strings.IndexAny(rest, " \t\n"); i >= 0 {
			end = start + i
		}
		w := strings.TrimRight(text[start:end], `.,?!:;"”)`)
		if bare := strings.TrimLeft(w, `"“(`); bare != "" {
			timed := slices.ContainsFunc(phrases, func(e when.Entity) bool { return e.Start < end && start < e.End })
			words = append(words, ownWord{bare, timed, start+len(w) < end})
		}
		start = end
	}
	return words
}

func (h *header) at(i int) ownWord {
	if i < 0 || i >= len(h.words) {
		return ownWord{last: true}
	}
	return h.words[i]
}

// start is the first word that may belong to a title.
func (h *header) start() int {
	i := 0
	for i < len(h.words) && (h.isTime(i) || h.asks(i) || h.isPerson(i) || h.notes(i) || h.in(h.callings.generic, i, "להשב") || h.callings.plain[h.at(i).text] || h.in(h.callings.breaks, i, "")) {
		i++
	}
	return i
}

// run adds the words from i on to the title as far as it goes, and says where it ends.
func (h *header) run(i int) int {
	for i < len(h.words) && len(h.title) < maxTitle && !h.ends(i) {
		if end := h.where(i); len(h.title) > 0 && end > i {
			i = end
			continue
		}
		w := h.words[i]
		if len(h.title) == 0 {
			w.text = h.unled(w.text)
		}
		if !h.callings.plain[w.text] {
			h.title = append(h.title, w.text)
		}
		i++
		if w.last {
			break
		}
	}
	return i
}

// rest goes on behind the title: with what it is about, where it is, and with whom where nobody there has a name.
func (h *header) rest(i int) {
	for i < len(h.words) && !h.asks(i) {
		w := h.at(i)
		switch end := h.where(i); {
		case h.isTime(i) || h.isPerson(i) || h.notes(i):
			i++
		case end > i:
			i = end
		case w.text == "עם" && len(h.people) == 0 && i+1 < len(h.words) && !h.isTime(i+1),
			h.callings.about[w.text], h.out.title != "" && (strings.HasPrefix(w.text, "ב") || strings.HasPrefix(w.text, "ל")) && !h.callings.breaks[w.text]:
			h.title = append(h.title, w.text)
			i = h.run(i + 1)
		default:
			i++
		}
	}
}

// ends reports whether word i cannot go on with a title.
func (h *header) ends(i int) bool {
	return h.isTime(i) || h.isPerson(i) || h.notes(i) || h.in(h.callings.breaks, i, "") || h.in(h.callings.asking, i, "ו") && !h.callings.about[h.at(i).text] && h.at(i).text != "של" && h.at(i).text != "את"
}

// in reports whether word i is one of a set, as it stands or behind one of the letters.
func (h *header) in(set map[string]bool, i int, letters string) bool {
	w := h.at(i).text
	if set[w] {
		return true
	}
	first, size := utf8.DecodeRuneInString(w)
	return size < len(w) && strings.ContainsRune(letters, first) && set[strings.TrimLeft(w[size:], "-־")]
}

// asks reports whether word i begins a request or goes on with one.
func (h *header) asks(i int) bool { return h.in(h.callings.asking, i, "וש") }

// notes reports whether word i says that the thing is for the calendar.
func (h *header) notes(i int) bool {
	return h.in(h.callings.calendar, i, "לבמה") || h.in(h.callings.calendar, i-1, "לבמה") && strings.HasSuffix(h.at(i).text, "שנה")
}

// isPerson reports whether word i is the name of somebody who takes part.
func (h *header) isPerson(i int) bool {
	w := strings.TrimLeft(h.at(i).text, "-־")
	if slices.Contains(h.people, w) {
		return true
	}
	first, size := utf8.DecodeRuneInString(w)
	return size > 0 && strings.ContainsRune("ולמש", first) && slices.Contains(h.people, strings.TrimLeft(w[size:], "-־"))
}

// isTime reports whether word i says when, and does not give the thing its name: "dinner" is "meal of evening".
func (h *header) isTime(i int) bool {
	w, next := h.at(i), h.at(i+1)
	switch {
	case !w.timed:
		return false
	case h.callings.span[w.text] && !w.last && next.text != "" && !next.timed && !h.in(h.callings.breaks, i+1, "") && !h.in(h.callings.asking, i+1, "וש") && !h.notes(i+1) && !strings.HasPrefix(next.text, "ב"):
		return false
	}
	before := strings.TrimLeft(h.at(i-1).text, "בלהו")
	return !h.leaning[before] || !strings.HasSuffix(before, "ת") || strings.HasPrefix(w.text, "ב") && w.text != "בוקר" || strings.HasPrefix(w.text, "ל")
}

// unled is the first word of a title without the letter for "to" or "the", where a noun is behind it and no verb.
func (h *header) unled(w string) string {
	for _, letter := range []string{"ל", "ה", "כ"} {
		bare, led := strings.CutPrefix(w, letter)
		_, meaning, known := h.tongue.at([]string{bare})
		switch {
		case !led || utf8.RuneCountInString(bare) < 3:
		case h.leaning[bare] || h.callings.nouns[bare] || known == 1 && meaning != "" && h.plainWord(bare):
			return bare
		case letter == "ל" && !strings.HasPrefix(bare, "ה") && utf8.RuneCountInString(bare) >= 5 && h.nounEnding(bare):
			return bare
		}
	}
	return w
}

// infinitive reports whether the first word of a title says what to do.
func (h *header) infinitive(w string) bool { return strings.HasPrefix(w, "ל") && h.unled(w) == w }

// plainWord reports whether a word stands in the language's table without a letter in front.
func (h *header) plainWord(w string) bool { return h.tongue.words[w] != "" }

// nounEnding reports whether a word ends as a noun does and no infinitive.
func (h *header) nounEnding(w string) bool {
	for _, ending := range []string{"ה", "ים", "ון", "ית"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return strings.HasSuffix(w, "ת") && !strings.HasSuffix(w, "ות")
}

// nounIn is where the activity's noun stands that begins neither before start nor inside the title as it is; -1 where it
// stands at start, or nowhere.
func (h *header) nounIn(start, end int) int {
	head, _, _ := strings.Cut(h.noun, " ")
	if head == "" {
		return -1
	}
	for i := start; i < len(h.words); i++ {
		if w := h.words[i].text; w == head || strings.HasSuffix(w, head) && utf8.RuneCountInString(w)-utf8.RuneCountInString(head) <= 2 {
			if i == start {
				return -1
			}
			return i
		}
	}
	return -1
}

// where reads a place at word i, and says where it ends; i where there is none, or none that can be looked up, as "at Dad's":
// that stays in the title.
func (h *header) where(i int) int {
	first, at := strings.CutPrefix(h.at(i).text, "ב")
	if !at || h.at(i).timed || utf8.RuneCountInString(first) < 2 {
		return i
	}
	first = strings.TrimLeft(first, "-־")
	for _, town := range h.callings.towns {
		head, tail, _ := strings.Cut(town, " ")
		if first != head || tail != "" && h.at(i+1).text != tail {
			continue
		}
		h.out.area = town
		return i + 1 + len(strings.Fields(tail))
	}
	if h.callings.about[h.at(i).text] || h.callings.breaks[h.at(i).text] || h.asks(i) || !h.callings.houses[first] && !h.dining || h.at(i+1).text == "של" || h.plainWord(h.at(i).text) {
		return i
	}
	name, end := []string{first}, i+1
	for end < len(h.words) && len(name) < 4 && !h.at(end-1).last && !h.ends(end) && !strings.HasPrefix(h.at(end).text, "ב") && !strings.HasPrefix(h.at(end).text, "ל") {
		name = append(name, h.at(end).text)
		end++
	}
	if len(name) == 1 && (h.callings.houses[first] || h.tongue.words[first] != "") {
		return i
	}
	h.out.venue = strings.Join(name, " ")
	return end
}

// means reports whether word i, where a name may stand, is a noun that means somebody without being a name: one with the
// article, one in the plural, or one that leans on another with the article, as "the sales team".
func (g *glossing) means(i int) bool {
	c, w := &g.callings, strings.Trim(g.words[i], ".,:-/")
	if c.names[w] || c.asking == nil {
		return false
	}
	article := func(w string) bool { return strings.HasPrefix(w, "ה") && utf8.RuneCountInString(w) > 3 && !c.names[w] }
	if article(w) || utf8.RuneCountInString(w) > 4 && (strings.HasSuffix(w, "ים") || strings.HasSuffix(w, "ות")) {
		return true
	}
	if i+1 == len(g.words) || strings.HasSuffix(g.words[i], ",") {
		return false
	}
	_, _, known := g.at(g.words[i+1:])
	return known == 0 && article(g.words[i+1])
}
