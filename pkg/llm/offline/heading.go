package offline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxRequest bounds the words of what a message asks for, maxOpening those before it, and maxClauses the clauses in
// which it is looked for.
const (
	maxRequest = 10
	maxOpening = 40
	maxClauses = 32
)

// titler finds what a message calls the thing that it asks for, in its own words and in any language: the noun phrase
// after what asks for it, up to the first word of a time, a person, a place, a purpose or another clause.
type titler struct {
	*sentence
	callings
	own ownWords
	a   activity
	// taking are those who take part, people the words of their names, venue and houses those of where.
	taking         []person
	people, houses wordsOf
	venue          *venue
	// asked says that a verb asks for the thing, wished that a wish does, held that it keeps a time free, thing that there
	// is one, and met that the message speaks of people who meet.
	asked, wished, held, thing, met bool
}

// titler reads the title of a wish. The zero value of own is English.
func (s *sentence) titler(a activity, people []person, v *venue, own ownWords) *titler {
	t := &titler{sentence: s, callings: titleBook(), own: own, a: a, taking: people, venue: v}
	if own.foreign() {
		t.sentence, t.callings, t.venue = &own.said, own.callings, &venue{}
		t.a.index, t.taking = t.named(), t.spotted(namesOf(people))
	}
	for _, p := range t.taking {
		t.people.add(p.from, p.to)
	}
	for _, m := range t.sentence.known { // who is named twice stands in neither place for what is asked for
		if slices.ContainsFunc(people, func(p person) bool { return p.name == m.name }) {
			t.people.add(m.from, m.to)
		}
	}
	return t
}

// named is the word of a message in another language that says its activity, -1 if none does.
func (t *titler) named() int {
	head, _, _ := strings.Cut(t.own.name, " ")
	return slices.IndexFunc(t.words, func(w word) bool {
		before, ends := strings.CutSuffix(w.lower, head)
		return head != "" && ends && utf8.RuneCountInString(before) <= 2
	})
}

// spotted are the names where they stand, with the surnames after them, and after all words if they stand nowhere. A
// letter may be in front of one.
func (t *titler) spotted(names []string) []person {
	var found []person
	for i, w := range t.words {
		text := strings.TrimLeft(w.text, "-־")
		_, bare := t.led(text, "empty")
		for _, name := range names {
			first, _, _ := strings.Cut(name, " ")
			letters, ends := strings.CutSuffix(text, first) // the Hebrew "and to Al"
			led := ends && utf8.RuneCountInString(letters) <= 2 && strings.Trim(letters, t.own.Particles) == ""
			if !led && !strings.EqualFold(text, first) && !strings.EqualFold(bare, first) {
				continue
			}
			to := i + len(strings.Fields(name))
			for t.is(t.at(to).lower, "surnames") {
				to++
			}
			found = append(found, person{name, i, to})
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(found, func(p person) bool { return p.name == name }) {
			found = append(found, person{name, len(t.words), len(t.words)})
		}
	}
	return distinctPeople(found)
}

// class is how many words the phrase of the class has that stands at word i, 0 if none does.
func (t *titler) class(class string, i int) int {
	if _, n := t.phraseAt(i, t.classes[class]); n > 0 {
		return n
	}
	if _, bare := t.led(t.at(i).lower, class); bare != "" && t.is(bare, class) {
		return 1
	}
	switch {
	case class == "stop":
		return t.class("way", i) // by which people talk
	case class == "verb" && t.bindsIt(t.at(i).lower):
		return 1
	}
	return 0
}

// any reports whether a phrase of one of the classes stands at word i.
func (t *titler) any(i int, classes ...string) bool {
	return slices.ContainsFunc(classes, func(class string) bool { return t.class(class, i) > 0 })
}

// asking is how many words the English phrase of the class has that stands at word i.
func (s *sentence) asking(class string, i int) int {
	_, n := s.phraseAt(i, titleBook().classes[class])
	return n
}

// find is where the words stand, which are none if the message has none for it. What nothing asks for stands in the
// first clause that says when or with whom, or after a wish before that.
func (t *titler) find() spanOf {
	for i, n, late := 0, 0, false; i >= 0 && n < maxClauses; i, n = t.nextClause(i), n+1 {
		span := t.phrase(t.opening(i))
		grounded := t.isGrounded(i, span)
		if t.says(span) && t.concerns(span) && (t.asked || t.thing || !late && (t.wished || grounded)) &&
			!t.onlyTold(i, span) {
			return span
		}
		late = late || grounded
	}
	if t.a.index >= 0 {
		return t.around()
	}
	from := t.opening(0)
	return spanOf{from, from}
}

// onlyTold reports whether the clause at word i tells what the user got, and another asks for the activity: "I got a
// mail from Al, please put in a call with him".
func (t *titler) onlyTold(i int, span spanOf) bool {
	told := false
	for ; i < span.from; i++ {
		told = told || t.at(i).lower == "got"
	}
	comma := slices.IndexFunc(t.words[span.to:], func(w word) bool { return w.mark && w.text == "," })
	return told && comma >= 0 && t.a.index > span.to+comma
}

// nextClause is where the next clause begins, after a mark or with a word of asking; -1 if there is none.
func (t *titler) nextClause(i int) int {
	for i++; i < len(t.words)-1; i++ {
		switch w := t.at(i); {
		case w.mark && !w.timed && strings.Contains(".,:;!?–—-", w.text) && !t.at(i+1).mark:
			return i + 1
		case !w.mark && t.any(i, "wish", "meet", "verb") && t.class("before", i-1) == 0:
			return i
		}
	}
	return -1
}

// isGrounded reports whether the clause that begins at word i says when or with whom beside the words.
func (t *titler) isGrounded(i int, span spanOf) bool {
	for ; i < len(t.words) && (!t.at(i).mark || i < span.to || t.at(i).timed || t.at(i).text == ","); i++ {
		if t.at(i).timed || t.people.has(i) || t.venue.covers(i) {
			return true
		}
	}
	return i == len(t.words) && span.from == 0
}

// opening is the first word from i on that neither asks for something nor says when or with whom. After one verb that
// asks, another says what to do.
func (t *titler) opening(i int) int {
	t.asked, t.wished, t.held, t.thing, t.met = false, false, false, false, false
	i = t.spokenTo(i)
	for end := min(i+maxOpening, len(t.words)); i < end; {
		wish, verb, meet := max(t.class("polite", i), t.class("wish", i)), t.class("verb", i), t.class("meet", i)
		empty, w := t.class("empty", i), t.at(i)
		switch {
		case verb > 0 && verb >= wish && (!t.asked || t.own.foreign() && !t.isInfinitive(i)):
			t.asked, t.held = true, t.held || t.class("hold", i) > 0
			i += verb
		case wish > 0:
			t.wished = t.wished || t.class("wish", i) > 0
			t.asked = t.asked && !t.thing // "I have time, let's get coffee" asks anew
			i += wish
		case t.class("theirs", i) > 0 && t.follows(i):
			t.wished = true
			i += t.class("theirs", i)
		case meet > 0 && !t.asked && t.class("object", i) == 0:
			t.met = true
			i += meet
		case t.class("go", i) > 0 && t.a.index == i+1:
			i++
		case empty > 0 && !t.isCompound(i+empty):
			t.thing = true
			i += empty
			i += t.class("link", i)
		case t.class("before", i) > 0:
			i += t.class("before", i)
		case t.met && (t.people.has(i) || t.isTime(i)):
			return i
		case t.isTime(i), t.people.has(i), t.thing && t.venue.covers(i), t.class("loose", i) > 0, t.class("is", i) > 0 &&
			t.at(i-1).timed,
			w.mark && !strings.Contains(".;!?", w.text):
			i++
		default:
			return i
		}
	}
	return i
}

// spokenTo passes the name by which a message calls the one that it asks: "Holly, add lunch".
func (t *titler) spokenTo(i int) int {
	w, next := t.at(i), i+1
	if w.mark || w.timed || t.any(i, "polite", "wish", "verb", "meet", "before") || w.known() || i == t.a.index {
		return i
	}
	if t.at(next).text == "," {
		next++
	}
	verb := t.class("verb", next)
	if t.class("wish", next) > 0 || t.own.foreign() && t.any(next, "polite", "verb") ||
		verb > 0 && (t.any(next+verb, "before", "empty") || t.at(next+verb).timed) {
		return next
	}
	return i
}

// isCompound reports whether the empty noun before word i is a part of something that says more: "time sheets".
func (t *titler) isCompound(i int) bool {
	return t.letters["lead"] == "" && !t.at(i).mark && !t.stops(i, i) &&
		!t.any(i, "loose", "before", "link", "with", "verb", "polite", "stop")
}

// phrase is what begins at word i, without the words with which nothing ends.
func (t *titler) phrase(i int) spanOf {
	if t.any(i, "other", "stop") {
		return spanOf{i, i}
	}
	end := i
	for end < len(t.words) && end-i < maxRequest && !t.stops(end, i) {
		end++
	}
	return spanOf{i, t.trimmed(i, end)}
}

// trimmed is the end of the words without those with which nothing ends.
func (t *titler) trimmed(from, to int) int {
	for to > from && t.class("loose", to-1) == 1 {
		to--
	}
	return to
}

// around is the noun phrase that the activity's own word is part of.
func (t *titler) around() spanOf {
	span := t.phrase(t.a.index)
	for span.from > 0 && t.describes(span.from-1) {
		span.from--
	}
	return span
}

// describes reports whether word i can stand in front of the noun that it tells more of.
func (t *titler) describes(i int) bool {
	w := t.at(i)
	theirs := t.class("theirs", i) > 0 && t.follows(i)
	return !w.mark && !theirs && !t.isTime(i) && !t.stops(i, i) && !featureWord(w.lower) && !stopWords[w.lower] &&
		!t.any(i, "polite", "wish", "verb", "meet", "before", "empty", "loose", "other", "none", "stop", "with")
}

// says reports whether the words tell one thing from another, and are no clause.
func (t *titler) says(span spanOf) bool {
	says := false
	for i := span.from; i < span.to; i++ {
		if t.class("never", i) > 0 {
			return false
		}
		w := t.at(i)
		says = says || !w.mark && !isFigure(w.text) && strings.Trim(w.text, "'’") != "" &&
			!t.any(i, "empty", "loose", "before", "none")
	}
	return says
}

// concerns reports whether what is asked for is what the activity is part of, and not where or how to eat: "book Zuni
// for dinner".
func (t *titler) concerns(span spanOf) bool {
	i := t.a.index
	switch inside := span.from <= i && i < span.to; {
	case i < 0 || !inside && (t.asked || t.thing):
		return true
	case !inside:
		return t.venue.covers(i)
	}
	return i == span.from || usualPlace[t.a.kind] == "" || t.at(i-1).lower != "for"
}

// stops reports whether what begins at word from ends before word i.
func (t *titler) stops(i, from int) bool {
	w, next := t.at(i), t.at(i+1)
	here := t.venue.covers(i) || t.houses.has(i)
	switch {
	case w.mark:
		return !t.joinsWords(i) || next.mark
	case t.isTime(i):
		return true
	case t.people.has(i):
		return i == from || !t.takesIn(i, from)
	case here, t.venue.wishes(i), i > from && t.class("stop", i) > 0:
		return true
	case t.own.foreign() && i > from && !t.any(i, "purpose", "of") && t.any(i, "polite", "verb"):
		return true
	case t.class("with", i) > 0:
		return t.letters["with"] != "" || t.leadsAway(i+1) || t.people.has(i+2) || t.people.has(i+3) ||
			t.venue.wishes(i+1) || t.venue.wishes(i+2)
	}
	return t.class("joint", i) > 0 && t.leadsAway(i+1) && (t.class("loose", i) == 0 || !t.takesIn(i+1, from))
}

// joinsWords reports whether the mark at word i stands within what people call a thing: "R&D", "1:1".
func (t *titler) joinsWords(i int) bool {
	text, within := t.at(i).text, t.at(i-1).end == t.at(i).start && t.at(i).end == t.at(i+1).start
	return text == "&" || text == "-" || text == "/" ||
		text == ":" && within && isFigure(t.at(i-1).text) && isFigure(t.at(i+1).text)
}

// leadsAway reports whether a preposition before word i leads to a time, a person or a place.
func (t *titler) leadsAway(i int) bool {
	for i < len(t.words) && t.at(i).mark && strings.Contains(`"“«`, t.at(i).text) {
		i++
	}
	return t.at(i).mark || t.isTime(i) || figure(t.at(i)) > 0 && !t.own.foreign() || t.people.has(i) ||
		t.venue.covers(i) || t.houses.has(i)
}

// takesIn reports whether the person at word i belongs to the thing: "visit Al", "a party for Al". Who is only met with
// does not.
func (t *titler) takesIn(i, from int) bool {
	if !t.people.has(i) {
		return false
	}
	for i > from && t.people.has(i-1) {
		i--
	}
	if i-1 == from && t.class("object", from) == 1 {
		return true
	}
	length := i - 1 - from
	return length > 0 && t.class("for", i-1) > 0 && t.class("plain", from) != length &&
		(length > 1 || meals[t.at(from).lower] == "")
}

// isTime reports whether word i says when, and does not give the thing its name: "quiz night", "Christmas dinner", the
// Hebrew "meal of evening".
func (t *titler) isTime(i int) bool {
	w, before := t.at(i), t.at(i-1)
	bare := strings.TrimLeft(w.lower, t.own.Particles)
	switch {
	case !w.timed || t.own.leaning[bare] || t.givesName(i):
		return false
	case w.lower == "night" && !t.own.foreign():
		return before.timed || before.mark || t.any(i-1, "loose", "before", "verb", "polite")
	}
	noun := strings.TrimLeft(before.lower, t.own.Particles)
	to, _ := t.led(w.lower, "to")
	at, _ := t.led(w.lower, "at")
	leans := t.own.leaning[noun] && t.endsAs(noun, "construct")
	return !leans || to != "" || at != "" && !t.is(w.lower, "span")
}

// givesName reports whether word i, a time on its own, names what follows it: "Christmas dinner", "evening of games".
func (t *titler) givesName(i int) bool {
	next := t.at(i + 1)
	at, _ := t.led(next.lower, "at")
	return t.is(t.at(i).lower, "span") && !next.mark && !next.timed && at == "" && !t.people.has(i+1) &&
		!t.any(i+1, "loose", "stop", "polite", "verb", "before", "with")
}

// isPlain reports whether the words say no more than that people meet, so that what for tells more.
func (t *titler) isPlain(span spanOf) bool {
	return span.from == span.to || t.class("plain", span.from) == span.to-span.from || t.letters["to"] != ""
}

// rest is what the thing is for, if it says too little itself, or else those without a name who take part; from word i
// on, each after the time, the place or the people.
func (t *titler) rest(span spanOf) string {
	why, whom := spanOf{}, spanOf{}
	for i := span.to; i < len(t.words) && (!t.at(i).mark || t.at(i).timed || t.at(i).text == ","); i++ {
		to, _ := t.led(t.at(i).lower, "to")
		at, _ := t.led(t.at(i).lower, "at")
		n := t.class("purpose", i)
		switch glued := to+at != "" && !t.stops(i, i) && span.to > span.from; {
		case t.houses.has(i):
		case t.class("company", i) > 0 && whom.to == 0 && len(t.taking) == 0 && !t.leadsAway(i+1):
			whom = t.phrase(i + t.class("company", i))
			whom.from = i
		case t.isTime(i), t.people.has(i), t.venue.covers(i), t.venue.wishes(i), t.at(i).text == ",":
		case (n > 0 || glued) && why.to == 0 && t.isPlain(span) && t.class("stop", i) == 0 && !t.leadsAway(i+n):
			if why = t.phrase(i + n); !t.says(why) || why.to-i >= maxRequest {
				return t.worded(whom.from, whom.to)
			}
			if why.from = i; span.from == span.to && why.to == i+n+1 && t.isActivity(i+n) {
				why.from = why.to // "quedar con Lena para comer" is called lunch already
			}
		case t.any(i, "before", "way"):
			i += max(t.class("before", i), t.class("way", i)) - 1
		case !t.any(i, "loose", "with"):
			i = len(t.words)
		}
		i = max(i, why.to-1, whom.to-1)
	}
	return joined(t.worded(whom.from, whom.to), t.worded(why.from, why.to))
}

// isInfinitive reports whether word i says what to do.
func (t *titler) isInfinitive(i int) bool {
	to, _ := t.led(t.at(i).lower, "to")
	return to != "" || isVerb(t.at(i).lower)
}

// unled is the first word of a title without the letter in front of it that leads there from what asks, if a noun is
// after it and no verb.
func (t *titler) unled(w string) string {
	_, bare := t.led(w, "lead")
	to, _ := t.led(w, "to")
	article, _ := t.led(bare, "article")
	size := utf8.RuneCountInString(bare)
	switch {
	case size < 3:
	case t.own.leaning[bare] || t.is(bare, "nouns") || t.own.words[bare] != "":
		return bare
	case to != "" && article == "" && size >= 5 && t.endsAs(bare, "nominal") && !t.endsAs(bare, "verbal"):
		return bare
	}
	return w
}

// noted reports whether the message is no more than a thing with its time, its people and its place, as people write
// down what they will do: "pick up the parcel at 5".
func (s *sentence) noted() bool {
	t := s.titler(activity{index: -1}, s.peopleOf(&s.venue), &s.venue, ownWords{})
	span := t.find()
	if span.from == span.to || t.asked {
		return false
	}
	for i := span.to; i < len(s.words); i++ {
		if w := s.at(i); !w.mark && !w.timed && !s.venue.covers(i) && !t.people.has(i) && w.lower != "please" &&
			t.class("loose", i) == 0 {
			return false
		}
	}
	return true
}

// wishesNothing reports whether a wish for an event says at most when: no thing, nobody, no place and no length, "I
// need to go at 5".
func (r *reading) wishesNothing() bool {
	s := &r.wish
	a, named := s.activityOf()
	people := s.peopleOf(&s.venue)
	if named && a.kind != "" || len(people) > 0 || !s.venue.empty() || s.time.Duration > 0 ||
		s.time.AllDay || s.explicitTitle(false, people) != "" {
		return false
	}
	t := s.titler(activity{index: -1}, people, &s.venue, r.own)
	for i := 0; i < len(t.words); {
		n := 0
		for _, class := range []string{"polite", "wish", "verb", "before", "loose", "none", "never"} {
			n = max(n, t.class(class, i))
		}
		w := t.at(i)
		said := n > 0 || t.class("is", i) > 0 || w.mark || w.timed || isFigure(w.text)
		if !said || t.class("empty", i) > 0 || t.class("hold", i) > 0 && s.time.Says() {
			return false
		}
		i += max(n, 1)
	}
	return true
}
