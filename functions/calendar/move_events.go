package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strings"
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
	// DurationMinutes is the new length of a single event that moves to a time.
	DurationMinutes *int `json:"durationMinutes" jsonschema:"nullable"`
	// Together puts several one right after the other; otherwise they keep their distances.
	Together *bool `json:"together" jsonschema:"nullable"`
	// RepeatsOn are the weekdays on which a series of every week is from then on.
	RepeatsOn []string `json:"repeatsOn" jsonschema:"enum=monday,enum=tuesday,enum=wednesday,enum=thursday,enum=friday,enum=saturday,enum=sunday"`
	// room is where each of them finds a time of its own.
	room
}

// MoveEvents moves events to other times: those that are named, or those that are found.
func MoveEvents() world.Tool {
	return world.Define("calendar_moveEvents", world.WithSelection(moveEventsWords), changes(meet.UpdateResource), move)
}

func move(ctx context.Context, w *world.World, in moveEvents) (world.Answer[Moved], error) {
	if err := in.To.check(); err != nil {
		return world.Answer[Moved]{}, err
	}
	found, err := w.Editable(ctx, in.Selection)
	if err != nil {
		return world.Answer[Moved]{}, err
	}
	switch {
	case in.To.named():
		return rearranged(ctx, w, in, found)
	case len(in.To.RepeatsOn) > 0:
		answer, err := onOtherDays(ctx, w, in, found)
		return movedAnswer(answer, []stayed{}), err
	}
	answer, err := shifted(ctx, w, in, in.ofThatDay(ctx, w, found))
	return movedAnswer(answer, []stayed{}), err
}

// ofThatDay is the occurrence that a series has on the day to which another one would move: "move the gym to 8 on
// Friday" may well mean Friday's, and is asked about.
func (in moveEvents) ofThatDay(ctx context.Context, w *world.World, found world.Found) world.Found {
	s := in.Selection
	if len(found.Events) != 1 || !found.Events[0].Repeats() || s.Window != nil || len(s.IDs) > 0 || s.From != nil {
		return found
	}
	next := found.Events[0]
	shift, err := in.To.shift(w, next)
	if err != nil || shift.days == 0 || in.To.ByDays != nil {
		return found
	}
	day := interval.DateOf(next.Span.Start.In(shift.zone)).AddDays(shift.days)
	s.Window = &agenda.Window{Start: day.String(), End: day.AddDays(1).String()}
	there, err := w.Editable(ctx, s)
	if err != nil || len(there.Events) != 1 || there.Events[0].UID != next.UID {
		return found
	}
	if w.Doubt(); !shift.exact {
		return found
	}
	return there
}

// shifted moves events to a time that is named, or by so much.
func shifted(ctx context.Context, w *world.World, in moveEvents, found world.Found) (world.Answer[Changed], error) {
	events := slices.Clone(scoped(in.Selection, in.Scope, found.Events))
	slices.SortStableFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
	shift, err := in.To.shift(w, events[0])
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	if len(events) > 1 && !in.Selection.Bounded() {
		return world.Answer[Changed]{}, tool.BadArgument("selection", "names no events, and no days of which all move")
	}
	var all []agenda.Amendment
	var previous interval.Span
	for i, o := range events {
		if in.Selection.Each() && in.To.Date != nil && in.To.Time == nil {
			shift, _ = in.To.shift(w, o) // it was one of the first
		}
		a := agenda.Amendment{Kind: agenda.Update, Event: o, Scope: scopeOf(o, in.Scope)}
		span, timed := shift.of(o)
		if length := in.To.DurationMinutes; length != nil && len(events) == 1 {
			span = interval.From(span.Start, time.Duration(*length)*time.Minute)
		}
		if i > 0 && in.To.Together != nil && *in.To.Together {
			span = interval.From(previous.End, span.Duration())
		}
		if a.Set.Span, previous = &span, span; timed {
			a.Set.AllDay = new(false)
		}
		all = append(all, a)
	}
	if last := events[len(events)-1]; in.To.Time != nil && len(events) > 1 && w.SameDay(events[0], last) {
		w.Doubt() // the first one moves there, and the user may mean each
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
	exact := by || to || d.Start != nil
	switch repeats := len(d.RepeatsOn) > 0; {
	case repeats && (d.named() || by || d.Start != nil || d.Date != nil):
		return tool.BadArgument("to.repeatsOn", "goes with time alone")
	case repeats:
		return nil
	case d.named() && (exact || d.DurationMinutes != nil || d.Together != nil && *d.Together):
		return tool.BadArgument("to", "name either a time, or a window, timeOfDay or weekdays in which to find one")
	case d.named():
		return d.room.check()
	case d.DurationMinutes != nil && *d.DurationMinutes <= 0:
		return tool.BadArgument("to.durationMinutes", "leaves the event no time")
	case !exact:
		return tool.BadArgument("to", "name start, date, time, byMinutes or byDays, or a window, timeOfDay or weekdays")
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
		if at, err = clockFor(w, *d.Time, first); err != nil {
			return s, err
		}
		s.exact = true
	}
	s.days, s.minutes = day.DaysUntil(to), int(at-clock)
	return s, nil
}

// clockFor is the clock time to which an event moves.
func clockFor(w *world.World, said string, o meet.Occurrence) (interval.Clock, error) {
	clock, open := strings.CutSuffix(said, "?")
	at, err := interval.ParseClock(clock)
	if err != nil {
		return at, tool.BadArgument("to.time", "%q is no time of day; use HH:MM", said)
	}
	if open && !o.AllDay {
		return halfOf(w, at, o.Span.Start.In(w.Zone()))
	}
	return at, nil
}

// halfOf is the clock time in the half of the day that is nearer to where an event stands. If both are likely and
// neither is nearer by hours, the error asks which one is meant.
func halfOf(w *world.World, at interval.Clock, stands time.Time) (interval.Clock, error) {
	const half, plainly = 12 * 60, 4 * 60
	early := at % half
	late, clock := early+half, interval.ClockOf(stands)
	nearer := apart(late, clock) - apart(early, clock)
	switch {
	case !likely(late, clock), likely(early, clock) && nearer >= plainly:
		return early, nil
	case !likely(early, clock), nearer <= -plainly:
		return late, nil
	}
	asked := &world.AmbiguousError{Question: say(w, "whichHalf"), Argument: "to.time"}
	for _, c := range []interval.Clock{early, late} {
		then, _ := interval.DateOf(stands).At(c, stands.Location())
		asked.Options = append(asked.Options, meet.Option{ID: c.String(), Label: w.Voice().Clock(then)})
	}
	return at, asked
}

// likely reports whether an event moves from one clock time to the other: into the night only from close to it.
func likely(to, from interval.Clock) bool {
	const dawn, evening, night, close = 5 * 60, 17 * 60, 22 * 60, 2 * 60
	return dawn <= to && (to < night || from >= evening) || apart(to, from) <= close
}

func apart(a, b interval.Clock) interval.Clock { return max(a-b, b-a) }

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
