package calendar

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Events lists the events of a person's own calendars at all providers, in order of their start, each occurrence once:
// for a turn of that person only. An error means that events may be missing, because a calendar could not be read; it
// is ErrNoCalendar if there is none to read. Texts are captions.
func (d *Directory) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) (events []meet.Occurrence, err error) {
	answers := d.ask(ctx, person, func(ctx context.Context, p Provider) (a answer) {
		agenda, ok := source(p).(Agenda)
		if !ok {
			return answer{err: ErrNoCalendar}
		}
		a.events, a.err = agenda.Events(ctx, person, span)
		return a
	})
	var errs []error
	for _, a := range answers {
		events = append(events, a.events...)
		if a.fromCalendar() {
			errs = append(errs, a.told())
		}
	}
	if len(errs) == 0 && len(events) == 0 {
		return nil, ErrNoCalendar
	}
	for i := range events {
		events[i] = captioned(events[i])
	}
	events = withoutCopies(events)
	slices.SortStableFunc(events, inOrder)
	return slices.CompactFunc(events, sameOccurrence), Join(errs...)
}

// told is the answer's error with words for its owner, which name the calendar.
func (a answer) told() error {
	if _, isFault := errors.AsType[*fault.Error](a.err); a.err == nil || isFault {
		return a.err
	}
	return fault.New(fault.CalendarFailed, "%s: %s", a.provider, Reason(a.err)).Later(0).Because(a.err)
}

// withoutCopies leaves out the built-in calendar's copies of events that another calendar lists, maybe at times to
// which they were moved there.
func withoutCopies(events []meet.Occurrence) []meet.Occurrence {
	elsewhere := map[string]bool{"": false}
	for _, o := range events {
		elsewhere[o.UID] = o.UID != "" && (elsewhere[o.UID] || o.Provider != builtIn)
	}
	return slices.DeleteFunc(events, func(o meet.Occurrence) bool {
		return o.Provider == builtIn && o.Calendar == "" && elsewhere[o.UID]
	})
}

// captioned is an occurrence whose texts can be shown. Notes keep their lines, and addresses that their owner may need.
func captioned(o meet.Occurrence) meet.Occurrence {
	o.Title, o.Location = meet.Caption(o.Title), meet.Caption(o.Location)
	return o
}

func inOrder(a, b meet.Occurrence) int {
	return cmp.Or(a.Span.Start.Compare(b.Span.Start), a.Span.End.Compare(b.Span.End), cmp.Compare(a.UID, b.UID))
}

// sameOccurrence reports whether both are one event that two calendars have. In one calendar, two of a series may have
// been moved to one time.
func sameOccurrence(a, b meet.Occurrence) bool {
	two := a.Provider == b.Provider && a.Calendar == b.Calendar && !a.RecurrenceID.Equal(b.RecurrenceID)
	return a.UID != "" && inOrder(a, b) == 0 && !two
}

// Listed are the events of a file or an object that could be parsed, as Agenda.Events returns them. Unknown is the time
// of the others.
func Listed(events []meet.Occurrence, unknown interval.Set, err error) ([]meet.Occurrence, error) {
	if err == nil && len(unknown) > 0 {
		err = fault.New(fault.CalendarFailed, reasonPartial)
	}
	return events, err
}
