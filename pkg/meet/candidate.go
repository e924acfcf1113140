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
	// Except is the UID of the event being moved, which does not count as busy.
	Except string
	// Fresh bypasses everything read before: a booking needs the calendars as they are now.
	Fresh bool
	// Tell, if not nil, receives each person's schedule once it is read, from one goroutine at a time and never after the
	// answer. It must not block.
	Tell func(PersonID, Schedule)
}

// Schedule is what a person's calendars say.
type Schedule struct {
	Availability interval.Availability
	Status       CalendarStatus
	// Providers keep a calendar of the person; the first is the one to write to.
	Providers []string
	// Stays are the busy times with a known location. They are for calculations only and are never shown to others.
	Stays []Stay
}

// Stay is an event that keeps a person busy at a known location.
type Stay struct {
	Span interval.Span `json:"span"`
	At   geo.Point     `json:"at"`
	// Taken is the busy time, if it is more than Span: the way there and back too.
	Taken interval.Span `json:"taken,omitzero"`
}

// CalendarStatus says whether a person's calendar was read, by which provider, and as of when.
type CalendarStatus struct {
	Person PersonID `json:"person"`
	Name   string   `json:"name"`
	// Provider is google, microsoft, caldav, ics, local or request; empty if the person has none.
	Provider string        `json:"provider,omitempty"`
	State    CalendarState `json:"state"`
	AsOf     time.Time     `json:"asOf,omitzero"`
	// Reason is advice about an unknown calendar; empty for a checked one.
	Reason string `json:"reason,omitempty"`
}

// CalendarState is checked or unknown; an unknown calendar is never treated as free.
type CalendarState string

// The two states of a calendar.
const (
	Checked           CalendarState = "checked"
	CalendarUnchecked CalendarState = "unknown"
)

// SlotState ranks slots: everyone free, then someone unknown, then someone busy.
type SlotState string

// The three states of a slot, best first.
const (
	SlotFree     SlotState = "free"
	SlotUnknown  SlotState = "unknown"
	SlotConflict SlotState = "conflict"
)

// Slot is a time on offer. Start and End are the event's own, in the turn's zone, without travel.
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

// Conflict names a person who cannot attend, and never their other plans.
type Conflict struct {
	Person PersonID     `json:"person,omitempty"`
	Name   string       `json:"name"`
	Kind   ConflictKind `json:"kind"`
	// Text is a sentence for the user, in the turn's language if it has a vocabulary: "Al has another event".
	Text string `json:"text"`
}

// ConflictKind is why a time does not suit a person.
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

// Reason is the smallest change of the request that would help, and how many times it would give.
type Reason struct {
	Change Concession `json:"change"`
	// Person and Name identify the person whom WithoutPerson would leave out; Person is empty for an unknown one.
	Person PersonID `json:"person,omitempty"`
	Name   string   `json:"name,omitempty"`
	// Text is a sentence for the user, in the turn's language if it has a vocabulary: "any day instead of Tuesday gives 6
	// times".
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// Concession names a condition of the request that could be given up.
type Concession string

// The changes that a reason can propose.
const (
	AnyDay              Concession = "any_day"
	AnyTime             Concession = "any_time"
	AnyDayAndTime       Concession = "any_day_and_time"
	Shorter             Concession = "shorter"
	NoTravelBuffer      Concession = "no_travel_buffer"
	OutsideWorkingHours Concession = "outside_working_hours"
	WithoutPerson       Concession = "without_person"
	AllowExcluded       Concession = "allow_excluded"
	UseKeptTime         Concession = "use_kept_time"
)

// PlaceQuery is what places to find, and around which point.
type PlaceQuery struct {
	// Name is a venue that the user named; Text is free ("outdoor seating"); Types are kinds ("cafe").
	Name  string   `json:"name,omitempty"`
	Text  string   `json:"text,omitempty"`
	Types []string `json:"types,omitempty"`
	// Features are preferred: places without them are found too, after those that have them.
	Features []Feature `json:"features,omitempty"`
	// Area and Landmark say where to look, as in Whereabouts, in addition to Text.
	Area     string `json:"area,omitempty"`
	Landmark string `json:"landmark,omitempty"`
	// Excluded are names of venues that must not be found, however they are spelled. Without are those shown before: the
	// keys of single places, and the exact names whose branches must not be found either.
	Excluded []string `json:"excluded,omitempty"`
	Without  []string `json:"without,omitempty"`
	// Near is the midpoint of the participants' locations; nil if none is known. Close says that the place should be close
	// to it, as to a landmark, and not merely between the participants.
	Near  *geo.Point `json:"near,omitempty"`
	Close bool       `json:"close,omitempty"`
	Limit int        `json:"limit,omitempty"`
}

// Less is the query without the given wishes.
func (q PlaceQuery) Less(wishes []Wish) PlaceQuery {
	q.Features = slices.DeleteFunc(slices.Clone(q.Features), func(f Feature) bool {
		return slices.Contains(wishes, Wish(f))
	})
	if slices.Contains(wishes, Somewhere) {
		q.Area, q.Landmark, q.Close = "", "", false
	}
	return q
}

// MinRating is the lowest rating on offer, in stars of 5. An unrated place ranks as if it had this rating.
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
	// DistanceFromAnchorKm is the distance from the person or office that the place should be close to; 0 if there is
	// none.
	DistanceFromAnchorKm float64 `json:"distanceFromAnchorKm,omitempty"`
	// TravelMinutes is each participant's way from their usual starting point, the organizer first. Participants without a
	// known one are left out.
	TravelMinutes []Way  `json:"travelMinutes,omitempty"`
	MapsURL       string `json:"mapsUrl,omitempty"`
	// Credit is the attribution that the source demands ("Powered by Foursquare"), and PageURL the source's own page of
	// the place, which it wants linked.
	Credit  string  `json:"credit,omitempty"`
	PageURL string  `json:"pageUrl,omitempty"`
	Photos  []Photo `json:"photos,omitempty"`
	// OpeningHours are in Timezone; nil means unknown, which is not the same as closed.
	OpeningHours *interval.Week `json:"openingHours,omitempty"`
	Timezone     string         `json:"timezone,omitempty"`
	Features     []string       `json:"features,omitempty"`
	// Lacks are the features that the place is known not to have. Features in neither list are unknown.
	Lacks []Feature `json:"lacks,omitempty"`
	// Wishes compares the place with the wished features; nil if there were none.
	Wishes *Fit `json:"wishes,omitempty"`
	// Named marks the venue, or a branch of it, that the query named.
	Named bool `json:"named,omitempty"`
	// InArea says that the venue lies in the neighbourhood, or by the landmark or point, that the query named.
	InArea bool `json:"inArea,omitempty"`
	// Merit is how well the venue matches the query, in stars, apart from rating and distance.
	Merit float64 `json:"merit,omitempty"`
}

// Way is one participant's travel time in minutes, rounded to five: enough to compare, too coarse to reveal a home.
type Way struct {
	Person  PersonID `json:"person,omitempty"`
	Name    string   `json:"name"`
	Minutes int      `json:"minutes"`
}

// Photo is a picture of a place. It may be shown only with its credit.
type Photo struct {
	URL string `json:"url"`
	// Credit names the author, if the place's own credit does not.
	Credit string `json:"credit,omitempty"`
}

// Key tells places apart, including branches of a chain.
func (p Place) Key() string { return cmp.Or(p.ID, p.Name) }

// Same reports whether o is the same venue: by id if both have one, otherwise by name.
func (p Place) Same(o Place) bool {
	if p.ID != "" && o.ID != "" {
		return p.ID == o.ID
	}
	return strings.EqualFold(p.Name, o.Name)
}

// BranchOf reports whether p and o are branches of the venue that the user named.
func (p Place) BranchOf(o Place) bool { return p.Named && p.Name == o.Name }

// Suggestion is an activity that a finder found.
type Suggestion struct {
	Title   string     `json:"title"`
	Venue   string     `json:"venue,omitempty"`
	Address string     `json:"address,omitempty"`
	Start   time.Time  `json:"start"`
	End     time.Time  `json:"end"`
	URL     string     `json:"url,omitempty"`
	Point   *geo.Point `json:"location,omitempty"`
	// Kind is one English word, for example "music" or "market"; empty if unknown.
	Kind string `json:"kind,omitempty"`
	// Free says that admission is free; false includes unknown.
	Free bool `json:"free,omitempty"`
}

// ActivityQuery asks for things to do.
type ActivityQuery struct {
	Text string
	// Near is the people's location, and Area its name ("Hayes Valley, San Francisco"), if known.
	Near *geo.Point
	Area string
	Span interval.Span
	// Dates and Hours are the days and times within Span at which activities may begin; none means all.
	Dates []interval.DateRange
	Hours *Hours
	Zone  *time.Location
	Limit int
	// Degraded, if not nil, is called before the answer if another finder than the configured one gave it, with the cause.
	Degraded func(why string)
}

// Shown says which alternatives the message lists: the result of determineAlternativesToShow.
type Shown struct {
	Places          bool `json:"places"`
	Times           bool `json:"times"`
	ConflictWarning bool `json:"conflictWarning"`
}

// Candidates are the options of stage 5, best first by the code's own ranking.
type Candidates struct {
	Slots  []Slot  `json:",omitempty"`
	Places []Place `json:",omitempty"`
	// Lists are the slots and the places in JSON, once encoded. Clear it when one of them changes.
	Lists Lists `json:"-"`
	// HasNoCommonTime says that nothing suits everyone: Slots are then the nearest ones, with their conflicts.
	HasNoCommonTime bool
	// Past says that the requested time lies in the past; Skipped, that a DST change skips it. Calendars play no part in
	// either.
	Past, Skipped bool
	// HasExplicitTimeConflict says that the user named a time that is taken: it is the first slot, as requested.
	HasExplicitTimeConflict bool
	Reasons                 []Reason
	// InTheWay are the people whom no requested time suits, and why; see slot.Result.
	InTheWay  []Conflict `json:",omitempty"`
	Calendars []CalendarStatus
	Shown     Shown
	// PinnedSlot and PinnedPlace keep the model from changing the first of the list: the time that the user named, or the
	// time or place that an edit did not mention.
	PinnedSlot  bool
	PinnedPlace bool
	// Providers keep the organizer's calendars; the first is the one to write to.
	Providers []string
	// PlacesFailed says that the search failed, as opposed to finding nothing.
	PlacesFailed bool
	// Search says where the search for places departed from the wishes.
	Search SearchNotes
	// Pairs describe each place at the time of each slot: Pairs[slot][place]. Nil means that only opening hours restrict
	// the pairs.
	Pairs [][]Pair
	// Apart is set if people live too far apart to meet.
	Apart *Apart
	// RouterFailed says that travel times are estimates because the router did not answer.
	RouterFailed bool
	// GaveWay is the time that would come first if the organizer did not keep it free; nil if there is none.
	GaveWay *interval.Span `json:",omitempty"`
}

// Lists are slots and places in JSON, encoded once and shared.
type Lists struct{ Slots, Places []byte }

// Encode encodes the lists, for the candidates and for the search made from them.
func (c *Candidates) Encode() (err error) {
	if c.Lists.Slots, err = json.Marshal(c.Slots); err == nil {
		c.Lists.Places, err = json.Marshal(c.Places)
	}
	return err
}

// SearchNotes say where a search for places departed from the wishes. The zero value did not.
type SearchNotes struct {
	// Around is the person whom the places are close to, "me" for the organizer, and Anchor which of their places; empty
	// if the places are between all participants.
	Around string `json:"around,omitempty"`
	Anchor Anchor `json:"anchor,omitempty"`
	// NoOffice names a person whose office is unknown, so that the places are close to their usual location; NoLocation
	// one for whom neither is known.
	NoOffice   string `json:"noOffice,omitempty"`
	NoLocation string `json:"noLocation,omitempty"`
	// Nowhere says that nothing was found because no location is known and the request names none.
	Nowhere bool `json:"nowhere,omitempty"`
	// Farther says that nothing was found in the requested area, and that these are the nearest places.
	Farther bool `json:"farther,omitempty"`
	// Repeated says that every match was shown before.
	Repeated bool `json:"repeated,omitempty"`
	// GivenUp are features dropped from the search because no place with all of them is possible at the time.
	GivenUp []Feature `json:"givenUp,omitempty"`
}

// Pair is a place at the time of a slot.
type Pair struct {
	// Late says that someone cannot be there for all of the time: the way from the previous event, or to the next one,
	// takes too long. Rushed says the same of only those whom the slot itself names: choosing the slot accepts their way.
	Late   bool `json:"late,omitempty"`
	Rushed bool `json:"rushed,omitempty"`
	// Travel is the organizer's way there and on to the next event.
	Travel TravelBuffer `json:"travel,omitzero"`
}

// Pair returns the pair of a slot and a place, by their indices; the zero Pair if there is none.
func (c Candidates) Pair(slot, place int) Pair {
	if slot < 0 || slot >= len(c.Pairs) || place < 0 || place >= len(c.Pairs[slot]) {
		return Pair{}
	}
	return c.Pairs[slot][place]
}

// Apart says that people live in different cities.
type Apart struct {
	// Names are the two people who live farthest from each other.
	Names []string `json:"names"`
	// Video says that a video call replaces the meeting; false if the user insists on meeting, or named a place.
	Video bool `json:"video"`
}

// Selection is a model's unchecked choice: indices into the candidates, best first, and the message.
type Selection struct {
	Slots            []int
	Places           []int
	CalendarProvider string
	Message          string
}
