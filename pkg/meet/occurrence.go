package meet

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// OwnCalendar is one of a person's calendars: where it is kept, its id there, and what its owner calls it.
type OwnCalendar struct {
	Provider, Calendar, Name string
	ReadOnly                 bool
}

// Occurrence is an event of a person's own calendar, or one occurrence of a series. It is for its owner alone: no
// prompt, cache or proposal holds one, and no turn of another person reads one. A turn's log, a journal and a change
// set hold those that their owner asked for.
type Occurrence struct {
	// Provider and Calendar are where the event is kept, and ID is its name there. CalendarName is what the owner calls
	// that calendar; empty if it is Calendar.
	Provider, Calendar, ID string
	CalendarName           string
	// UID and RecurrenceID identify the occurrence (RFC 5545, 3.8.4). RecurrenceID is the start that the series gives it,
	// which differs from its own if it was moved; it is zero for an event that does not repeat.
	UID          string
	RecurrenceID time.Time
	// Recurrence is the RRULE of the series, without the name of the property; empty for an event that does not repeat, or
	// if the calendar tells none.
	Recurrence string
	// Version changes with the event: an entity tag, or a sequence. It is opaque; empty if the calendar has none.
	Version string
	// ReadOnly events cannot be changed by their owner: those of feeds, and of calendars that others only share. An
	// invitation is none of them: it can be answered and deleted.
	ReadOnly bool
	// Theirs says that the calendar lets only the organizer change the event, who is not the owner.
	Theirs bool
	// Title, Location and Description are captions, as others wrote them.
	Title, Location, Description string
	// Kind is set for a time block, and empty for any other event.
	Kind BlockKind
	// Categories are the event's own (RFC 5545, CATEGORIES).
	Categories []string
	// Span is the event's time. That of an AllDay event is whole days on its owner's clocks.
	Span   interval.Span
	AllDay bool
	// Tentative events are not confirmed. Transparent events take none of their owner's time.
	Tentative, Transparent bool
	Visibility             Visibility
	// Organizer is nil if the calendar names none. Attendees are the people invited, without rooms.
	Organizer *Attendee
	Attendees []Attendee
}

// BlockKind is what a time block is for.
type BlockKind string

// The kinds of time blocks.
const (
	WorkBlock    BlockKind = "work"
	MeetingBlock BlockKind = "meeting"
	EmailBlock   BlockKind = "email"
	BreakBlock   BlockKind = "break"
	BlockedBlock BlockKind = "blocked"
)

// Attendee is a person invited to an event of a calendar.
type Attendee struct {
	// Name may be empty, Email not.
	Name, Email string
	Answer      Answer
	// Self marks the calendar's owner.
	Self bool
}

// Answer is an attendee's answer to an invitation (RFC 5545, PARTSTAT).
type Answer string

// The answers. NoAnswer covers whatever a calendar does not tell.
const (
	NoAnswer  Answer = ""
	Accepted  Answer = "accepted"
	Declined  Answer = "declined"
	Undecided Answer = "tentative"
)

// Visibility is who else may see an event's details (RFC 5545, CLASS).
type Visibility string

// The visibilities. The default is the calendar's own rule.
const (
	VisibleAsUsual Visibility = ""
	Public         Visibility = "public"
	Private        Visibility = "private"
	Confidential   Visibility = "confidential"
)

// Guests are the attendees other than the owner.
func (o Occurrence) Guests() []Attendee {
	return slices.DeleteFunc(slices.Clone(o.Attendees), func(a Attendee) bool { return a.Self })
}

// Invited reports whether another person invited the owner.
func (o Occurrence) Invited() bool {
	return o.Organizer != nil && !o.Organizer.Self &&
		slices.ContainsFunc(o.Attendees, func(a Attendee) bool { return a.Self })
}

// Repeats reports whether the event is one of a series.
func (o Occurrence) Repeats() bool { return !o.RecurrenceID.IsZero() }

// Key names the occurrence among all of its owner's calendars. It is what clients call its id.
func (o Occurrence) Key() string {
	if !o.Repeats() {
		return o.UID
	}
	return o.UID + "@" + o.RecurrenceID.UTC().Format("20060102T150405Z")
}

// Declined reports whether the owner declined the event.
func (o Occurrence) Declined() bool {
	for _, a := range o.Attendees {
		if a.Self && a.Answer == Declined {
			return true
		}
	}
	return false
}
