package schedule

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

//go:embed find_gaps.md
var findGapsWords string

// FindGapsArguments say where to look. Without between it is the working hours, or the hours of leisure on a day
// without work.
type FindGapsArguments struct {
	Date *string `json:"date" jsonschema:"nullable"`
	// MinDuration is in minutes; null is 30.
	MinDuration *int              `json:"minDuration" jsonschema:"nullable"`
	Between     *agenda.TimeOfDay `json:"between" jsonschema:"nullable"`
}

// Gaps are the data of schedule_findGaps.
type Gaps struct {
	Date string      `json:"date"`
	Gaps []world.Gap `json:"gaps"`
	// TotalAvailableMinutes is the length of all gaps.
	TotalAvailableMinutes int `json:"totalAvailableMinutes"`
	// Kept are the preferences whose protected times are left out.
	Kept   []string `json:"kept"`
	Unread bool     `json:"unread"`
}

const (
	usualGap = 30
	// grid is what the first gap of today begins on.
	grid = 5 * time.Minute
)

// findGaps finds free time on a day.
func findGaps() world.Tool {
	return world.Define("schedule_findGaps", findGapsWords, world.Trait{
		Family: Family, Effect: world.Reads, Needs: "calendar", Gives: world.Gaps,
		Operation: meet.ReadResource, Resource: meet.ScheduleResource,
	}, func(ctx context.Context, w *world.World, in FindGapsArguments) (answer world.Answer[Gaps], err error) {
		least := usualGap
		if in.MinDuration != nil {
			least = *in.MinDuration
		}
		if least < 1 || least > int(interval.EndOfDay) {
			return answer, tool.BadArgument("minDuration", "%d minutes; it must be from 1 to %d", least, interval.EndOfDay)
		}
		d, date, err := readDate(ctx, w, in.Date)
		if err != nil {
			return answer, err
		}
		within, err := d.window(date, in.Between, [2]string{"between.start", "between.end"})
		if err != nil {
			return answer, err
		}
		hours := world.UsualHours
		if in.Between != nil {
			hours = world.NamedHours
		}
		free, kept := w.Spare(within.Minus(d.busy(takes)), d.span, hours)
		free = atLeast(free, least)
		data := Gaps{
			Date: date.String(), Gaps: w.Gaps(free), TotalAvailableMinutes: minutes(free), Kept: kept, Unread: d.found.Unread,
		}
		return world.Answer[Gaps]{
			Data: data, Display: meet.ListDisplay, Title: d.say("gapsTitle", "day", w.Voice().OnDay(d.span.Start)),
			Description: d.noted(d.answer(in, free, within, least, kept)),
			Components:  []meet.Component{world.GapList(data.Gaps)},
			Suggestions: d.useOf(free),
		}, nil
	})
}

// window is where gaps are looked for, from now on. The arguments of between have the names given.
func (d day) window(date interval.Date, between *agenda.TimeOfDay, names [2]string) (interval.Set, error) {
	within := d.Working(d.span)
	if between != nil {
		span, err := stretch(d.World, date, [2]string{names[0], between.Start}, [2]string{names[1], between.End})
		if err != nil {
			return nil, err
		}
		within = interval.NewSet(span.Intersect(d.span))
	} else if len(within) == 0 {
		within = interval.NewSet(interval.Window{Start: interval.At(9, 0), End: interval.At(22, 0)}.On(date, d.Zone()))
	}
	from := d.Now.Truncate(grid)
	if from.Before(d.Now) {
		from = from.Add(grid)
	}
	if from.After(d.span.Start) {
		within = within.Minus(interval.NewSet(interval.Span{Start: d.span.Start, End: from}))
	}
	return within, nil
}

// atLeast are the spans of so many minutes or more.
func atLeast(set interval.Set, least int) interval.Set {
	return slices.DeleteFunc(slices.Clone(set), func(s interval.Span) bool {
		return s.Duration() < time.Duration(least)*time.Minute
	})
}

// answer tells of the gaps. That a time of an hour or less is free is answered with yes, or with what is in the way.
func (d day) answer(in FindGapsArguments, free, within interval.Set, least int, kept []string) string {
	if in.Between != nil && len(within) == 1 && within[0].Duration() <= time.Hour && !d.found.Unread {
		return d.YesOrNo(d.events, within[0])
	}
	return d.gapsText(free, within, least, kept)
}

func (d day) gapsText(free, within interval.Set, least int, kept []string) string {
	v := d.Voice()
	day := v.OnDay(d.span.Start)
	if len(within) == 0 {
		return d.say("over", "day", day)
	}
	text := d.say("noGaps", "day", day, "length", v.Length(least),
		"from", v.Clock(within[0].Start), "to", v.Clock(within[len(within)-1].End))
	if len(free) > 0 {
		var list []string
		for _, gap := range free {
			list = append(list, v.Times(gap)+" ("+v.Length(int(gap.Duration()/time.Minute))+")")
		}
		text = d.say("gaps", "day", day, "list", v.List(list), "total", v.Length(minutes(free)))
	}
	return strings.TrimSpace(text + " " + d.TellKept("kept", kept))
}

// useOf are what may be done with the longest gap.
func (d day) useOf(free interval.Set) []string {
	if len(free) == 0 {
		return []string{d.say("askDay", "day", d.Voice().OnDay(d.span.Start))}
	}
	return []string{d.focus(longest(free))}
}

func longest(set interval.Set) interval.Span {
	return slices.MaxFunc(set, func(a, b interval.Span) int { return int(a.Duration() - b.Duration()) })
}

// longestFocus is the most that is suggested for one stretch of focused work.
const longestFocus = 2 * time.Hour

// focus is the message that blocks a gap for focused work.
func (d day) focus(gap interval.Span) string {
	gap.End = gap.Start.Add(min(gap.Duration(), longestFocus))
	return d.say("doFocus", "day", d.Voice().OnDay(gap.Start), "from", d.Voice().Clock(gap.Start),
		"to", d.Voice().Clock(gap.End))
}
