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
	// PersonID names a person whom the service knows.
	PersonID string
	// ProposalID names a proposal; a change of it is a new one.
	ProposalID string
)

// Proposal names the one proposal that the turn can make, so that a turn that is run again makes the same.
func (id TurnID) Proposal() ProposalID {
	return ProposalID("p_" + strings.TrimPrefix(string(id), "t_"))
}

// Turn is one message and all that is needed to answer it.
type Turn struct {
	ID           TurnID         `json:"turnId"`
	Conversation ConversationID `json:"conversationId"`
	Message      string         `json:"message"`
	// Organizer is who asks. Participants are the others that the request named; people named only in the message
	// are looked up among the organizer's contacts.
	Organizer    Person   `json:"organizer"`
	Participants []Person `json:"participants,omitempty"`
	// Circle are the stored people who may be meant by a name; nil is everybody.
	Circle []PersonID `json:"circle,omitzero"`
	// Timezone is the IANA zone in which "tomorrow at 3" is meant. Empty means the organizer's.
	Timezone string `json:"timezone,omitempty"`
	// Availability, where given, takes the place of the calendars of the people it names.
	Availability []GivenAvailability `json:"availability,omitempty"`
	// AutoConfirm books the chosen slot without asking, if everyone is checked and free, at the time and the place that
	// were asked for, and nothing is in doubt.
	AutoConfirm bool      `json:"autoConfirm,omitempty"`
	ReceivedAt  time.Time `json:"receivedAt"`
	// IdempotencyKey, where not empty, makes a repeated request return the first turn. It is the client's own and, where a
	// token holds the client to something, stands behind what tells its keys from those of others.
	IdempotencyKey string `json:"-"`
	// RequestDigest tells requests with the same key apart: it is equal for equal requests only. It is there where
	// the key is.
	RequestDigest string `json:"-"`
}

// IdempotencyKeyField is the field that is wrong where a turn's key is: the header with which clients send it.
const IdempotencyKeyField = "Idempotency-Key"

// Zone is the zone in which the turn's wishes are read; UTC where neither the turn nor the organizer has one.
func (t Turn) Zone() *time.Location {
	if t.Timezone != "" {
		if loc, err := interval.Zone(t.Timezone); err == nil {
			return loc
		}
	}
	return t.Organizer.Zone()
}

// Within are those of the people who may be meant by a name in this turn.
func (t Turn) Within(people []Person) []Person {
	if t.Circle == nil {
		return people
	}
	return slices.DeleteFunc(slices.Clone(people), func(p Person) bool { return !slices.Contains(t.Circle, p.ID) })
}

// GivenAvailability is what a request says of one person's time. All that it does not call busy is free.
type GivenAvailability struct {
	Person PersonID        `json:"person"`
	Busy   []interval.Span `json:"busy"`
}

// CalendarType says which rules a person's calendar follows.
type CalendarType string

const (
	// Personal calendars have no working hours; leisure belongs in the evening or at the weekend.
	Personal CalendarType = "personal"
	// Work calendars offer the owner's working hours only.
	Work CalendarType = "work"
)

// Person is someone who takes part. Only Name is always there: a person whom nobody knows has no ID, and a
// calendar that cannot be read.
type Person struct {
	ID       PersonID `json:"id,omitempty"`
	Name     string   `json:"name"`
	Email    string   `json:"email,omitempty"`
	Timezone string   `json:"timezone,omitempty"`
	// Location is where the person usually sets out from.
	Location *Location `json:"location,omitempty"`
	// Office is where the person works.
	Office *Location `json:"office,omitempty"`
	// WorkingHours bind where CalendarType is Work; nil means Monday to Friday, 09:00 to 17:00, in the person's zone.
	WorkingHours *interval.Week `json:"workingHours,omitempty"`
	CalendarType CalendarType   `json:"calendarType,omitempty"`
	// BookingLink is an https page on which the person wants to be booked.
	BookingLink string `json:"bookingLink,omitempty"`
}

// Location is a point with the words for it.
type Location struct {
	geo.Point
	Label string `json:"label,omitempty"`
}

// Zone is the person's zone; UTC where it is not known.
func (p Person) Zone() *time.Location {
	if p.Timezone != "" {
		if loc, err := interval.Zone(p.Timezone); err == nil {
			return loc
		}
	}
	return time.UTC
}

// Known reports whether anything but the name is known of the person, so that a calendar can be read.
func (p Person) Known() bool { return p.ID != "" }

// OnWorkCalendar reports whether the person's calendar keeps working hours.
func (p Person) OnWorkCalendar() bool { return p.CalendarType == Work }

// Distinct keeps the first of each person, and leaves one out; people without an id are all kept.
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

// Midpoint is the middle of the people's locations, or of the offices of those without one; a person without either
// counts as near the others. Nil if none of them has one.
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

// Intent is what a message is about: it decides the path.
type Intent string

// The intents that have a path; see stages/route.go.
const (
	HandleEvent       Intent = "handle_event"
	ShowMore          Intent = "show_more"
	SuggestActivities Intent = "suggest_activities"
	Converse          Intent = "converse"
)

// Understanding is what stage 1 makes of a message.
type Understanding struct {
	Intent Intent `json:"intent"`
	// Acknowledgment is one short sentence in the user's language.
	Acknowledgment string `json:"acknowledgment"`
	// Language is a BCP 47 tag, "en" where it cannot be told.
	Language string `json:"language"`
}

// Called reports whether name means this person: the full name or the first one, in any case.
func (p Person) Called(name string) bool {
	first, _, _ := strings.Cut(p.Name, " ")
	name = strings.TrimSpace(name)
	return strings.EqualFold(name, p.Name) || strings.EqualFold(name, first)
}
