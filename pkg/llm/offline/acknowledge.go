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
// takes from the message are names, phrases of time and orders that pass a check of every character, so that it can
// repeat nothing hostile.
func (r *reading) acknowledge(intent string, t topic) string {
	if text := r.sentences[Intent(intent)]; text != "" {
		return text
	}
	if r.unread != "" {
		return r.unread
	}
	if t == agreement && !r.data.HasEvent {
		t = nothingWaits
	}
	own := r.tongue()
	says := own.Acknowledge
	switch intent {
	case handleEvent:
		return r.promise(own)
	case look, act:
		return firstOf(says.Topics[t], says.Topics[topic(intent)])
	case suggestActivities:
		return filled(says.Ideas, "{when}", lead(" ", r.wish.dayPhrase()))
	}
	s := &r.wish
	switch {
	case t == beyond:
		r.Family = "world"
		return r.refusal(says)
	case t == unsure, t == refused && len(r.data.RecentTurns) > 0 && r.deed() == "":
		return own.Clarify[missesForm] // what goes on with something is no order to a device
	case t == refused:
		return r.refusal(says)
	case r.Language != english:
	case t == noSuchDay:
		return s.noSuchDayAnswer(says.Topics[t])
	case t == noSuchNumber && !s.saysFigure(s.picked()):
		return "That one is not on the list. Tell me one that is, and I'll go on with that."
	case t == noSuchNumber:
		return filled(says.Topics[t], "{number}", strconv.Itoa(s.picked()))
	}
	return firstOf(says.Topics[t], says.Topics[noTopic])
}

// tongue is how the rules speak in the language of the message.
func (r *reading) tongue() tongue { return tongueOf(r.Language) }

// filled puts texts into the holes of a sentence: pairs of a hole and its text.
func filled(sentence string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(sentence)
}

// saysFigure reports whether the message writes a number in figures, so that an acknowledgment may.
func (s *sentence) saysFigure(n int) bool {
	return slices.ContainsFunc(s.words, func(w word) bool { return strings.HasPrefix(w.lower, strconv.Itoa(n)) })
}

// repeats reports whether an English message asks for a series of events. "Not Mondays" and "Mondays are bad" do not.
func (s *sentence) repeats() bool {
	return s.says(englishTongue().Repeating...) && len(s.time.ExcludedWeekdays) == 0 && !s.says("or") &&
		!s.says("any time", "anytime", "works", "best", "prefer", "usually")
}

// noSuchDayAnswer names the day that does not exist as the user wrote it: an acknowledgment states no dates of its own.
func (s *sentence) noSuchDayAnswer(sentence string) string {
	name := s.time.NoSuchDays[0]
	i := slices.IndexFunc(s.time.Entities, func(e when.Entity) bool { return e.Kind == when.KindNoDay })
	written := strings.Join(strings.Fields(s.text[s.time.Entities[i].Start:s.time.Entities[i].End]), " ")
	for _, before := range []string{"on ", "the ", "in ", "for "} {
		written = strings.TrimPrefix(written, before)
	}
	if strings.Trim(written, phraseCharacters+"-.") != "" {
		written = "such day"
	} else if _, year, leap := strings.Cut(name, ", "); leap && !strings.Contains(written, year) {
		sentence = strings.Replace(sentence, "There is no {day}", "The coming February has no 29", 1)
	}
	return filled(sentence, "{day}", written)
}

// promise says what will be looked for.
func (r *reading) promise(own tongue) string {
	s, d, says := &r.wish, r.data, own.Acknowledge
	switch {
	case r.answers():
		return says.Answer
	case d.HasEvent && s.changeOf() != unnamedChange:
		return r.changePromise(says)
	case d.HasActivities && (s.choice(8) > 0 || s.pointsAtOne()):
		return says.Changes[choiceMade]
	case s.opensPage(d):
		return says.Page
	}
	what, with, days := r.spoken(own)
	text := filled(says.Promise, "{what}", what, "{with}", with, "{when}", lead(" ", days))
	repeats := r.said.says(own.Repeating...)
	if r.Language == english {
		repeats = s.repeats() && !d.HasEvent
	}
	if repeats && len(s.peopleOf(&s.venue)) > 0 {
		text += " " + says.Single
	}
	return text
}

// spoken is what of the message a promise repeats: what to meet for, with whom, and when.
func (r *reading) spoken(own tongue) (what, with, days string) {
	s := &r.wish
	a, named := s.activityOf()
	if r.Language == english {
		if named {
			what = lead(" for ", said(a))
		}
		return what, lead(" with ", s.safeNames(&s.venue)), s.dayPhrase()
	}
	if named && errands[a.name] == 0 {
		what = lead(" ", firstOf(own.Acknowledge.What[a.name], own.Acknowledge.What[a.kind]))
	}
	people := s.peopleOf(&s.venue)
	return what, own.company(people), r.said.phraseOfDays(people)
}

// changePromise acknowledges a change of the proposal.
func (r *reading) changePromise(says acknowledgments) string {
	s := &r.wish
	a, _ := s.activityOf()
	day := s.dayPhrase()
	c := s.changeOf()
	if c == dayChange {
		day = strings.TrimPrefix(day, "on ")
	} else {
		day = lead(" ", day)
	}
	return filled(firstOf(says.Changes[c], says.Changes[someChange]), "{what}", said(a), "{when}", day)
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
