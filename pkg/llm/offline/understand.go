package offline

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"convene/pkg/llm/kind"
	"convene/pkg/when"
)

// Intent is what a message is for, more finely than the stages need it: they answer several of these alike.
type Intent string

// The intents that rules in code weigh. Those that need no weighing are declared by the cues (see cueBook); ShowMore is
// one of them.
const (
	Delete      Intent = "delete"
	Cancel      Intent = "cancel"
	Confirm     Intent = "confirm"
	ShowMore    Intent = "show_more"
	BookingLink Intent = "booking_link"
	Reminder    Intent = "reminder"
	// Update changes an event that is on the calendar, Edit the one that is being arranged.
	Update  Intent = "update"
	Edit    Intent = "edit"
	Query   Intent = "query"
	Suggest Intent = "suggest"
	Create  Intent = "create"
	Help    Intent = "help"
	// Other is everything that has nothing to do with arranging.
	Other Intent = "other"
)

// intents are all that the book's cues may speak for, the surer first where two have the same weight.
func (b cueBook) intents() []Intent {
	return slices.Concat([]Intent{Delete, Cancel, Confirm}, b.stages,
		[]Intent{BookingLink, Reminder, Update, Edit, Query, Suggest, Create, Help, Other})
}

// Exchange is an earlier turn of a conversation.
type Exchange struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
}

// Talk is what went before a message. The zero value is a first message.
type Talk struct {
	Turns []Exchange
	// HasEvent says that an event is being arranged; HasActivities, that activities were suggested.
	HasEvent, HasActivities bool
}

// Understanding is what the built-in rules make of a message.
type Understanding struct {
	Intent Intent
	// Language is a BCP 47 tag.
	Language string
	// Title is what the message calls the thing that it wants to be reminded of; empty where it wants nothing of the
	// kind.
	Title string
	// Family is what a message concerns that is no event: calendar, task, list, email, contact, phone, preference, system
	// or none.
	Family string
	// Confidence is the probability that the intent is right.
	Confidence float64
	// Weights are what speaks for each intent.
	Weights map[Intent]float64
}

// Understand says what a message is for, in the light of what went before. It looks at the wording only, so that it
// needs no clock: days count as days wherever they lie.
func Understand(message string, talk Talk) Understanding {
	d := classifyData{
		Message: message, RecentTurns: talk.Turns, HasEvent: talk.HasEvent, HasActivities: talk.HasActivities,
	}
	r := understand(d, someDay)
	if r.Intent == Reminder {
		r.Title = r.reminded()
	}
	return r.Understanding
}

const (
	// worthLater is what a nat of the learned model counts in a conversation with a proposal: it learned from first
	// messages only.
	worthLater = 0.5
	// untaught is how many nats less speak for an intent that the model was not taught than for its best guess, before
	// any cue.
	untaught = 4
	// sharpness is how much more probable a nat of difference makes an intent, so that the confidence is true of the dev
	// partitions.
	sharpness = 1.5
)

// understand weighs the cues of the message's language. What is said in another language than English is asked for its
// properties in the English that is made of it.
func understand(d classifyData, now time.Time) *reading {
	language := Language(readable(cmp.Or(d.whole, d.Message)), d.RecentTurns)
	book := cueBooks()[language]
	var setting when.Setting
	if d.HasEvent {
		setting.Start = now // at some time, so that "2 or 4" are hours
	}
	own, meant := when.Setting{Language: language, Start: setting.Start}, known{contacts: d.contacts()}
	r := &reading{data: d, said: parseAmong(d.Message, now, own, meant)}
	r.wish = r.said
	if language != english {
		r.wish, r.own = templateData{Message: d.Message, RecentTurns: d.RecentTurns, People: d.contacts()}.wish(now, setting)
	}
	r.Language = language
	r.weigh(book)
	if other, isUnread := foreign(r.said.text); isUnread {
		r.Intent, r.Language, r.Confidence, r.unread = Other, other.tag, 1, other.sentence
		return r
	}
	if head := r.firstClause(); head != "" && r.Intent != Create {
		d.Message = head
		if first := understand(d, now); first.Intent == Create && first.Confidence > even {
			r.Intent, r.Confidence = first.Intent, first.Confidence
		}
	}
	return r
}

// firstClause is a first message up to the mark or the order that begins another clause; empty if it has one clause, or
// begins with what someone tells. A wish for an event stays one, no matter what else is ordered after it.
func (r *reading) firstClause() string {
	s, own := &r.said, r.tongue()
	if r.data.HasEvent || r.data.HasActivities || s.begins(own.Tells...) {
		return ""
	}
	for i := 2; i+2 < len(s.words); i++ {
		w := s.words[i]
		if w.mark && strings.Contains(",;.", s.text[w.start:w.end]) || own.beginsOrder(s.words[i:]) {
			return s.text[:w.start]
		}
	}
	return ""
}

// weigh takes the message for the intent for which most speaks: the cues, and what was learned of kinds of requests.
// The weights of the cues were fitted beside the model; the more they know of the conversation, the more they count.
func (r *reading) weigh(book cueBook) {
	r.heard = book.hear(&r.said)
	m := r.meaning()
	r.sentences = book.sentences
	r.learned = kind.Predict(readable(r.data.Message))
	r.Weights = r.evidence(book.intents())
	given := map[*cue]bool{}
	for _, a := range book.possible(m.heard) {
		if !given[a.cue] && m.meets(a) {
			given[a.cue] = true
			if _, possible := r.Weights[a.cue.intent]; possible {
				r.Weights[a.cue.intent] += a.cue.weight
			}
		}
	}
	r.Intent = Other
	for _, intent := range book.intents() {
		if w, possible := r.Weights[intent]; possible && w > r.Weights[r.Intent] {
			r.Intent = intent
		}
	}
	r.Confidence, r.Family = confidence(r.Weights, r.Intent), r.learned.FamilyOf(string(r.Intent))
}

// elsewhere reports whether the words alone are most probably no wish to meet: another kind of request, or an order to
// another service. Questions about the world and remarks leave it open, because short wishes look like them.
func (r *reading) elsewhere() bool {
	k := r.learned
	open := k.Kind == kind.Create || k.Kind == kind.Other && (k.Family == talk || k.Family == "world")
	return !open && k.Odds[k.Kind] > even
}

// service reports whether the words alone are most probably an order to another service: a device, a setting, a
// mailbox.
func (r *reading) service() bool {
	k := r.learned
	return r.elsewhere() && k.Kind == kind.Other && k.Family != "none"
}

// evidence is what the learned model makes of the words, in nats. An edit needs something to change.
func (r *reading) evidence(intents []Intent) map[Intent]float64 {
	weights := make(map[Intent]float64, len(intents))
	worth, most := 1.0, r.learned.Most()
	later := r.data.HasEvent || r.data.HasActivities
	if later {
		worth = worthLater
	}
	for _, intent := range intents {
		evidence, taught := r.learned.Evidence(string(intent))
		switch {
		case taught:
			weights[intent] = worth * evidence
		case intent != Edit || later:
			weights[intent] = worth * (most - untaught)
		}
	}
	return weights
}

// confidence is the probability of an intent among all with weights.
func confidence(weights map[Intent]float64, intent Intent) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += math.Exp(sharpness * (w - weights[intent]))
	}
	return 1 / sum
}

// meaning is what cues look at.
func (r *reading) meaning() *meaning {
	return &meaning{sentence: &r.wish, reading: r, heard: r.heard, known: map[string]bool{}}
}

// meaning is a message with everything that cues ask about it, each property found once.
type meaning struct {
	*sentence
	reading *reading
	heard   heard
	known   map[string]bool
}

func (m *meaning) meets(a *alternative) bool {
	for i := range a.all {
		if m.holds(&a.all[i]) == a.all[i].denied {
			return false
		}
	}
	return true
}

func (m *meaning) holds(c *condition) bool {
	if c.property == "" {
		return c.phrase.holds(&m.heard)
	}
	has, found := m.known[c.property]
	if !found {
		has = properties[c.property](m.sentence, m.reading)
		m.known[c.property] = has
	}
	return has
}

// properties are what cues may ask of a message beside its words.
var properties = map[string]func(*sentence, *reading) bool{
	"feature":   func(s *sentence, _ *reading) bool { return len(s.venue.features) > 0 },
	"timed":     func(s *sentence, _ *reading) bool { return len(s.time.Entities) > 0 },
	"dated":     func(s *sentence, _ *reading) bool { return len(s.time.Dates) > 0 },
	"people":    func(s *sentence, _ *reading) bool { return len(s.peopleOf(&s.venue)) > 0 },
	"place":     func(s *sentence, _ *reading) bool { return !s.venue.empty() },
	"activity":  func(s *sentence, _ *reading) bool { _, named := s.activityOf(); return named },
	"exact":     func(s *sentence, _ *reading) bool { return s.time.Exact != nil },
	"noted":     func(s *sentence, _ *reading) bool { return s.noted() },
	"question":  func(s *sentence, _ *reading) bool { return s.asks() },
	"short":     func(s *sentence, _ *reading) bool { return s.size <= shortMessage },
	"elsewhere": func(_ *sentence, r *reading) bool { return r.elsewhere() },
	"order":     func(_ *sentence, r *reading) bool { order, _ := r.order(); return order != "" },
	"service":   func(_ *sentence, r *reading) bool { return r.service() },
	"brief":     func(s *sentence, _ *reading) bool { return s.size <= 3 },
	"proposal":  func(_ *sentence, r *reading) bool { return r.data.HasEvent },
	"ideas":     func(_ *sentence, r *reading) bool { return r.data.HasActivities },
	"choice":    func(s *sentence, _ *reading) bool { return s.choice(8) > 0 },
	"changes":   func(s *sentence, _ *reading) bool { return s.speaksOfChange() || s.changes("changing") },
	"touches":   func(s *sentence, _ *reading) bool { return s.touches() },
	"shift": func(s *sentence, _ *reading) bool {
		return s.time.Shift != (when.Shift{}) || s.time.EndsAt != nil
	},
	"long": func(s *sentence, _ *reading) bool { return s.time.Duration >= time.Minute },
}

// shortMessage is how many words a message has that can hardly say two things.
const shortMessage = 6
