// Package calendar is the contract of providers that know when a person is busy, and the Directory that asks all of a
// person's calendars at once.
//
// A calendar answers free, busy or unknown. Any failure (an error, a deadline, a panic) makes the time unknown, never
// free. Adapters are subfolders, one for each vendor, and each passes the suite in calendartest.
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
	// Times merges the person's calendars at this provider within span. Unread time is in Unknown. An error makes the
	// whole span unknown; known busy times may still come with it. The message of a fault is shown to the user as the
	// reason and says what to do. A person without a calendar here gets ErrNoCalendar, with any busy times known anyhow.
	//
	// Tentative events and absences are busy; transparent and cancelled events and those that the person declined are
	// not. The event with the UID except does not count either.
	Times(ctx context.Context, person meet.Person, span interval.Span, except string) (Times, error)
}

// Agenda is a provider that knows what a person's events are, and not only when they are.
type Agenda interface {
	Provider
	// Events lists the person's own events that overlap span, in no order: each occurrence of a series, and
	// events that take no time or were declined, but none that is cancelled. It always reads anew and keeps nothing. An
	// error means that events may be missing; those that are known may come with it. A person without a calendar here
	// gets ErrNoCalendar.
	Events(ctx context.Context, person meet.Person, span interval.Span) ([]meet.Occurrence, error)
}

// Times are what is known of one person's time.
type Times struct {
	interval.Availability
	// Stays are where the person is during some of the busy time, as far as the provider knows. Only coordinates
	// count, to some hundred metres; addresses are not geocoded.
	Stays []meet.Stay
	// AsOf is the time of the reading; zero means that it was read for this call.
	AsOf time.Time
}

// Identity maps the name that another provider gave an event to the UID that it was written with: an invitation of ours
// has that name in its guests' calendars, and must not conflict with its own move. Other names, and all names if it is
// nil, stay as they are.
type Identity func(iCalUID string) (uid string)

// UID is the UID of the event with that name.
func (i Identity) UID(iCalUID string) (uid string) {
	if i == nil {
		return iCalUID
	}
	return i(iCalUID)
}

// Entry is an event to write to one person's calendar.
type Entry struct {
	// Owner is the calendar's owner.
	Owner meet.Person
	// Event is the event to write. Its UID and sequence are the iCalendar identity.
	Event meet.Event
	// Guests are the people whom the provider invites, without the owner, and informs of a change or removal. Without
	// guests the entry is the owner's copy of an event that others keep for themselves, and no one is informed.
	Guests []meet.Participant
	// Online asks for a meeting link of the provider's own.
	Online bool
}

// Written is a provider's answer about an entry that it keeps.
type Written struct {
	// JoinURL is the address of an online meeting; empty if the provider gave none.
	JoinURL string
}

// Writer keeps confirmed events in calendars. Both methods are idempotent and inform nobody twice: the UID identifies
// the event.
type Writer interface {
	// Write adds the event, or replaces the one with its UID.
	Write(ctx context.Context, e Entry) (Written, error)
	// Remove removes the event with the UID and informs the guests. An event that is not there is no error.
	Remove(ctx context.Context, e Entry) error
}

// Tracker is a Writer that knows the state of the invitations that it sent.
type Tracker interface {
	Writer
	// Invitations is the state of the invitations of a written entry, by the guests' addresses in lower case. Guests whose
	// state is not known yet are missing.
	Invitations(ctx context.Context, e Entry) (map[string]meet.Invitation, error)
}

// ErrNoCalendar says that the person has no calendar at the provider.
var ErrNoCalendar = errors.New("no calendar is connected")
