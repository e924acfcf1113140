package calendar

import (
	"context"
	_ "embed"
	"slices"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed move_events.md
var moveEventsWords string

type moveEvents struct {
	Selection agenda.Selection `json:"selection"`
	To        destination      `json:"to"`
	Scope     *string          `json:"scope" jsonschema:"nullable,enum=this,enum=following,enum=all"`
}

// destination is where events move: the first of several, which the others follow.
type destination struct {
	Start     *string `json:"start" jsonschema:"nullable"`
	Date      *string `json:"date" jsonschema:"nullable"`
	Time      *string `json:"time" jsonschema:"nullable"`
	ByMinutes *int    `json:"byMinutes" jsonschema:"nullable"`
	ByDays    *int    `json:"byDays" jsonschema:"nullable"`
	// Together puts several one right after the other; otherwise they keep their distances.
	Together *bool `json:"together" jsonschema:"nullable"`
}

// MoveEvents moves events to other times.
func MoveEvents() world.Tool {
	return world.Define("calendar_moveEvents", world.WithSelection(moveEventsWords), changes(meet.UpdateResource), move)
}

func move(ctx context.Context, w *world.World, in moveEvents) (world.Answer[Changed], error) {
	if err := in.To.check(); err != nil {
		return world.Answer[Changed]{}, err
	}
	found, err := w.Editable(ctx, in.Selection)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	events := slices.Clone(scoped(in.Selection, in.Scope, found.Events))
	slices.SortStableFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	shift, err := in.To.shift(w, events[0])
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	var all []agenda.Amendment
	var previous interval.Span
	for i, o := range events {
		a := agenda.Amendment{Kind: agenda.Update, Event: o, Scope: scopeOf(o, in.Scope)}
		span, timed := shift.of(o)
		if i > 0 && in.To.Together != nil && *in.To.Together {
			span = interval.From(previous.End, span.Duration())
		}
		if a.Set.Span, previous = &span, span; timed {
			a.Set.AllDay = new(false)
		}
		all = append(all, a)
	}
	answer, err := amend(ctx, w, found, all)
	if err == nil && shift.exact && previous.End.Before(w.Now) {
		answer.Description = joined(answer.Description, say(w, "past"))
	}
	return answer, err
}

// check refuses a destination that says nothing, or two things.
func (d destination) check() error {
	by, to := d.ByMinutes != nil || d.ByDays != nil, d.Date != nil || d.Time != nil
	switch {
	case !by && !to && d.Start == nil:
		return tool.BadArgument("to", "name start, date, time, byMinutes or byDays")
	case by && (to || d.Start != nil), to && d.Start != nil:
		return tool.BadArgument("to", "name either start, or date and time, or byMinutes and byDays")
	}
	return nil
}

// shift is how far events move on the clocks of a zone.
type shift struct {
	zone          *time.Location
	days, minutes int
	// exact says that the clock time was named, so that an event of whole days becomes one of an hour.
	exact bool
}

// shift is the way of the first event, which the others go too.
func (d destination) shift(w *world.World, first meet.Occurrence) (s shift, err error) {
	s.zone = w.Zone()
	if d.ByDays != nil {
		s.days = *d.ByDays
	}
	if d.ByMinutes != nil {
		s.minutes = *d.ByMinutes
	}
	from := first.Span.Start.In(s.zone)
	day, clock := interval.DateOf(from), interval.ClockOf(from)
	if d.ByDays != nil || d.ByMinutes != nil {
		return s, nil
	}
	to, at := day, clock
	if d.Start != nil {
		start, err := moment(w, *d.Start, "to.start")
		if err != nil {
			return s, err
		}
		if !isDate(*d.Start) {
			at, s.exact = interval.ClockOf(start.In(s.zone)), true
		}
		to = interval.DateOf(start.In(s.zone))
	}
	if d.Date != nil {
		if to, err = interval.ParseDate(*d.Date); err != nil {
			return s, tool.BadArgument("to.date", "%q is no date; use YYYY-MM-DD", *d.Date)
		}
	}
	if d.Time != nil {
		if at, err = interval.ParseClock(*d.Time); err != nil {
			return s, tool.BadArgument("to.time", "%q is no time of day; use HH:MM", *d.Time)
		}
		s.exact = true
	}
	s.days, s.minutes = day.DaysUntil(to), int(at-clock)
	return s, nil
}

// of is where an event moves; timed says that it is no longer one of whole days.
func (s shift) of(o meet.Occurrence) (span interval.Span, timed bool) {
	moved := func(t time.Time) time.Time {
		t = t.In(s.zone)
		return time.Date(t.Year(), t.Month(), t.Day()+s.days, t.Hour(), t.Minute()+s.minutes, t.Second(), 0, s.zone)
	}
	switch {
	case o.AllDay && s.exact:
		return interval.From(moved(o.Span.Start), time.Hour), true
	case o.AllDay:
		return interval.Span{Start: moved(o.Span.Start), End: moved(o.Span.End)}, false
	}
	return interval.From(moved(o.Span.Start), o.Span.Duration()), false
}

// joined are two texts as one.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}
