package calendar

import (
	"context"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// ahead is how far times are looked for if no window is named.
const ahead = 14 * 24 * time.Hour

// calendars are what is known of the time of some people, the owner among them or not.
type calendars struct {
	people []meet.Person
	times  map[meet.PersonID]interval.Availability
}

// read reads when people are busy in a span: the owner by the working copy, the others by their free and busy times. A
// person whose calendar cannot be read is unknown.
func read(ctx context.Context, w *world.World, people []meet.Person, span interval.Span) (calendars, error) {
	c := calendars{people, map[meet.PersonID]interval.Availability{}}
	unknown := interval.Availability{Unknown: interval.NewSet(span)}
	var asked []meet.Person
	for _, p := range people {
		if p.Known() && p.ID != w.Owner.ID && w.Times != nil {
			asked = append(asked, p)
		}
		c.times[p.ID] = unknown
	}
	events, err := w.Agenda.Events(ctx, span)
	if ctx.Err() != nil {
		return c, ctx.Err()
	}
	own := interval.Availability{Busy: busyWith(events)}
	if err != nil {
		own.Unknown = interval.NewSet(span).Minus(own.Busy)
	}
	c.times[w.Owner.ID] = own
	if len(asked) == 0 {
		return c, nil
	}
	schedules, err := w.Times.Busy(ctx, meet.BusyQuery{People: asked, Span: span})
	if err != nil {
		return c, fault.New(fault.CalendarFailed, "%s", say(w, "othersUnread")).Later(0).Because(err)
	}
	for id, s := range schedules {
		c.times[id] = s.Availability
	}
	return c, nil
}

// of is what is known of a person's time; all is unknown of those without an id.
func (c calendars) of(p meet.Person, span interval.Span) interval.Availability {
	if a, ok := c.times[p.ID]; ok && p.Known() {
		return a
	}
	return interval.Availability{Unknown: interval.NewSet(span)}
}

// busyWith is the time that events take.
func busyWith(events []meet.Occurrence) interval.Set {
	var spans []interval.Span
	for _, o := range events {
		if !o.Transparent && !o.Declined() {
			spans = append(spans, o.Span)
		}
	}
	return interval.NewSet(spans...)
}

// waking are the hours of days that the user names and on which they do not work.
var waking = interval.Window{Start: interval.At(9, 0), End: interval.At(21, 0)}

// wanted is when an event may lie: within a window, at times of day, or else within working hours. A window of some
// hours is wanted as it is.
type wanted struct {
	Window    *agenda.Window    `json:"window" jsonschema:"nullable"`
	TimeOfDay *agenda.TimeOfDay `json:"timeOfDay" jsonschema:"nullable"`
}

// span is the window from now on.
func (m wanted) span(w *world.World) (interval.Span, error) {
	span, err := agenda.Selection{Window: m.Window}.Span(w.Scene())
	if err != nil {
		return span, badWindow(err)
	}
	if m.Window == nil {
		span.End = w.Now.Add(ahead)
	}
	if span.Start.Before(w.Now) {
		span.Start = w.Now
	}
	return span, nil
}

// open is the time in a span at which an event may lie for the owner and others on work calendars.
func (m wanted) open(w *world.World, people []meet.Person, span interval.Span) (interval.Set, error) {
	whole := interval.NewSet(span)
	if m.TimeOfDay != nil {
		window, err := m.TimeOfDay.Window("timeOfDay")
		if err != nil {
			return nil, badWindow(err)
		}
		if window.Exact() {
			window.End = interval.EndOfDay
		}
		return interval.EveryDay(window).Around(span, w.Zone()).Intersect(whole), nil
	}
	if m.named(span) {
		return whole, nil
	}
	open := w.Working(span)
	if m.Window != nil && len(open) == 0 {
		return interval.EveryDay(waking).Around(span, w.Zone()).Intersect(whole), nil
	}
	for _, p := range people {
		if p.OnWorkCalendar() && p.ID != w.Owner.ID {
			open = open.Intersect(p.WorkingWeek().Around(span, p.Zone()))
		}
	}
	return open, nil
}

// named reports whether the user named hours of the day.
func (m wanted) named(span interval.Span) bool {
	return m.TimeOfDay != nil || m.Window != nil && span.Duration() < 12*time.Hour && !isDate(m.Window.Start)
}

// spare is what is left of time that is free of events after what the owner keeps free.
func (m wanted) spare(w *world.World, free interval.Set, span interval.Span) (interval.Set, []string) {
	hours := world.UsualHours
	if m.named(span) {
		hours = world.NamedHours
	}
	return w.Spare(free, span, hours)
}

func isDate(s string) bool {
	_, err := interval.ParseDate(s)
	return err == nil
}

// grid is what starts of events are multiples of.
const grid = 15 * time.Minute

// fitting are the first spans of a length in a set, none overlapping another, on the grid.
func fitting(free interval.Set, length time.Duration, limit int) (spans []interval.Span) {
	for _, gap := range free {
		start := onGrid(gap.Start)
		for !start.Add(length).After(gap.End) && len(spans) < limit {
			spans = append(spans, interval.From(start, length))
			start = onGrid(start.Add(max(length, 2*grid)))
		}
	}
	return spans
}

// onGrid is t, or the next moment of the grid after it, by the clock.
func onGrid(t time.Time) time.Time {
	past := time.Duration(t.Minute())*time.Minute%grid + t.Sub(t.Truncate(time.Minute))
	if past == 0 {
		return t
	}
	return t.Add(grid - past)
}

// withOwner are people with the owner first.
func withOwner(w *world.World, people []meet.Person) []meet.Person {
	return slices.Insert(slices.Clone(people), 0, w.Owner)
}
