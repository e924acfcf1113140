package schedule

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed view_schedule.md
var viewScheduleWords string

// ViewScheduleArguments say which days: date alone, or from and to, both included. Without any it is today.
type ViewScheduleArguments struct {
	Date *string `json:"date" jsonschema:"nullable"`
	From *string `json:"from" jsonschema:"nullable"`
	To   *string `json:"to" jsonschema:"nullable"`
}

// Schedule is the data of schedule_viewSchedule.
type Schedule struct {
	From   string         `json:"from"`
	To     string         `json:"to"`
	Events []agenda.Event `json:"events"`
	// Meetings and Blocks count the events that are none and that are time blocks; BusyMinutes is the time that they take.
	Meetings    int `json:"meetings"`
	Blocks      int `json:"blocks"`
	BusyMinutes int `json:"busyMinutes"`
	// Unread says that a calendar could not be read, so that there may be more.
	Unread bool `json:"unread"`
}

// mostDays is how many days can be viewed at once.
const mostDays = 92

// viewSchedule shows what is on.
func viewSchedule() world.Tool {
	return world.Define("schedule_viewSchedule", viewScheduleWords, world.Trait{
		Family: Family, Effect: world.Reads, Needs: "calendar", Gives: world.Events,
		Operation: meet.ReadResource, Resource: meet.ScheduleResource,
	}, func(ctx context.Context, w *world.World, in ViewScheduleArguments) (answer world.Answer[Schedule], err error) {
		from, to, err := in.dates(w)
		if err != nil {
			return answer, err
		}
		d, err := read(ctx, w, interval.Span{Start: from.Start(w.Zone()), End: to.AddDays(1).Start(w.Zone())})
		if err != nil {
			return answer, err
		}
		data := Schedule{
			From: from.String(), To: to.String(), Events: w.Events(d.events, false), Unread: d.found.Unread,
			BusyMinutes: minutes(d.busy(takes)),
		}
		answer = world.Answer[Schedule]{Display: meet.TimelineDisplay, Title: d.heading(from, to)}
		for _, o := range d.events {
			if o.Kind == "" {
				data.Meetings++
			} else {
				data.Blocks++
			}
		}
		answer.Data, answer.Components = data, w.Blocks(d.events)
		answer.Description = d.noted(d.list(ctx, from, to))
		day := w.Voice().OnDay(d.span.Start)
		answer.Suggestions = []string{d.say("askGaps", "day", day), d.say("askBusy", "day", day)}
		return answer, nil
	})
}

func (in ViewScheduleArguments) dates(w *world.World) (from, to interval.Date, err error) {
	first, last := "from", "to"
	if in.Date != nil {
		if in.From != nil || in.To != nil {
			return from, to, tool.BadArgument("date", "say either date, or from and to")
		}
		in.From, in.To, first = in.Date, in.Date, "date"
	}
	if from, err = dateOf(w, first, in.From); err != nil {
		return from, to, err
	}
	if in.To == nil {
		return from, from, nil
	}
	if to, err = dateOf(w, last, in.To); err != nil {
		return from, to, err
	}
	if to.Before(from) || from.DaysUntil(to) >= mostDays {
		return from, to, tool.BadArgument(last, "the last day is %s; it must be at most %d days after from", to, mostDays-1)
	}
	return from, to, nil
}

// heading names the days.
func (d day) heading(from, to interval.Date) string {
	v := d.Voice()
	if from == to {
		return v.Day(d.span.Start)
	}
	return d.say("days", "from", v.Day(d.span.Start), "to", v.Day(to.Start(d.Zone())))
}

// list tells what is on, under the days if there are several, and what is next if all of it is over.
func (d day) list(ctx context.Context, from, to interval.Date) string {
	v, text := d.Voice(), ""
	switch {
	case from == to && len(d.events) > 0:
		return v.Agenda(d.events)
	case from == to:
		return d.say("nothing", "day", v.OnDay(d.span.Start))
	case len(d.events) == 0:
		text = d.say("nothingBetween", "from", v.Day(d.span.Start), "to", v.Day(to.Start(d.Zone())))
	default:
		const week = 7
		name, today := "listed", interval.DateOf(d.Now)
		if from.DaysUntil(to) == week-1 && (interval.DateRange{Start: from, End: to}).Contains(today) {
			name = "thisWeek"
		}
		text = d.say(name, "days", d.heading(from, to)) + "\n" + v.Agenda(d.events)
	}
	if !d.found.Unread && d.isOver() {
		text = strings.TrimSpace(text + "\n\n" + d.Next(ctx))
	}
	return text
}

// isOver reports whether nothing of the days is yet to come, and they are not all ahead.
func (d day) isOver() bool {
	return d.span.Start.Before(d.Now) && !slices.ContainsFunc(d.events, func(o meet.Occurrence) bool {
		return o.Span.End.After(d.Now)
	})
}
