package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/calendarname"
)

// This file says which messages are about the user's own day: what they want to look at, and what they want to be
// changed there by one operation. A new event with someone is the event pipeline's, and so are changes of what is
// being arranged in the conversation.

// The intents of the stages.
const (
	look = "look"
	act  = "act"
)

// ownDay is what a message asks of the user's own day.
type ownDay struct {
	// intent is look or act; empty for a message about something else.
	intent   string
	families []string
	// read says that it was read whole, and not only guessed by its words.
	read bool
	// plan says that it takes several operations.
	plan bool
	// later is the family of what is asked for and not there yet; tells says that others are to be told of an answer.
	later      string
	tells      bool
	confidence float64
}

// Kind is what a message asks of the user's own day, in the light of what went before: look, act, or empty for
// something else, with the families of tools that it concerns and the probability that this is right.
func Kind(message string, talk Talk) (intent string, families []string, confidence float64) {
	r := understand(classifyData{
		Message: message, RecentTurns: talk.Turns, HasEvent: talk.HasEvent, HasActivities: talk.HasActivities,
	}, someDay)
	day := r.ownDay(someDay)
	return day.intent, day.families, day.confidence
}

// ownDay reads the message as operations. Where it is none in any way that is known, the words alone may still say that
// it is about the calendar; then the next stage asks.
func (r *reading) ownDay(now time.Time) ownDay {
	d := r.data
	message := firstOf(d.whole, d.Message)
	if r.unread != "" || strings.Contains(message, "://") {
		return ownDay{confidence: r.Confidence}
	}
	all := r.operations(message, now)
	kept := all[:0]
	for _, op := range all {
		if r.believes(op) {
			kept = append(kept, op)
		}
	}
	day := ownDay{confidence: r.Confidence, later: r.later(message, kept)}
	switch {
	case day.later != "":
		return day
	case len(kept) > 0:
		day.take(kept)
		if follows(kept[0].verb) {
			day.intent, day.families = r.before(now)
		}
		day.confidence = 1 - (1-max(r.Confidence, even))*doubtLeft
	case d.HasEvent || d.HasActivities || len(all) > 0 && all[0].events.pronoun:
	case r.Intent == Query, r.Intent == Other && r.wish.asksAvailability():
		day.intent, day.families = look, []string{"calendar"}
	case r.Intent == Delete, r.Intent == Update:
		day.intent, day.families = act, []string{"calendar"}
	}
	if whole := len(kept) == 1 && (kept[0].both || kept[0].provided); !whole {
		day.besides(message)
	}
	return day
}

// besides adds the families that the message names: of several, it takes several steps.
func (d *ownDay) besides(message string) {
	families := familiesOf(message)
	if d.intent == "" || len(families) < 2 {
		return
	}
	for _, f := range families {
		if f = strings.TrimSuffix(f, "s"); !slices.Contains(d.families, f) {
			d.families = append(d.families, f)
		}
	}
	d.plan = true
}

// operations are those that the whole message asks for.
func (r *reading) operations(message string, now time.Time) []operation {
	d := r.data
	named := calendarname.In(message)
	if d.whole != "" && d.whole != d.Message || d.HasEvent || named.Name != "" { // it was read otherwise
		return operations(message, r.Language, now, known{contacts: d.contacts()}, d.pointing())
	}
	return r.said.operations(now, d.pointing())
}

// topic is what is acknowledged: others are to be told of an answer, or nothing but the day is concerned.
func (d ownDay) topic() topic {
	if d.tells {
		return telling
	}
	return ofDay
}

// doubtLeft is how much of the doubt about a message is left once every word of it is read as an operation.
const doubtLeft = 0.2

// take takes over operations: changes go before what is only looked at.
func (d *ownDay) take(all []operation) {
	d.intent, d.plan, d.read = look, len(all) > 1, true
	for _, op := range all {
		if !reads(op.verb) {
			d.intent = act
		}
		d.tells = d.tells || duties[op.verb].answer != "" && len(op.who) > 0
		if family := duties[op.verb].family; !slices.Contains(d.families, family) {
			d.families = append(d.families, family)
		}
	}
}

// believes reports whether a message means an operation that can be read into it: its words leave no doubt, what else
// speaks for a kind of request agrees, or something in it is of calendars. While an event is being arranged, only what
// cannot be the event is meant.
func (r *reading) believes(op operation) bool {
	agrees := r.Intent == Query || r.Intent == Delete || r.Intent == Update
	if r.arranges(op) || r.isEvent(op) {
		return false
	}
	if r.data.HasEvent || r.data.HasActivities {
		return r.believesLater(op, agrees)
	}
	s := op.events
	switch {
	case follows(op.verb), len(s.From) > 0, op.provided:
		return true
	case op.verb == verbReport:
		return op.leads && (op.sure || r.Intent != Create)
	case op.verb == verbPlace && r.Intent == Create && !op.sure:
		return op.definite
	case reads(op.verb) && r.Intent == Create && (!op.leads || op.definite && s.named()):
		return op.leads
	case r.changesOwn(op):
		return true
	case agrees:
		return op.sure || !s.pronoun || r.Intent != Query
	case r.Intent == Reminder:
		return op.toldInsteadOf()
	case r.Intent == Other:
		return r.isOfCalendars(op)
	case op.sure:
		return true
	case op.leads && op.missing != "" && !reads(op.verb) && len(s.With) > 0 && len(s.TitleHas) > 0 && s.Window == nil:
		return true // "can we push dinner with Theo"
	case !op.leads || op.missing != "" || op.strangers && len(op.who) > 0:
		return false
	case reads(op.verb):
		return (shown[op.verb] || s.all) && (s.dated() || op.time.Says())
	}
	return true
}

// isEvent reports whether a block that lacks something is with somebody, or the message is about doing something with
// somebody: "coffee with Grace, Friday morning" does not only say another time for what was shown, and "sync with Lena
// and Marcus" is of no calendars.
func (r *reading) isEvent(op operation) bool {
	if r.Intent != Create || len(r.wish.peopleOf(&r.wish.venue)) == 0 {
		return false
	}
	_, named := r.wish.activityOf()
	later := r.data.HasEvent || r.data.HasActivities
	return named && (follows(op.verb) || duties[op.verb].copies) || op.verb == verbBlock && op.missing != "" && !later
}

// arranges reports whether the message plainly arranges something with somebody at a time, which is no part of what was
// shown.
func (r *reading) arranges(op operation) bool {
	if !follows(op.verb) && op.leads {
		return false
	}
	event := r.Intent == Create || r.Intent == Edit && !strings.Contains(r.data.Message, "?")
	return event && r.Confidence >= plainlyEvent && len(op.events.With) > 0 && op.events.Window != nil
}

// plainlyEvent is how probable that has to be.
const plainlyEvent = 0.95

// toldInsteadOf reports whether a reminder that is asked for is a question: "remind me when the barber is".
func (op operation) toldInsteadOf() bool {
	s := op.events
	return op.definite && toldOf[op.verb] || shown[op.verb] && op.plain && s.dated() ||
		op.sure && op.verb == "when" || (s.event || op.plain && s.all) && op.leads
}

// changesOwn reports whether something is changed that the user has already: it is named like that, and nobody is named
// whom a new event could be with.
func (r *reading) changesOwn(op operation) bool {
	s := op.events
	return op.definite && !reads(op.verb) && !s.pronoun && len(s.With)+len(op.who) == 0 &&
		(r.Intent != Reminder || op.plain) && (!boxes[r.Family] || len(op.texts) > 0 || op.by != 0)
}

// later is the family of what the message asks for and is not there yet: it speaks of it, and of no event; or others
// are to be told something.
func (r *reading) later(message string, read []operation) string {
	book := operationBooks()[r.Language].later
	for _, op := range read {
		if op.verb == verbReport {
			return "message"
		}
		for _, title := range op.events.TitleHas {
			if family := familyNamed(title, r.Language, book); family != "" {
				return family
			}
		}
	}
	asked := r.Intent == Query || r.Intent == Other || r.Intent == Reminder || r.Intent == Delete || r.Intent == Update
	if len(read) > 0 || !asked || r.data.HasEvent || r.data.HasActivities {
		return ""
	}
	return familyNamed(unquoted(message), r.Language, book)
}

// familyNamed is the family of the first noun in a text that is not followed by a noun which makes it a title, as in
// "email review"; empty if there is none.
func familyNamed(text, language string, nouns phrases) string {
	a := newAccount(text, idleBooks()[language])
	says := operationBooks()[language].says
	for i := range a.tokens {
		family, n := a.phraseAt(i, nouns)
		if n == 0 {
			continue
		}
		if end := i + n; end == len(a.tokens) || a.tokens[end].opens || a.of("idle", end) > 0 {
			return family
		} else if _, known := a.phraseAt(end, says); known > 0 {
			return family
		}
	}
	return ""
}

// isOfCalendars reports whether an operation is one, although nothing else speaks for it.
func (r *reading) isOfCalendars(op operation) bool {
	s := op.events
	day := op.plain && r.Family == "system" && !reads(op.verb) && s.Window != nil && len(s.TitleHas) > 0
	return day || s.event || op.verb == verbBlock && op.sure && op.missing == "" || toldOf[op.verb] && op.definite ||
		op.sure && (op.definite || s.Status != nil || !boxes[r.Family]) ||
		!services[r.Family] &&
			(len(s.With) > 0 || !reads(op.verb) && (s.dated() || len(op.who) > 0 || duties[op.verb].answer != ""))
}

// shown are the verbs that no wish for a new event has.
var shown = map[verb]bool{"view": true, "count": true, "long": true, "busy": true, verbGaps: true}

// toldOf are the questions about something that is named as the user's own.
var toldOf = map[verb]bool{"when": true, "who": true, "notes": true}

// boxes are families of things that are kept elsewhere, services all that have nothing to do with a calendar.
var (
	boxes    = wordSet("email task list contact phone")
	services = wordSet("email task list contact phone preference system")
)

// believesLater is believes in a conversation about an event or about suggestions.
func (r *reading) believesLater(op operation, agrees bool) bool {
	s := op.events
	switch {
	case follows(op.verb) && r.Intent == Edit && isOwnDay(r.data.RecentTurns) && shown[r.data.last().verb]:
		return false // "make it 8 instead" is said of the proposal, also after a look at its day
	case follows(op.verb), len(s.From) > 0 && s.From[0] != "event":
		return !r.data.afterKept()
	case r.data.HasEvent && op.verb == verbDelete && r.ofPart():
		return false
	case r.data.HasEvent && reads(op.verb) && !op.leads && r.Intent == Edit:
		return false // "no, 10 my time"
	case len(s.From) > 0: // "drop Al and make it an hour" drops no event
		return op.verb == verbDelete && !s.named()
	case s.pronoun:
		return false
	case op.verb == verbFree && op.sure && len(op.who) == 0 && op.time.Says(),
		op.verb == verbFree && len(op.who) > 0 && op.time.Exact != nil && !r.proposedWith(op.who):
		return true // "am I free tomorrow at noon?" moves nothing, nor a question about somebody else
	case op.verb == verbDelete && s.dated() && (len(s.Except) > 0 || !s.named()):
		return true // "clear this week"
	case !op.sure && !agrees:
		return false
	case reads(op.verb):
		plain := op.sure || op.leads && shown[op.verb] && r.Intent == Query // "show me my Tuesday"
		return plain && r.Intent != Edit && r.Intent != Confirm && (s.dated() || op.time.Says())
	case op.verb == verbBlock, duties[op.verb].family == "preference":
		return op.sure
	}
	return s.all || s.TimeOfDay != nil && s.One != nil || s.named() && !r.arranged(s)
}

// last is the one operation that the turn before asked for; the zero value if it asked for anything else.
func (d classifyData) last() (op operation) {
	said := d.RecentTurns[len(d.RecentTurns)-1].User
	if all := operations(said, Language(readable(said), nil), someDay, known{}, pointing{}); len(all) == 1 {
		return all[0]
	}
	return op
}

// ofPart reports whether the message says nothing but a deed and what belongs to the event that is being arranged:
// "remove the place".
func (r *reading) ofPart() bool {
	parts := standingBooks()[r.Language]["parts"]
	names := func(w word) bool { return len(parts[w.lower]) > 0 }
	return r.said.size <= shortMessage && slices.ContainsFunc(r.said.words, names)
}

// proposedWith reports whether the last proposal names one of the people.
func (r *reading) proposedWith(people []string) bool {
	for _, turn := range slices.Backward(r.data.RecentTurns) {
		if said := strings.ToLower(turn.Assistant); !strings.HasPrefix(said, "(") {
			return slices.ContainsFunc(people, func(name string) bool {
				return strings.Contains(said, firstOf(strings.Fields(strings.ToLower(name))...))
			})
		}
	}
	return false
}

// arranged reports whether a selection means what the conversation is arranging: its words stand in the last turns.
func (r *reading) arranged(s selection) bool {
	said := ""
	for _, turn := range r.data.RecentTurns {
		said += " " + strings.ToLower(turn.User+" "+turn.Assistant)
	}
	return slices.ContainsFunc(slices.Concat(s.TitleHas, s.With), func(title string) bool {
		return slices.ContainsFunc(strings.Fields(strings.ToLower(title)), func(w string) bool {
			return strings.Contains(said, w)
		})
	})
}
