package functions

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/when"
)

// QueryFor reads a question like "anything fun on Saturday evening?": the days that it names, from now on, or else the
// coming week, at the times of day that it names. Now carries the zone.
func QueryFor(text string, now time.Time) meet.ActivityQuery {
	read := when.Read(text, now)
	q := meet.ActivityQuery{
		Text: text, Zone: now.Location(), Span: interval.From(now, 7*24*time.Hour), Hours: hoursAbout(read.Hours),
	}
	if len(read.Dates) == 0 {
		return q
	}
	days := func(r interval.DateRange) interval.Span {
		return interval.Span{Start: r.Start.Start(now.Location()), End: r.End.AddDays(1).Start(now.Location())}
	}
	span := days(read.Dates[0])
	for _, r := range read.Dates[1:] {
		span = span.Hull(days(r))
	}
	if span.Start.Before(now) {
		span.Start = now
	}
	if !span.Empty() {
		q.Span, q.Dates = span, read.Dates
	}
	return q
}

// nearly is how far from an exact time an activity may begin, in minutes.
const nearly = 60

// hoursAbout are the hours of a reading with room around exact times, or nil.
func hoursAbout(h when.Hours) *meet.Hours {
	if h.Empty() {
		return nil
	}
	out := &meet.Hours{}
	for day, windows := range h.Week {
		out.Week[day] = about(windows)
	}
	for _, on := range h.On {
		out.On = append(out.On, meet.DateHours{Date: on.Date, Windows: about(on.Windows)})
	}
	return out
}

func about(windows []interval.Window) []interval.Window {
	var wide []interval.Window
	for _, w := range windows {
		if w.Exact() {
			w.Start, w.End = max(w.Start-nearly, 0), min(w.End+nearly, interval.EndOfDay)
		}
		wide = append(wide, w)
	}
	return wide
}
