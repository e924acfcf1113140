package calendar

import (
	"context"
	_ "embed"
	"encoding/json"
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
	week := interval.Span{Start: date.Start(w.Zone()), End: date.AddDays(daysOn + 1).Start(w.Zone())}
	events, readErr := w.Agenda.Events(ctx, week)
	if ctx.Err() != nil {
		return world.Answer[Lighter]{}, ctx.Err()
	}
	if readErr != nil && len(events) == 0 {
		return world.Answer[Lighter]{}, fault.New(fault.CalendarFailed, "%s", w.Say("unreadable")).Later(0).Because(readErr)
	}
	r, err := relieve(ctx, w, events, in.Date)
	if err != nil {
		return world.Answer[Lighter]{}, err
	}
	answer := world.Answer[Lighter]{
		Data: Lighter{
			Date: in.Date, BusyMinutes: r.most(), Events: []agenda.Event{}, Moves: []lightMove{}, Unread: readErr != nil,
		},
		Display: meet.ListDisplay, Title: say(w, "noLighter", "day", w.Voice().Day(week.Start)),
	}
	var lines []string
	for i, o := range r.events {
		to := r.moves[i]
		load := within(r.busy, interval.DateOf(to.Start.In(w.Zone())).Span(w.Zone()))
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
		answer.Title = say(w, "lighterTitle", "day", w.Voice().Day(week.Start),
			"length", w.Voice().Length(answer.Data.BusyMinutes))
		answer.Offer = &meet.PlannedCall{Tool: "calendar_moveEvents", Arguments: r.offer()}
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

// relief is a day that should be lighter, among what is busy in its week: which of its events are suggested, and where
// they go.
type relief struct {
	w      *world.World
	date   interval.Date
	busy   interval.Set
	events []meet.Occurrence
	moves  []interval.Span
}

// relieve finds which events of a day may move and where to, all together by the fewest minutes: the first of them that
// have room on a day that stays lighter, but so few that no day becomes as heavy as this one is.
func relieve(ctx context.Context, w *world.World, events []meet.Occurrence, day string) (*relief, error) {
	date, err := interval.ParseDate(day)
	if err != nil {
		return nil, tool.BadArgument("date", "%q is no date; use YYYY-MM-DD", day)
	}
	r := &relief{w: w, date: date, busy: busyWith(events)}
	var items []rearrange.Item
	var own []meet.Occurrence
	for _, o := range movable(w, events, date.Span(w.Zone())) {
		item := rearrange.Item{Span: local(w, o.Span), Free: r.free(o)}
		if len(items) < mostMoves && len(fitting(item.Free, o.Span.Duration(), 1)) > 0 {
			items, own = append(items, item), append(own, o)
		}
	}
	for n := len(items); n > 0; n-- {
		plan, err := rearrange.Solve(ctx, items[:n], w.Preferred().Between())
		if err != nil {
			return nil, err
		}
		r.events, r.moves = nil, nil
		for i, to := range plan.To {
			if !to.Empty() {
				r.events, r.moves = append(r.events, own[i]), append(r.moves, to)
			}
		}
		if !r.tooHeavy() {
			return r, nil
		}
	}
	r.events, r.moves = nil, nil
	return r, nil
}

// weekAfter are the days to which events of a day go that should be lighter.
func weekAfter(w *world.World, day string) (interval.Span, error) {
	date, err := interval.ParseDate(day)
	return interval.Span{Start: date.AddDays(1).Start(w.Zone()), End: date.AddDays(daysOn + 1).Start(w.Zone())}, err
}

// most are the busy minutes of the day.
func (r *relief) most() int { return within(r.busy, r.date.Span(r.w.Zone())) }

// days are the following days that are lighter than this one is without an event.
func (r *relief) days(o meet.Occurrence) (lighter interval.Set) {
	for n := 1; n <= daysOn; n++ {
		if day := r.date.AddDays(n).Span(r.w.Zone()); within(r.busy, day) < r.most()-minutes(o) {
			lighter = lighter.Union(interval.NewSet(day))
		}
	}
	return lighter
}

// free is where an event may go: within the working hours of lighter days.
func (r *relief) free(o meet.Occurrence) (free interval.Set) {
	for _, day := range r.days(o) {
		left, _ := r.w.Spare(r.w.Working(day).Minus(r.w.Apart(r.busy)), day, world.UsualHours)
		free = free.Union(left)
	}
	return free
}

// suggested is the time that is suggested for an event; what is free for one without a suggestion.
func (r *relief) suggested(o meet.Occurrence, free interval.Set) interval.Set {
	if r != nil {
		for i, own := range r.events {
			if to := r.moves[i]; own.Key() == o.Key() && free.Covers(to) {
				return interval.NewSet(to)
			}
		}
	}
	return free
}

// offer are the arguments by which all that is suggested moves.
func (r *relief) offer() json.RawMessage {
	return json.RawMessage(`{"selection":{"from":["shown"]},"to":{"lighterThan":"` + r.date.String() + `"}}`)
}

// tooHeavy reports whether the moves make a day as heavy as this one is.
func (r *relief) tooHeavy() bool {
	after := r.busy.Union(interval.NewSet(r.moves...))
	return slices.ContainsFunc(r.moves, func(to interval.Span) bool {
		return within(after, interval.DateOf(to.Start.In(r.w.Zone())).Span(r.w.Zone())) >= r.most()
	})
}

// within are the minutes of a set that lie in a span.
func within(set interval.Set, span interval.Span) (minutes int) {
	for _, s := range set.Within(span) {
		minutes += int(s.Duration().Minutes())
	}
	return minutes
}
