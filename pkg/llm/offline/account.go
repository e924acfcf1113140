package offline

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// This file accounts for the words of a message: what each of them is for in the template that was made of it, in the
// message's own language. A word is in a name or title of the template, in a phrase of time that the template has, or
// idle (data/*/idle.txt). What is left is unread. It matters if it may change when, where or with whom, or is an order
// that Convene does not follow; then the user is told.

// Expressed is what a message was read as, as far as the account looks at it.
type Expressed struct {
	// Absent are the names of people whom the message mentions and who do not take part.
	Absent []string
	// Minutes is how long the event is.
	Minutes int
	// Texts are names, titles, places and searches of the template, Before those of the event that it changes.
	Texts, Before []string
	// Features are what the venue should have, Dropped what it need not have any more. A remote event has no venue.
	Features, Dropped []string
	Remote            bool
	// Near says that the venue is to be somewhere.
	Near bool
	// Days and Hours are those wanted. Moves says that the event gets another time, Excludes that days, times or places
	// are ruled out, Leaves that a person no longer takes part, and Travels that there is time on the way.
	Days                             []interval.DateRange
	Hours                            []interval.Window
	Moves, Excludes, Leaves, Travels bool
	// Alone says that nobody takes part but the user. Title is what a new event of the user alone is called that is of no
	// known kind; empty for others.
	Alone bool
	Title string
	// Now is when the message was written, Start that of the event that it changes; zero if there is none.
	Now, Start time.Time
	// Day is the one that "that day" can mean; zero if there is none.
	Day interval.Date
}

// Unread is what a template does not express of a message.
type Unread struct {
	// Phrases matter, and are quoted as they were written, in their order.
	Phrases []string
	// Condition is the first of them that begins with a condition ("if it rains"), or another day on which there is to be
	// an event as well; empty if there is none.
	Condition string
	// Words counts all words that are not read, also those that do not matter.
	Words int
	// Most says that the template expresses next to nothing of the message.
	Most bool
	// Said counts the words that the template expresses.
	Said int
	// Aside says that all of them stand in remarks that ask for nothing: "it was so hot on Friday".
	Aside bool
	// Nameless says that the title is made of words that name nothing: "Wait" of "no, wait".
	Nameless bool
}

// Account says what the words of a message are for. It accounts for nothing in a language without a file idle.txt.
func Account(message, language string, e Expressed) Unread {
	book, known := idleBooks()[language]
	if !known {
		return Unread{}
	}
	a := newAccount(withoutLinks(readable(message)), book)
	a.absent, a.changes = wordsIn(e.Absent), changeBooks()[language].other
	r := when.Setting{Language: language, Start: e.Start, Day: e.Day}.Read(a.text, e.Now)
	a.recurs = e.Start.IsZero() && len(r.Dates) > 2 // "Tuesdays"
	a.find(r, e)
	u := a.left()
	u.Nameless = a.nameless(e.Title)
	return u
}

// find says of each word what it is for.
func (a *account) find(r when.Reading, e Expressed) {
	a.setOrdersAside()
	a.findTimes(r, e)
	a.findOtherDays(r)
	a.findTexts(e)
	a.setCalendarAside()
	a.setCompanionAside(e)
	a.findPhrases(e)
	a.findSubjects()
	a.judge(e)
}

// idleBook is what the words of a language are for that stand in no template.
type idleBook struct {
	phraseBook
	// particles are letters in front of a word.
	particles string
	// wishes are the features, known the other words that a template can express.
	wishes, known phrases
}

// idleBooks are those of each language, read once.
var idleBooks = sync.OnceValue(func() map[string]idleBook {
	all := map[string]idleBook{}
	for _, language := range languages() {
		text, err := data.ReadFile("data/" + language + "/idle.txt")
		if err != nil {
			continue
		}
		book, err := readPhrases(string(text))
		if err != nil {
			continue
		}
		t := tongues()[language]
		b := idleBook{phraseBook: book, particles: t.Particles, wishes: phrases{}, known: phrases{}}
		if language == english {
			b.wishes = placeBook().features
		}
		for said, meaning := range t.words {
			words := strings.Fields(said)
			if len(words) == 0 {
				continue
			}
			if name := featureOf(meaning); name != "" {
				b.wishes.add(expression{name, words})
			} else {
				b.known.add(expression{meaning, words})
			}
		}
		b.wishes.sort()
		b.known.sort()
		all[language] = b
	}
	return all
})

// featureOf is the feature that an English phrase wishes for; empty if it wishes for none.
func featureOf(phrase string) string {
	words := strings.Fields(phrase)
	if len(words) == 0 {
		return ""
	}
	for _, e := range placeBook().features[words[0]] {
		if slices.Equal(e.words, words) {
			return e.name
		}
	}
	return ""
}

// use is what a word is for.
type use uint8

// The uses. An expressed word is in the template, an idle one changes nothing, a subject says what the event is about.
const (
	unread use = iota
	expressed
	idle
	subject
	order
)

// accounted is a word of a message.
type accounted struct {
	lower string
	// verb is the one whose form the word is, as operations.txt names it, in a message that is read as operations.
	verb       string
	start, end int
	use        use
	// opens says that the word begins a clause, begins that it begins a sentence.
	opens, begins bool
	// timed words are in a phrase of time. One that matters may change the event.
	timed, matters bool
	capital        bool
	// besides marks an order that comes with a wish.
	besides bool
	// old words are only in the event that is being changed.
	old bool
}

// account is a message on its way.
type account struct {
	book   idleBook
	text   string
	tokens []accounted
	// recurs says that the days of a new event are those of every week.
	recurs bool
	// changes are what people say to change an event, by what it means.
	changes map[string]phrases
	// absent are the words of the names of people who do not take part.
	absent map[string]bool
	// besides is another day on which there is to be an event as well; empty if there is none.
	besides string
	// steps counts the looks at a word, which tests hold to be linear in the length of the message.
	steps int
}

func newAccount(text string, book idleBook) *account {
	a := &account{book: book, text: text}
	opens, begins := true, true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			end := i+size == len(text) || text[i+size] == ' ' || text[i+size] == '\n'
			begins = begins || end && strings.ContainsRune(".!?…", r) || r == '\n'
			opens = opens || begins || strings.ContainsRune(",;()—–", r)
			i += size
			continue
		}
		end := i + size
		for end < len(text) {
			next, n := utf8.DecodeRuneInString(text[end:])
			if !inWord(next) && (!strings.ContainsRune("-:\"״", next) || !joins(text[end+n:], next)) {
				break
			}
			end += n
		}
		word := strings.TrimSuffix(text[i:end], "'")
		a.tokens = append(a.tokens, accounted{
			lower: strings.ReplaceAll(strings.ToLower(word), "’", "'"), start: i, end: end, opens: opens, begins: begins,
			capital: unicode.IsUpper(r),
		})
		// "Dr. Levi" is one sentence.
		opens, begins = false, false
		if len(word) <= 2 && end < len(text) && text[end] == '.' && unicode.IsUpper(r) {
			i = end + 1
			continue
		}
		i = end
	}
	return a
}

// phraseAt is the longest phrase of a list at word i, and how many words it has; 0 for none. Letters may stand in front
// of its first word.
func (a *account) phraseAt(i int, list phrases) (name string, n int) {
	a.steps++
	for _, first := range a.bare(a.tokens[i].lower) {
		for _, e := range list[first] {
			k := 1
			for k < len(e.words) && i+k < len(a.tokens) && (e.words[k] == "*" || e.words[k] == a.tokens[i+k].lower) {
				k++
			}
			if k == len(e.words) && k > n {
				name, n = e.name, k
			}
		}
	}
	return name, n
}

// of is phraseAt for the phrases of a key.
func (a *account) of(key string, i int) int {
	_, n := a.phraseAt(i, a.book.other[key])
	return n
}

// mostParticles is how many letters may stand in front of a word.
const mostParticles = 3

// bare are the word and what is left of it without the letters in front.
func (a *account) bare(word string) []string {
	forms := []string{word}
	for range mostParticles {
		r, size := utf8.DecodeRuneInString(word)
		if word = word[size:]; a.book.particles == "" || !strings.ContainsRune(a.book.particles, r) ||
			utf8.RuneCountInString(word) < 2 {
			break
		}
		word = strings.TrimLeft(word, "-־")
		forms = append(forms, word)
	}
	return forms
}

// setOrdersAside finds the orders that Convene does not follow.
func (a *account) setOrdersAside() {
	content := 0
	named, together := false, false // whether the message has said what to meet for, and with whom
	for i := 0; i < len(a.tokens); i++ {
		quiet := a.of("idle", i)
		remark, ordered, table := a.of("remark", i), a.of("order", i), a.of("table", i)
		end := i
		switch {
		case remark > 0 && remark > quiet:
			end = a.clauseEnd(i + remark)
		case table > 0 && table > quiet && a.leads(i):
			end = a.guestsEnd(i + table)
		case ordered > 0 && ordered > quiet && a.leads(i) && (content > 0 || a.endsSentence(i+ordered)):
			end = a.clauseEnd(i + ordered)
		case together && a.isAnotherEvent(i):
			end = a.clauseEnd(i + 1)
		}
		named = named || a.activity(i) > 0
		together = together || named && a.of("with", i) > 0
		// A wish has more than a name and a verb.
		besides := content > 1 || content > 0 && a.leads(i)
		for j := i; j < end; j++ {
			a.tokens[j].use, a.tokens[j].matters, a.tokens[j].besides = order, true, besides
		}
		if end == i && quiet == 0 {
			content++
		}
		i = max(i+quiet-1, end-1, i)
	}
}

// endsSentence reports whether the clause of the word before i ends a sentence, and another one follows.
func (a *account) endsSentence(i int) bool {
	end := a.clauseEnd(i)
	return end < len(a.tokens) && a.tokens[end].begins
}

// leads reports whether word i begins a clause, after what may stand before an order.
func (a *account) leads(i int) bool {
	if first, _ := utf8.DecodeRuneInString(a.tokens[i].lower); a.book.particles != "" && first == 'ו' {
		return true
	}
	for !a.tokens[i].opens {
		if a.endsAt("also", i) > 0 {
			return true
		}
		n := a.endsAt("lead", i)
		if n == 0 {
			return false
		}
		i -= n
	}
	return true
}

// endsAt is how many words a phrase of a key has that ends before word i; 0 for none.
func (a *account) endsAt(key string, i int) int {
	for n := min(i, maxGloss+1); n > 0; n-- {
		if a.of(key, i-n) == n {
			return n
		}
	}
	return 0
}

// clauseEnd is the end of the clause of the word before i, without a word of thanks.
func (a *account) clauseEnd(i int) int {
	for i < len(a.tokens) && !a.tokens[i].opens && a.of("polite", i) == 0 {
		i++
	}
	return i
}

// mark sets the use of the unread ones of the n words from i on.
func (a *account) mark(i, n int, as use) {
	for ; n > 0; i, n = i+1, n-1 {
		if a.tokens[i].use == unread {
			a.tokens[i].use = as
		}
	}
}

// findTimes marks the phrases of time. Those of a kind that the template has none of matter.
func (a *account) findTimes(r when.Reading, e Expressed) {
	some := len(e.Days)+len(e.Hours) > 0 || e.Excludes || e.Moves
	has := map[when.Kind]bool{
		when.KindDate: some, when.KindTime: some, when.KindTravel: e.Travels, when.KindExclusion: e.follows(r),
	}
	each := func(e when.Entity) bool { return e.Every }
	again := slices.ContainsFunc(r.Entities, each) || a.recurs && a.speaksOf("recurs")
	i := 0
	for _, entity := range r.Entities {
		for i < len(a.tokens) && a.tokens[i].end <= entity.Start {
			i++
		}
		present, strict := has[entity.Kind]
		// An event is arranged once, and so there is no end of a series: "every Monday until March".
		ends := again && entity.Kind == when.KindDate && i < len(a.tokens) && a.of("until", i) > 0
		series := (entity.Every || ends) && len(r.ExcludedWeekdays)+len(r.ExcludedDates) == 0
		for ; i < len(a.tokens) && a.tokens[i].start < entity.End; i++ {
			t := &a.tokens[i]
			t.timed = true
			switch {
			case series:
				t.use, t.matters = order, true
			case t.use != unread:
			case present || !strict:
				t.use = expressed
			default:
				t.matters = true
			}
			if t.start > entity.Start {
				t.opens, t.begins = false, false
			}
		}
	}
}

// speaksOf reports whether a phrase of a key stands anywhere in the message.
func (a *account) speaksOf(key string) bool {
	for i := range a.tokens {
		if a.of(key, i) > 0 {
			return true
		}
	}
	return false
}

// findTexts marks the words of names, titles and searches.
func (a *account) findTexts(e Expressed) {
	words, old, names := wordsIn(e.Texts), wordsIn(e.Before), map[string]bool{}
	for _, text := range e.Texts {
		names[strings.ToLower(text)] = true
	}
	for i := range a.tokens {
		t := &a.tokens[i]
		in := func(w string) bool { return words[singular(w)] || old[singular(w)] }
		// The Hebrew "Al" is also "do not", but not right behind another name, or "with".
		behind := i > 0 && !t.opens && words[t.lower] && a.of("no or name", i) > 0 &&
			(a.tokens[i-1].use == expressed || a.of("with", i-1) > 0)
		negates := a.of("negation", i) > 0 && (a.book.particles == "" || !names[t.lower] && !behind)
		if t.use == unread && !negates && (slices.ContainsFunc(a.bare(t.lower), in) || allIn(t.lower, in)) {
			t.use, t.old = expressed, !words[singular(t.lower)]
		}
	}
}

// wordsIn are the words of texts, and the parts of those with hyphens.
func wordsIn(texts []string) map[string]bool {
	words := map[string]bool{}
	for _, text := range texts {
		for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !inWord(r) && r != '-' }) {
			words[singular(w)] = true
			for part := range strings.SplitSeq(w, "-") {
				words[singular(part)] = true
			}
		}
	}
	return words
}

// allIn reports whether a word with hyphens has only parts that are in a set.
func allIn(word string, in func(string) bool) bool {
	parts := strings.Split(word, "-")
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p string) bool { return !in(p) })
}

// singular is the word without what English and Spanish put after it.
func singular(word string) string {
	word = strings.TrimSuffix(strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), "'s"), "'")
	if len(word) > 3 {
		word = strings.TrimSuffix(word, "s")
	}
	return word
}

// refused is where the negation stands before word i and idle words; i itself if there is none.
func (a *account) refused(i int) int {
	for j := i - 1; j >= max(0, i-reach) && !a.tokens[j+1].opens; j-- {
		switch {
		case a.of("negation", j) > 0 && j+a.of("negation", j) <= i && a.tokens[j].use == unread:
			return j
		case a.of("idle", j) == 0:
			return i
		}
	}
	return i
}

// findSubjects marks what the event is about, and why: until the sentence ends.
func (a *account) findSubjects() {
	within := false
	for i := range a.tokens {
		t := &a.tokens[i]
		within = within && !t.begins
		if t.use == unread && within && a.of("negation", i) == 0 {
			t.use = subject
			t.matters = t.matters && t.timed
		}
		if !within && t.use != order && !t.timed && a.of("topic", i) > 0 {
			within = true
		}
	}
}

// knows reports whether the word at i is one that a template can express.
func (a *account) knows(i int) bool {
	_, n := a.phraseAt(i, a.book.known)
	w := a.tokens[i].lower
	ofAnyKind := slices.ContainsFunc(lexed["dish"][w], func(e expression) bool { return e.name == anyFood })
	return n > 0 || meals[w] != "" || talks[w] != "" || dishes[w] && !ofAnyKind
}
