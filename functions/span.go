package functions

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// WantedSpan is the time that a question such as "what's happening this weekend?" is about: the days it names, from now
// on; the coming week where it names none. Now carries the zone.
func WantedSpan(text string, now time.Time) interval.Span {
	week := interval.From(now, 7*24*time.Hour)
	days := when.Read(text, now).Dates
	if len(days) == 0 {
		return week
	}
	first, last := days[0].Start, days[0].End
	for _, r := range days[1:] {
		if r.Start.Before(first) {
			first = r.Start
		}
		if last.Before(r.End) {
			last = r.End
		}
	}
	span := interval.Span{Start: first.Start(now.Location()), End: last.AddDays(1).Start(now.Location())}
	if span.Start.Before(now) {
		span.Start = now
	}
	if span.Empty() {
		return week
	}
	return span
}
