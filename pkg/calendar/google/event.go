package google

import (
	"errors"
	"fmt"
	"time"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/interval"
)

// errNotUnderstood is an answer that is not as documented. What it may have meant is unknown.
var errNotUnderstood = errors.New("the answer is not as documented")

// takesTime reports whether the event keeps its owner from something else, as Google means it. An absence does so
// whatever its transparency, and where somebody works never does. Focus time, birthdays and what Gmail found count as
// their transparency says, like any other event.
func takesTime(e *gcal.Event) bool {
	switch {
	case e.Status == "cancelled", e.EventType == "workingLocation", declined(e):
		return false
	case e.EventType == "outOfOffice":
		return true
	default:
		return e.Transparency != "transparent"
	}
}

// declined reports whether the calendar's owner will not come.
func declined(e *gcal.Event) bool {
	for _, a := range e.Attendees {
		if a != nil && a.Self && a.ResponseStatus == "declined" {
			return true
		}
	}
	return false
}

// timeOf is when the event is. Dates are days in zone.
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

// days are from first up to, not including, last; first alone if both are the same.
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
