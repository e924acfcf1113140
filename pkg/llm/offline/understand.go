package offline

import (
	"math"
	"slices"
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
	// Title is what the message calls the thing of which it wants to be reminded; empty where it wants nothing of the
	// kind.
	Title string
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
	// enough is the weight up to which a message is taken for other; a new event needs more.
	enough, enoughToArrange = 1, 2
	// perNat is the weight of one nat of what the learned model says of a first message, and of a later one: it has
	// learned from first messages only.
	perNat, perNatLater = 1.25, 0.6
	// spread is the difference of weights that makes one intent e times as probable as another.
	spread = 1
)

// understand weighs the cues of the message's language. What is said in another language than English is asked for its
// properties in the English that is made of it.
func understand(d classifyData, now time.Time) *reading {
	language := languageIn(readable(d.Message), d.RecentTurns)
	book := cueBooks()[language]
	var setting when.Setting
	if d.HasEvent {
		setting.Start = now // at some time, so that "2 or 4" are hours
	}
	r := &reading{data: d, said: parse(d.Message, now, when.Setting{Language: language, Start: setting.Start})}
	r.wish = r.said
	if language != english {
		r.wish, r.own = templateData{Message: d.Message, RecentTurns: d.RecentTurns}.wish(now, setting)
	}
	r.Language = language
	r.weigh(book)
	return r
}

// weigh takes the message for the intent for which most speaks: the cues, and what was learned of kinds of requests.
func (r *reading) weigh(book cueBook) {
	m := &meaning{sentence: &r.wish, data: &r.data, heard: book.hear(&r.said), known: map[string]bool{}}
	r.sentences = book.sentences
	r.Intent, r.Weights = Other, map[Intent]float64{}
	given := map[*cue]bool{}
	for _, a := range book.possible(m.heard) {
		if !given[a.cue] && m.meets(a) {
			given[a.cue] = true
			r.Weights[a.cue.intent] += float64(a.cue.weight)
		}
	}
	r.learn(book.intents())
	most := max(enough, r.Weights[Other])
	for _, intent := range book.intents() {
		if w := r.Weights[intent]; w > most && (intent != Create || w > enoughToArrange) {
			r.Intent, most = intent, r.Weights[intent]
		}
	}
	r.Confidence = confidence(r.Weights, r.Intent)
}

// learn adds what the learned model makes of the words. An intent that it was not taught, but that has cues, is
// as probable to it as the most probable one, so that the cues decide between the two.
func (r *reading) learn(intents []Intent) {
	guess := kind.Predict(readable(r.data.Message))
	most, _ := guess.Evidence(guess.Kind)
	worth := perNat
	if r.data.HasEvent || r.data.HasActivities {
		worth = perNatLater
	}
	for _, intent := range intents {
		if evidence, taught := guess.Evidence(string(intent)); taught {
			r.Weights[intent] += worth * evidence
		} else if r.Weights[intent] > 0 {
			r.Weights[intent] += worth * most
		}
	}
}

// confidence is the probability of an intent among all with weights.
func confidence(weights map[Intent]float64, intent Intent) float64 {
	sum := 0.0
	for _, w := range weights {
		sum += math.Exp((w - weights[intent]) / spread)
	}
	return 1 / max(1, sum)
}

// meaning is a message with everything that cues ask about it, each property found once.
type meaning struct {
	*sentence
	data  *classifyData
	heard heard
	known map[string]bool
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
		has = properties[c.property](m.sentence, m.data)
		m.known[c.property] = has
	}
	return has
}

// properties are what cues may ask of a message beside its words.
var properties = map[string]func(*sentence, *classifyData) bool{
	"timed":    func(s *sentence, _ *classifyData) bool { return len(s.time.Entities) > 0 },
	"dated":    func(s *sentence, _ *classifyData) bool { return len(s.time.Dates) > 0 },
	"people":   func(s *sentence, _ *classifyData) bool { return len(s.peopleOf(&s.venue)) > 0 },
	"place":    func(s *sentence, _ *classifyData) bool { return !s.venue.empty() },
	"activity": func(s *sentence, _ *classifyData) bool { _, named := s.activityOf(); return named },
	"outing": func(s *sentence, _ *classifyData) bool {
		a, named := s.activityOf()
		return named && a.kind == "custom"
	},
	"exact":    func(s *sentence, _ *classifyData) bool { return s.time.Exact != nil },
	"noted":    func(s *sentence, _ *classifyData) bool { return s.noted() },
	"question": func(s *sentence, _ *classifyData) bool { return s.asks() },
	"short":    func(s *sentence, _ *classifyData) bool { return s.size <= shortMessage },
	"brief":    func(s *sentence, _ *classifyData) bool { return s.size <= 3 },
	"proposal": func(_ *sentence, d *classifyData) bool { return d.HasEvent },
	"ideas":    func(_ *sentence, d *classifyData) bool { return d.HasActivities },
	"choice":   func(s *sentence, _ *classifyData) bool { return s.choice(8) > 0 },
	"change":   func(s *sentence, _ *classifyData) bool { return s.wantsChange() },
	"wish":     func(s *sentence, _ *classifyData) bool { return s.wantsEvent() },
	"shift": func(s *sentence, _ *classifyData) bool {
		return s.time.Shift != (when.Shift{}) || s.time.EndsAt != nil
	},
	"long": func(s *sentence, _ *classifyData) bool { return s.time.Duration >= time.Minute },
}

// shortMessage is how many words a message has that can hardly say two things.
const shortMessage = 6
