package offline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/calendarname"
	"convene/pkg/llm/kind"
)

// The intents of the stages to which several of the rules' own lead.
const (
	handleEvent       = "handle_event"
	suggestActivities = "suggest_activities"
	converse          = "converse"
)

// someDay stands for today where only the wording counts.
var someDay = time.Date(2024, time.January, 1, 9, 0, 0, 0, time.UTC)

// Prepare reads a message in each language: what is made of the data at the first one then stands.
func Prepare() {
	for _, text := range []string{"coffee with al", "café con al", "קפה עם טל"} {
		understand(classifyData{Message: text}, someDay).ownDay(someDay)
	}
}

// classify says what a message is about and acknowledges it.
func (m *Model) classify(d classifyData) classifyArguments {
	now := m.options.Now()
	r := understand(d, now)
	intent, topic := r.intent()
	out := classifyArguments{Intent: intent}
	if d.offers.day {
		day := r.ownDay(now)
		if day.later != "" && !r.settled(intent, topic) {
			r.Family, intent, topic = day.later, converse, refused
			out.Intent = intent
		} else if day.intent != "" && (day.read || intent == converse) && !r.settled(intent, topic) {
			intent, topic = day.intent, day.topic()
			out.Intent = intent
			out.families(d.offers, day)
		}
	}
	if out.Families == nil {
		out.families(d.offers, ownDay{})
	}
	out.Acknowledgment, out.Language = r.acknowledge(intent, topic), r.Language
	return out
}

// settling are the topics of messages that have their answer.
var settling = map[topic]bool{
	mischief: true, noSuchDay: true, noSuchNumber: true, onCard: true, kept: true,
	unclear: true, about: true, beyond: true,
}

// settled reports whether a message has its answer already, no matter what else can be read into it: mischief, an
// answer to a question, a number of a list, a question about the proposal.
func (r *reading) settled(intent string, t topic) bool {
	if isOwnDay(r.data.RecentTurns) {
		return t == mischief || r.unread != "" || r.said.size == 0
	}
	return settling[t] || r.unread != "" || r.said.size == 0 || r.answers() ||
		intent == suggestActivities || r.sentences[Intent(intent)] != ""
}

// offers is what the schema of stage 1 has a place for.
type offers struct{ day, families bool }

// families says which families are concerned, where the schema asks for it.
func (a *classifyArguments) families(o offers, day ownDay) {
	if !o.families {
		return
	}
	list := append([]string{}, day.families...)
	a.Families, a.RequiresPlan = &list, &day.plan
}

// reading is a message with all that stage 1 asks about it.
type reading struct {
	Understanding
	data classifyData
	// said is the message as it stands; wish is said in English.
	said, wish sentence
	// unread is the answer to a message in a language that is not read; empty for one that is.
	unread string
	// learned is what the words alone say of the kind of request.
	learned kind.Guess
	// heard is what the cues of its language hear.
	heard heard
	// own are the words of a message in another language than English.
	own ownWords
	// sentences acknowledge the intents that the stages know by the same name.
	sentences map[Intent]string
}

// topic is what a conversation is about, so that the answer can fit.
type topic string

const (
	noTopic   topic = "none"
	greeting  topic = "greeting"
	gratitude topic = "gratitude"
	agreement topic = "agreement"
	farewell  topic = "farewell"
	about     topic = "about"
	reminder  topic = "reminder"
	mischief  topic = "mischief"
	declined  topic = "declined"
	// refused is an order or a question for another service.
	refused topic = "refused"
	// beyond is an order that Convene does not follow, by its own words.
	beyond topic = "beyond"
	// unsure is about the user's own day, and is not read.
	unsure topic = "unsure"
	// nothingYet is a change where there is nothing to change; onCard, a question that the proposal answers.
	nothingYet topic = "nothingYet"
	onCard     topic = "onCard"
	// nothingWaits is a yes to nothing, whichCalendar one that names a calendar, which no event can choose.
	nothingWaits  topic = "nothingWaits"
	whichCalendar topic = "whichCalendar"
	// noSuchDay is a day that no calendar has, noSuchNumber a number that no suggestion has.
	noSuchDay    topic = "noSuchDay"
	noSuchNumber topic = "noSuchNumber"
	// ofDay reads the user's own day, or changes it.
	ofDay topic = "ofDay"
	// telling answers an invitation, and tells others.
	telling topic = "telling"
	// kept leaves the event as it is.
	kept topic = "kept"
	// unclear wants a change and does not say which.
	unclear topic = "unclear"
	// forgotten means a suggestion that is no longer known.
	forgotten topic = "forgotten"
)

// intent goes through what needs no weighing, and then by what the message was understood as. What the stages do not do
// is answered in words.
func (r *reading) intent() (string, topic) {
	s, d := &r.wish, r.data
	switch {
	case r.said.size == 0:
		return converse, noTopic
	case r.said.isMischief():
		return converse, mischief
	case r.unread != "":
		return converse, noTopic
	case r.answers(), strings.Contains(d.Message, "https://") && s.wantsPage() && r.Intent == Other && !r.elsewhere():
		return handleEvent, noTopic
	case slices.ContainsFunc(cueBooks()[r.Language].beyond, r.meaning().meets):
		return converse, beyond
	case len(s.time.NoSuchDays) > 0 && len(s.time.Dates) == 0:
		return converse, noSuchDay
	case !d.HasEvent && !d.HasActivities && books(calendarname.In(d.Message).Rest):
		return converse, nothingWaits
	case d.HasEvent && calendarname.In(d.Message).Name != "" && books(calendarname.In(d.Message).Rest):
		return converse, whichCalendar
	case d.HasEvent && listed(d.RecentTurns) > 0 && s.picked() > listed(d.RecentTurns):
		return converse, noSuchNumber
	case d.HasActivities && suggested(d.RecentTurns) > 0 && s.picked() > suggested(d.RecentTurns):
		return converse, noSuchNumber
	case d.HasActivities && (s.choice(8) > 0 || s.pointsAtOne()) && r.Intent != ShowMore:
		return handleEvent, noTopic
	case r.lost():
		return converse, forgotten
	case len(r.asked()) > 0:
		return converse, onCard
	case d.HasEvent && s.undoes() != "":
		return handleEvent, noTopic
	case d.HasEvent && s.keeps():
		return converse, kept
	}
	if r.sentences[r.Intent] != "" {
		return string(r.Intent), noTopic
	}
	switch r.Intent {
	case Suggest:
		return suggestActivities, noTopic
	case Create, Edit, BookingLink, Update:
		return r.event()
	case Confirm:
		if d.HasEvent && s.choice(8) > 0 {
			return handleEvent, noTopic
		}
		return converse, agreement
	default:
		return converse, r.topic()
	}
}

// event is what becomes of a message that arranges something or changes it.
func (r *reading) event() (string, topic) {
	s, d := &r.wish, r.data
	switch {
	case d.HasEvent && r.namesNothing():
		return converse, unclear
	case d.HasEvent:
		return handleEvent, noTopic
	case s.asksAvailability(), !d.HasActivities && r.Intent == Create && r.wishesNothing():
		return converse, unsure
	case !d.HasActivities && s.changesNothing():
		return converse, nothingYet
	case r.Intent == Update:
		return converse, unsure
	case r.Intent == Edit && !d.HasActivities:
		return converse, nothingYet
	}
	return handleEvent, noTopic
}

// topic is what a message is about that arranges nothing.
func (r *reading) topic() topic {
	s, d := &r.wish, r.data
	short := r.said.size <= shortMessage
	if !d.HasEvent && s.asksAvailability() {
		return unsure
	}
	if !d.HasEvent && !d.HasActivities && s.changesNothing() {
		return nothingYet
	}
	if t, ok := topics[r.Intent]; ok {
		return t
	}
	t := r.smallTalk(short)
	if t != noTopic || r.Intent != Other || r.Family == talk || r.Confidence < even && r.deed() == "" {
		return t
	}
	return refused
}

// talk is the family of remarks, which are neither orders nor questions for another service.
const talk = "talk"

// smallTalk is the courtesy that the message is, or in a short one also says. "No thanks" is no thanks.
func (r *reading) smallTalk(short bool) topic {
	words := r.tongue().Courtesies
	if short && r.said.begins(words[declined]...) {
		return declined
	}
	for _, t := range courtesies {
		if r.said.begins(words[t]...) && (short || t == gratitude) || short && t == gratitude && r.said.says(words[t]...) {
			return t
		}
	}
	return noTopic
}

// topics are what the finer intents are answered with.
var topics = map[Intent]topic{
	Query: unsure, Delete: unsure, Reminder: reminder, Cancel: declined, Help: about,
}

// courtesies are the kinds of small talk, the surer first.
var courtesies = []topic{gratitude, greeting, farewell, agreement, declined}

// even is the confidence with which a message is as well something else.
const even = 0.5

// books reports whether a message only orders to book what was proposed: "put it in my calendar".
func books(message string) bool {
	return slices.ContainsFunc(languages(), func(l string) bool {
		r := readReply(message, l, Waiting{})
		said := func(key string) bool { return r.said[key] }
		return r != nil && slices.ContainsFunc([]string{"book", "add", "send"}, said) &&
			!slices.ContainsFunc([]string{"no", "not", "undo"}, said)
	})
}

// answers reports whether the message answers the question with which the turn before ended: which of several people is
// meant.
func (r *reading) answers() bool {
	s := &r.said
	if r.data.question() == "" || s.size > shortMessage ||
		s.says("never mind", "nevermind", "neither", "forget it", "cancel") ||
		r.Confidence > surely && (r.Intent == Cancel || r.Intent == Help) {
		return false
	}
	words := r.tongue().Courtesies
	return !s.begins(words[gratitude]...) && !s.begins(words[greeting]...) && !s.begins(words[farewell]...) &&
		strings.TrimSpace(s.plain) != "no"
}

// question is what the turn before asked; empty where it asked nothing.
func (d classifyData) question() string {
	if len(d.RecentTurns) == 0 {
		return ""
	}
	last := strings.TrimSpace(d.RecentTurns[len(d.RecentTurns)-1].Assistant)
	if asksWhich(last) {
		return last
	}
	return ""
}

// asksWhich reports whether a text asks in any language whom of several people a name means.
func asksWhich(text string) bool {
	if !strings.HasSuffix(text, "?") {
		return false
	}
	for _, t := range tongues() {
		if strings.HasPrefix(text, t.Which) {
			return true
		}
	}
	return strings.HasPrefix(text, "Which ")
}

// suggested is how many suggestions the last turn listed, 0 where it listed none.
func suggested(turns []exchange) int {
	if len(turns) == 0 {
		return 0
	}
	n := 0
	for line := range strings.Lines(turns[len(turns)-1].Assistant) {
		if strings.HasPrefix(line, strconv.Itoa(n+1)+". ") {
			n++
		}
	}
	return n
}

// listed is how many alternatives the last turn listed, 0 where it listed none.
func listed(turns []exchange) int {
	if len(turns) == 0 {
		return 0
	}
	n := 0
	for line := range strings.Lines(turns[len(turns)-1].Assistant) {
		if strings.HasPrefix(line, "- ") {
			n++
		}
	}
	return n
}

// isMischief reports whether the message tries to talk to the machine rather than to the service.
func (s *sentence) isMischief() bool {
	return s.says(englishTongue().Mischief...) ||
		strings.Contains(strings.ToLower(s.text), "<script") && s.size < 12
}

// asksAvailability reports whether the message asks when someone has time: "is Al free on Tuesday?".
func (s *sentence) asksAvailability() bool {
	if !s.begins("is", "are", "does", "do", "will") ||
		!s.says("free", "available", "busy", "have time", "have any time", "be around") {
		return false
	}
	if _, named := s.activityOf(); named {
		return false
	}
	switch s.at(1).lower {
	case "i", "we", "you", "there", "it", "this", "that", "my":
		return false
	}
	return true
}

// changesNothing reports whether a first message changes something of an event that there is not.
func (s *sentence) changesNothing() bool {
	_, named := s.activityOf()
	if named || len(s.peopleOf(&s.venue)) > 0 || len(s.time.Dates) > 1 {
		return false
	}
	return s.begins("make it", "make that", "push it", "move it", "shift it", "extend it", "shorten it", "change it",
		"rename it", "call it", "can we make it",
		"can you make it", "could we make it", "any earlier", "any later", "earlier", "later", "a bit earlier", "a bit later",
		"somewhere else", "a different place", "different place", "without", "swap", "an hour later", "an hour earlier") &&
		s.size <= 8
}

// asksWorld reports whether the message is a question about the world rather than a wish.
func (s *sentence) asksWorld() bool {
	return s.begins("what", "what's", "who", "who's", "why", "how", "when", "where", "is", "does", "did", "tell",
		"explain", "define", "play", "turn",
		"which", "was", "were", "are", "show", "translate", "write", "order", "buy") &&
		!s.begins("how about", "what about", "when can we", "when could we", "when should we",
			"when are we", "when is", "where can we", "what time can", "what day", "when works", "when would", "are we",
			"is it possible", "how soon")
}

// touches reports whether a message that follows a proposal names something that a proposal has.
func (s *sentence) touches() bool {
	if _, named := s.activityOf(); named || s.time.Says() || s.time.Travel > 0 || s.choice(8) > 0 || !s.venue.empty() {
		return !s.asksWorld() || s.size <= 8 || s.time.Says()
	}
	return s.speaksOfChange() || s.changes("changing") || s.begins("not") && s.at(1).capital() && !s.shouted
}
