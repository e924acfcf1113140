package eval

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/when"
)

// Template is a template in the terms of the evaluation sets.
type Template struct {
	Title        string               `json:"title,omitempty"`
	Duration     int                  `json:"duration_minutes,omitempty"`
	DateRanges   []interval.DateRange `json:"date_ranges,omitempty"`
	ExcludeDates []interval.Date      `json:"exclude_dates,omitempty"`
	// ExcludeWeekdays are days of the week, Monday as 1.
	ExcludeWeekdays []int             `json:"exclude_weekdays,omitempty"`
	AllDay          bool              `json:"all_day,omitempty"`
	TimeWindows     []interval.Window `json:"time_windows,omitempty"`
	ExactStart      string            `json:"exact_start,omitempty"`
	Attendees       []string          `json:"attendees,omitempty"`
	EventType       string            `json:"event_type,omitempty"`
	Activity        string            `json:"activity,omitempty"`
	PlaceQuery      string            `json:"place_query,omitempty"`
	Location        string            `json:"location,omitempty"`
	BookingLink     string            `json:"booking_link,omitempty"`
	Conditional     bool              `json:"conditional,omitempty"`
	Order           string            `json:"order,omitempty"`
}

func describe(d meet.Draft, zone *time.Location) *Template {
	t := d.Template
	out := &Template{
		Title: t.Title, Duration: t.Duration, DateRanges: t.Dates, Attendees: t.Participants, BookingLink: bookingLink(d),
		Activity: string(t.Activity), PlaceQuery: placeWish(t), Location: t.PlaceName,
		EventType: map[meet.EventType]string{
			meet.InPerson: "in_person", meet.Video: "online", meet.Phone: "phone",
		}[t.EventType],
	}
	for _, r := range t.ExcludedDates {
		for day := r.Start; !r.End.Before(day); day = day.AddDays(1) {
			out.ExcludeDates = append(out.ExcludeDates, day)
		}
	}
	if d.Edit != nil {
		out.Conditional, out.Order = d.Edit.Conditional, string(d.Edit.Preference)
	}
	if day, at, ok := t.ExactStart(); ok {
		out.ExactStart = at.String()
		if start, exists := day.At(at, zone); exists && !day.IsZero() {
			out.ExactStart = start.Format(time.RFC3339)
		}
		return out
	}
	if t.Hours != nil {
		for _, w := range slices.Concat(t.Hours.Week[:]...) {
			if !slices.Contains(out.TimeWindows, w) {
				out.TimeWindows = append(out.TimeWindows, w)
			}
		}
	}
	return out
}

// placeWish is a template's wish for a place, without kind and name, as the one text of the evaluation sets.
func placeWish(t meet.Template) string {
	parts := []string{t.ActivitySearchQuery}
	for _, feature := range t.Wishes.Features {
		parts = append(parts, string(feature))
	}
	for _, said := range []struct{ before, name string }{
		{"in", t.Wishes.Where.Area}, {"near", t.Wishes.Where.Landmark}, {"near", t.Wishes.Where.Person},
	} {
		if said.name != "" {
			parts = append(parts, said.before, said.name)
		}
	}
	for _, name := range t.Wishes.Excluded {
		parts = append(parts, "not", name)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// draftOf is the draft of an event with only a time.
func draftOf(said when.Reading) meet.Draft {
	t := meet.Template{Dates: said.Dates, ExcludedDates: said.ExcludedDates, Duration: int(said.Duration / time.Minute)}
	if said.AllDay && t.Duration == 0 {
		t.Duration = 24 * 60
	}
	if !said.Hours.Empty() {
		t.Hours = &meet.Hours{Week: said.Hours.Week}
	}
	return meet.Draft{Template: t}
}

// said adds what the time reader finds and templates do not keep: approximate starts and excluded weekdays.
func (e *Template) said(r when.Reading, d meet.Draft) {
	for _, day := range r.ExcludedWeekdays {
		e.ExcludeWeekdays = append(e.ExcludeWeekdays, (int(day)+6)%7+1)
	}
	e.AllDay = r.AllDay
	window := firstWindow(r)
	if !r.About || window == nil || e.ExactStart != "" || d.Edit != nil && d.Edit.Conditional {
		return
	}
	e.ExactStart, e.TimeWindows = ((window.Start + window.End) / 2).String(), nil
	if len(e.DateRanges) == 1 && e.DateRanges[0].Start == e.DateRanges[0].End {
		e.ExactStart = e.DateRanges[0].Start.String() + "T" + e.ExactStart
	}
}

// template converts the terms of the evaluation sets back.
func (e Template) template() meet.Template {
	t := meet.Template{
		Title: e.Title, Duration: e.Duration, Dates: e.DateRanges, Participants: e.Attendees,
		Activity: meet.Activity(e.Activity), ActivitySearchQuery: e.PlaceQuery, PlaceName: e.Location,
		EventType: map[string]meet.EventType{"online": meet.Video, "phone": meet.Phone}[e.EventType],
	}
	if t.EventType == "" {
		t.EventType = meet.InPerson
	}
	if t.Activity == "" {
		t.Activity = meet.Meeting
	}
	windows := e.TimeWindows
	if start, err := time.Parse(time.RFC3339, e.ExactStart); err == nil {
		at := interval.ClockOf(start)
		windows = []interval.Window{{Start: at, End: at}}
	}
	if len(windows) > 0 {
		t.Hours = &meet.Hours{Week: interval.EveryDay(windows...)}
	}
	return t
}
