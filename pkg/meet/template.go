package meet

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// EventType says how people meet.
type EventType string

// The three ways to meet.
const (
	InPerson EventType = "in-person"
	Video    EventType = "video"
	Phone    EventType = "phone"
)

// Activity is what people meet for. Its usual hours bound the offered times.
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

// Specificity says how far the user settled on a place.
type Specificity string

// One venue, a kind of venue, or neither.
const (
	SpecificPlace Specificity = "specific_place"
	ActivityType  Specificity = "activity_type"
	Open          Specificity = "open"
)

// Template is what was understood of a wish, before any calendar is looked at. Dates and hours are local to the
// turn's zone and speak of the event itself; travel comes on top when slots are searched.
type Template struct {
	Title     string    `json:"title"`
	EventType EventType `json:"eventType"`
	Activity  Activity  `json:"activity"`
	// Duration is the event's length in minutes, without travel.
	Duration int `json:"duration"`
	// Dates are the days wanted; none means any day soon.
	Dates []interval.DateRange `json:"preferredSchedulableDates,omitempty"`
	// Hours are the times wanted on those days; nil means any usual time.
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
}

// Hours are windows by weekday, and by date where one date differs. A date listed in On ignores its weekday.
type Hours struct {
	Week interval.Week `json:"week"`
	On   []DateHours   `json:"on,omitempty"`
}

// DateHours are the windows of one date.
type DateHours struct {
	Date    interval.Date     `json:"date"`
	Windows []interval.Window `json:"windows"`
}

// For is the windows that hold on d; none means that the day has no hours.
func (h Hours) For(d interval.Date) []interval.Window {
	if i := slices.IndexFunc(h.On, func(o DateHours) bool { return o.Date == d }); i >= 0 {
		return h.On[i].Windows
	}
	return h.Week[d.Weekday()]
}

// Empty reports whether no day has any hours.
func (h Hours) Empty() bool { return h.Week.Empty() && len(h.On) == 0 }

// TravelBuffer is time to get there and back, in minutes. It must be free, and is not part of the event.
type TravelBuffer struct {
	BeforeMinutes int `json:"beforeMinutes"`
	AfterMinutes  int `json:"afterMinutes"`
	// Derived says that nobody asked for it: it follows from where the organizer is before and after, and goes for the
	// organizer only. One that was asked for goes for everybody.
	Derived bool `json:"derived,omitempty"`
}

// Shared is the buffer where it goes for everybody, and none otherwise.
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

// Remote reports whether people meet without being in one place.
func (t Template) Remote() bool { return t.EventType == Video || t.EventType == Phone }

// NamesTime reports whether the user said anything about when.
func (t Template) NamesTime() bool { return len(t.Dates) > 0 || t.Hours != nil }

// NamesPlace reports whether the user named a venue.
func (t Template) NamesPlace() bool { return t.PlaceName != "" || t.Specificity == SpecificPlace }

// ExactStart is the one start time that the user named, where it is a single exact time: on a date where the
// template has just one day, otherwise with a zero date.
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

// TimePreference is a wish relative to the previous event's start.
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
	// NamedType marks a change that says whether people meet or call.
	NamedType bool `json:"namedType,omitempty"`
	// Elsewhere marks a change that asks for another place than those that were shown.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Conditional marks a question ("do I have any earlier times?") rather than an order: without a match the
	// event stays as it is, and with one it is proposed and never booked unconfirmed.
	Conditional bool           `json:"conditional,omitempty"`
	Preference  TimePreference `json:"timePreference,omitempty"`
}

// Draft is what stage 3 makes of a message: a finished template with what the later stages need to know of it, or an
// Ending of the turn.
type Draft struct {
	Mode     Mode
	Template Template
	// People are those beside the organizer.
	People []Person
	// Edit, Previous, CachedPlaces and Before are set in ModeEdit only. Before is the search that is edited, without its
	// event and its candidates: the conversation may be forgotten before the turn has ended.
	Edit         *Edit
	Previous     *Event
	CachedPlaces []Place
	Before       *Search
	// PlaceQuery is nil where no place has to be searched. Around is the person whom the template's wishes name, nil where
	// they name nobody or nobody who is known.
	PlaceQuery *PlaceQuery
	Around     *Person
	// Older are those wishes for a place that earlier messages made and this one leaves as they are, the oldest first:
	// they are given up before the newest.
	Older []Wish
	// FixedPlace is the venue of a suggestion that the request means; nothing is searched then. OnlyThen says that it is
	// at the time of the template and at no other: none is offered instead, until somebody asks for one.
	FixedPlace *Place
	OnlyThen   bool
	// Apart is there where people live too far from each other to meet.
	Apart *Apart
	// Heard is what rules read in the same words, to hold the draft against; nil if nothing is to be.
	Heard *Heard
	// Ending is nil if there is a draft to go on with.
	Ending Ending
}

// Everyone is all who take part, the organizer first.
func (d Draft) Everyone(organizer Person) []Person { return append([]Person{organizer}, d.People...) }

// KeepsPlace reports whether an edit leaves the place of the event as it was.
func (d Draft) KeepsPlace() bool {
	return d.Edit != nil && !d.Edit.ChangedPlace && d.Previous != nil && d.Previous.Place != nil
}
