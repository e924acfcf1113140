package meet

import (
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
)

// BusyQuery asks for people's busy times.
type BusyQuery struct {
	People []Person
	Span   interval.Span
	// Except is the UID of an event that does not count, because it is the one being moved.
	Except string
	// Fresh asks the calendars as they are at this moment, past everything that was read before: what is to be booked
	// is asked so.
	Fresh bool
	// Tell, where not nil, is called with each person's reading as soon as it is there, by one goroutine at a time and
	// never after the answer. It must not block.
	Tell func(PersonID, Reading)
}

// Reading is what one person's calendars said.
type Reading struct {
	Availability interval.Availability
	Status       CalendarStatus
	// Providers are those that keep a calendar of the person's, the one to write to first.
	Providers []string
}

// CalendarStatus tells whether somebody's calendar was read, by whom, and as of when.
type CalendarStatus struct {
	Person PersonID `json:"person"`
	Name   string   `json:"name"`
	// Provider is google, microsoft, caldav, ics, local or request; empty where the person has none.
	Provider string        `json:"provider,omitempty"`
	State    CalendarState `json:"state"`
	AsOf     time.Time     `json:"asOf,omitzero"`
	// Reason says what to do about an unknown calendar; it is empty for a checked one.
	Reason string `json:"reason,omitempty"`
}

// CalendarState is checked or unknown; an unknown calendar is never taken for a free one.
type CalendarState string

// The two states of a calendar.
const (
	Checked           CalendarState = "checked"
	CalendarUnchecked CalendarState = "unknown"
)

// SlotState ranks what is offered: all free before somebody unknown before somebody busy.
type SlotState string

// The three states of a slot, best first.
const (
	SlotFree     SlotState = "free"
	SlotUnknown  SlotState = "unknown"
	SlotConflict SlotState = "conflict"
)

// Slot is a time that may be offered. Start and End are the event's own, in the turn's zone, without travel.
type Slot struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
	State SlotState `json:"state"`
	// Conflicts name who is busy, Unknown whose calendar could not be checked.
	Conflicts []Conflict `json:"conflicts,omitempty"`
	Unknown   []string   `json:"unknown,omitempty"`
}

// Span is the event's time.
func (s Slot) Span() interval.Span { return interval.Span{Start: s.Start, End: s.End} }

// Conflict says who cannot, and never what they do instead.
type Conflict struct {
	Person PersonID     `json:"person,omitempty"`
	Name   string       `json:"name"`
	Kind   ConflictKind `json:"kind"`
	// Text is a sentence for the user, as "Al has another event".
	Text string `json:"text"`
}

// ConflictKind is why a time does not suit someone.
type ConflictKind string

// Why a time does not suit: another event, the way there or back, the hours of work, the night on the person's own
// clock, or the minimum notice.
const (
	ConflictBusy         ConflictKind = "busy"
	ConflictTravel       ConflictKind = "travel"
	ConflictWorkingHours ConflictKind = "outside_working_hours"
	ConflictUsualHours   ConflictKind = "outside_usual_hours"
	ConflictNotice       ConflictKind = "too_soon"
)

// Reason is the smallest change of the wish that would help, and how many times it would give.
type Reason struct {
	Change Change `json:"change"`
	// Person and Name say whom WithoutPerson would leave out; Person is empty for someone whom nobody knows.
	Person PersonID `json:"person,omitempty"`
	Name   string   `json:"name,omitempty"`
	// Text is a sentence for the user, as "any day instead of Tuesday gives 6 times".
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// Change names a wish that could be given up.
type Change string

// The changes that a reason can propose.
const (
	AnyDay              Change = "any_day"
	AnyTime             Change = "any_time"
	AnyDayAndTime       Change = "any_day_and_time"
	Shorter             Change = "shorter"
	NoTravelBuffer      Change = "no_travel_buffer"
	OutsideWorkingHours Change = "outside_working_hours"
	WithoutPerson       Change = "without_person"
	AllowExcluded       Change = "allow_excluded"
)

// PlaceQuery is what to look for and around what.
type PlaceQuery struct {
	// Name is one venue that the user named; Text is free ("outdoor seating"); Types are kinds ("cafe").
	Name  string   `json:"name,omitempty"`
	Text  string   `json:"text,omitempty"`
	Types []string `json:"types,omitempty"`
	// Near is the midpoint of the participants' locations; nil means that nobody's is known.
	Near  *geo.Point `json:"near,omitempty"`
	Limit int        `json:"limit,omitempty"`
}

// Place is a venue.
type Place struct {
	ID       string    `json:"id,omitempty"`
	Name     string    `json:"name"`
	Address  string    `json:"address,omitempty"`
	Location geo.Point `json:"location"`
	Types    []string  `json:"types,omitempty"`
	// Rating is 0 to 5 stars; 0 means unrated.
	Rating                 float64 `json:"rating,omitempty"`
	DistanceFromMidpointKm float64 `json:"distanceFromMidpointKm"`
	MapsURL                string  `json:"mapsUrl,omitempty"`
	// Credit is what the source wants to be shown with the place, as "Powered by Foursquare".
	Credit string `json:"credit,omitempty"`
	// OpeningHours are in Timezone; nil means unknown, which is not the same as closed.
	OpeningHours *interval.Week `json:"openingHours,omitempty"`
	Timezone     string         `json:"timezone,omitempty"`
	Features     []string       `json:"features,omitempty"`
	// Named says that this is the venue, or a branch of it, that the query asked for by name.
	Named bool `json:"named,omitempty"`
	// InArea says that the query named a neighbourhood or a landmark, and that this venue lies there.
	InArea bool `json:"inArea,omitempty"`
}

// Same reports whether o is the same venue: by id where both have one, by name otherwise.
func (p Place) Same(o Place) bool {
	if p.ID != "" && o.ID != "" {
		return p.ID == o.ID
	}
	return strings.EqualFold(p.Name, o.Name)
}

// Suggestion is something to do that the activity finder found.
type Suggestion struct {
	Title   string     `json:"title"`
	Venue   string     `json:"venue,omitempty"`
	Address string     `json:"address,omitempty"`
	Start   time.Time  `json:"start"`
	End     time.Time  `json:"end"`
	URL     string     `json:"url,omitempty"`
	Point   *geo.Point `json:"location,omitempty"`
	// Kind is what sort of thing it is in one English word, as "music" or "market"; empty where nobody said.
	Kind string `json:"kind,omitempty"`
	// Free says that it costs nothing to get in; false is unknown too.
	Free bool `json:"free,omitempty"`
}

// ActivityQuery asks what there is to do.
type ActivityQuery struct {
	Text string
	// Near is where the people are, and Area what that is called ("Hayes Valley, San Francisco"), where it is known.
	Near *geo.Point
	Area string
	Span interval.Span
	// Dates and Hours are the days and the times of day within Span at which things may begin; none are all.
	Dates []interval.DateRange
	Hours *Hours
	Zone  *time.Location
	Limit int
	// Degraded, where not nil, is called before the answer where it comes from another finder than the configured one,
	// with why.
	Degraded func(why string)
}

// Shown says which alternatives the message lists: the answer of determineAlternativesToShow.
type Shown struct {
	Places          bool `json:"places"`
	Times           bool `json:"times"`
	ConflictWarning bool `json:"conflictWarning"`
}

// Candidates are all that stage 5 may choose from, best first by the code's own ranking.
type Candidates struct {
	Slots  []Slot
	Places []Place
	// HasNoCommonTime says that nothing suits everybody: Slots are then the nearest ones, each with its conflicts.
	HasNoCommonTime bool
	// Past says that this comes of the wish alone, which lies in the past; Skipped, that a daylight-saving change skips
	// the time that was named.
	Past, Skipped bool
	// HasExplicitTimeConflict says that the user named a time that is taken: it is the first slot, as asked.
	HasExplicitTimeConflict bool
	Reasons                 []Reason
	Calendars               []CalendarStatus
	Shown                   Shown
	// PinnedSlot and PinnedPlace say that the first of the list is not the model's to change: the time that the user
	// named, or the time or place that an edit did not speak of.
	PinnedSlot  bool
	PinnedPlace bool
	// Providers are those of the organizer's calendars, the one to write to first.
	Providers []string
	// PlacesFailed says that the search failed, which is not the same as finding nothing.
	PlacesFailed bool
}

// Selection is what a model chose, before anything of it is believed: indices into the candidates, best first, and
// the message.
type Selection struct {
	Slots            []int
	Places           []int
	CalendarProvider string
	Message          string
}
