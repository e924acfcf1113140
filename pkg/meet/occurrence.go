package meet

import (
	"time"

	"convene/pkg/interval"
)

// Occurrence is an event of a person's own calendar, or one occurrence of a series. It is for its owner's turn alone:
// no cache, log, prompt or proposal holds one, and no turn of another person reads one.
type Occurrence struct {
	// Provider and Calendar are where the event is kept, and ID is its name there.
	Provider, Calendar, ID string
	// UID and RecurrenceID identify the occurrence (RFC 5545, 3.8.4). RecurrenceID is the start that the series gives it,
	// which differs from its own if it was moved; it is zero for an event that does not repeat.
	UID          string
	RecurrenceID time.Time
	// Title and Location are captions, as others wrote them.
	Title, Location string
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

// Declined reports whether the owner declined the event.
func (o Occurrence) Declined() bool {
	for _, a := range o.Attendees {
		if a.Self && a.Answer == Declined {
			return true
		}
	}
	return false
}
