package google

import (
	"errors"
	"fmt"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/interval"
)

// errNotUnderstood is an answer that is not as documented.
var errNotUnderstood = errors.New("the answer is not as documented")

// cancelled is the status of events that were deleted.
const cancelled = "cancelled"

// takesTime reports whether the event is busy in Google's sense. An absence is, whatever its transparency, and a
// working location never is. Focus time, birthdays and events from Gmail follow their transparency, like any other
// event.
func takesTime(e *gcal.Event) bool {
	switch {
	case e.Status == cancelled, e.EventType == "workingLocation", declined(e):
		return false
	case e.EventType == "outOfOffice":
		return true
	default:
		return e.Transparency != "transparent"
	}
}

// declined reports whether the calendar's owner has declined.
func declined(e *gcal.Event) bool {
	for _, a := range e.Attendees {
		if a != nil && a.Self && a.ResponseStatus == "declined" {
			return true
		}
	}
	return false
}

// timeOf is the event's time. Dates are days in zone.
func timeOf(e *gcal.Event, zone *time.Location) (interval.Span, error) {
	switch {
	case e.Start == nil || e.End == nil:
		return interval.Span{}, fmt.Errorf("event without times: %w", errNotUnderstood)
	case e.Start.Date != "" && e.End.Date != "":
		return days(e.Start.Date, e.End.Date, zone)
	default:
		return parseSpan(e.Start.DateTime, e.End.DateTime)
	}
}

// days are the days from first until last, which is excluded; only first if both are the same.
func days(first, last string, zone *time.Location) (interval.Span, error) {
	from, errFrom := interval.ParseDate(first)
	to, errTo := interval.ParseDate(last)
	if errFrom != nil || errTo != nil || to.Before(from) {
		return interval.Span{}, fmt.Errorf("event with a date that is none: %w", errNotUnderstood)
	}
	if from == to {
		to = from.AddDays(1)
	}
	return interval.Span{Start: from.Start(zone), End: to.Start(zone)}, nil
}

func parseSpan(start, end string) (interval.Span, error) {
	from, errFrom := time.Parse(time.RFC3339, start)
	to, errTo := time.Parse(time.RFC3339, end)
	if errFrom != nil || errTo != nil || to.Before(from) {
		return interval.Span{}, fmt.Errorf("a time that is none: %w", errNotUnderstood)
	}
	return interval.Span{Start: from.UTC(), End: to.UTC()}, nil
}
