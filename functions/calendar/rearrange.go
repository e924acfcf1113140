package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/rearrange"
	"convene/pkg/tool"
)

// room is where events may go that each find a time of their own: within a window, at times of day, on some weekdays,
// on following days that stay lighter than a day, and what they must leave free, as the user calls it.
type room struct {
	wanted
	Weekdays    []string `json:"weekdays"`
	LighterThan *string  `json:"lighterThan" jsonschema:"nullable"`
	Avoid       []string `json:"avoid"`
}

// named reports whether each event is to find its own time.
func (r room) named() bool {
	return r.Window != nil || r.TimeOfDay != nil || len(r.Weekdays) > 0 || r.LighterThan != nil
}

// check refuses weekdays that are none, and a day that is none.
func (r room) check() error {
	if r.LighterThan != nil && !isDate(*r.LighterThan) {
		return tool.BadArgument("to.lighterThan", "%q is no date; use YYYY-MM-DD", *r.LighterThan)
	}
	for i, day := range r.Weekdays {
		if !isWeekday(day) {
			return tool.BadArgument(fmt.Sprintf("to.weekdays[%d]", i), "%q is no weekday; use monday to sunday", day)
		}
	}
	return nil
}

func isWeekday(name string) bool {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name == strings.ToLower(d.String()) {
			return true
		}
	}
	return false
}

// Moved is the data of calendar_moveEvents.
type Moved struct {
	Changed
	// Stayed are events for which there is no such time.
	Stayed []stayed `json:"stayed"`
}

type stayed struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

// rearranging is what is known while several events find their times together.
type rearranging struct {
	w *world.World
	room
	selection agenda.Selection
	// span is all the time that matters, and around the events in it that stay.
	span   interval.Span
	around []meet.Occurrence
	kept   keeping
	known  calendars
	// relief is set if the events go from a day that should be lighter.
	relief *relief
}

// dawn is from when on an event may lie that is only to be before some hour.
const dawn = "06:00"

// rearranged moves each event to a time of its own, all of them together: the most that fit, by the fewest minutes.
func rearranged(ctx context.Context, w *world.World, in moveEvents, found world.Found) (world.Answer[Moved], error) {
	if in.Scope != nil && *in.Scope != string(meet.ThisOne) {
		return world.Answer[Moved]{}, tool.BadArgument("scope", "a window or a time of day is for single occurrences")
	}
	r := &rearranging{w: w, room: in.To.room, selection: in.Selection}
	if h := r.TimeOfDay; h != nil && h.Start == "00:00" && h.End > dawn { // "before noon" is not at night
		r.TimeOfDay = &agenda.TimeOfDay{Start: dawn, End: h.End}
	}
	moving, err := r.read(ctx, scoped(in.Selection, in.Scope, found.Events))
	if err != nil {
		return world.Answer[Moved]{}, err
	}
	items := make([]rearrange.Item, len(moving))
	for i, o := range moving {
		steps, err := r.free(o)
		if err != nil {
			return world.Answer[Moved]{}, err
		}
		items[i] = rearrange.Item{Span: local(w, o.Span), Free: r.relief.suggested(o, steps[len(steps)-1].left)}
	}
	plan, err := rearrange.Solve(ctx, items, w.Preferred().Between())
	if err != nil {
		return world.Answer[Moved]{}, err
	}
	w.Doubt() // nobody has named these times
	var all []agenda.Amendment
	notes, stays := r.kept.notes, []stayed{}
	for i, o := range moving {
		if to := plan.To[i]; !to.Empty() {
			a := agenda.Amendment{Kind: agenda.Update, Event: o, Scope: scopeOf(o, in.Scope)}
			a.Set.Span = &to
			all = append(all, a)
			continue
		}
		reason := r.reason(o)
		stays = append(stays, stayed{o.Key(), o.Title, reason})
		notes = append(notes, say(w, "stays", "title", w.Voice().Title(o.Title), "when", w.Voice().Span(o.Span, o.AllDay),
			"reason", reason))
	}
	if !plan.Least {
		notes = append(notes, say(w, "notLeast"))
	}
	changed, err := amend(ctx, w, found, all)
	if len(all) == 0 && len(stays) > 0 {
		changed.Title, changed.Description = say(w, "noneMoves"), say(w, "noneMoves")
	}
	changed.Description = strings.Join(append([]string{changed.Description}, notes...), "\n")
	return movedAnswer(changed, stays), err
}

// movedAnswer is a change of events with those that stay.
func movedAnswer(a world.Answer[Changed], stays []stayed) world.Answer[Moved] {
	return world.Answer[Moved]{
		Data: Moved{a.Data, stays}, Display: a.Display, Title: a.Title, Description: strings.TrimSpace(a.Description),
		Components: a.Components, Suggestions: a.Suggestions, Changes: a.Changes,
	}
}

// read reads what is around the events, and returns those that are to move: none that is to be left alone, and none
// that is where it should be.
func (r *rearranging) read(ctx context.Context, events []meet.Occurrence) (moving []meet.Occurrence, err error) {
	moving = slices.Clone(events)
	for i, o := range moving {
		span, err := r.spanOf(o)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			r.span = span
		}
		r.span = r.span.Hull(span)
	}
	there, err := r.w.Read(ctx, local(r.w, r.span).Widen(24*time.Hour, 24*time.Hour)) // with what is just before and after
	if err != nil {
		return nil, err
	}
	r.kept = keep(r.w, r.Avoid, slices.Concat(there.Events, events), r.span)
	if len(r.kept.missed) > 0 { // the user may mean one that is called otherwise
		return nil, fault.New(fault.NotFound, "%s", r.w.Say("whatStays",
			"what", r.w.Voice().List(r.kept.missed), "titles", r.w.Titles(moving)))
	}
	if rest := slices.DeleteFunc(slices.Clone(moving), r.kept.has); len(rest) > 0 {
		moving = rest
	}
	r.around = without(there.Events, moving)
	if r.known, err = read(ctx, r.w, r.guests(moving), r.span); err != nil {
		return nil, err
	}
	if r.LighterThan != nil {
		if r.relief, err = relieve(ctx, r.w, there.Events, *r.LighterThan); err != nil {
			return nil, err
		}
	}
	settled := func(o meet.Occurrence) bool {
		steps, err := r.free(o)
		return err == nil && steps[1].left.Covers(o.Span)
	}
	rest := slices.DeleteFunc(slices.Clone(moving), settled)
	r.around = append(r.around, without(moving, rest)...)
	return rest, nil
}

func without(events, out []meet.Occurrence) []meet.Occurrence {
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		return slices.ContainsFunc(out, func(other meet.Occurrence) bool { return other.Key() == o.Key() })
	})
}

// spanOf is the time within which an event may go: the window, the days after the one that should be lighter, the time
// of the events that are meant, or its day.
func (r *rearranging) spanOf(o meet.Occurrence) (interval.Span, error) {
	if r.LighterThan != nil && r.Window == nil {
		return weekAfter(r.w, *r.LighterThan)
	}
	for _, window := range []*agenda.Window{r.Window, r.selection.Window} {
		if window != nil {
			return wanted{Window: window}.span(r.w)
		}
	}
	day := interval.DateOf(o.Span.Start.In(r.w.Zone())).Span(r.w.Zone())
	if day.Start.Before(r.w.Now) {
		day.Start = r.w.Now
	}
	return day, nil
}

// guests are all who take part in events, each once.
func (r *rearranging) guests(events []meet.Occurrence) (all []meet.Person) {
	for _, o := range events {
		for _, p := range guestsOf(r.w, o) {
			if p.Known() && !slices.ContainsFunc(all, func(other meet.Person) bool { return other.ID == p.ID }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// guestsOf are the people who take part in an event.
func guestsOf(w *world.World, o meet.Occurrence) (all []meet.Person) {
	for _, g := range o.Guests() {
		if g.Answer != meet.Declined {
			all = append(all, personOf(w, g))
		}
	}
	return all
}

// step is what is left of the time for an event, and the phrase that says what took the rest.
type step struct {
	left   interval.Set
	reason string
	names  []string
}

// free is the time that suits an event, step by step: the hours that are wanted, without what the owner does and keeps
// free, without what nobody knows of the guests, and without what they do.
func (r *rearranging) free(o meet.Occurrence) (steps []step, err error) {
	span, err := r.spanOf(o)
	if err != nil {
		return nil, err
	}
	left := interval.Set{}
	if !o.AllDay && !span.Empty() {
		if left, err = r.open(r.w, guestsOf(r.w, o), span); err != nil {
			return nil, err
		}
		left = left.Intersect(r.days(o, span))
		if r.relief != nil {
			left = left.Intersect(r.relief.days(o))
		}
	}
	steps = append(steps, step{left: left, reason: "stays.hours"})
	left = left.Minus(r.w.Apart(busyWith(r.around))).Minus(r.kept.time)
	left, kept := r.spare(r.w, left, span)
	steps = append(steps, step{left, "stays.busy", append(kept, r.kept.keys...)})
	unknown, busy := step{reason: "stays.unknown"}, step{reason: "stays.guests"}
	for _, p := range guestsOf(r.w, o) {
		if p.ID == r.w.Owner.ID {
			continue
		}
		a := r.known.of(p, span)
		if rest := left.Minus(a.Unknown); len(a.Unknown) > 0 {
			left, unknown.names = rest, append(unknown.names, p.Name)
		}
		busy.names = append(busy.names, p.Name)
	}
	unknown.left = left
	for _, p := range guestsOf(r.w, o) {
		if p.ID != r.w.Owner.ID {
			left = left.Minus(r.known.of(p, span).Busy)
		}
	}
	busy.left = left
	return append(steps, unknown, busy), nil
}

// days are the weekdays that are wanted; otherwise those on which the owner works, and the event's own.
func (r *rearranging) days(o meet.Occurrence, span interval.Span) interval.Set {
	var days []interval.Span
	own := interval.DateOf(o.Span.Start.In(r.w.Zone()))
	end := interval.DateOf(span.End.Add(-1).In(r.w.Zone()))
	first := interval.DateOf(span.Start.In(r.w.Zone()))
	for d := first; !end.Before(d); d = d.AddDays(1) {
		day := d.Span(r.w.Zone())
		wanted := slices.Contains(r.Weekdays, strings.ToLower(d.Weekday().String()))
		if len(r.Weekdays) == 0 {
			wanted = d == own || first == end || len(r.w.Working(day)) > 0
		}
		if wanted {
			days = append(days, day)
		}
	}
	return interval.NewSet(days...)
}

// reason says why an event stays.
func (r *rearranging) reason(o meet.Occurrence) string {
	if o.AllDay {
		return say(r.w, "stays.allDay")
	}
	steps, err := r.free(o)
	if err != nil {
		return say(r.w, "stays.taken")
	}
	for _, s := range steps {
		if len(fitting(s.left, o.Span.Duration(), 1)) == 0 {
			names := s.names
			if s.reason == "stays.busy" {
				return strings.TrimSpace(say(r.w, s.reason) + r.w.TellKept("keptAside", names))
			}
			return say(r.w, s.reason, "names", r.w.Voice().List(escaped(r.w, names)))
		}
	}
	return say(r.w, "stays.taken")
}

func local(w *world.World, s interval.Span) interval.Span {
	return interval.Span{Start: s.Start.In(w.Zone()), End: s.End.In(w.Zone())}
}
