package agenda

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Amendment is one change of one event of a person's own calendar. As JSON it is the Deed of a change, which the digest
// of its set covers.
type Amendment struct {
	// Key names the change; it is the same whenever the change is repeated, and never used for another.
	Key  string    `json:"key"`
	Kind AmendKind `json:"kind"`
	// Event is the event as it was read; for Create the new one, whose UID is made of the key if it is empty, and whose
	// Provider and Calendar say where it goes: empty ones mean the calendar for new events.
	Event meet.Occurrence `json:"event"`
	// Scope is the part of a series that changes. It is empty for an event that does not repeat.
	Scope meet.Scope `json:"scope,omitempty"`
	// Set are the fields that an Update changes.
	Set Fields `json:"set"`
	// Answer is the owner's answer to an invitation, for Respond.
	Answer meet.Answer `json:"answer,omitempty"`
	// Former is what a Restore brings back: the Amended.Former of the change that it undoes.
	Former []byte `json:"former,omitempty"`
}

// AmendKind is the kind of an amendment.
type AmendKind string

// The kinds. Restore brings back what another amendment replaced or deleted, whole, with all that Convene does not
// know, if the event still has the version that the other amendment left: Event is the Amended.Event of that one, or
// after a deletion the event as it was before.
const (
	Create  AmendKind = "create"
	Update  AmendKind = "update"
	Delete  AmendKind = "delete"
	Respond AmendKind = "respond"
	Restore AmendKind = "restore"
)

// Fields are new values of an event's fields; nil ones stay as they are.
type Fields struct {
	Title       *string `json:"title,omitempty"`
	Location    *string `json:"location,omitempty"`
	Description *string `json:"description,omitempty"`
	// Span is the new time. With the scope Following or AllOfThem it is that of the occurrence that was read; the others
	// move as far on the clock, and get its length.
	Span        *interval.Span   `json:"span,omitempty"`
	AllDay      *bool            `json:"allDay,omitempty"`
	Transparent *bool            `json:"transparent,omitempty"`
	Visibility  *meet.Visibility `json:"visibility,omitempty"`
	Kind        *meet.BlockKind  `json:"blockKind,omitempty"`
	Categories  *[]string        `json:"categories,omitempty"`
	// Recurrence is a new RRULE; an empty one ends the repetition, and the named occurrence stays. Only with AllOfThem or,
	// unless it is empty, Following, or for an event that does not repeat.
	Recurrence *string `json:"recurrence,omitempty"`
	// Invite and Uninvite are people by their addresses; the other guests stay, with their answers.
	Invite   []meet.Attendee `json:"invite,omitempty"`
	Uninvite []meet.Attendee `json:"uninvite,omitempty"`
}

// Amended is what came of an amendment.
type Amended struct {
	// Event is the event as it stands now; of a series, the occurrence that was named. It is zero after Delete.
	Event meet.Occurrence `json:"event"`
	// Former is what the amendment replaced or deleted, in the provider's own form, for Restore; nil for Create, and if
	// the amendment had been made before.
	Former []byte `json:"former,omitempty"`
}

// After is the occurrence as the amendment leaves it; nil for Delete.
func (a Amendment) After() *meet.Occurrence {
	e := a.Event
	e.Attendees = slices.Clone(e.Attendees)
	switch a.Kind {
	case Create, Restore:
	case Delete:
		return nil
	case Respond:
		for i := range e.Attendees {
			if e.Attendees[i].Self {
				e.Attendees[i].Answer = a.Answer
			}
		}
	case Update:
		a.Set.put(&e)
	}
	return &e
}

func (f Fields) put(e *meet.Occurrence) {
	assign(&e.Title, f.Title)
	assign(&e.Location, f.Location)
	assign(&e.Description, f.Description)
	assign(&e.Span, f.Span)
	assign(&e.AllDay, f.AllDay)
	assign(&e.Transparent, f.Transparent)
	assign(&e.Visibility, f.Visibility)
	assign(&e.Kind, f.Kind)
	assign(&e.Categories, f.Categories)
	assign(&e.Recurrence, f.Recurrence)
	is := func(who meet.Attendee) func(meet.Attendee) bool {
		return func(a meet.Attendee) bool { return SameGuest(a, who) }
	}
	for _, gone := range f.Uninvite {
		e.Attendees = slices.DeleteFunc(e.Attendees, is(gone))
	}
	for _, added := range f.Invite {
		if !slices.ContainsFunc(e.Attendees, is(added)) {
			e.Attendees = append(e.Attendees, added)
		}
	}
}

// SameGuest reports whether both are one person: by their addresses or, if neither has one, by their names.
func SameGuest(a, b meet.Attendee) bool {
	if a.Email == "" && b.Email == "" {
		return strings.EqualFold(a.Name, b.Name)
	}
	return strings.EqualFold(a.Email, b.Email)
}

func assign[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// Change is the amendment as its owner sees it, in a zone. Its id, class and dependencies belong to the set.
func (a Amendment) Change(zone *time.Location) (meet.Change, error) {
	before, after := &a.Event, a.After()
	c := meet.Change{
		Kind: kinds[a.Kind], What: meet.EventThing, Title: a.Event.Title, Scope: a.Scope, Undoable: true,
		Where: meet.ChangeWhere{
			Provider: a.Event.Provider, Calendar: cmp.Or(a.Event.CalendarName, a.Event.Calendar),
		},
		Target: meet.ChangeTarget{ID: a.Event.Key(), Start: &a.Event.Span.Start}, DependsOn: []string{},
	}
	if a.Event.Kind != "" {
		c.What = meet.BlockThing
	}
	if a.Kind == Create {
		before, c.Target = nil, meet.ChangeTarget{}
	}
	c.Affects = affected(before, after)
	var err error
	if c.Before, err = shown(before, zone); err != nil {
		return c, err
	}
	if c.After, err = shown(after, zone); err != nil {
		return c, err
	}
	if c.Deed, err = json.Marshal(a); err != nil {
		return c, fmt.Errorf("amendment: %w", err)
	}
	return c, nil
}

var kinds = map[AmendKind]meet.ChangeKind{
	Create: meet.CreateThing, Update: meet.UpdateThing, Delete: meet.DeleteThing, Respond: meet.RespondThing,
	Restore: meet.UpdateThing,
}

// shown is an occurrence as clients get it; null for none.
func shown(o *meet.Occurrence, zone *time.Location) (json.RawMessage, error) {
	if o == nil {
		return json.RawMessage("null"), nil
	}
	return meet.MarshalLine(EventOf(*o, zone))
}

// affected are the people other than the owner who take part before or after a change.
func affected(before, after *meet.Occurrence) []meet.Affected {
	people := []meet.Affected{}
	for _, o := range []*meet.Occurrence{before, after} {
		if o == nil {
			continue
		}
		for _, g := range o.Guests() {
			who := meet.Affected{Name: g.Name, Email: g.Email}
			if who.Name == "" {
				who.Name = g.Email
			}
			if !slices.ContainsFunc(people, func(p meet.Affected) bool {
				return SameGuest(meet.Attendee{Name: p.Name, Email: p.Email}, g)
			}) {
				people = append(people, who)
			}
		}
	}
	return people
}
