package local

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// source is one file, which does not change, or one with what its owner changed over it. A damaged one has no schedule.
type source struct {
	name     string
	data     []byte
	schedule *icalendar.Schedule
	// latest is the source with the changes of the latest revision.
	latest atomic.Pointer[revised]
	// last is the last reading, so that the same days are not expanded again for each caller.
	last atomic.Pointer[reading]
}

// reading is the busy time of a file in some days, in its owner's zone.
type reading struct {
	owner icalendar.Owner
	days  interval.Span
	calendar.Times
}

// mostKept bounds the spans of a kept reading: more than a person's events in a year.
const mostKept = 10_000

// times is the busy time of the file's events in span, without the event with the UID except.
func (s *source) times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	if s.schedule == nil {
		return calendar.Times{}, s.damaged()
	}
	owner := icalendar.OwnedBy(person)
	if s.schedule.Has(except) {
		return read(ctx, s.schedule.Without(except), span, owner)
	}
	last := s.last.Load()
	if last == nil || last.owner != owner || !last.days.Covers(span) {
		days := wholeDays(span)
		times, err := read(ctx, s.schedule, days, owner)
		if err != nil {
			return calendar.Times{}, err
		}
		last = &reading{owner, days, times}
		if len(times.Busy)+len(times.Stays) <= mostKept {
			s.last.Store(last)
		}
	}
	if len(last.Unknown) > 0 {
		// The unknown part may depend on the requested span.
		return read(ctx, s.schedule, span, owner)
	}
	return last.within(span), nil
}

// events are the file's events in span.
func (s *source) events(ctx context.Context, person meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	if s.schedule == nil {
		return nil, s.damaged()
	}
	return calendar.Listed(s.schedule.Occurrences(ctx, span, icalendar.OwnedBy(person)))
}

func (s *source) damaged() error {
	return fault.New(fault.CalendarFailed, "the calendar file is damaged; export it again").
		Because(errors.New(s.name + ".ics"))
}

// wholeDays widens span to whole days in UTC: later requests of the same day mostly need the same days.
func wholeDays(span interval.Span) interval.Span {
	const day = 24 * time.Hour
	return interval.Span{Start: span.Start.Truncate(day), End: span.End.Truncate(day).Add(day)}
}

// within is the part of a reading that lies in span.
func (r *reading) within(span interval.Span) (times calendar.Times) {
	times.Busy = r.Busy.Within(span)
	for _, stay := range r.Stays {
		if stay.Span.Overlaps(span) {
			times.Stays = append(times.Stays, stay)
		}
	}
	return times
}

// read expands a schedule into busy times and stays.
func read(
	ctx context.Context, schedule *icalendar.Schedule, span interval.Span, owner icalendar.Owner,
) (times calendar.Times, err error) {
	taken, unknown, err := schedule.Instances(ctx, span, owner)
	busy := make([]interval.Span, 0, len(taken))
	for _, one := range taken {
		busy = append(busy, one.Span)
		if one.At != nil {
			times.Stays = append(times.Stays, meet.Stay{Span: one.Span, At: *one.At})
		}
	}
	times.Busy, times.Unknown = interval.NewSet(busy...).Within(span), unknown
	return times, err
}
