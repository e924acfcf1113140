package meet

import (
	"cmp"
	"encoding/json"
	"slices"
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
	// Tell, where not nil, is called with each person's schedule as soon as it is there, by one goroutine at a time and
	// never after the answer. It must not block.
	Tell func(PersonID, Schedule)
}

// Schedule is what a person's calendars say.
type Schedule struct {
	Availability interval.Availability
	Status       CalendarStatus
	// Providers are those that keep a calendar of the person's, the one to write to first.
	Providers []string
	// Stays are those of the busy times of which the calendars say where they are. They are for reckoning with only:
	// nobody is ever shown one of somebody else's.
	Stays []Stay
}

// Stay is an event that takes somebody's time at a place that is known.
type Stay struct {
	Span interval.Span `json:"span"`
	At   geo.Point     `json:"at"`
	// Taken is what the event keeps busy, where that is more than Span: the way there and back too.
	Taken interval.Span `json:"taken,omitzero"`
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
	// Text is a sentence for the user in the language of the turn, where there are words for it: "Al has another event".
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
	// Text is a sentence for the user in the language of the turn, where there are words for it: "any day instead of
	// Tuesday gives 6 times".
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
	// Features are what the place should have; one that has not is found too, behind those that have.
	Features []Feature `json:"features,omitempty"`
	// Area and Landmark say where to look beside what Text says of it, as Whereabouts does.
	Area     string `json:"area,omitempty"`
	Landmark string `json:"landmark,omitempty"`
	// Excluded are the names of venues that must not be found, however people write them. Without are those that were
	// shown before: the keys of single ones, and the exact names of those of which no branch must be found.
	Excluded []string `json:"excluded,omitempty"`
	Without  []string `json:"without,omitempty"`
	// Near is the midpoint of the participants' locations; nil means that nobody's is known. Close says that people want
	// to be close to it, as to a landmark, and not merely that it lies between them.
	Near  *geo.Point `json:"near,omitempty"`
	Close bool       `json:"close,omitempty"`
	Limit int        `json:"limit,omitempty"`
}

// Less is the query without some of its wishes.
func (q PlaceQuery) Less(wishes []Wish) PlaceQuery {
	q.Features = slices.DeleteFunc(slices.Clone(q.Features), func(f Feature) bool {
		return slices.Contains(wishes, Wish(f))
	})
	if slices.Contains(wishes, Somewhere) {
		q.Area, q.Landmark, q.Close = "", "", false
	}
	return q
}

// MinRating is the lowest rating of a place that is offered, in stars of 5. An unrated place ranks as one of it.
const MinRating = 4.0

// Place is a venue.
type Place struct {
	ID       string    `json:"id,omitempty"`
	Name     string    `json:"name"`
	Address  string    `json:"address,omitempty"`
	Location geo.Point `json:"location"`
	Types    []string  `json:"types,omitempty"`
	// Rating is 0 to 5 stars; 0 means unrated.
	Rating float64 `json:"rating,omitempty"`
	// Price is 1, cheap, to 4, very expensive; 0 means unknown.
	Price                  int     `json:"price,omitempty"`
	DistanceFromMidpointKm float64 `json:"distanceFromMidpointKm"`
	// DistanceFromAnchorKm is how far it is from whom the place should be close to; 0 where that is nobody.
	DistanceFromAnchorKm float64 `json:"distanceFromAnchorKm,omitempty"`
	// TravelMinutes is how long each participant takes to get there from where they usually set out, the organizer first.
	// Those of whom nobody knows where that is are not in it.
	TravelMinutes []Way  `json:"travelMinutes,omitempty"`
	MapsURL       string `json:"mapsUrl,omitempty"`
	// Credit is what the source wants to be shown with the place, as "Powered by Foursquare", and PageURL the source's
	// own page of the place, to which it wants a link.
	Credit  string  `json:"credit,omitempty"`
	PageURL string  `json:"pageUrl,omitempty"`
	Photos  []Photo `json:"photos,omitempty"`
	// OpeningHours are in Timezone; nil means unknown, which is not the same as closed.
	OpeningHours *interval.Week `json:"openingHours,omitempty"`
	Timezone     string         `json:"timezone,omitempty"`
	Features     []string       `json:"features,omitempty"`
	// Lacks are the features that the place is known not to have. What is in neither list is not known.
	Lacks []Feature `json:"lacks,omitempty"`
	// Wishes is how the place stands to what was wished for; nil where nothing was.
	Wishes *Fit `json:"wishes,omitempty"`
	// Named says that this is the venue, or a branch of it, that the query asked for by name.
	Named bool `json:"named,omitempty"`
	// InArea says that the query named a neighbourhood, a landmark or a point to be close to, and that this venue lies
	// there.
	InArea bool `json:"inArea,omitempty"`
	// Merit is how well the venue is what was looked for, in stars: what of the finder's ranking is neither rating nor
	// distance.
	Merit float64 `json:"merit,omitempty"`
}

// Way is how long one participant is on the way, in minutes, in steps of five: enough to compare, and too little to
// tell where somebody lives.
type Way struct {
	Person  PersonID `json:"person,omitempty"`
	Name    string   `json:"name"`
	Minutes int      `json:"minutes"`
}

// Photo is a picture of a place that may be shown where its credit is.
type Photo struct {
	URL string `json:"url"`
	// Credit says whose it is where the place's own credit does not.
	Credit string `json:"credit,omitempty"`
}

// Key tells places apart, the branches of a chain too.
func (p Place) Key() string { return cmp.Or(p.ID, p.Name) }

// Same reports whether o is the same venue: by id where both have one, by name otherwise.
func (p Place) Same(o Place) bool {
	if p.ID != "" && o.ID != "" {
		return p.ID == o.ID
	}
	return strings.EqualFold(p.Name, o.Name)
}

// BranchOf reports whether p is a branch of the venue that the user named, as o is.
func (p Place) BranchOf(o Place) bool { return p.Named && p.Name == o.Name }

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
	Slots  []Slot  `json:",omitempty"`
	Places []Place `json:",omitempty"`
	// Lists are the slots and the places in JSON, if they have been encoded. Clear it when one of them changes.
	Lists Lists `json:"-"`
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
	// Search is where the search for places had to depart from what was wished.
	Search SearchNotes
	// Pairs say what is known of each place, by its index, at the time of each slot, by its index. Nil means that nothing
	// stands against any pair but opening hours.
	Pairs [][]Pair
	// Apart is there where people live too far from each other to meet.
	Apart *Apart
	// RouterFailed says that travel times are estimates because the router did not answer.
	RouterFailed bool
}

// Lists are slots and places in JSON, encoded once for all that keep them.
type Lists struct{ Slots, Places []byte }

// Encode encodes the lists, for the candidates and for the search that comes of them.
func (c *Candidates) Encode() (err error) {
	if c.Lists.Slots, err = json.Marshal(c.Slots); err == nil {
		c.Lists.Places, err = json.Marshal(c.Places)
	}
	return err
}

// SearchNotes say where a search for places had to depart from what was wished. The zero value is a search as wished.
type SearchNotes struct {
	// Around is whom the places are close to, "me" for whoever asks, and Anchor where; empty where they are between
	// everybody.
	Around string `json:"around,omitempty"`
	Anchor Anchor `json:"anchor,omitempty"`
	// NoOffice names somebody whose office is not known, so that the places are close to where they usually are, and
	// NoLocation somebody of whom neither is.
	NoOffice   string `json:"noOffice,omitempty"`
	NoLocation string `json:"noLocation,omitempty"`
	// Nowhere says that nothing was found because nobody's location is known and the wish does not say where.
	Nowhere bool `json:"nowhere,omitempty"`
	// Farther says that nothing was found where the wish said, and that the places are the nearest to it.
	Farther bool `json:"farther,omitempty"`
	// Repeated says that there is nothing left that was not shown before.
	Repeated bool `json:"repeated,omitempty"`
	// GivenUp are the features that were not looked for any more, because no place with all of them goes with the time.
	GivenUp []Feature `json:"givenUp,omitempty"`
}

// Pair is a place at the time of a slot.
type Pair struct {
	// Late says that somebody cannot be there for all of the time: the way from the event before, or to the one after,
	// takes longer than there is. Rushed says the same of those alone of whom the slot itself says it: who takes the slot
	// takes that way, and no other.
	Late   bool `json:"late,omitempty"`
	Rushed bool `json:"rushed,omitempty"`
	// Travel is what the organizer needs to get there and to the event after.
	Travel TravelBuffer `json:"travel,omitzero"`
}

// Pair is what is known of a place at the time of a slot.
func (c Candidates) Pair(slot, place int) Pair {
	if slot < 0 || slot >= len(c.Pairs) || place < 0 || place >= len(c.Pairs[slot]) {
		return Pair{}
	}
	return c.Pairs[slot][place]
}

// Apart says that people live in different cities.
type Apart struct {
	// Names are the two who live farthest from each other.
	Names []string `json:"names"`
	// Video says that a video call takes the place of meeting; it does not where the user insists on meeting, or has
	// said where.
	Video bool `json:"video"`
}

// Selection is what a model chose, before anything of it is believed: indices into the candidates, best first, and
// the message.
type Selection struct {
	Slots            []int
	Places           []int
	CalendarProvider string
	Message          string
}
