// Package meet is the words of the product: what a turn, a template, a slot, a place, a proposal and an update are.
// It is pure data with small, obvious methods; the rules live in slot, the story in stages.
//
// JSON is camelCase, times are RFC 3339 with an offset, durations are minutes, zones are IANA names.
package meet

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
)

// The ids are opaque strings, a type each, so that they cannot be mixed up.
type (
	// TurnID names a turn.
	TurnID string
	// ConversationID names the turns that share a cached template.
	ConversationID string
	// PersonID names a person in the service.
	PersonID string
	// ProposalID names a proposal; a change of it is a new one.
	ProposalID string
)

// Proposal is the id of the turn's only proposal, so that a repeated turn makes the same one.
func (id TurnID) Proposal() ProposalID {
	return ProposalID("p_" + strings.TrimPrefix(string(id), "t_"))
}

// Turn is one message and everything needed to answer it.
type Turn struct {
	ID           TurnID         `json:"turnId"`
	Conversation ConversationID `json:"conversationId"`
	Message      string         `json:"message"`
	// Answer, if not nil, answers choices that an earlier turn of the conversation showed. Message may then be empty.
	Answer *ChoiceAnswer `json:"answer,omitempty"`
	// Workflow, if not empty, is the saved workflow that the turn runs, by its name or id, in place of the message.
	Workflow string `json:"workflow,omitempty"`
	// Organizer sent the message. Participants are the others that the request named; people named only in the message are
	// looked up among the organizer's contacts.
	Organizer    Person   `json:"organizer"`
	Participants []Person `json:"participants,omitempty"`
	// Circle lists the stored people whom a name may mean; nil means everyone.
	Circle []PersonID `json:"circle,omitzero"`
	// Families are those whose tools the caller may use; nil means all. NoConfirm says that the caller may confirm
	// nothing, neither by words nor by AutoConfirm.
	Families  []string `json:"families,omitzero"`
	NoConfirm bool     `json:"noConfirm,omitempty"`
	// Timezone is the IANA zone of "tomorrow at 3". Empty means the organizer's.
	Timezone string `json:"timezone,omitempty"`
	// Availability, if given, replaces the calendars of the people it names.
	Availability []GivenAvailability `json:"availability,omitempty"`
	// AutoConfirm books the chosen slot without asking, if everyone is checked and free, the time and the place are as
	// requested, and nothing is in doubt.
	AutoConfirm bool      `json:"autoConfirm,omitempty"`
	ReceivedAt  time.Time `json:"receivedAt"`
	// IdempotencyKey, if not empty, makes a repeated request return the first turn. It is the client's own, after a prefix
	// that separates it from those of others if a token limits the client.
	IdempotencyKey string `json:"-"`
	// RequestDigest is equal for equal requests only. It is set if the key is.
	RequestDigest string `json:"-"`
}

// IdempotencyKeyField is the field that errors about the key name: the header with which clients send it.
const IdempotencyKeyField = "Idempotency-Key"

// Zone is the zone of the times in the message; UTC if neither the turn nor the organizer has one.
func (t Turn) Zone() *time.Location {
	if loc, err := interval.Zone(t.Timezone); err == nil && t.Timezone != "" {
		return loc
	}
	return t.Organizer.Zone()
}

// Within filters the people whom a name may mean in this turn.
func (t Turn) Within(people []Person) []Person {
	if t.Circle == nil {
		return people
	}
	return slices.DeleteFunc(slices.Clone(people), func(p Person) bool { return !slices.Contains(t.Circle, p.ID) })
}

// GivenAvailability is one person's time according to the request. All that is not Busy is free.
type GivenAvailability struct {
	Person PersonID        `json:"person"`
	Busy   []interval.Span `json:"busy"`
}

// CalendarType decides which rules a person's calendar follows.
type CalendarType string

const (
	// Personal calendars have no working hours; leisure belongs in the evening or at the weekend.
	Personal CalendarType = "personal"
	// Work calendars offer the owner's working hours only.
	Work CalendarType = "work"
)

// Person is a participant or a contact. Only Name is always set: an unknown person has no ID, and a calendar that
// cannot be read.
type Person struct {
	ID       PersonID `json:"id,omitempty"`
	Name     string   `json:"name"`
	Email    string   `json:"email,omitempty"`
	Timezone string   `json:"timezone,omitempty"`
	// Location is the usual starting point.
	Location *Location `json:"location,omitempty"`
	Office   *Location `json:"office,omitempty"`
	// WorkingHours apply if CalendarType is Work; nil means Monday to Friday, 09:00 to 17:00, in the person's zone.
	WorkingHours *interval.Week `json:"workingHours,omitempty"`
	CalendarType CalendarType   `json:"calendarType,omitempty"`
	// BookingLink is an https page for booking time with the person.
	BookingLink string `json:"bookingLink,omitempty"`
	// Owner is the only one who knows the person; empty for a person whom everyone knows.
	Owner PersonID `json:"owner,omitempty"`
}

// Location is a point with a label.
type Location struct {
	geo.Point
	Label string `json:"label,omitempty"`
}

// Zone is the person's zone; UTC if it is unknown.
func (p Person) Zone() *time.Location {
	if loc, err := interval.Zone(p.Timezone); err == nil {
		return loc // UTC for an empty name
	}
	return time.UTC
}

// WorkingWeek is the person's working hours; Monday to Friday, nine to five, if the profile has none.
func (p Person) WorkingWeek() interval.Week {
	if p.WorkingHours != nil {
		return *p.WorkingHours
	}
	return interval.Weekdays(interval.Window{Start: interval.At(9, 0), End: interval.At(17, 0)})
}

// Known reports whether the service has the person, so that a calendar can be read.
func (p Person) Known() bool { return p.ID != "" }

// OnWorkCalendar reports whether the person's calendar keeps working hours.
func (p Person) OnWorkCalendar() bool { return p.CalendarType == Work }

// Mention is a person whom words of a text may mean. Words are as written, without a possessive ending.
type Mention struct {
	Person Person
	Words  string
}

// Mentioned are the people of mentions, each once.
func Mentioned(all []Mention) []Person {
	people := make([]Person, len(all))
	for i, m := range all {
		people[i] = m.Person
	}
	return Distinct(people, "")
}

// Distinct keeps the first of each person and drops the one with the id without; people without an id are all kept.
func Distinct(people []Person, without PersonID) []Person {
	var kept []Person
	seen := map[PersonID]bool{without: true}
	for _, p := range people {
		if p.Known() && seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		kept = append(kept, p)
	}
	return kept
}

// Midpoint is the middle of the people's locations, or of the offices of those without one. A person without either is
// ignored. Nil if no one has one.
func Midpoint(people []Person) *geo.Point {
	var points []geo.Point
	for _, p := range people {
		if at := cmp.Or(p.Location, p.Office); at != nil {
			points = append(points, at.Point)
		}
	}
	middle, ok := geo.Midpoint(points...)
	if !ok {
		return nil
	}
	return &middle
}

// Intent is the subject of a message: it decides the path.
type Intent string

// The intents that have a path; see stages/route.go.
const (
	HandleEvent       Intent = "handle_event"
	ShowMore          Intent = "show_more"
	SuggestActivities Intent = "suggest_activities"
	Converse          Intent = "converse"
	// Look reads the user's day, and Act changes it by one operation.
	Look Intent = "look"
	Act  Intent = "act"
)

// Understanding is the result of stage 1.
type Understanding struct {
	Intent Intent `json:"intent"`
	// Acknowledgment is one short sentence in the user's language.
	Acknowledgment string `json:"acknowledgment"`
	// Language is a BCP 47 tag, "en" if it is unclear.
	Language string `json:"language"`
	// Families are the families of tools that the message concerns, most likely first; only for Look and Act.
	Families []string `json:"families,omitempty"`
	// RequiresPlan says that the message takes several different operations.
	RequiresPlan bool `json:"requiresPlan,omitempty"`
}

// Called reports whether name is the person's full or first name, in any case.
func (p Person) Called(name string) bool {
	first, _, _ := strings.Cut(p.Name, " ")
	name = strings.TrimSpace(name)
	return strings.EqualFold(name, p.Name) || strings.EqualFold(name, first)
}
