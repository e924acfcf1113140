package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed suggest_lighter.md
var suggestLighterWords string

type suggestLighter struct {
	Date string `json:"date"`
}

// Lighter is the data of calendar_suggestLighter.
type Lighter struct {
	Date        string `json:"date"`
	BusyMinutes int    `json:"busyMinutes"`
	// Events are those that could move, as they stand, and Moves where to.
	Events []agenda.Event `json:"events"`
	Moves  []lightMove    `json:"moves"`
	Unread bool           `json:"unread"`
}

type lightMove struct {
	ID     string `json:"id"`
	Start  string `json:"start"`
	End    string `json:"end"`
	Reason string `json:"reason"`
}

const (
	// mostMoves is how many events are suggested, and daysOn how many days later they may go.
	mostMoves, daysOn = 3, 7
)

// SuggestLighter suggests which of the owner's own events could move from a full day to lighter ones. It changes
// nothing.
func SuggestLighter() world.Tool {
	return world.Define("calendar_suggestLighter", suggestLighterWords, reads(world.Events), lighten)
}

func lighten(ctx context.Context, w *world.World, in suggestLighter) (world.Answer[Lighter], error) {
	date, err := interval.ParseDate(in.Date)
	if err != nil {
		return world.Answer[Lighter]{}, tool.BadArgument("date", "%q is no date; use YYYY-MM-DD", in.Date)
	}
	day := date.Span(w.Zone())
	week := interval.Span{Start: day.Start, End: date.AddDays(daysOn + 1).Start(w.Zone())}
	events, readErr := w.Agenda.Events(ctx, week)
	if ctx.Err() != nil {
		return world.Answer[Lighter]{}, ctx.Err()
	}
	if readErr != nil && len(events) == 0 {
		return world.Answer[Lighter]{}, fault.New(fault.CalendarFailed, "%s", w.Say("unreadable")).Later(0).Because(readErr)
	}
	busy := busyWith(events)
	answer := world.Answer[Lighter]{
		Data: Lighter{
			Date: in.Date, BusyMinutes: within(busy, day), Events: []agenda.Event{}, Moves: []lightMove{},
			Unread: readErr != nil,
		},
		Display: meet.ListDisplay, Title: say(w, "noLighter", "day", w.Voice().Day(day.Start)),
	}
	var lines []string
	for _, o := range movable(w, events, day) {
		to, lighter := lightest(w, busy, date, o)
		if to.Empty() || len(lines) == mostMoves {
			continue
		}
		busy = busy.Minus(interval.NewSet(o.Span)).Union(interval.NewSet(to))
		reason := say(w, "lighter", "day", w.Voice().Day(to.Start), "length", w.Voice().Length(lighter))
		answer.Data.Events = append(answer.Data.Events, agenda.EventOf(o, w.Zone()))
		answer.Components = append(answer.Components, w.Block(o))
		answer.Data.Moves = append(answer.Data.Moves, lightMove{o.Key(), rfc(w, to.Start), rfc(w, to.End), reason})
		lines = append(lines, "- "+say(w, "lighterMove", "title", w.Voice().Title(o.Title),
			"when", w.Voice().Span(to, false), "reason", reason))
		try := say(w, "tryMove"+strconv.Itoa(len(lines)), "when", w.Voice().When(to.Start))
		answer.Suggestions = append(answer.Suggestions, try)
	}
	if len(lines) > 0 {
		answer.Title = say(w, "lighterTitle", "day", w.Voice().Day(day.Start),
			"length", w.Voice().Length(answer.Data.BusyMinutes))
	}
	notes := append([]string{answer.Title}, lines...)
	answer.Description = strings.Join(append(notes, w.Notes(world.Found{Unread: readErr != nil})...), "\n")
	return answer, nil
}

// movable are the events of a day that nobody else hears of, and that have not begun: the longest first.
func movable(w *world.World, events []meet.Occurrence, day interval.Span) []meet.Occurrence {
	own := slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		return !day.Covers(o.Span) || o.Span.Start.Before(w.Now) || idleTime(o) || o.ReadOnly || o.Kind == meet.BreakBlock ||
			len(o.Guests()) > 0 || len(others([]meet.Occurrence{o})) > 0
	})
	slices.SortStableFunc(own, func(a, b meet.Occurrence) int {
		return int(b.Span.Duration() - a.Span.Duration())
	})
	return own
}

// lightest is a time for an event within the working hours of one of the following days: of those that stay lighter
// than this one the lightest, and the clock time that is nearest to the event's. Minutes are what that day has by now.
func lightest(
	w *world.World, busy interval.Set, date interval.Date, o meet.Occurrence,
) (to interval.Span, minutes int) {
	length := o.Span.Duration()
	best := within(busy, date.Span(w.Zone())) - int(length.Minutes())
	for n := 1; n <= daysOn; n++ {
		day := date.AddDays(n).Span(w.Zone())
		load := within(busy, day)
		if load >= best {
			continue
		}
		free, _ := w.Spare(w.Working(day).Minus(w.Apart(busy)), day, world.UsualHours)
		if near := nearest(free, length, o.Span.Start.In(w.Zone()).AddDate(0, 0, n)); !near.Empty() {
			to, best = near, load
		}
	}
	return to, best
}

// nearest is the span of a length in a set whose start is nearest to a time.
func nearest(free interval.Set, length time.Duration, at time.Time) (to interval.Span) {
	if same := interval.From(at, length); free.Covers(same) {
		return same
	}
	for _, s := range fitting(free, length, 100) {
		if to.Empty() || s.Start.Sub(at).Abs() < to.Start.Sub(at).Abs() {
			to = s
		}
	}
	return to
}

// within are the minutes of a set that lie in a span.
func within(set interval.Set, span interval.Span) (minutes int) {
	for _, s := range set.Within(span) {
		minutes += int(s.Duration().Minutes())
	}
	return minutes
}
