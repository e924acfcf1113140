package functions

import (
	"cmp"
	"slices"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

// Arguments that several functions share. Dates are "YYYY-MM-DD" and clock times "HH:MM" in 24 hours, both local to the
// turn's zone. Every field is required; a pointer may be null.

// DateRange is a range of days, both ends included.
type DateRange struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Hours are windows by weekday, and by date for dates that differ.
type Hours struct {
	Mon []Window    `json:"mon"`
	Tue []Window    `json:"tue"`
	Wed []Window    `json:"wed"`
	Thu []Window    `json:"thu"`
	Fri []Window    `json:"fri"`
	Sat []Window    `json:"sat"`
	Sun []Window    `json:"sun"`
	On  []DateHours `json:"on"`
}

// Window is a part of a day; start = end is an exact start time.
type Window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// DateHours are the windows of one date.
type DateHours struct {
	Date    string   `json:"date"`
	Windows []Window `json:"windows"`
}

// Buffer is travel time in minutes.
type Buffer struct {
	BeforeMinutes int `json:"beforeMinutes"`
	AfterMinutes  int `json:"afterMinutes"`
}

// The bounds of what a model may ask for.
const (
	minDuration = 5
	maxDuration = 24 * 60
	maxTravel   = 6 * 60
	maxRange    = 366
)

func duration(field string, minutes int) (int, error) {
	if minutes < minDuration || minutes > maxDuration {
		return 0, tool.BadArgument(field, "must be between %d and %d minutes", minDuration, maxDuration)
	}
	return minutes, nil
}

func dateRanges(field string, in []DateRange) ([]interval.DateRange, error) {
	var ranges []interval.DateRange
	for _, r := range in {
		start, noStart := interval.ParseDate(r.Start)
		end, noEnd := interval.ParseDate(r.End)
		if err := cmp.Or(noStart, noEnd); err != nil {
			return nil, tool.BadArgument(field, "%v", err)
		}
		if end.Before(start) || start.DaysUntil(end) > maxRange {
			return nil, tool.BadArgument(field, "%s to %s is no range of days", r.Start, r.End)
		}
		ranges = append(ranges, interval.DateRange{Start: start, End: end})
	}
	return ranges, nil
}

func hours(field string, in *Hours) (*meet.Hours, error) {
	if in == nil {
		return nil, nil
	}
	out := &meet.Hours{}
	for day, windows := range [7][]Window{in.Sun, in.Mon, in.Tue, in.Wed, in.Thu, in.Fri, in.Sat} {
		read, err := readWindows(field, windows)
		if err != nil {
			return nil, err
		}
		out.Week[day] = read
	}
	for _, on := range in.On {
		date, err := interval.ParseDate(on.Date)
		if err != nil {
			return nil, tool.BadArgument(field, "%v", err)
		}
		read, err := readWindows(field, on.Windows)
		if err != nil {
			return nil, err
		}
		out.On = append(out.On, meet.DateHours{Date: date, Windows: append([]interval.Window{}, read...)})
	}
	if out.Empty() {
		return nil, nil
	}
	return out, nil
}

func readWindows(field string, in []Window) ([]interval.Window, error) {
	var windows []interval.Window
	for _, w := range in {
		start, noStart := interval.ParseClock(w.Start)
		end, noEnd := interval.ParseClock(w.End)
		if err := cmp.Or(noStart, noEnd); err != nil {
			return nil, tool.BadArgument(field, "%v", err)
		}
		if start == interval.EndOfDay {
			return nil, tool.BadArgument(field, "nothing starts at 24:00; use 00:00 of the next day")
		}
		windows = append(windows, interval.Window{Start: start, End: end})
	}
	return windows, nil
}

// everyDay widens hours that are the same on each wanted day to the whole week, so that an edit of the date keeps the
// time of day. The dates still say which days are wanted.
func everyDay(h *meet.Hours, wanted []interval.DateRange) *meet.Hours {
	if h == nil || len(wanted) == 0 {
		return h
	}
	same := h.For(wanted[0].Start)
	for _, r := range wanted {
		for d := r.Start; !r.End.Before(d); d = d.AddDays(1) {
			if windows := h.For(d); len(windows) == 0 || !slices.Equal(same, windows) {
				return h
			}
		}
	}
	return &meet.Hours{Week: interval.EveryDay(same...)}
}

func travel(field string, in *Buffer) (meet.TravelBuffer, error) {
	if in == nil {
		return meet.TravelBuffer{}, nil
	}
	if min(in.BeforeMinutes, in.AfterMinutes) < 0 || max(in.BeforeMinutes, in.AfterMinutes) > maxTravel {
		return meet.TravelBuffer{}, tool.BadArgument(field, "must be between 0 and %d minutes", maxTravel)
	}
	return meet.TravelBuffer{BeforeMinutes: in.BeforeMinutes, AfterMinutes: in.AfterMinutes}, nil
}
