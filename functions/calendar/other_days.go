package calendar

import (
	"context"
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

// onOtherDays moves a series of every week to other days of the week, from the first occurrence that is meant on. What
// was decided for later ones by themselves is not carried over.
func onOtherDays(ctx context.Context, w *world.World, in moveEvents, found world.Found) (world.Answer[Changed], error) {
	events := scoped(in.Selection, new(string(meet.Following)), found.Events)
	if len(events) > 1 || !events[0].Repeats() {
		return world.Answer[Changed]{}, tool.BadArgument("selection", "names no single series")
	}
	first := events[0]
	rule, ok := readWeekly(first, w.Zone())
	if !ok || !first.RecurrenceID.Equal(first.Span.Start) || !rule.isOn(first.Span.Start.In(w.Zone())) {
		return world.Answer[Changed]{}, fault.New(fault.Conflict, "%s", say(w, "otherDays",
			"title", w.Voice().Title(first.Title)))
	}
	rule.on(in.To.RepeatsOn, in.Selection.Weekdays)
	shift := shift{zone: w.Zone()}
	at := first.Span.Start.In(shift.zone)
	day := interval.DateOf(at)
	to := rule.firstOn(day, in.since(w, first), in.To.RepeatsOn)
	if shift.days = day.DaysUntil(to); rule.isOver(to) {
		return world.Answer[Changed]{}, fault.New(fault.Conflict, "%s", say(w, "noneMoves"))
	}
	if in.To.Time != nil {
		clock, err := clockFor(w, *in.To.Time, first)
		if err != nil {
			return world.Answer[Changed]{}, err
		}
		shift.minutes, shift.exact = int(clock-interval.ClockOf(at)), true
	}
	span, timed := shift.of(first)
	a := agenda.Amendment{Kind: agenda.Update, Event: first, Scope: meet.Following}
	if a.Set.Recurrence = new(rule.String()); span != first.Span {
		a.Set.Span = &span
	}
	if timed {
		a.Set.AllDay = new(false)
	}
	found.Events = events
	return amend(ctx, w, found, []agenda.Amendment{a})
}

// since is the day before which nothing of a series changes: tomorrow, or the first of the selection's window.
func (in moveEvents) since(w *world.World, first meet.Occurrence) interval.Date {
	tomorrow := interval.DateOf(w.Now.In(w.Zone())).AddDays(1)
	if in.Selection.Window == nil {
		return tomorrow
	}
	start, err := moment(w, in.Selection.Window.Start, "selection.window.start")
	if day := interval.DateOf(start.In(w.Zone())); err == nil && !start.After(first.Span.Start) && tomorrow.Before(day) {
		return day
	}
	return tomorrow
}

// weekly is an RRULE of every week or so (RFC 5545, 3.3.10): on which days, of each how many weeks, and what else it
// says.
type weekly struct {
	days  []time.Weekday
	weeks int
	rest  []string
	// last is the last day on which it may be; zero if there is none.
	last interval.Date
}

// endsWith keeps the day of an UNTIL, and has its end: the occurrences of that day may be later then.
func (r *weekly) endsWith(until string, zone *time.Location) string {
	const form, date = "20060102T150405Z", "20060102"
	end, err := time.Parse(form, until)
	if err != nil {
		if day, err := time.Parse(date, until); err == nil {
			r.last = interval.DateOf(day)
		}
		return until
	}
	r.last = interval.DateOf(end.In(zone))
	return r.last.AddDays(1).Start(zone).Add(-time.Second).UTC().Format(form)
}

// isOn reports whether an occurrence is on a day of the rule, as the days are those of its zone.
func (r *weekly) isOn(start time.Time) bool { return slices.Contains(r.days, start.Weekday()) }

// isOver reports whether nothing of the series is left on a day.
func (r *weekly) isOver(day interval.Date) bool { return !r.last.IsZero() && r.last.Before(day) }

// readWeekly reads the rule of a series; ok is false if it is not of weeks, or counts its occurrences.
func readWeekly(o meet.Occurrence, zone *time.Location) (rule weekly, ok bool) {
	rule = weekly{days: []time.Weekday{o.Span.Start.In(zone).Weekday()}, weeks: 1}
	for part := range strings.SplitSeq(o.Recurrence, ";") {
		name, value, _ := strings.Cut(part, "=")
		var err error
		switch name {
		case "FREQ":
			ok = value == "WEEKLY"
		case "INTERVAL":
			rule.weeks, err = strconv.Atoi(value)
			rule.rest = append(rule.rest, part)
		case "BYDAY":
			rule.days = slices.DeleteFunc(everyWeekday(), func(d time.Weekday) bool {
				return !slices.Contains(strings.Split(value, ","), inRule(d))
			})
		case "UNTIL":
			rule.rest = append(rule.rest, name+"="+rule.endsWith(value, zone))
		case "WKST":
			rule.rest = append(rule.rest, part)
		default:
			return rule, false
		}
		if err != nil || rule.weeks < 1 {
			return rule, false
		}
	}
	return rule, ok
}

// inRule is what a rule calls a weekday.
func inRule(d time.Weekday) string { return strings.ToUpper(d.String()[:2]) }

func everyWeekday() (days []time.Weekday) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		days = append(days, d)
	}
	return days
}

// on has the rule on other days: in place of those that it leaves, or of all if it leaves none.
func (r *weekly) on(days, leaves []string) {
	old := r.days
	r.days = slices.DeleteFunc(everyWeekday(), func(d time.Weekday) bool {
		stays := len(leaves) > 0 && slices.Contains(old, d) && !isNamed(leaves, d)
		return !stays && !isNamed(days, d)
	})
}

// isNamed reports whether a weekday is one of those names.
func isNamed(names []string, d time.Weekday) bool {
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, d.String()) })
}

// firstOn is the first day of the rule for an occurrence, in its week or, if that is over, a later one: one that stays
// from the occurrence on, or one that is new from a day on.
func (r *weekly) firstOn(occurrence, since interval.Date, named []string) interval.Date {
	monday := occurrence.AddDays(-(int(occurrence.Weekday()) + 6) % 7)
	for week := monday; ; week = week.AddDays(7 * r.weeks) {
		for n := range 7 {
			day := week.AddDays(n)
			from := since
			if !isNamed(named, day.Weekday()) || day == occurrence {
				from = occurrence
			}
			if slices.Contains(r.days, day.Weekday()) && !day.Before(from) {
				return day
			}
		}
	}
}

func (r *weekly) String() string {
	days := make([]string, len(r.days))
	for i, d := range r.days {
		days[i] = inRule(d)
	}
	return strings.Join(append([]string{"FREQ=WEEKLY", "BYDAY=" + strings.Join(days, ",")}, r.rest...), ";")
}
