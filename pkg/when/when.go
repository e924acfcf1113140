// Package when reads what a sentence says about time: "Thurs or Fri after 4, not before Thanksgiving, 90 min" → days,
// days left out, windows, an exact start, a length. It reads English, Hebrew and Spanish.
//
// It works in five steps.
//
//  1. The text becomes tokens (token.go).
//  2. They are translated into the words of the grammar, turn of phrase by turn of phrase, with misspelt words mended
//     (tongue.go, translate.go, lexicon.go). A language is a folder with a file of words, whose form stands in
//     en/words.txt; nothing else in the package knows it.
//  3. A grammar turns tokens into items: days, times, lengths, links like "or", negations. It is data: en/rules.txt has
//     the rules, en/grammar.txt their vocabulary. One matcher holds a text against the expressions of a rule
//     (expression.go, grammar.go), slots read their parts (slots.go), and a function of a few lines makes days or hours
//     of them (days.go, month.go, part.go, length.go). A rule looks from one token; the longest phrase counts. What
//     depends on numbers and marks more than on words is code: clock.go, numericday.go, and what joins two days or two
//     hours (bound.go, crossing.go).
//  4. Clauses say what is taken back, what keeps people and which bounds are denied (clause.go, correction.go).
//  5. The items are put together into a Reading (assemble.go, resolve.go): which hours go with which days, what is
//     narrowed by what, what is left out.
//
// Every step looks at each token a bounded number of times, so that reading is linear in the length of the text. A new
// expression is a word on a line of en/rules.txt or en/grammar.txt; a new language is a folder.
package when

import (
	"time"

	"convene/pkg/interval"
)

// Reading is what a text says about when. Its zero value says nothing.
type Reading struct {
	// Entities are the phrases of time in the text, in order and without overlap.
	Entities []Entity
	// Dates are the days wanted, in order; none means that no day was named.
	Dates []interval.DateRange
	// ExcludedDates are days that must not be; ExcludedWeekdays hold for every week ("no Mondays").
	ExcludedDates    []interval.DateRange
	ExcludedWeekdays []time.Weekday
	// Confidence is how sure the reading is: 1 where it could only be read so, 0 where nothing is about time. Whatever had
	// to be guessed takes a part of it: a spelling, the half of the day of an hour that nothing tells, whether 5/6 is in
	// May.
	Confidence float64
	// NoSuchDays are the days named that no calendar has, in words: "February 30". They are in no other field.
	NoSuchDays []string
	// Hours are the times wanted on those days; empty means that no time was named.
	Hours Hours
	// ExcludedHours are times that must not be.
	ExcludedHours Hours
	// Exact is the one start time that was named; nil where none or several were.
	Exact *interval.Clock
	// Moment is the start that was counted from now ("in 20 minutes"), to the minute; nil where none was. Exact is the
	// next five minutes after it.
	Moment *time.Time
	// About says that Hours bound the start only ("around 7"), so that an event may run past their end.
	About bool
	// Duration is the length that was named, 0 where none was. "From 2 to 4" names two hours.
	Duration time.Duration
	// EndsAt is the end that was named without a start ("until 5", of something that is being changed).
	EndsAt *interval.Clock
	// Days is how many days the event lasts, where it was said in days or weeks; 0 otherwise.
	Days int
	// Before is the day named as a bound of the days: Friday in "before Friday", the first day after the week in "by the
	// end of next week". Nil where none was.
	Before *interval.Date
	// Travel is time to get there, 0 where none was named, and TravelSide where it is wanted.
	Travel     time.Duration
	TravelSide Side
	// Shift is a change relative to an earlier time ("an hour later", "the week after").
	Shift Shift
	// AllDay and Soonest stand for "all day" and "as soon as possible".
	AllDay  bool
	Soonest bool
}

// Says reports whether the text names any day or time to meet at.
func (r Reading) Says() bool {
	return len(r.Dates) > 0 || !r.Hours.Empty() || r.Shift != (Shift{}) || r.Duration > 0 || r.AllDay ||
		len(r.ExcludedDates) > 0 || len(r.ExcludedWeekdays) > 0 || !r.ExcludedHours.Empty() || r.EndsAt != nil
}

// Hours are windows by weekday, and by date where single dates have their own. A date in On ignores its weekday.
type Hours struct {
	Week interval.Week
	On   []DateHours
}

// DateHours are the windows of one date.
type DateHours struct {
	Date    interval.Date
	Windows []interval.Window
}

// Empty reports whether no day has any hours.
func (h Hours) Empty() bool { return h.Week.Empty() && len(h.On) == 0 }

// Shift moves an earlier proposal. Minutes are negative for earlier; Days move whole days, and Weeks name the week that
// many weeks on ("the week after": any day of it).
type Shift struct {
	Minutes int
	Days    int
	Weeks   int
}

// Side says on which side of an event something lies.
type Side uint8

// The sides.
const (
	BothSides Side = iota
	BeforeIt
	AfterIt
)

// Kind says what a phrase speaks of.
type Kind string

// The kinds of entities.
const (
	KindDate     Kind = "date"
	KindTime     Kind = "time"
	KindDuration Kind = "duration"
	KindTravel   Kind = "travel"
	KindShift    Kind = "shift"
	// KindExclusion is a negation with what it negates.
	KindExclusion Kind = "exclusion"
	// KindWithdrawn is what the text takes back further on, with the words that do: "friday at, no wait,".
	KindWithdrawn Kind = "withdrawn"
	// KindUnexpressed was read and has no place in a Reading: a zone that is not known, a second length.
	KindUnexpressed Kind = "unexpressed"
	// KindNoDay is a day that does not exist.
	KindNoDay Kind = "no such day"
)

// Entity is a phrase of time: text[Start:End], prepositions included ("on Tuesday", "for 30 minutes").
type Entity struct {
	Kind       Kind
	Start, End int
	// Days are those that a week, a month or a season has, also the past ones, which are not in Reading.Dates. Its zero
	// value is for all other phrases.
	Days interval.DateRange
	// Every says that the phrase means each of its days: "every Monday", "each morning".
	Every bool
}

// Occasion says in which half of the day a thing usually happens, for hours said without am or pm: "at 8" of a dinner
// is in the evening.
type Occasion uint8

// The occasions. AnyTime leaves it to the text: a meal that it names, or else the usual hours.
const (
	AnyTime Occasion = iota
	Morning
	Evening
	// Meal is lunch or dinner, whichever the hour suits: 11 to 3 at noon, later hours in the evening.
	Meal
)

// Setting is what is known beside the text. Its zero value knows nothing.
type Setting struct {
	// Occasion is of the thing that the text is about, as of the event that is being changed. A meal that the text itself
	// names goes first.
	Occasion Occasion
	// Week is a day in the week that is being talked about: a mere "Thursday" is the one of that week, if it is still to
	// come.
	Week interval.Date
	// Start is that of the event that is being changed; zero where there is none. "Later in the week" is counted from it,
	// and "not Tuesday, Thursday" corrects it.
	Start time.Time
	// Day is the one that is being talked about, which "that day" means; zero if there is none.
	Day interval.Date
	// Standing says that the text is about what stands already: a mere "from Thursday" is then what is on Thursday, and
	// not all that comes after it too; and so is "para el jueves", which is a deadline elsewhere.
	Standing bool
	// Past says that the text asks for what has been: a date without its year, or a day without its month, is then one
	// that is past.
	Past bool
	// Language is the tag of the language in which the text is written: "en", "he", "es". Where it is empty or another,
	// the text itself tells.
	Language string
	// Zone is the zone of a person: of a name, or of "her", "his", "him", "them" or "their" of the person talked about. It
	// is nil for one who is not known; a nil function knows nobody.
	Zone func(who string) *time.Location
}

// Read reads a text as it is meant at now, in now's zone. It never fails: what it does not understand says
// nothing about time.
func Read(text string, now time.Time) Reading { return Setting{}.Read(text, now) }

// Read is Read with what is known beside the text.
func (s Setting) Read(text string, now time.Time) Reading {
	p := s.parser(text, now)
	return assemble(p, p.prepared())
}

// Weekday is the day of the week that a text names without saying in which week: "Tuesday", and not "Tuesday the 4th".
func (s Setting) Weekday(text string, now time.Time) (day time.Weekday, ok bool) {
	const far = 14
	one := func(r Reading) (interval.Date, bool) {
		single := len(r.Dates) == 1 && r.Dates[0].Start == r.Dates[0].End
		if !single {
			return interval.Date{}, false
		}
		return r.Dates[0].Start, true
	}
	here, ok := one(s.Read(text, now))
	if !ok {
		return 0, false
	}
	s.Week = here.AddDays(far)
	there, ok := one(s.Read(text, now))
	return here.Weekday(), ok && here != there && here.Weekday() == there.Weekday()
}

// prepared are the items of the text after what clauses say of them: what is taken back, what keeps someone, and
// bounds that are turned round.
func (p *parser) prepared() []item {
	return p.turned(p.busied(p.corrected(zoned(p.parted(p.items())))))
}

func (s Setting) parser(text string, now time.Time) *parser {
	raw := tokenize(text)
	t := tongueOf(raw, text, s.Language)
	tokens, steps := t.translate(raw)
	for n := range tokens {
		first := tokens[n].text
		if tokens[n].kind == number {
			first = anyFigures
		}
		tokens[n].begins = theGrammar.begins[first]
	}
	return &parser{
		grammar: theGrammar, tokens: tokens, steps: steps, tongue: t, now: now, today: interval.DateOf(now), setting: s,
		text: text,
	}
}
