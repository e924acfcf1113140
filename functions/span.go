package functions

import (
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/when"
)

// QueryFor is what a question such as "anything fun on Saturday evening?" asks for: the days that it names, from now
// on, at the times of day that it names; the coming week where it names no day. Now carries the zone.
func QueryFor(text string, now time.Time) meet.ActivityQuery {
	read := when.Read(text, now)
	q := meet.ActivityQuery{
		Text: text, Zone: now.Location(), Span: interval.From(now, 7*24*time.Hour), Hours: hoursAbout(read.Hours),
	}
	if len(read.Dates) == 0 {
		return q
	}
	first, last := read.Dates[0].Start, read.Dates[0].End
	for _, r := range read.Dates[1:] {
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
	if !span.Empty() {
		q.Span, q.Dates = span, read.Dates
	}
	return q
}

// nearly is how far from a time that was named, in minutes, something may begin: nobody knows beforehand what is on.
const nearly = 60

// hoursAbout are the hours of a reading with room around exact times; nil where it has none.
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
