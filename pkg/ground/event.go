package ground

import (
	"time"

	"convene/pkg/interval"
)

// move is the move of events to the time that is said last, or by a length.
func (r *reading) move() (string, arguments) {
	to := arguments{}
	if minutes := r.length(); minutes > 0 {
		r.locateAll(0)
		if r.says("sooner") {
			minutes = -minutes
		}
		if to["byMinutes"] = minutes; minutes%(24*60) == 0 {
			to = arguments{"byDays": minutes / 24 / 60}
		}
		return "calendar_moveEvents", r.selecting(Event, arguments{"to": to})
	}
	r.locateAll(1)
	points := r.points()
	events := r.of(Event)
	if len(points) != 1 || len(events) != 1 {
		return "", nil
	}
	t := points[0]
	day := t.day()
	if ends, ok := events[0].ends(*t, r.Now.Location()); ok { // "from tuesday to wednesday"
		t.Reading, day = ends.Reading, ends.day()
	}
	if len(t.Dates) > 0 && day == nil || t.Exact == nil && !t.Hours.Empty() {
		return "", nil
	}
	if day != nil {
		to["date"] = day.String()
		events[0].near(*day, r)
	}
	if t.Exact != nil {
		to["time"] = t.Exact.String()
		if t.Duration > 0 {
			to["durationMinutes"] = int(t.Duration.Minutes())
		}
	}
	if t.used = len(to) > 0; !t.used {
		return "", nil
	}
	return "calendar_moveEvents", r.selecting(Event, arguments{"to": to})
}

// ends is the end of a span of time, if the event stands at its beginning, which is meant then: "from 3 to 4".
func (m *mention) ends(t timed, zone *time.Location) (to timed, ok bool) {
	switch {
	case len(t.Dates) == 1 && t.Dates[0].Start != t.Dates[0].End && t.Exact == nil && t.Hours.Empty():
		to.Dates = []interval.DateRange{{Start: t.Dates[0].End, End: t.Dates[0].End}}
		t.Dates = []interval.DateRange{{Start: t.Dates[0].Start, End: t.Dates[0].Start}}
	case t.Exact != nil && t.Duration > 0:
		end := *t.Exact + interval.Clock(t.Duration/time.Minute)
		to.Dates, to.Exact = t.Dates, &end
	default:
		return to, false
	}
	on := m.at(t, zone)
	if len(on) > 0 {
		m.meant, m.which = on[:1], false
	}
	return to, len(on) > 0
}

// near means, of several occurrences, the one of a day or else of its week, unless the message says which one is meant.
func (m *mention) near(day interval.Date, r *reading) {
	if m.which || len(m.meant) > 1 || len(m.things) == 1 || m.meant[0].ID != m.things[0].ID {
		return
	}
	monday := func(d interval.Date) interval.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }
	for _, same := range []func(d interval.Date) bool{
		func(d interval.Date) bool { return d == day },
		func(d interval.Date) bool { return monday(d) == monday(day) },
	} {
		for _, t := range m.things {
			if same(interval.DateOf(t.Span.Start.In(r.Now.Location()))) {
				m.meant = []Thing{t}
				return
			}
		}
	}
}

// resize is the new length of an event: until a time, by a length, or a length.
func (r *reading) resize() (string, arguments) {
	set := arguments{}
	if minutes := r.length(); minutes > 0 {
		r.locateAll(0)
		switch {
		case r.says("less") && r.says("by"):
			set["longerByMinutes"] = -minutes
		case r.says("by"):
			set["longerByMinutes"] = minutes
		default:
			set["durationMinutes"] = minutes
		}
		return "calendar_updateEvents", r.selecting(Event, arguments{"set": set})
	}
	r.locateAll(1)
	events, points := r.of(Event), r.points()
	if len(events) != 1 || len(points) != 1 || len(events[0].meant) != 1 || len(points[0].Dates) > 0 {
		return "", nil
	}
	end := points[0].EndsAt
	if end == nil {
		end = points[0].Exact
	}
	if end == nil {
		return "", nil
	}
	start := events[0].meant[0].Span.Start.In(r.Now.Location())
	minutes := int(*end - interval.ClockOf(start))
	if points[0].used = minutes > 0; !points[0].used {
		return "", nil
	}
	set["durationMinutes"] = minutes
	return "calendar_updateEvents", r.selecting(Event, arguments{"set": set})
}
