package eval

import (
	"fmt"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// Time is a time phrase in the terms of the evaluation sets. The end of a range of days is its last day.
type Time struct {
	Start    string `json:"start,omitempty"`
	End      string `json:"end,omitempty"`
	Grain    string `json:"grain,omitempty"`
	TimeOnly bool   `json:"time_only,omitempty"`
	Seconds  int    `json:"duration_seconds,omitempty"`
}

// minute is the format of a moment, in the zone of the item.
const minute = "2006-01-02T15:04"

// timeOf is the reading of an item that asks only for the meaning of a time phrase.
func timeOf(item Item) *Time {
	r := when.Setting{Language: item.Lang}.Read(item.Utterance, item.Reference)
	out := &Time{Seconds: int(r.Duration / time.Second)}
	if out.Seconds == 0 && len(r.Dates) == 0 {
		out.Seconds = r.Days * 24 * 60 * 60
	}
	window := firstWindow(r)
	if window != nil && r.About {
		// The sets write "around 7" as 7.
		middle := (window.Start + window.End) / 2
		window = &interval.Window{Start: middle, End: middle}
	}
	switch {
	case r.Moment != nil:
		out.Start, out.Grain = r.Moment.Format(minute), "minute"
	case len(r.Dates) == 0 && window == nil && r.Shift.Days != 0:
		out.Start, out.Grain = interval.DateOf(item.Reference).AddDays(r.Shift.Days).String(), "day"
	case len(r.Dates) == 0 && window == nil:
	case window == nil && r.Before != nil:
		out.End, out.Grain = r.Before.String(), "day"
	case window == nil:
		out.Grain = "day"
		first, last := r.Dates[0].Start, r.Dates[len(r.Dates)-1].End
		if named := namedDays(r); named != (interval.DateRange{}) {
			first, last = named.Start, named.End
		}
		out.Start = first.String()
		if last != first {
			out.End = last.String()
		}
	default:
		out.span(r, *window, item.Reference)
	}
	return out
}

// namedDays are the days that the only date of a reading names, including past days of this week or month. It is zero
// if there are more dates.
func namedDays(r when.Reading) (days interval.DateRange) {
	dates := 0
	for _, e := range r.Entities {
		if e.Kind == when.KindDate {
			dates++
			days = e.Days
		}
	}
	if dates != 1 {
		return interval.DateRange{}
	}
	return days
}

// span sets a window on the days of a reading; without days it is on the next day that it fits, and only its clock
// counts.
func (t *Time) span(r when.Reading, w interval.Window, now time.Time) {
	first, last := interval.DateOf(now), interval.DateOf(now)
	t.TimeOnly, t.Grain = len(r.Dates) == 0, "minute"
	over := w.End < interval.ClockOf(now) || w.Start < interval.ClockOf(now) && r.Duration > 0
	switch {
	case !t.TimeOnly:
		first, last = r.Dates[0].Start, r.Dates[len(r.Dates)-1].End
	case over && w.End != 0:
		first, last = first.AddDays(1), last.AddDays(1)
	}
	t.Start = clockOn(first, w.Start)
	end := w.End
	switch {
	case w.Exact() && r.Duration > 0:
		end += interval.Clock(r.Duration / time.Minute)
	case w.Exact():
		return
	case w.End <= w.Start:
		last = last.AddDays(1)
	}
	t.End = clockOn(last, end)
}

// clockOn writes a clock of a day; a clock of 24 hours or more is on a later day.
func clockOn(day interval.Date, c interval.Clock) string {
	day = day.AddDays(int(c / interval.EndOfDay))
	return fmt.Sprintf("%sT%s", day, c%interval.EndOfDay)
}

// firstWindow is the first window that a reading names, or nil.
func firstWindow(r when.Reading) *interval.Window {
	for _, day := range r.Hours.Week {
		if len(day) > 0 {
			return &day[0]
		}
	}
	for _, on := range r.Hours.On {
		if len(on.Windows) > 0 {
			return &on.Windows[0]
		}
	}
	return nil
}
