// Package calendar is the contract of everything that knows when a person is busy, and the Directory that asks all
// of a person's calendars at once.
//
// A calendar answers free, busy or unknown. Whatever goes wrong on the way to an answer, an error, a deadline, a
// panic, makes the time unknown; nothing makes it free. Adapters live in folders beside this file, one a vendor, and
// every one of them passes the suite in calendartest.
package calendar

import (
	"context"
	"errors"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Provider reads the calendars that one vendor keeps. It is safe for use by many goroutines at once.
type Provider interface {
	// Name is the provider as clients see it: google, microsoft, caldav, ics or local.
	Name() string
	// Times is the person's time in span as this provider's calendars have it, merged over all of them. What could
	// not be read is in Unknown. Beside an error, which makes the whole span unknown, the busy times that are known
	// anyhow may be given. A fault's message is shown to the user as the reason; it says what to do. A person without
	// a calendar here gets ErrNoCalendar, beside what is known to be busy anyhow.
	//
	// Busy is what takes the person's time: tentative events and absences count, and an event that is transparent,
	// cancelled or declined by the person does not. The event with the UID except does not count either.
	Times(ctx context.Context, person meet.Person, span interval.Span, except string) (Times, error)
}

// Times are what is known of one person's time.
type Times struct {
	interval.Availability
	// Stays are where the person is during some of the busy time, as far as the provider knows. Only coordinates
	// count, to some hundred metres: no address is looked up for them.
	Stays []meet.Stay
	// AsOf is when it was read; zero where it was read for the asking.
	AsOf time.Time
}

// Entry is an event as it is to stand in one person's calendar.
type Entry struct {
	// Owner is whose calendar it is written to.
	Owner meet.Person
	// Event is what is written. Its UID and sequence are the iCalendar identity.
	Event meet.Event
	// Guests are whom the provider invites, beside the owner; a change and a removal are told to them too. Without
	// guests the entry is the owner's copy of an event that others keep for themselves, and nobody is told.
	Guests []meet.Participant
	// Online asks for a meeting link of the provider's own.
	Online bool
}

// Written is what a provider says of an entry that it keeps.
type Written struct {
	// JoinURL is where participants of an online meeting meet; empty where the provider gave none.
	JoinURL string
}

// Writer keeps confirmed events in calendars. Both methods may be repeated, with the same result and without telling
// anybody twice: the UID decides which event is meant.
type Writer interface {
	// Write adds the event, or replaces the one that has its UID.
	Write(ctx context.Context, e Entry) (Written, error)
	// Remove takes the event with the UID away, and tells the guests. An event that is not there is no error.
	Remove(ctx context.Context, e Entry) error
}

// Tracker is a Writer that knows what became of the invitations that it sent.
type Tracker interface {
	Writer
	// Invitations is what became of those of an entry that was written, by the guests' addresses in lower case. A guest of
	// whom the calendar says nothing, or nothing yet, is not in it.
	Invitations(ctx context.Context, e Entry) (map[string]meet.Invitation, error)
}

// ErrNoCalendar says that the person has no calendar at the provider that was asked.
var ErrNoCalendar = errors.New("no calendar is connected")
