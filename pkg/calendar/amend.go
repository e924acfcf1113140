package calendar

import (
	"context"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Amender is an Agenda whose events can be changed.
type Amender interface {
	Agenda
	// Apply makes one change of the person's own calendar, and returns the event as it stands afterwards. It is idempotent
	// by the amendment's key: a repeat of a change that was made does nothing, and returns the same.
	//
	// It writes nothing and returns ErrChanged if the event has another version than the amendment's, or is gone;
	// ErrReadOnly if the calendar or the event may only be read; ErrNoCalendar if the person has no calendar here. After
	// any other error the change may have been written; the caller repeats it with the same key.
	//
	// What the change does not name stays as it is, also what Convene does not know: other properties, attachments,
	// reminders, the guests and their answers. Of a series, what was decided for single occurrences stays: those that were
	// called off, and each field in which an occurrence differs from the series before the change.
	//
	// Versions are of occurrences: a change of one leaves those of the others, so that several can be changed as they were
	// read together. A Delete of an event that is gone is done already. The Former of a repeat may be nil.
	Apply(ctx context.Context, person meet.Person, a agenda.Amendment) (agenda.Amended, error)
}

// Bookings keeps the events that Convene itself booked.
type Bookings interface {
	// Amend makes the change for all who take part: in Convene's own book, in what is told of the event, and in copies
	// elsewhere. A repeat with the same key does no harm. An event that was not booked here, or not by the owner, is a
	// fault.NotFound.
	Amend(ctx context.Context, a meet.Amending) error
}

// The refusals of Apply.
var (
	ErrChanged  = fault.New(fault.Conflict, "The event has changed meanwhile.")
	ErrReadOnly = fault.New(fault.CalendarFailed, "This calendar can only be read.")
)
