package offline

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Waiting is what waits for the user's word: changes to be confirmed, or choices.
type Waiting struct {
	// Kind is WaitingChanges, WaitingChoices or WaitingEvent.
	Kind string
	// Options are the titles of the changes, or the labels of the choices with what tells them apart, as they were
	// shown.
	Options []string
	// Details say when each option is, if it is a change, and Deeds are the kinds of the changes, and of what:
	// "delete event".
	Details, Deeds []string
	// Times are from when each change's thing is: the oldest and the newest of them can be told apart.
	Times []time.Time
	// Added says that something was added last: to take it off is an undo.
	Added bool
	// Done says that the turn before did at once what it was asked.
	Done bool
	// Alone says that nobody but the user takes part in the event that waits: "invite him" is no yes then.
	Alone bool
}

// What waits.
const (
	WaitingChanges = "changes"
	WaitingChoices = "choices"
	// WaitingEvent is a proposed event, which was not asked about: a nod does not book it.
	WaitingEvent = "event"
)

// AnswerKind is what a message says to what waits.
type AnswerKind string

// The kinds of answers. Only and Not name some of the changes, which are confirmed alone or left out; Pick names a
// choice. Undo takes back what was done last. Other is something else: a new request, or a change of what was shown.
const (
	AnswerYes   AnswerKind = "yes"
	AnswerNo    AnswerKind = "no"
	AnswerOnly  AnswerKind = "only"
	AnswerNot   AnswerKind = "not"
	AnswerPick  AnswerKind = "pick"
	AnswerUndo  AnswerKind = "undo"
	AnswerOther AnswerKind = "other"
	// AnswerAgain asks to see once more what waits, how much that is, or whether it is right: "ok?", "ok wait".
	AnswerAgain AnswerKind = "again"
)

// Answer is what a message says to what waits. Indices count from 0, in order.
type Answer struct {
	Kind    AnswerKind
	Indices []int
	// Denies says that a message which is no answer begins with a no: it asks for something instead of what waits.
	// Corrects says that it begins as people do who correct themselves.
	Denies, Corrects bool
	// Books says that the message orders to book, "book it", and Sends that it orders to send, and not only "yes".
	Books, Sends bool
}

// longestReply is how many words an answer has at most.
const longestReply = 14

// Reply reads a message as an answer to what waits. Every word of it must belong to the answer; a message with anything
// else is Other, so that nothing is confirmed which the user did not plainly confirm.
func Reply(message string, w Waiting) Answer {
	language := Language(readable(message), nil)
	other := Answer{Kind: AnswerOther}
	for _, l := range append([]string{language}, languages()...) {
		if a := replyIn(message, l, w, l == language); a.Kind != AnswerOther {
			return a
		}
		r := replying{account: newAccount(readable(message), idleBooks()[l]), words: replyBooks()[l], waiting: w}
		other.Denies, other.Corrects = other.Denies || r.denies() || r.begins("meant"), other.Corrects || r.begins("sorry")
	}
	return other
}

// replying is a message while it is read as an answer.
type replying struct {
	*account
	words   phrases
	waiting Waiting
	// said are the keys of the phrases that stand in the message, meant the options, and dated says that some of them are
	// named by their time.
	said  map[string]bool
	meant []int
	dated bool
	// counted says that options are named by their number.
	counted bool
	// side is what the words so far say of what is named after them, and refused are the options that are not to be done.
	side    side
	refused []int
	// lately are the options that were named last: "the mail no".
	lately []int
}

// isCourtesy reports whether a message says no more than an answer to nothing does: "yes", "great, thanks".
func isCourtesy(message string) bool {
	return slices.ContainsFunc(languages(), func(l string) bool { return readReply(message, l, Waiting{}) != nil })
}

// replyIn reads a message as an answer in a language. If that is not its own, it has to have words of that language.
func replyIn(message, language string, w Waiting, own bool) Answer {
	r := readReply(message, language, w)
	if r == nil || len(r.meant) > 0 && r.denies() && !r.narrows() || !own && len(r.said) == 0 && !r.counted {
		return Answer{Kind: AnswerOther}
	}
	a := r.answer()
	a.Books = a.Kind == AnswerYes && (r.said["book"] || r.said["add"])
	a.Sends = a.Kind == AnswerYes && (r.said["send"] || r.said["send them"])
	asks := strings.Contains(message, "?") && slices.Contains([]AnswerKind{AnswerYes, AnswerOnly, AnswerNot}, a.Kind)
	held := r.said["wait"] && (a.Kind == AnswerYes || a.Kind == AnswerNot) // "wait, keep the gym"
	if r.waits() && (asks || held || r.asksAgain()) {
		return Answer{Kind: AnswerAgain}
	}
	return a
}

// readReply reads a message whose words all belong to an answer; nil for any other.
func readReply(message, language string, w Waiting) *replying {
	idle, known := idleBooks()[language]
	if !known {
		return nil
	}
	r := &replying{
		account: newAccount(readable(message), idle), words: replyBooks()[language], waiting: w, said: map[string]bool{},
	}
	if len(r.tokens) == 0 || len(r.tokens) > longestReply {
		return nil
	}
	if key, _ := r.phraseAt(0, r.words); key == "question" {
		return nil
	}
	for i := 0; i < len(r.tokens); {
		n := r.take(i)
		if n == 0 {
			return nil
		}
		i += n
	}
	return r
}

// denies reports whether the message is a no with another clause after it: "no, the first one", "not that one, the
// other".
func (r *replying) denies() (said bool) {
	for i := 0; i < len(r.tokens); {
		key, n := r.phraseAt(i, r.words)
		switch {
		case i > 0 && r.tokens[i].opens:
			return said
		case key == "bounds": // "not too late, I have to leave at 4"
			return false
		case key == "no", key == "cancel", key == "forget", key == "not", key == "stay":
			said = true
		case key != "small" && key != "wait" && key != "undo" && key != "sorry":
			return said && i > 1 && len(r.waiting.Options) < 2 && r.opensWithin(i, mostDenied)
		}
		i += n
	}
	return false
}

// mostDenied is how many words a clause has at most that says what is not meant: "not the list, just the charger".
const mostDenied = 5

// opensWithin reports whether a clause begins after word i, among so many words of the message.
func (r *replying) opensWithin(i, most int) bool {
	return slices.ContainsFunc(r.tokens[i:min(most, len(r.tokens))], func(t accounted) bool { return t.opens })
}

// begins reports whether the message begins with words of a key, after small ones: "sorry, I meant the haircut".
func (r *replying) begins(with string) bool {
	for i := 0; i < len(r.tokens); {
		key, n := r.phraseAt(i, r.words)
		if i += n; key == with || n == 0 {
			return n > 0 && i < len(r.tokens)
		}
		if key != "small" && key != "wait" && key != "sorry" {
			return false
		}
	}
	return false
}

// keyAt is the key of the phrase at word i, and how many words that has. It is not ok if the phrase is of other changes
// than those that wait, and so no answer.
func (r *replying) keyAt(i int) (key string, n int, ok bool) {
	key, n = r.phraseAt(i, r.words)
	if deed, is := strings.CutPrefix(key, "do "); is { // "move the gym" is no yes to its deletion
		return "do", n, len(r.waiting.Deeds) == 0 || slices.ContainsFunc(r.waiting.Deeds, does(deed))
	}
	if many, counted := strings.CutPrefix(key, "all "); counted { // "a las tres" is no yes to one change
		return "all", n, many == strconv.Itoa(len(r.waiting.Options))
	}
	return key, n, r.hasThem(key)
}

// hasThem reports whether a phrase of a key may be an answer, which means by "him" those who take part in the event.
func (r *replying) hasThem(key string) bool {
	ofEvent := r.waiting.Kind == WaitingEvent
	return (key != "send them" || !ofEvent || !r.waiting.Alone) && (key != "invite" || ofEvent && !r.waiting.Alone)
}

// take is how many words at word i are part of an answer: a phrase, or words of an option; 0 if they are not.
func (r *replying) take(i int) int {
	key, n, ok := r.keyAt(i)
	if !ok {
		return 0
	}
	number, err := strconv.Atoi(r.tokens[i].lower)
	numbered := err == nil && number >= 1 && number <= len(r.waiting.Options)
	options, k := r.optionAt(i, r.waiting.Options)
	if k == 0 && !numbered { // "3" is the third one, and not half past three
		options, k = r.optionAt(i, r.waiting.Details)
		r.dated = r.dated || k > 0
		if k > 0 && k == n && r.counts(key) {
			return 0 // in Hebrew the third one is also that of Tuesday
		}
	}
	of, among := r.among(key)
	refused := r.refuses(key, i, i+n)
	r.turns(key, i)
	switch {
	case numbered && len(r.tokens) == 1:
		r.mean(number - 1)
		return 1
	case refused:
		return n
	case k > 0 && (k > n || k == n && sides[key] == 0):
		for _, o := range options {
			r.mean(o)
		}
		return k
	case among:
		return of(n)
	case key == "no" && r.of("negation", i) > 0 && r.before(i+n):
		r.said["not"], r.side = true, against
		return n
	case key == "off" && !r.waiting.Added:
		return 0
	case n > 0:
		r.said[key] = true
		return n
	case numbered:
		r.mean(number - 1)
		return 1
	case r.waiting.Kind == WaitingChoices && len(r.waiting.Options) > 1 && r.inAll(i):
		return 1
	}
	return 0
}

// inAll reports whether a word stands in all options, so that it means none.
func (r *replying) inAll(i int) bool {
	return !slices.ContainsFunc(r.waiting.Options, func(o string) bool { return r.partAt(i, o) == 0 })
}

// before reports whether an option follows at word i, after small words of the same clause.
func (r *replying) before(i int) bool {
	for ; i < len(r.tokens) && !r.tokens[i].opens; i++ {
		if options, k := r.optionAt(i, r.waiting.Options); k > 0 && len(options) > 0 {
			return true
		}
		key, _ := r.phraseAt(i, r.words)
		if _, among := r.among(key); among {
			return true
		} else if key != "small" {
			return false
		}
	}
	return false
}

// nth means the option of an ordinal; "-1" is the last one.
func (r *replying) nth(ordinal string, n int) int {
	at, _ := strconv.Atoi(ordinal)
	if at < 0 {
		at = len(r.waiting.Options)
	}
	if at < 1 || at > len(r.waiting.Options) {
		return 0
	}
	r.mean(at - 1)
	return n
}

// upTo means so many options from the first on.
func (r *replying) upTo(count string, n int) int {
	many, _ := strconv.Atoi(count)
	if many > len(r.waiting.Options) {
		return 0
	}
	for o := range many {
		r.mean(o)
	}
	return n
}

func (r *replying) mean(option int) {
	if !slices.Contains(r.meant, option) {
		r.meant = append(r.meant, option)
	}
	if r.lately = append(r.lately, option); r.isAgainst(option) {
		r.refuse(option)
	}
}

// optionAt are the options that words at word i are part of, and how many words these are: the longest part that any
// option has. Words that every option has mean none.
func (r *replying) optionAt(i int, names []string) (options []int, n int) {
	for o, title := range names {
		k := r.partAt(i, title)
		switch {
		case k > n:
			options, n = []int{o}, k
		case k == n && k > 0:
			options = append(options, o)
		}
	}
	if len(options) == len(r.waiting.Options) && len(options) > 1 || r.waiting.Kind == WaitingChoices && len(options) > 1 {
		return nil, 0
	}
	return options, n
}

// partAt is how many words at word i follow each other in a title; 0 if the first of them is only a small word.
func (r *replying) partAt(i int, title string) (n int) {
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool {
		return !inWord(c) && !strings.ContainsRune("-\"״", c)
	})
	for from := range words {
		k := 0
		for from+k < len(words) && i+k < len(r.tokens) && r.same(i+k, words[from+k], k == 0) {
			k++
		}
		if k > n && slices.ContainsFunc(words[from:from+k], r.tells) && !r.onlyTime(i, k, title) {
			n = k
		}
	}
	return n
}

// onlyTime reports whether words at word i say when, so that they name no change by a title that has them as well:
// "this week" is not the mail "This week in the city".
func (r *replying) onlyTime(i, n int, title string) bool {
	if r.waiting.Kind != WaitingChanges || !slices.Contains(r.waiting.Options, title) {
		return false
	}
	for k := i; k < i+n; k++ {
		if key, _ := r.phraseAt(k, r.words); r.of("time", k) == 0 && key != "small" {
			return false
		}
	}
	return true
}

// same reports whether word i is a word of a title, with the letters of the language in front of either.
func (r *replying) same(i int, word string, first bool) bool {
	if strings.TrimSuffix(r.tokens[i].lower, "'s") == word || singular(r.tokens[i].lower) == singular(word) {
		return true
	}
	return first && slices.ContainsFunc(r.bare(r.tokens[i].lower), func(w string) bool {
		return slices.Contains(r.bare(word), w)
	})
}

// tells reports whether a word of a title tells one from another: a name or a noun, and no article.
func (r *replying) tells(word string) bool {
	letters := strings.IndexFunc(word, unicode.IsLetter) >= 0 || strings.IndexFunc(word, unicode.IsDigit) >= 0
	for _, e := range r.words[word] {
		if len(e.words) == 1 && (e.name == "small" || e.name == "and" || e.name == "thing") {
			return false
		}
	}
	return letters
}

// answer puts together what was said.
func (r *replying) answer() Answer {
	slices.Sort(r.meant)
	some := len(r.meant) > 0
	all := len(r.meant) == len(r.waiting.Options)
	changes := r.waiting.Kind == WaitingChanges
	yes, no := r.yesOrNo()
	only, not := r.said["only"], r.refusesAny()
	switch undo := r.said["undo"]; {
	case changes && !undo && r.isTwoSided():
		return Answer{Kind: AnswerOnly, Indices: r.wanted()} // "keep the gym, but send the mail"
	case undo && !some && !yes && (!no || r.denies() || len(r.waiting.Options) == 0):
		return Answer{Kind: AnswerUndo}
	case undo, r.said["not"] && some && len(r.refused) == 0: // what is not to be done is none of these
		return Answer{Kind: AnswerOther}
	case yes && no, no && not && !r.narrows(), only && r.said["not"], no && some && !changes:
		return Answer{Kind: AnswerOther}
	case changes && all && not && !only && some:
		return Answer{Kind: AnswerNo}
	case changes && some && not && !all:
		return Answer{Kind: AnswerNot, Indices: r.meant}
	case changes && some && (no && !r.narrows() || r.onlyDated()):
		return Answer{Kind: AnswerOther}
	case changes && some && (yes || r.choosesSome()):
		return Answer{Kind: AnswerOnly, Indices: r.meant}
	case some && not:
		return Answer{Kind: AnswerOther}
	case some:
		return Answer{Kind: AnswerPick, Indices: r.meant}
	case r.said["all"] && !changes && !no && !not:
		return Answer{Kind: AnswerPick, Indices: countTo(len(r.waiting.Options))}
	case not && r.said["all"], no, not:
		return Answer{Kind: AnswerNo}
	case (yes || r.said["all"]) && !only:
		return Answer{Kind: AnswerYes}
	}
	return Answer{Kind: AnswerOther}
}

// asksAgain reports whether the message only asks what it is that waits.
func (r *replying) asksAgain() bool {
	for key, said := range r.said {
		if said && key != "again" && key != "small" && key != "and" && key != "thing" {
			return false
		}
	}
	return r.said["again"] && len(r.meant) == 0
}

// waits reports whether changes wait, or a proposed event does.
func (r *replying) waits() bool {
	return r.waiting.Kind == WaitingEvent || r.waiting.Kind == WaitingChanges && len(r.waiting.Options) > 0
}

// yesOrNo is what the message says as a whole. To cancel is a no to what waits, and an undo if nothing does. So is a
// wish that all stays as it is, which is an undo only beside a no; a nod is no order to book.
func (r *replying) yesOrNo() (yes, no bool) {
	waits := len(r.waiting.Options) > 0
	retracts := r.said["cancel"] || r.said["stay"] && r.said["no"] || r.said["forget"] && r.waiting.Done
	r.said["undo"] = r.said["undo"] || r.said["off"] || !waits && retracts
	books := r.orders("book", "create event", "create block", "update event", "update block", "respond event") ||
		r.orders("add", "create", "update", "respond") || r.orders("send", "send") ||
		r.orders("send them", "send") || r.said["invite"]
	yes = r.said["yes"] || books || r.said["assent"] && r.waiting.Kind != WaitingEvent
	return yes, r.said["no"] || r.said["forget"] && !r.said["undo"] || waits && (r.said["cancel"] || r.said["stay"])
}

// orders reports whether the message says words of a key, which are a yes only to a proposed event and to some deeds:
// "put it in my calendar" sends no mail.
func (r *replying) orders(key string, deeds ...string) bool {
	return r.said[key] && (len(r.waiting.Deeds) == 0 || slices.ContainsFunc(deeds, func(deed string) bool {
		return slices.ContainsFunc(r.waiting.Deeds, does(deed))
	}))
}

// does reports of a deed whether it is some: "create event", or only "create".
func does(some string) func(deed string) bool {
	return func(deed string) bool { return strings.HasPrefix(deed+" ", some+" ") }
}

// onlyDated reports whether changes are named by their time and nothing says that these are to be made.
func (r *replying) onlyDated() bool {
	return r.dated && !r.said["only"] && !r.said["yes"] && !r.said["assent"]
}

func countTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
