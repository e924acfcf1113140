package offline

import (
	"strconv"
	"strings"
	"time"
)

// The intents of the stages to which several of the rules' own lead.
const (
	handleEvent       = "handle_event"
	suggestActivities = "suggest_activities"
	converse          = "converse"
)

// someDay stands for today where only the wording counts.
var someDay = time.Date(2024, time.January, 1, 9, 0, 0, 0, time.UTC)

// classify says what a message is about and acknowledges it.
func (m *Model) classify(d classifyData) classifyArguments {
	r := understand(d, m.options.Now())
	intent, topic := r.intent()
	return classifyArguments{Intent: intent, Acknowledgment: r.acknowledge(intent, topic), Language: r.Language}
}

// reading is a message with all that stage 1 asks about it.
type reading struct {
	Understanding
	data classifyData
	// said is the message as it stands; wish is said in English.
	said, wish sentence
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
	agenda    topic = "agenda"
	removal   topic = "removal"
	reminder  topic = "reminder"
	mischief  topic = "mischief"
	declined  topic = "declined"
	// noTopicHere is something that no calendar answers.
	noTopicHere topic = "noTopicHere"
	// elsewhere is a change of an event that was not arranged in this conversation.
	elsewhere topic = "elsewhere"
	// nothingYet is a change where there is nothing to change; onCard, a question that the proposal answers.
	nothingYet topic = "nothingYet"
	onCard     topic = "onCard"
	// availability is a question for somebody's free time, noSuchDay a day that no calendar has, noSuchNumber a number
	// that no suggestion has.
	availability topic = "availability"
	noSuchDay    topic = "noSuchDay"
	noSuchNumber topic = "noSuchNumber"
	// kept leaves the event as it is.
	kept topic = "kept"
	// unclear wants a change and does not say which.
	unclear topic = "unclear"
	// forgotten means a suggestion of which nobody knows any more.
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
	case r.answers():
		return handleEvent, noTopic
	case len(s.time.NoSuchDays) > 0 && len(s.time.Dates) == 0:
		return converse, noSuchDay
	case d.HasEvent && listed(d.RecentTurns) > 0 && s.picked() > listed(d.RecentTurns):
		return converse, noSuchNumber
	case d.HasActivities && suggested(d.RecentTurns) > 0 && s.picked() > suggested(d.RecentTurns):
		return converse, noSuchNumber
	case d.HasActivities && (s.choice(8) > 0 || s.pointsAtOne()) && r.Intent != ShowMore:
		return handleEvent, noTopic
	case r.lost():
		return converse, forgotten
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
		if d.HasActivities && s.meansListed(d.RecentTurns) {
			return handleEvent, noTopic
		}
		return converse, r.topic()
	}
}

// event is what becomes of a message that arranges something or changes it.
func (r *reading) event() (string, topic) {
	s, d := &r.wish, r.data
	switch {
	case d.HasEvent && r.said.size <= shortMessage && r.asksFacts():
		return converse, onCard
	case d.HasEvent && r.namesNothing():
		return converse, unclear
	case d.HasEvent:
		return handleEvent, noTopic
	case s.asksAvailability():
		return converse, availability
	case !d.HasActivities && s.changesNothing():
		return converse, nothingYet
	case r.Intent == Update:
		return converse, elsewhere
	case r.Intent == Edit && !d.HasActivities:
		return converse, nothingYet
	}
	return handleEvent, noTopic
}

// topic is what a message is about that arranges nothing.
func (r *reading) topic() topic {
	s, d := &r.wish, r.data
	short := r.said.size <= shortMessage
	if d.HasEvent && short && r.asksFacts() {
		return onCard
	}
	if !d.HasEvent && s.asksAvailability() {
		return availability
	}
	if !d.HasEvent && !d.HasActivities && s.changesNothing() {
		return nothingYet
	}
	if r.Intent == Cancel && d.HasEvent && r.said.begins("cancel") {
		return removal
	}
	if t, ok := topics[r.Intent]; ok {
		return t
	}
	if t := r.smallTalk(short); t != noTopic {
		return t
	}
	if r.said.saysAside(worldWords...) && len(s.peopleOf(&venue{})) == 0 || r.Language != english && r.Weights[Other] > 0 {
		return noTopicHere
	}
	return noTopic
}

// smallTalk is the courtesy that the message is, or in a short one also says.
func (r *reading) smallTalk(short bool) topic {
	if short && r.refuses() {
		return declined
	}
	for _, c := range r.courtesies() {
		if r.said.begins(c.words...) && (short || c.topic == gratitude) || short && c.topic == gratitude &&
			r.said.says(c.words...) {
			return c.topic
		}
	}
	return noTopic
}

// refuses reports whether the message says no before it says anything else, as in "no thanks".
func (r *reading) refuses() bool {
	for _, c := range r.courtesies() {
		if c.topic == declined {
			return r.said.begins(c.words...)
		}
	}
	return false
}

// topics are what the finer intents are answered with.
var topics = map[Intent]topic{
	Query: agenda, Delete: removal, Reminder: reminder, Cancel: declined, Help: about,
}

// courtesy is a kind of small talk by the words that it begins with.
type courtesy struct {
	topic topic
	words []string
}

// courtesies are the small talk of English, the surer first; other languages have theirs in the same order.
var courtesies = []courtesy{
	{gratitude, []string{"thanks", "thank you", "thank", "many thanks", "cheers", "appreciate it"}},
	{greeting, []string{
		"hi", "hello", "hey", "good morning", "good evening", "good afternoon", "yo", "howdy", "greetings", "sup",
	}},
	{farewell, []string{"bye", "goodbye", "see you", "good night", "talk to you later", "cya"}},
	{agreement, []string{"yes", "yep", "yeah", "ok", "okay", "great", "perfect", "sounds good", "looks good", "that works",
		"awesome", "cool", "nice",
		"sure", "confirm", "book it", "do it", "good", "excellent", "lgtm"}},
	{declined, []string{"no", "nope", "never mind", "nevermind", "forget it", "nah", "stop"}},
}

// courtesies are the small talk of the message's language.
func (r *reading) courtesies() []courtesy {
	own, foreign := tongues()[r.Language]
	if !foreign {
		return courtesies
	}
	list := make([]courtesy, 0, len(courtesies))
	for _, c := range courtesies {
		list = append(list, courtesy{c.topic, own.Courtesies[c.topic]})
	}
	return list
}

// answers reports whether the message answers the question with which the turn before ended: which of several people is
// meant.
func (r *reading) answers() bool {
	s := &r.said
	if r.data.question() == "" || s.size > shortMessage ||
		s.says("never mind", "nevermind", "neither", "forget it", "cancel") || r.Intent == Cancel || r.Intent == Help {
		return false
	}
	for _, c := range r.courtesies() {
		if c.topic != agreement && c.topic != declined && s.begins(c.words...) {
			return false
		}
	}
	return strings.TrimSpace(s.plain) != "no"
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
	return s.says("ignore previous", "ignore all", "ignore your", "ignore the previous", "ignore the above", "ignore any",
		"disregard previous",
		"disregard all", "disregard your", "disregard the", "system prompt", "your instructions", "your prompt",
		"developer mode",
		"jailbreak", "you are now", "pretend to be", "pretend you are", "act as", "previous instructions",
		"prior instructions", "reveal your",
		"api key", "api keys", "your rules", "hidden instructions", "do not tell me", "forget your instructions",
		"forget all previous", "forget everything") ||
		s.says("generateeventtemplate", "classifyintent", "editeventtemplate", "generateevent", "providealternatives",
			"navigatetobookinglink") ||
		strings.Contains(strings.ToLower(s.text), "<script") && s.size < 12
}

// factWords ask for what a proposal says.
var factWords = []string{"what time is it", "what time is that", "what time was it", "when is it", "when's it",
	"when is that", "when do we meet", "when are we meeting",
	"where is it", "where's it", "where is that", "where do we meet", "where are we meeting", "where are we going",
	"who is coming", "who's coming", "who all is coming", "who else is coming", "who else is invited", "who is invited",
	"who's invited", "who is in it",
	"how long is it", "how long is that", "how long does it", "how long will it", "what day is it", "which day is it",
	"what did you schedule", "what have you scheduled", "what did you book", "what did you set up", "what did you plan",
	"what did you arrange", "what is scheduled", "what's scheduled", "what's the address", "what is the address",
	"what is the title", "what's it called"}

// asksFacts reports whether the message asks for what a proposal says.
func (r *reading) asksFacts() bool {
	return r.said.says(factWords...) || r.said.says(tongues()[r.Language].Facts...)
}

// asksAvailability reports whether the message asks when somebody has time: "is Al free on Tuesday?".
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

// worldWords are of questions that no calendar answers.
var worldWords = []string{"weather", "forecast", "rain", "raining", "umbrella", "temperature", "news", "score",
	"scores", "stock", "stocks", "recipe",
	"translate", "joke", "exchange rate", "calories", "traffic", "playlist", "song", "lights", "volume", "email",
	"emails", "bank", "credit card",
	"directions", "phone number", "address"}

// arranging are words of wanting to meet.
var arranging = []string{"schedule", "book", "set up", "plan", "arrange", "organize", "meet", "meet up", "meetup",
	"get together", "hang out", "hang",
	"catch up", "find time", "find a time", "find some time", "invite", "see", "reserve", "reservation", "reservations",
	"put", "block", "grab", "visit",
	"appointment", "table", "reserved", "event", "date with", "date night", "celebrate", "party", "calendar", "slot",
	"availability", "available", "free", "focus", "deep work"}

// wantsEvent reports whether the message asks to meet.
func (s *sentence) wantsEvent() bool {
	a, named := s.activityOf()
	people := len(s.peopleOf(&s.venue)) > 0
	timed := len(s.time.Entities) > 0
	asks := s.says(arranging...)
	intends := s.says("let's", "let us", "can we", "could we", "shall we", "want to", "wanna", "would like", "i'd like",
		"need", "can you", "could you",
		"please", "should we", "how about", "up for", "owe", "i must", "get", "have", "do", "make", "create", "add",
		"set", "new")
	switch {
	case named && (people || timed || intends || asks || s.size <= 3):
		return !s.aboutWorld(a)
	case people && (timed || asks || intends):
		return true
	case asks && s.venue.name != "" && !s.asksWorld():
		return true
	case asks && (timed || s.size <= 5 && s.says("schedule", "book", "meet", "set up", "find a time", "find time",
		"catch up", "hang out", "get together", "appointment")):
		return !s.asksWorld()
	case timed && intends && !s.asksWorld():
		return true
	case s.says("book", "schedule", "booking link", "booking page"):
		return true
	}
	return false
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

// aboutWorld reports whether a message that names an activity still asks about the world: "how do I make coffee".
func (s *sentence) aboutWorld(a activity) bool {
	return s.asksWorld() && (s.says("recipe", "how do i make", "how to", "what is", "what's the", "weather", "news",
		"who won", "how many", "how much", "calories", "tell me about", "why") ||
		a.kind == "custom" && len(s.time.Entities) == 0 && len(s.peopleOf(&venue{})) == 0)
}

// wantsChange reports whether a message that follows a proposal changes it or asks about it.
func (s *sentence) wantsChange() bool {
	_, named := s.activityOf()
	people := len(s.peopleOf(&s.venue)) > 0
	if s.begins("what about", "how about", "let's try") && s.size <= 8 ||
		people && s.begins("with", "and", "plus", "actually", "replace") || s.says("not with") ||
		s.begins("not") && s.at(1).capital() && !s.shouted {
		return true
	}
	if named || s.time.Says() || s.time.Travel > 0 || s.choice(8) > 0 || !s.venue.empty() {
		return !s.asksWorld() || s.size <= 8 || s.time.Says()
	}
	return s.speaksOfChange() || s.says("earlier", "later", "sooner", "instead", "change", "move", "make it", "add",
		"remove", "drop", "without", "invite", "rename", "call it", "shorter", "longer",
		"reschedule", "somewhere", "another place", "different place", "same place", "quieter", "closer", "nearer",
		"zoom", "video", "phone", "in person", "online", "swap", "switch",
		"push", "bring", "extend", "too", "buffer", "travel", "different day", "different time", "another day",
		"another time", "title", "include", "can't make it", "not free",
		"can't do", "doesn't work", "does not work", "don't like", "too far", "too late", "too early", "too long",
		"too short", "place", "option", "cheaper", "different restaurant", "another restaurant", "different cafe",
		"different bar", "cuisine", "replace", "outdoor", "keep", "other day")
}
