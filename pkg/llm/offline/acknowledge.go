package offline

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/when"
)

// acknowledge is one sentence that mirrors the request, in its language. It is made of the rules' own words; what it
// takes from the message are names and phrases of time that pass a check of every character, so that it can repeat
// nothing hostile.
func (r *reading) acknowledge(intent string, t topic) string {
	if text := r.sentences[Intent(intent)]; text != "" {
		return text
	}
	if r.Language != english {
		return r.inOwnWords(intent, t)
	}
	s := &r.wish
	switch intent {
	case handleEvent:
		return r.promise() + s.single(r.data)
	case suggestActivities:
		return "Let me see what's happening" + lead(" ", s.dayPhrase()) + "."
	}
	switch t {
	case availability:
		return s.availabilityAnswer()
	case noSuchDay:
		return s.noSuchDayAnswer()
	case noSuchNumber:
		if !s.saysFigure(s.picked()) {
			return "That one is not on the list. Tell me one that is, and I'll go on with that."
		}
		return "There is no number " + strconv.Itoa(s.picked()) +
			" on the list. Tell me a number that is on it, and I'll go on with that."
	default:
		return answers[t]
	}
}

// saysFigure reports whether the message writes a number in figures, so that an acknowledgment may.
func (s *sentence) saysFigure(n int) bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return strings.HasPrefix(w.lower, strconv.Itoa(n)) })
}

// repeating are the words of an event that is to happen again and again.
var repeating = []string{"every monday", "every tuesday", "every wednesday", "every thursday", "every friday",
	"every saturday", "every sunday", "every week",
	"every day", "every month", "every year", "every other", "every morning", "every weekday", "every two weeks",
	"weekly", "biweekly", "bi-weekly", "recurring", "daily",
	"monthly", "repeating", "each week", "each monday", "each tuesday", "each wednesday", "each thursday", "each friday",
	"each month", "once a week", "once a month",
	"repeat every", "repeats", "fortnightly", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays"}

// repeats reports whether the message asks for a series of events. "Not Mondays" and "Mondays are bad" do not.
func (s *sentence) repeats() bool {
	return s.says(repeating...) && len(s.time.ExcludedWeekdays) == 0 && !s.says("or") &&
		!s.says("any time", "anytime", "works", "best", "prefer", "usually")
}

// single says plainly that an event that was meant to repeat is made only once.
func (s *sentence) single(d classifyData) string {
	if !s.repeats() || d.HasEvent {
		return ""
	}
	return " It will be a single event, because I don't set up series."
}

// availabilityAnswer says what can be asked instead of whether somebody is free.
func (s *sentence) availabilityAnswer() string {
	whom := s.safeNames(&venue{})
	if second := s.at(1); whom == "" && plainName(second.text) && !neverNames[second.lower] && !stopWords[second.lower] {
		whom = upperFirst(s.at(1).text)
	}
	suits := "you both"
	if strings.Contains(whom, " and ") || s.says("everyone", "everybody", "they") {
		suits = "everybody"
	}
	example := "meet " + firstOf(whom, "Al") + lead(" ", s.whenPhrase())
	return "I can find a time that suits " + suits + " — say, for example, “" + example + "”."
}

// noSuchDayAnswer names the day that does not exist as the user wrote it: an acknowledgment states no dates of its own.
func (s *sentence) noSuchDayAnswer() string {
	const ask = " Tell me another day, and I'll find a time."
	name := s.time.NoSuchDays[0]
	i := slices.IndexFunc(s.time.Entities, func(e when.Entity) bool { return e.Kind == when.KindNoDay })
	written := strings.Join(strings.Fields(s.text[s.time.Entities[i].Start:s.time.Entities[i].End]), " ")
	for _, before := range []string{"on ", "the ", "in ", "for "} {
		written = strings.TrimPrefix(written, before)
	}
	if strings.Trim(written, phraseCharacters+"-.") != "" {
		return "There is no such day." + ask
	}
	if _, year, leap := strings.Cut(name, ", "); leap && !strings.Contains(written, year) {
		return "The coming February has no 29." + ask
	}
	return "There is no " + written + "." + ask
}

// whenPhrase is all that the message says about when, as it is written; empty where it says other things in between.
func (s *sentence) whenPhrase() string {
	all := s.time.Entities
	if len(all) == 0 {
		return ""
	}
	text := strings.Join(strings.Fields(s.text[all[0].Start:all[len(all)-1].End]), " ")
	if len(text) > maxPhrase || strings.Trim(text, phraseCharacters+":") != "" {
		return ""
	}
	return withPreposition(text)
}

// answers are what is said where there is nothing to arrange.
var answers = map[topic]string{
	nothingYet: "There is nothing to change yet. Tell me who you'd like to meet, for what and when, and I'll find a time.",
	onCard:     "It's all on the proposal above: when, where and with whom. Tell me if you'd like to change anything.",
	noTopic: "I find a time and a place for you to meet. Tell me who, what and when, for example “coffee with a " +
		"friend”, " +
		"and I'll take it from there.",
	elsewhere: "I can only change what we are arranging in this conversation. Tell me who it is with and when it " +
		"should be, and I'll find a time.",
	greeting: "Hello! Tell me who you'd like to meet, for what and when, and I'll find a time and a place that suit " +
		"everybody.",
	noTopicHere: "That is beyond me: I find times and places to meet. Tell me who you'd like to meet and when, and I'll " +
		"take it from there.",
	gratitude: "You're welcome! Let me know if there is anything else to arrange.",
	agreement: "Great! Confirm the event when you're ready, or tell me what you'd like to change.",
	farewell:  "Goodbye! I'm here whenever there is something to arrange.",
	declined:  "No problem. Tell me what you'd like instead, and I'll look again.",
	about: "I arrange things: name the people, the occasion and roughly when, and I check everybody's calendar and " +
		"suggest a time and a place. " +
		"You can change anything by just saying so.",
	agenda: "I can't list what is on your calendar, but I read it to find times when everybody is free. Whom would " +
		"you like to meet?",
	unclear: "I'm not sure what should be different. Tell me the day, the time, the place or who should come, and " +
		"I'll look for it.",
	forgotten: "Those suggestions are gone. Tell me what you'd like to do, or ask me again what's on.",
	kept:      "All right, it stays as it is.",
	removal: "I can't delete events by chat. You can withdraw a proposal with its cancel button, or tell me what to " +
		"change about it.",
	reminder: "I don't keep reminders or lists. I can find a time and a place to meet somebody, if you tell me who and " +
		"when.",
	mischief: "I can only help with arranging things. Tell me who you'd like to meet and when, and I'll find a time and " +
		"a place.",
}

// promise says what will be looked for.
func (r *reading) promise() string {
	s, d := &r.wish, r.data
	if r.answers() {
		return "Thanks, let me go on with that."
	}
	if d.HasEvent {
		if c := s.changeOf(); c != unnamedChange {
			return s.changePromise(c)
		}
	}
	if d.HasActivities && (s.choice(8) > 0 || s.pointsAtOne()) {
		return "Good choice, let me set that up."
	}
	if s.opensPage(d) {
		return "Let me look at that booking page."
	}
	what := ""
	if a, named := s.activityOf(); named {
		what = lead(" for ", said(a))
	}
	return "Let me find a good time" + what + lead(" with ", s.safeNames(&s.venue)) + lead(" ", s.dayPhrase()) + "."
}

func (s *sentence) opensPage(d classifyData) bool {
	return s.changes("page") || strings.Contains(d.Message, "https://") && s.wantsPage()
}

// said is an activity as an acknowledgment calls it: by the user's word where that is one of the rules' own for
// something to eat or drink, by its kind otherwise, and not at all for an outing.
func said(a activity) string {
	switch {
	case errands[a.name] > 0, a.name == "table":
		return ""
	case a.kind == "meeting", a.kind == "call", a.kind == "custom":
		return ackNames[a.kind]
	}
	if dishNames[a.name] == anyFood || !onlyLetters(a.name) {
		return ackNames[a.kind]
	}
	return a.name
}

var ackNames = map[string]string{
	"coffee": "coffee", "breakfast": "breakfast", "brunch": "brunch", "lunch": "lunch", "dinner": "dinner",
	"drinks":  "drinks",
	"meeting": "a meeting", "call": "a call",
}

// changeKind is what a change of the proposal is about.
type changeKind string

const (
	// unnamedChange names people only, and is as well a new wish.
	unnamedChange  changeKind = ""
	someChange     changeKind = "some"
	choiceMade     changeKind = "choice"
	asBefore       changeKind = "asBefore"
	titleChange    changeKind = "title"
	travelChange   changeKind = "travel"
	earlierTimes   changeKind = "earlier"
	laterTimes     changeKind = "later"
	earlierStart   changeKind = "earlierStart"
	laterStart     changeKind = "laterStart"
	peopleChange   changeKind = "people"
	inPersonChange changeKind = "inPerson"
	activityChange changeKind = "activity"
	lengthChange   changeKind = "length"
	dayChange      changeKind = "day"
	placeKept      changeKind = "placeKept"
	placeChange    changeKind = "place"
	timeChange     changeKind = "time"
)

// changeOf is what the message changes of the proposal, the surest first.
func (s *sentence) changeOf() changeKind {
	a, named := s.activityOf()
	names := s.safeNames(&s.venue)
	dated := s.dayPhrase() != "" || s.glossed && len(s.time.Dates) > 0
	switch {
	case s.undoes() != "":
		return asBefore
	case s.choice(most) > 0:
		return choiceMade
	case s.explicitTitle(true, nil) != "":
		return titleChange
	case s.time.Travel > 0 || s.says("travel time", "travel buffer", "buffer", "time to get there"):
		return travelChange
	case s.saysAside("earlier", "sooner"):
		return earlierTimes
	case s.saysAside("later"):
		return laterTimes
	case s.time.Shift.Minutes < 0:
		return earlierStart
	case s.time.Shift.Minutes > 0:
		return laterStart
	case s.says("instead of", "not with", "swap", "replace") && names != "":
		return peopleChange
	case s.says(inPersonWords...):
		return inPersonChange
	case named && ackNames[a.kind] != "" && s.says("instead", "make it", "change", "rather", "switch", "same place",
		"same spot", "keep"):
		return activityChange
	case s.time.Duration > 0 && !dated:
		return lengthChange
	case s.says("without", "remove", "drop", "add", "invite", "include", "not with") || s.begins("with", "and", "plus") &&
		names != "":
		return peopleChange
	case dated && names == "":
		return dayChange
	case s.says("same place", "same spot", "same venue"):
		return placeKept
	case !s.venue.empty() || s.says("somewhere", "place", "cuisine") || s.speaksOf("elsewhere"):
		return placeChange
	case names != "":
		return unnamedChange
	case s.time.Exact != nil:
		return timeChange
	default:
		return someChange
	}
}

// changePromise acknowledges a change of the proposal.
func (s *sentence) changePromise(c changeKind) string {
	switch c {
	case activityChange:
		a, _ := s.activityOf()
		return "Let me look for " + said(a) + " instead" + lead(" ", s.dayPhrase()) + "."
	case dayChange:
		return "Let me check " + strings.TrimPrefix(s.dayPhrase(), "on ") + "."
	default:
		return changePromises[c]
	}
}

var changePromises = map[changeKind]string{
	someChange:     "Let me see what I can do.",
	choiceMade:     "Good choice, let me set that up.",
	asBefore:       "Let me put it back as it was.",
	titleChange:    "Let me change the title.",
	travelChange:   "Let me change the time to get there.",
	earlierTimes:   "Let me look for earlier times.",
	laterTimes:     "Let me look for later times.",
	earlierStart:   "Let me see whether an earlier start works.",
	laterStart:     "Let me see whether a later start works.",
	peopleChange:   "Let me update who takes part.",
	inPersonChange: "Let me find a place to meet.",
	lengthChange:   "Let me change how long it takes.",
	placeKept:      "Let me keep the place and see about the rest.",
	placeChange:    "Let me look for another place.",
	timeChange:     "Let me check that time.",
}

func lead(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// maxNamesSaid bounds how many names an acknowledgment repeats.
const maxNamesSaid = 3

// safeNames are the names of the message as a list, as far as they look like names and like nothing else.
func (s *sentence) safeNames(v *venue) string {
	var names []string
	for _, p := range s.peopleOf(v) {
		if !plainName(p.name) || len(names) == maxNamesSaid {
			return ""
		}
		name := p.name
		if !strings.HasPrefix(name, "the ") {
			name = upperFirst(name)
		}
		names = append(names, name)
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// plainName reports whether a name is at most three words of letters, none of them one that gives orders.
func plainName(name string) bool {
	words := strings.Fields(name)
	if len(words) == 0 || len(words) > 3 || utf8.RuneCountInString(name) > 30 {
		return false
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return !onlyLetters(w) || hostile[strings.ToLower(w)]
	})
}

// hostile are words that are never repeated as a name.
var hostile = wordSet(`drop table select delete insert script ignore system prompt admin root exec eval javascript
	http https www null undefined instructions instruction password token key`)

func onlyLetters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' {
			return false
		}
	}
	return s != ""
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// phraseCharacters are all that such a phrase may be made of.
const phraseCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 '/,"

// maxPhrase is the longest phrase of time that an acknowledgment repeats, in bytes.
const maxPhrase = 48

// dayPhrase is the first phrase of days in the message as it is written, with those that are listed with it: "next
// week", "on Tuesday or Wednesday". The rules that found it know each of its words.
func (s *sentence) dayPhrase() string {
	for n, e := range s.time.Entities {
		if e.Kind != "date" {
			continue
		}
		end := e.End
		for _, next := range s.time.Entities[n+1:] {
			if next.Kind != "date" || !listJoins[strings.ToLower(strings.TrimSpace(s.text[end:next.Start]))] {
				break
			}
			end = next.End
		}
		text := strings.ReplaceAll(strings.Join(strings.Fields(s.text[e.Start:end]), " "), " ,", ",")
		if len(text) > maxPhrase || strings.Trim(text, phraseCharacters) != "" {
			return ""
		}
		lower := strings.ToLower(text)
		if strings.Contains(lower, "nxt") || strings.HasPrefix(lower, "tm") || strings.HasSuffix(lower, " wk") ||
			strings.HasPrefix(lower, "a ") {
			return ""
		}
		return withPreposition(text)
	}
	return ""
}

// listJoins are what may stand between two days that are one list.
var listJoins = map[string]bool{"or": true, "and": true, ",": true, ", or": true, ", and": true, "/": true}

// withPreposition is a phrase of days as it goes on a sentence: "on Tuesday".
func withPreposition(text string) string {
	for _, before := range []string{"to ", "maybe ", "say ", "for ", "either ", "of ", "later "} {
		if len(text) > len(before) && strings.EqualFold(text[:len(before)], before) {
			text = text[len(before):]
		}
	}
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	if first == "today" || first == "tomorrow" || first == "tonight" || first == "next" || first == "this" {
		return first + text[len(first):]
	}
	if len(first) >= 3 && slices.ContainsFunc(weekdayNames, func(day string) bool {
		return strings.HasPrefix(day, strings.TrimSuffix(first, "s"))
	}) {
		return "on " + text
	}
	return text
}

var weekdayNames = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
