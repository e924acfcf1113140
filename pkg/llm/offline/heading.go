package offline

import (
	"slices"
	"strings"
	"unicode/utf8"

	"convene/pkg/when"
)

// heading is what a message of another language calls the thing that it asks for, in the words of the message: what it
// is, and behind that what it is about, or where. It says where it is by itself where that is a venue by name, or a
// town.
type heading struct {
	title, behind string
	venue, area   string
}

// titled is the title with whoever takes part: "a meeting with Al about the budget".
func (t heading) titled(own ownWords, names []string, a activity) string {
	return strings.TrimSpace(own.titled(firstOf(t.title, own.called(a)), names) + " " + t.behind)
}

// reminded is what a reminder is of, in the words of the message; in another language than English with where that is.
func (r *reading) reminded() string {
	if !r.own.foreign() {
		a, _ := r.wish.activityOf()
		return r.wish.titleOf(a, r.wish.peopleOf(&r.wish.venue), &r.wish.venue)
	}
	what := r.own.heading(nil, false)
	if what.title == "" {
		return ""
	}
	for _, place := range []string{what.venue, what.area} {
		if place != "" {
			what.behind = strings.TrimSpace(what.behind + " " + r.own.callings.letters["at"] + place)
		}
	}
	return what.titled(r.own, nil, activity{})
}

// ownWord is a word as it is written: timed where it belongs to a phrase of time, last where a mark stands behind it.
type ownWord struct {
	text        string
	timed, last bool
}

// ownWordsOf are the words of a text, without the marks around them.
func ownWordsOf(text string, phrases []when.Entity) []ownWord {
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
			for len(phrases) > 0 && phrases[0].End <= start {
				phrases = phrases[1:]
			}
			timed := len(phrases) > 0 && phrases[0].Start < end
			words = append(words, ownWord{bare, timed, start+len(w) < end})
		}
		start = end
	}
	return words
}

// header reads the heading of one message.
type header struct {
	callings
	own   ownWords
	words []ownWord
	// people take part under these names.
	people []string
	// dining says that the thing is done at a venue, so that an unknown "at" is one.
	dining bool
	out    heading
	title  []string
}

// heading finds what the text calls the thing: the first words that do not ask, nor say when, where or with whom; and
// what stands behind these.
func (o ownWords) heading(people []string, dining bool) heading {
	if !o.callings.known() {
		return heading{}
	}
	h := &header{callings: o.callings, own: o, words: ownWordsOf(o.text, o.phrases), people: people, dining: dining}
	start := h.start()
	end := h.run(start)
	if noun := h.noun(start); noun >= max(end, start+1) || noun == start+1 && h.infinitive(h.at(start).text) {
		h.title, h.out = nil, heading{}
		end = h.run(noun)
	}
	h.out.title = h.joined()
	h.rest(end)
	h.out.behind = h.joined()
	if at, _ := h.led(h.out.title, "at"); at != "" && h.saysThing(start) {
		// "An event at the library" is one, and no library.
		h.out.title, h.out.behind = "", strings.TrimSpace(h.out.title+" "+h.out.behind)
	}
	return h.out
}

// saysThing reports whether a word before word i says that there is a thing, without saying which.
func (h *header) saysThing(i int) bool {
	return slices.ContainsFunc(h.words[:i], func(w ownWord) bool { return h.isBehind("before", w.text, genericWords) })
}

func (h *header) at(i int) ownWord {
	if i < 0 || i >= len(h.words) {
		return ownWord{last: true}
	}
	return h.words[i]
}

// joined takes the title so far, without words at its end that are none of it.
func (h *header) joined() string {
	n := len(h.title)
	for n > 0 && h.is(h.title[n-1], askingWords, plainWords) {
		n--
	}
	text := strings.Join(h.title[:n], " ")
	h.title = nil
	return text
}

// start is the first word that may belong to a title. Behind a verb another one does: "remind me to book a table" is to
// book a table.
func (h *header) start() int {
	i, commanded := 0, false
	for ; i < len(h.words) && h.opens(i); i++ {
		w := h.at(i).text
		if h.isBehind("and", w, verbWords) {
			if letter, _ := h.led(w, "to"); commanded && letter != "" {
				break
			}
			commanded = true
		}
		if h.is(w, withWords) && !h.isPerson(i+1) {
			i++ // whoever has no name
		}
	}
	return i
}

// opens reports whether word i stands before a title rather than in it.
func (h *header) opens(i int) bool {
	w := h.at(i).text
	if i == 0 && h.asks(1) && !h.own.leaning[w] && h.own.words[w] == "" {
		return true // whom the message speaks to
	}
	return h.isTime(i) || h.asks(i) || h.isPerson(i) || h.notes(i) || h.isBehind("before", w, genericWords) ||
		h.is(w, mineWords, plainWords, breakWords, withWords)
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
		if !h.is(w.text, plainWords) && (!h.is(w.text, mineWords) || slices.ContainsFunc(h.title, h.joins)) {
			h.title = append(h.title, w.text)
		}
		i++
		if w.last {
			break
		}
	}
	return i
}

// joins reports whether a word goes on with a title, as "of" does.
func (h *header) joins(w string) bool { return h.is(w, ofWords) }

// rest reads what stands behind the title: what it is about, where it is, and with whom where nobody there has a name.
func (h *header) rest(i int) {
	for i < len(h.words) && !h.asks(i) {
		switch end := h.where(i); {
		case h.isTime(i) || h.isPerson(i) || h.notes(i):
			i++
		case end > i:
			i = end
		case h.goesOn(i):
			h.title = append(h.title, h.at(i).text)
			i = h.run(i + 1)
		default:
			i++
		}
	}
}

// goesOn reports whether word i, behind a title, begins something that belongs to it.
func (h *header) goesOn(i int) bool {
	w := h.at(i).text
	to, _ := h.led(w, "to")
	at, _ := h.led(w, "at")
	switch {
	case h.is(w, withWords):
		return len(h.people) == 0 && i+1 < len(h.words) && !h.isTime(i+1)
	case h.is(w, breakWords):
		return false
	}
	return h.is(w, aboutWords) || h.out.title != "" && to+at != ""
}

// ends reports whether word i cannot go on with a title.
func (h *header) ends(i int) bool {
	w := h.at(i).text
	switch {
	case h.isTime(i) || h.isPerson(i) || h.notes(i) || h.is(w, breakWords, withWords):
		return true
	case h.is(w, aboutWords, ofWords, mineWords):
		return false
	}
	to, _ := h.led(w, "to")
	return h.isBehind("and", w, askingWords) || (len(h.title) > 0 || to == "") && h.isBehind("and", w, verbWords)
}

// asks reports whether word i begins a request or goes on with one.
func (h *header) asks(i int) bool {
	w := h.at(i).text
	return !h.is(w, mineWords) && h.isBehind("and", w, askingWords, verbWords)
}

// notes reports whether word i says that the thing is for the calendar; a word of two, as its Hebrew "table of the
// year", is followed by a time.
func (h *header) notes(i int) bool { return h.noteAt(i) || h.noteAt(i-1) && h.at(i).timed }

func (h *header) noteAt(i int) bool {
	w := h.at(i).text
	_, bare := h.led(w, "before")
	return h.isBehind("before", w, calendarWords) || h.isBehind("article", w, calendarWords) ||
		h.isBehind("article", bare, calendarWords)
}

// isPerson reports whether word i is the name of somebody who takes part, or a surname behind one.
func (h *header) isPerson(i int) bool {
	for range maxNameWords {
		w := strings.TrimLeft(h.at(i).text, "-־")
		_, bare := h.led(w, "before")
		if slices.Contains(h.people, w) || bare != "" && slices.Contains(h.people, bare) {
			return true
		}
		if i--; i < 0 || !h.is(w, surnameWords) {
			return false
		}
	}
	return false
}

// isTime reports whether word i says when, and does not give the thing its name, as in "evening of games" and in the
// Hebrew for dinner, "meal of evening".
func (h *header) isTime(i int) bool {
	w, next := h.at(i), h.at(i+1)
	bare := strings.TrimLeft(w.text, h.own.Particles)
	at, _ := h.led(next.text, "at")
	switch {
	case !w.timed, h.own.leaning[bare]:
		return false
	case h.is(w.text, spanWords) && !w.last && next.text != "" && at == "" && !next.timed && !h.opens(i+1):
		return false
	}
	before := strings.TrimLeft(h.at(i-1).text, h.own.Particles)
	to, _ := h.led(w.text, "to")
	at, _ = h.led(w.text, "at")
	leans := h.own.leaning[before] && h.endsAs(before, constructEndings)
	return !leans || to != "" || at != "" && !h.is(w.text, spanWords)
}

// unled is the first word of a title without the letter in front of it that leads there from what asks, where a noun is
// behind it and no verb.
func (h *header) unled(w string) string {
	_, bare := h.led(w, "lead")
	to, _ := h.led(w, "to")
	article, _ := h.led(bare, "article")
	size := utf8.RuneCountInString(bare)
	switch {
	case size < 3:
	case h.own.leaning[bare] || h.is(bare, nounWords) || h.own.words[bare] != "":
		return bare
	case to != "" && article == "" && size >= 5 && h.endsAs(bare, nominalEndings) && !h.endsAs(bare, verbalEndings):
		return bare
	}
	return w
}

// infinitive reports whether the first word of a title says what to do.
func (h *header) infinitive(w string) bool {
	to, _ := h.led(w, "to")
	return to != "" && h.unled(w) == w
}

// noun is where the activity's own word stands from word start on; -1 where it does not.
func (h *header) noun(start int) int {
	head, _, _ := strings.Cut(h.own.name, " ")
	for i := start; i < len(h.words) && head != ""; i++ {
		if before, ends := strings.CutSuffix(h.words[i].text, head); ends && utf8.RuneCountInString(before) <= 2 {
			return i
		}
	}
	return -1
}

// maxHouse is the most words of a venue's name.
const maxHouse = 4

// where reads a place that can be looked up at word i, and says where it ends; i where there is none. Another one, as
// "at Dad's", stays in the title.
func (h *header) where(i int) int {
	w := h.at(i)
	_, first := h.led(w.text, "at")
	if w.timed || utf8.RuneCountInString(first) < 2 {
		return i
	}
	if end := h.town(i, first); end > i {
		return end
	}
	if !h.mayBeHouse(i, first) {
		return i
	}
	name, end := []string{first}, i+1
	for end < len(h.words) && len(name) < maxHouse && !h.at(end-1).last && !h.ends(end) && !h.goesOn(end) {
		name = append(name, h.at(end).text)
		end++
	}
	if len(name) == 1 && h.is(first, houseWords) {
		return i
	}
	h.out.venue = strings.Join(name, " ")
	return end
}

// mayBeHouse reports whether a venue's name may begin in word i, behind a letter: with a word for a venue, or where the
// thing is done at one, with any that is not known to be something else.
func (h *header) mayBeHouse(i int, first string) bool {
	w, next := h.at(i).text, h.at(i+1).text
	if h.is(w, aboutWords, breakWords) || h.asks(i) || h.is(next, ofWords) || h.own.words[w] != "" {
		return false
	}
	if h.is(first, houseWords) {
		return h.own.words[next] == "" || h.at(i).last
	}
	return h.dining && !h.is(first, roomWords) && h.own.words[first] == ""
}

// town reads a town whose first word stands in word i, behind a letter, and says where it ends.
func (h *header) town(i int, first string) int {
	for _, town := range h.towns {
		head, tail, _ := strings.Cut(town, " ")
		if first == head && (tail == "" || h.at(i+1).text == tail) {
			h.out.area = town
			return i + 1 + len(strings.Fields(tail))
		}
	}
	return i
}
