package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/rearrange"
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
	own, moves, err := relief(ctx, w, busy, date, movable(w, events, day))
	if err != nil {
		return world.Answer[Lighter]{}, err
	}
	for i, o := range own {
		to := moves[i]
		load := within(busy, interval.DateOf(to.Start.In(w.Zone())).Span(w.Zone()))
		reason := say(w, "lighter", "day", w.Voice().Day(to.Start), "length", w.Voice().Length(load))
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

// relief is which of the events move and where to, all together by the fewest minutes: the first of them that have room
// on a day that stays lighter, but so few that no day becomes as heavy as this one is.
func relief(
	ctx context.Context, w *world.World, busy interval.Set, date interval.Date, own []meet.Occurrence,
) (events []meet.Occurrence, moves []interval.Span, err error) {
	var items []rearrange.Item
	for _, o := range own {
		item := rearrange.Item{Span: local(w, o.Span), Free: lighterTime(w, busy, date, o)}
		if len(items) < mostMoves && len(fitting(item.Free, o.Span.Duration(), 1)) > 0 {
			items, events = append(items, item), append(events, o)
		}
	}
	for n := len(items); n > 0; n-- {
		plan, err := rearrange.Solve(ctx, items[:n], w.Preferred().Between())
		if err != nil {
			return nil, nil, err
		}
		var there []meet.Occurrence
		moves = nil
		for i, to := range plan.To {
			if !to.Empty() {
				there, moves = append(there, events[i]), append(moves, to)
			}
		}
		if !tooHeavy(w, busy, date, moves) {
			return there, moves, nil
		}
	}
	return nil, nil, nil
}

// lighterTime is where an event may go: within the working hours of those of the following days that are lighter than
// this one is without it.
func lighterTime(w *world.World, busy interval.Set, date interval.Date, o meet.Occurrence) (free interval.Set) {
	rest := within(busy, date.Span(w.Zone())) - minutes(o)
	for n := 1; n <= daysOn; n++ {
		if day := date.AddDays(n).Span(w.Zone()); within(busy, day) < rest {
			left, _ := w.Spare(w.Working(day).Minus(w.Apart(busy)), day, world.UsualHours)
			free = free.Union(left)
		}
	}
	return free
}

// tooHeavy reports whether moves make a day as heavy as this one is.
func tooHeavy(w *world.World, busy interval.Set, date interval.Date, moves []interval.Span) bool {
	after, most := busy.Union(interval.NewSet(moves...)), within(busy, date.Span(w.Zone()))
	return slices.ContainsFunc(moves, func(to interval.Span) bool {
		return within(after, interval.DateOf(to.Start.In(w.Zone())).Span(w.Zone())) >= most
	})
}

// within are the minutes of a set that lie in a span.
func within(set interval.Set, span interval.Span) (minutes int) {
	for _, s := range set.Within(span) {
		minutes += int(s.Duration().Minutes())
	}
	return minutes
}
