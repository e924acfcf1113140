package offline

import (
	"strconv"
	"strings"
	"time"

	"convene/pkg/when"
)

// The intents.
const (
	handleEvent       = "handle_event"
	showMore          = "show_more"
	suggestActivities = "suggest_activities"
	converse          = "converse"
)

// someDay stands for today where only the wording counts.
var someDay = time.Date(2024, time.January, 1, 9, 0, 0, 0, time.UTC)

// classify says what a message is about and acknowledges it.
func (m *Model) classify(d classifyData) classifyArguments {
	s := parse(d.Message, m.options.Now(), when.Setting{})
	language := languageOf(readable(d.Message))
	intent, topic := intentOf(s, d, language)
	return classifyArguments{Intent: intent, Acknowledgment: acknowledge(s, d, intent, topic, language), Language: language}
}

// topic is what a conversation is about, so that the answer can fit.
type topic int

const (
	noTopic topic = iota
	greeting
	gratitude
	agreement
	farewell
	about
	agenda
	removal
	reminder
	mischief
	declined
	// noTopicHere is something that no calendar answers.
	noTopicHere
	// elsewhere is a change of an event that was not arranged in this conversation.
	elsewhere
	// nothingYet is a change where there is nothing to change; onCard, a question that the proposal answers.
	nothingYet
	onCard
	// availability is a question for somebody's free time, noSuchDay a day that no calendar has, noSuchNumber a number that
	// no suggestion has.
	availability
	noSuchDay
	noSuchNumber
)

// intentOf goes through the kinds of messages, the surest first.
func intentOf(s sentence, d classifyData, language string) (string, topic) {
	if language != "en" {
		return foreignIntent(s, d)
	}
	switch {
	case s.size() == 0:
		return converse, noTopic
	case s.isMischief():
		return converse, mischief
	case s.answers(d):
		return handleEvent, noTopic
	case len(s.time.NoSuchDays) > 0 && len(s.time.Dates) == 0:
		return converse, noSuchDay
	case d.HasActivities && suggested(d.RecentTurns) > 0 && s.picked() > suggested(d.RecentTurns):
		return converse, noSuchNumber
	case s.says(moreWords...) || s.isMore():
		return showMore, noTopic
	case d.HasActivities && s.choice(8) > 0:
		return handleEvent, noTopic
	}
	if s.wantsIdeas(d) {
		return suggestActivities, noTopic
	}
	if t := s.smallTalk(d); t != noTopic {
		return converse, t
	}
	if s.wantsEvent() || d.HasEvent && s.wantsChange() {
		return handleEvent, noTopic
	}
	return converse, noTopic
}

// answers reports whether the message answers the question with which the turn before ended: which of several people is
// meant.
func (s sentence) answers(d classifyData) bool {
	if d.question() == "" || s.size() > 6 || s.says("never mind", "nevermind", "neither", "forget it", "cancel") {
		return false
	}
	switch s.smallTalk(classifyData{}) {
	case greeting, gratitude, farewell, about:
		return false
	default:
		return strings.TrimSpace(s.plain) != "no"
	}
}

// question is what the turn before asked; empty where it asked nothing.
func (d classifyData) question() string {
	if d.Asked != "" || len(d.RecentTurns) == 0 {
		return d.Asked
	}
	last := strings.TrimSpace(d.RecentTurns[len(d.RecentTurns)-1].Assistant)
	if strings.HasPrefix(last, "Which ") && strings.HasSuffix(last, "?") {
		return last
	}
	return ""
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

var moreWords = []string{"show me more", "more options", "what else", "other options", "any others", "more times", "other times", "more places",
	"other places", "show more", "see more", "more choices", "more suggestions", "some more", "give me more", "anything else", "any more options",
	"any other options", "other suggestions", "more ideas", "other ideas", "next options", "different options", "more please", "got more",
	"other alternatives", "more alternatives", "any other times", "any other places"}

// isMore reads the shortest ways of asking for more.
func (s sentence) isMore() bool {
	switch strings.TrimSpace(s.plain) {
	case "more", "others", "more options", "next", "another", "and", "else", "other":
		return true
	}
	return false
}

// isMischief reports whether the message tries to talk to the machine rather than to the service.
func (s sentence) isMischief() bool {
	return s.says("ignore previous", "ignore all", "ignore your", "ignore the previous", "ignore the above", "ignore any", "disregard previous",
		"disregard all", "disregard your", "disregard the", "system prompt", "your instructions", "your prompt", "developer mode",
		"jailbreak", "you are now", "pretend to be", "pretend you are", "act as", "previous instructions", "prior instructions", "reveal your",
		"api key", "api keys", "your rules", "hidden instructions", "do not tell me", "forget your instructions", "forget all previous", "forget everything") ||
		s.says("generateeventtemplate", "classifyintent", "editeventtemplate", "generateevent", "providealternatives", "navigatetobookinglink") ||
		strings.Contains(strings.ToLower(s.text), "<script") && s.size() < 12
}

// smallTalk tells what kind of conversation a message is, noTopic where it is a request.
func (s sentence) smallTalk(d classifyData) topic {
	short := s.size() <= 6
	_, named := s.activityOf()
	switch {
	case s.begins("remind", "set a reminder", "set an alarm", "set alarm", "wake me") || s.says("reminder", "reminders", "alarm", "to do list", "todo list", "shopping list", "grocery list"):
		return reminder
	case d.HasEvent && short && s.says(factWords...):
		return onCard
	case !d.HasEvent && s.asksAvailability():
		return availability
	case s.isAgenda(d):
		return agenda
	case s.isRemoval(d):
		return removal
	case !d.HasEvent && s.begins(moving...) && s.says("my", "the", "our", "it", "that", "today's", "tomorrow's"):
		return elsewhere
	case !d.HasEvent && !d.HasActivities && s.changesNothing():
		return nothingYet
	case s.saysAside(worldWords...) && len(s.peopleOf(venue{})) == 0:
		return noTopicHere
	case named || len(s.time.Entities) > 0 && d.HasEvent:
		return noTopic
	case s.begins("thanks", "thank you", "thank", "many thanks", "cheers", "appreciate it") || short && s.says("thanks", "thank you"):
		return gratitude
	case short && s.begins("hi", "hello", "hey", "good morning", "good evening", "good afternoon", "yo", "howdy", "greetings", "sup") && len(s.time.Dates) == 0:
		return greeting
	case short && s.begins("bye", "goodbye", "see you", "good night", "talk to you later", "cya"):
		return farewell
	case short && s.begins("yes", "yep", "yeah", "ok", "okay", "great", "perfect", "sounds good", "looks good", "that works", "awesome", "cool", "nice", "sure", "confirm", "book it", "do it", "good", "excellent", "lgtm") && !s.says(changing[:20]...) && s.picked() == 0:
		return agreement
	case short && s.begins("no", "nope", "never mind", "nevermind", "forget it", "nah", "stop") && !s.says("instead", "make", "but") && len(s.time.Entities) == 0 && s.placeOf().empty():
		return declined
	case s.says("who are you", "what are you", "what can you do", "how do you work", "how does this work", "what do you do", "help", "are you a robot",
		"are you human", "are you real", "what is convene", "how do i", "what is this", "your name"):
		return about
	}
	return noTopic
}

// moving begin a change of an event that exists.
var moving = []string{"move", "reschedule", "change", "push", "update", "postpone", "delay", "shift", "can you move", "can you reschedule", "can you change",
	"can you push", "please move", "please reschedule", "please change", "could you move", "could you reschedule", "i need to move", "i need to reschedule",
	"i need to change", "i want to move", "i want to reschedule", "let's move", "let's reschedule", "can we move", "can we reschedule", "extend", "rename"}

// factWords ask for what a proposal says.
var factWords = []string{"what time is it", "what time is that", "what time was it", "when is it", "when's it", "when is that", "when do we meet", "when are we meeting",
	"where is it", "where's it", "where is that", "where do we meet", "where are we meeting", "where are we going", "who is coming", "who's coming", "who all is coming", "who else is coming", "who else is invited", "who is invited", "who's invited", "who is in it",
	"how long is it", "how long is that", "how long does it", "how long will it", "what day is it", "which day is it", "what's the address", "what is the address", "what is the title", "what's it called"}

// asksAvailability reports whether the message asks when somebody has time: "is Al free on Tuesday?".
func (s sentence) asksAvailability() bool {
	if !s.begins("is", "are", "does", "do", "will") || !s.says("free", "available", "busy", "have time", "have any time", "be around") {
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
func (s sentence) changesNothing() bool {
	_, named := s.activityOf()
	if named || len(s.peopleOf(s.placeOf())) > 0 || len(s.time.Dates) > 1 {
		return false
	}
	return s.begins("make it", "make that", "push it", "move it", "shift it", "extend it", "shorten it", "change it", "rename it", "call it", "can we make it",
		"can you make it", "could we make it", "any earlier", "any later", "earlier", "later", "a bit earlier", "a bit later", "somewhere else", "a different place", "different place", "without", "swap", "an hour later", "an hour earlier") &&
		s.size() <= 8
}

// agendaWords ask about what is on the calendar already.
var agendaWords = []string{"what do i have", "what's on my", "what is on my", "what have i got", "do i have", "did i", "have i", "am i meeting", "am i going",
	"am i having", "am i put", "am i doing", "am i eating", "when is my", "when's my", "when was my", "when do i", "where am i", "where are we meeting", "where is my",
	"where's my", "what time is my", "what time is the", "what time does", "what time will", "what time do i", "how long is", "how long will", "how many",
	"is my", "tell me when", "tell me what", "tell me if", "tell me about my", "show my", "show me my", "show me all", "show me the", "list my", "list all", "list out",
	"read my", "check my", "check if i", "please check", "need to know if i", "find me my", "who has", "who is coming", "who hasn't", "confirm that i", "confirm my",
	"what's the next", "what is the next", "what's my next", "my next meeting", "my next appointment", "my schedule look", "what meetings", "what events do i",
	"what appointments", "what's my schedule", "what is my schedule", "how busy am i", "my agenda", "my calendar events", "calendar entries", "today's calendar",
	"are there meetings", "is there a meeting", "is scheduled for when", "what's next on",
	"i have an appointment", "i have any", "i have meetings", "when my", "if i am busy", "if i'm busy", "if i am free"}

// isAgenda reports whether the message asks about the calendar as it is. Behind a proposal, a question for other times
// is none.
func (s sentence) isAgenda(d classifyData) bool {
	if d.HasEvent && s.says("earlier", "later", "instead", "other", "anything", "free", "works", "work", "available", "both") &&
		!s.says("what do i have", "on my calendar") {
		return false
	}
	if s.says(agendaWords...) {
		return !s.begins("find a", "find some", "schedule", "book", "set", "let's", "can we", "add", "put", "create", "make", "plan")
	}
	return !d.HasEvent && s.says("am i free", "am i busy", "am i available", "is my calendar")
}

// isRemoval reports whether the message wants something off the calendar. Behind a proposal, "remove Dana" is a change.
func (s sentence) isRemoval(d classifyData) bool {
	if d.HasEvent {
		return s.begins("cancel", "delete", "please cancel", "please delete", "can you cancel", "can you delete", "cancel it", "clear", "erase")
	}
	return s.says("cancel", "delete", "erase", "canceled", "cancelled", "off my calendar", "from my calendar") || s.begins("remove", "please remove", "clear")
}

// worldWords are of questions that no calendar answers.
var worldWords = []string{"weather", "forecast", "rain", "raining", "umbrella", "temperature", "news", "score", "scores", "stock", "stocks", "recipe",
	"translate", "joke", "exchange rate", "calories", "traffic", "playlist", "song", "lights", "volume", "email", "emails", "bank", "credit card",
	"directions", "phone number", "address"}

// wantsIdeas reports whether the message asks what there is to do.
func (s sentence) wantsIdeas(d classifyData) bool {
	if s.says("things to do", "thing to do", "something fun", "what's happening", "what is happening", "what's going on", "what is going on", "whats happening", "any ideas",
		"what should we do", "what should i do", "what can we do", "what could we do", "what to do", "fun things", "fun activities", "activities", "happening in", "happening this",
		"suggest something", "recommend something", "ideas for", "anything fun", "anything going on", "anything happening", "events in", "events this", "events near", "do something",
		"surprise me", "what's on this", "what's on in", "going on in", "going on this", "suggest an activity", "suggest some", "bored", "concerts in", "shows in", "something interesting", "interesting things",
		"things i can do", "things we can do", "anything special", "events going on", "free events", "good places", "best places", "places to visit", "places serving",
		"where should i go", "where should we go", "where can i go", "where can we go", "can you suggest", "can you recommend", "recommendations", "suggest a", "recommend a",
		"theme parks", "what movie", "places to eat", "places to go") && !s.says("my calendar", "delete", "cancel", "remind") {
		a, named := s.activityOf()
		met := len(s.peopleOf(venue{})) > 0 && named && a.kind != "custom"
		return !met || !d.HasEvent && s.says("what's happening")
	}
	return false
}

// arranging are words of wanting to meet.
var arranging = []string{"schedule", "book", "set up", "plan", "arrange", "organize", "meet", "meet up", "meetup", "get together", "hang out", "hang",
	"catch up", "find time", "find a time", "find some time", "invite", "see", "reserve", "reservation", "reservations", "put", "block", "grab", "visit",
	"appointment", "table", "reserved", "event", "date with", "date night", "celebrate", "party", "calendar", "slot", "availability", "available", "free", "focus", "deep work"}

// wantsEvent reports whether the message asks to meet.
func (s sentence) wantsEvent() bool {
	a, named := s.activityOf()
	people := len(s.peopleOf(s.placeOf())) > 0
	timed := len(s.time.Entities) > 0
	asks := s.says(arranging...)
	intends := s.says("let's", "let us", "can we", "could we", "shall we", "want to", "wanna", "would like", "i'd like", "need", "can you", "could you",
		"please", "should we", "how about", "up for", "owe", "i must", "get", "have", "do", "make", "create", "add", "set", "new")
	switch {
	case named && (people || timed || intends || asks || s.size() <= 3):
		return !s.aboutWorld(a)
	case people && (timed || asks || intends):
		return true
	case asks && s.placeOf().name != "" && !s.asksWorld():
		return true
	case asks && (timed || s.size() <= 5 && s.says("schedule", "book", "meet", "set up", "find a time", "find time", "catch up", "hang out", "get together", "appointment")):
		return !s.asksWorld()
	case timed && intends && !s.asksWorld():
		return true
	case s.says("book", "schedule", "booking link", "booking page"):
		return true
	}
	return false
}

// asksWorld reports whether the message is a question about the world rather than a wish.
func (s sentence) asksWorld() bool {
	return s.begins("what", "what's", "who", "who's", "why", "how", "when", "where", "is", "does", "did", "tell", "explain", "define", "play", "turn",
		"which", "was", "were", "are", "show", "translate", "write", "order", "buy") && !s.begins("how about", "what about", "when can we", "when could we", "when should we",
		"when are we", "when is", "where can we", "what time can", "what day", "when works", "when would", "are we", "is it possible", "how soon")
}

// aboutWorld reports whether a message that names an activity still asks about the world: "how do I make coffee".
func (s sentence) aboutWorld(a activity) bool {
	return s.asksWorld() && (s.says("recipe", "how do i make", "how to", "what is", "what's the", "weather", "news", "who won", "how many", "how much", "calories", "tell me about", "why") ||
		a.kind == "custom" && len(s.time.Entities) == 0 && len(s.peopleOf(venue{})) == 0)
}

// wantsChange reports whether a message that follows a proposal changes it or asks about it.
func (s sentence) wantsChange() bool {
	_, named := s.activityOf()
	people := len(s.peopleOf(s.placeOf())) > 0
	if s.begins("what about", "how about", "let's try") && s.size() <= 8 || people && s.begins("with", "and", "plus", "actually", "replace") || s.says("not with") ||
		s.begins("not") && s.at(1).capital() && !s.shouted {
		return true
	}
	if named || s.time.Says() || s.choice(8) > 0 || !s.placeOf().empty() {
		return !s.asksWorld() || s.size() <= 8 || s.time.Says()
	}
	return s.says("earlier", "later", "sooner", "instead", "change", "move", "make it", "add", "remove", "drop", "without", "invite", "rename", "call it", "shorter", "longer",
		"reschedule", "somewhere", "another place", "different place", "same place", "quieter", "closer", "nearer", "zoom", "video", "phone", "in person", "online", "swap", "switch",
		"push", "bring", "extend", "too", "buffer", "travel", "different day", "different time", "another day", "another time", "title", "include", "can't make it", "not free",
		"can't do", "doesn't work", "does not work", "don't like", "too far", "too late", "too early", "too long", "too short", "place", "option", "cheaper", "different restaurant", "another restaurant", "different cafe", "different bar", "cuisine", "replace", "outdoor", "keep", "other day")
}
