package meet

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// EventType is how people meet.
type EventType string

// The three ways to meet.
const (
	InPerson EventType = "in-person"
	Video    EventType = "video"
	Phone    EventType = "phone"
)

// Activity is the purpose of a meeting. Its usual hours bound the offered times.
type Activity string

// The activities that have usual hours and durations of their own.
const (
	Coffee    Activity = "coffee"
	Breakfast Activity = "breakfast"
	Brunch    Activity = "brunch"
	Lunch     Activity = "lunch"
	Dinner    Activity = "dinner"
	Drinks    Activity = "drinks"
	Meeting   Activity = "meeting"
	Call      Activity = "call"
	// Custom is leisure: anything that is none of the others.
	Custom Activity = "custom"
)

// Specificity is how far the user settled on a place.
type Specificity string

// One venue, a kind of venue, or neither.
const (
	SpecificPlace Specificity = "specific_place"
	ActivityType  Specificity = "activity_type"
	Open          Specificity = "open"
)

// Template is a request as understood, before any calendar is read. Dates and hours are in the turn's zone and concern
// the event itself; the slot search adds travel.
type Template struct {
	Title     string    `json:"title"`
	EventType EventType `json:"eventType"`
	Activity  Activity  `json:"activity"`
	// Duration is the event's length in minutes, without travel.
	Duration int `json:"duration"`
	// Dates are the wanted days; none means any day soon.
	Dates []interval.DateRange `json:"preferredSchedulableDates,omitempty"`
	// Hours are the wanted times on those days; nil means any usual time.
	Hours         *Hours               `json:"preferredSchedulableHours,omitempty"`
	ExcludedDates []interval.DateRange `json:"excludedDates,omitempty"`
	ExcludedHours *Hours               `json:"excludedHours,omitempty"`
	// Participants are the names in the message, as written.
	Participants        []string     `json:"participants,omitempty"`
	SuggestedPlaceTypes []string     `json:"suggestedPlaceTypes,omitempty"`
	Specificity         Specificity  `json:"intentSpecificity,omitempty"`
	ActivitySearchQuery string       `json:"activitySearchQuery,omitempty"`
	PlaceName           string       `json:"placeName,omitempty"`
	Wishes              Wishes       `json:"placeWishes,omitzero"`
	TravelBuffer        TravelBuffer `json:"travelBuffer,omitzero"`
	// Urgent says that the user's words call the event urgent. No model sets it.
	Urgent bool `json:"urgent,omitempty"`
}

// Hours are windows by weekday. A date in On ignores its weekday.
type Hours struct {
	Week interval.Week `json:"week"`
	On   []DateHours   `json:"on,omitempty"`
}

// DateHours are the windows of one date.
type DateHours struct {
	Date    interval.Date     `json:"date"`
	Windows []interval.Window `json:"windows"`
}

// For returns the windows on d; none means that the day has no hours.
func (h Hours) For(d interval.Date) []interval.Window {
	if i := slices.IndexFunc(h.On, func(o DateHours) bool { return o.Date == d }); i >= 0 {
		return h.On[i].Windows
	}
	return h.Week[d.Weekday()]
}

// Empty reports whether no day has any hours.
func (h Hours) Empty() bool { return h.Week.Empty() && len(h.On) == 0 }

// TravelBuffer is travel time in minutes. It must be free, and is not part of the event.
type TravelBuffer struct {
	BeforeMinutes int `json:"beforeMinutes"`
	AfterMinutes  int `json:"afterMinutes"`
	// Derived says that the buffer was not requested: it follows from the organizer's events before and after, and applies
	// to the organizer only. A requested one applies to everyone.
	Derived bool `json:"derived,omitempty"`
}

// Shared is the buffer if it applies to everyone, and zero otherwise.
func (b TravelBuffer) Shared() TravelBuffer {
	if b.Derived {
		return TravelBuffer{}
	}
	return b
}

// Before is the way there.
func (b TravelBuffer) Before() time.Duration { return time.Duration(b.BeforeMinutes) * time.Minute }

// After is the way back.
func (b TravelBuffer) After() time.Duration { return time.Duration(b.AfterMinutes) * time.Minute }

// Length is the event's duration.
func (t Template) Length() time.Duration { return time.Duration(t.Duration) * time.Minute }

// Remote reports whether the participants need not be in one place.
func (t Template) Remote() bool { return t.EventType == Video || t.EventType == Phone }

// NeedsPresence reports whether nobody does by a call what was asked for: to eat, to drink, to play or to walk, or
// something of a certain kitchen, in an area or at a place of some sort. A talk over coffee may be a call.
func (t Template) NeedsPresence() bool {
	switch {
	case t.Remote():
		return false
	case t.ActivitySearchQuery != "" || t.Wishes.Where != (Whereabouts{}) || len(t.Wishes.Features) > 0:
		return true
	}
	switch t.Activity {
	case Breakfast, Brunch, Lunch, Dinner, Drinks:
		return true
	case Custom:
		return len(t.SuggestedPlaceTypes) > 0
	default:
		return false
	}
}

// NamesTime reports whether the user asked for any days or hours.
func (t Template) NamesTime() bool { return len(t.Dates) > 0 || t.Hours != nil }

// NamesPlace reports whether the user named a venue.
func (t Template) NamesPlace() bool { return t.PlaceName != "" || t.Specificity == SpecificPlace }

// ExactStart is the single exact start time that the user named: on a date if the template has just one day, otherwise
// with a zero date.
func (t Template) ExactStart() (day interval.Date, at interval.Clock, ok bool) {
	if t.Hours == nil {
		return day, 0, false
	}
	if len(t.Dates) == 1 && t.Dates[0].Start == t.Dates[0].End {
		day = t.Dates[0].Start
		w := t.Hours.For(day)
		if len(w) == 1 && w[0].Exact() {
			return day, w[0].Start, true
		}
		return interval.Date{}, 0, false
	}
	first := -1
	for _, windows := range t.Hours.Week {
		for _, w := range windows {
			if !w.Exact() || (first >= 0 && first != int(w.Start)) {
				return day, 0, false
			}
			first = int(w.Start)
		}
	}
	return day, interval.Clock(max(first, 0)), first >= 0 && len(t.Hours.On) == 0
}

// Mode says whether a template is new or a change of an earlier one.
type Mode string

// The two modes.
const (
	ModeNew  Mode = "new"
	ModeEdit Mode = "edit"
)

// TimePreference is relative to the previous event's start.
type TimePreference string

// The preferences.
const (
	NoPreference TimePreference = ""
	Earlier      TimePreference = "earlier"
	Later        TimePreference = "later"
)

// Edit says what a change touched. Its zero value changed nothing.
type Edit struct {
	ChangedTime  bool `json:"changedTime,omitempty"`
	ChangedPlace bool `json:"changedPlace,omitempty"`
	// NamedType marks a change that says whether to meet or to call.
	NamedType bool `json:"namedType,omitempty"`
	// Elsewhere marks a change that asks for a place not shown before.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Conditional marks a question ("do I have any earlier times?") rather than an order: without a match the event stays
	// as it is, and with one it is proposed and never booked unconfirmed.
	Conditional bool           `json:"conditional,omitempty"`
	Preference  TimePreference `json:"timePreference,omitempty"`
	// Undo is how many earlier edits this one takes back; then Start is when the event was before these.
	Undo  int       `json:"undo,omitempty"`
	Start time.Time `json:"start,omitzero"`
}

// Draft is the result of stage 3: a finished template with what the later stages need, or an Ending of the turn.
type Draft struct {
	Mode     Mode
	Template Template
	// People excludes the organizer.
	People []Person
	// Undecided are names that the message mentions without saying whether the people take part.
	Undecided []string `json:",omitempty"`
	// Absent are the names by which the message mentions people who do not take part.
	Absent []string `json:",omitempty"`
	// Edit, Previous, CachedPlaces and Before are set in ModeEdit only. Before is the search being edited, without its
	// event and candidates: the conversation may expire before the turn ends.
	Edit         *Edit
	Previous     *Event
	CachedPlaces []Place
	Before       *Search
	// PlaceQuery is nil if no place is needed. Around is the person in the template's wishes; nil if none is named or the
	// name is unknown.
	PlaceQuery *PlaceQuery
	Around     *Person
	// Older lists the wishes for a place that earlier messages made and this one keeps, oldest first: they are given up
	// before the newest.
	Older []Wish
	// FixedPlace is the venue of the requested suggestion; no other is searched. OnlyThen says that it takes place at the
	// template's time only: no other time is offered until the user asks for one.
	FixedPlace *Place
	OnlyThen   bool
	// Apart is set if people live too far apart to meet.
	Apart *Apart
	// Heard is what the built-in rules read in the same words, to compare with the draft; nil for no comparison.
	Heard *Heard
	// Anchor is the event of the organizer's calendar by which the message names a time; nil if it names none. Anchored is
	// what it was found to be, for the organizer's eyes alone.
	Anchor   *CalendarAnchor
	Anchored []AnchorEvent
	// Unhandled are phrases of the message that the template does not express.
	Unhandled []string
	// Ending is nil if the draft goes on to stage 4.
	Ending Ending
}

// Everyone lists all participants, the organizer first.
func (d Draft) Everyone(organizer Person) []Person { return append([]Person{organizer}, d.People...) }

// During is the event of the organizer's calendar that the draft's event is to take place during; nil if there is none.
func (d Draft) During() *AnchorEvent {
	if d.Anchor == nil || d.Anchor.Relation != During || len(d.Anchored) == 0 {
		return nil
	}
	return &d.Anchored[0]
}

// KeptStart is when an edit leaves the event, or takes it back to; zero if the edit moves it or there is none.
func (d Draft) KeptStart() time.Time {
	switch {
	case d.Edit == nil || d.Previous == nil:
		return time.Time{}
	case d.Edit.Undo > 0:
		return d.Edit.Start
	case d.Edit.ChangedTime:
		return time.Time{}
	}
	return d.Previous.Start
}

// KeepsPlace reports whether an edit leaves the event's place as it was.
func (d Draft) KeepsPlace() bool {
	return d.Edit != nil && !d.Edit.ChangedPlace && d.Previous != nil && d.Previous.Place != nil
}
