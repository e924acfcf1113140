package schedule

import (
	"context"
	_ "embed"
	"strconv"
	"time"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed analyze_utilization.md
var analyzeUtilizationWords string

// AnalyzeUtilizationArguments say which day; null is today. With Until, the fullest or the lightest one is meant of the
// days from Date to then.
type AnalyzeUtilizationArguments struct {
	Date  *string `json:"date" jsonschema:"nullable"`
	Until *string `json:"until" jsonschema:"nullable"`
	Which *string `json:"which" jsonschema:"nullable,enum=fullest,enum=lightest"`
}

func (in AnalyzeUtilizationArguments) lightest() bool {
	return in.Which != nil && *in.Which == "lightest"
}

// Utilization is the data of schedule_analyzeUtilization.
type Utilization struct {
	Date string `json:"date"`
	// Utilization is the share of the working minutes that events and blocks take, breaks not counted, in per cent. On a
	// day without work it is that of a usual working day, and may be over 100.
	Utilization int `json:"utilization"`
	// FocusTime is the minutes of work blocks of an hour or more.
	FocusTime int `json:"focusTime"`
	// FragmentedTime is the minutes of gaps under half an hour within working hours.
	FragmentedTime int      `json:"fragmentedTime"`
	WorkingMinutes int      `json:"workingMinutes"`
	BusyMinutes    int      `json:"busyMinutes"`
	Suggestions    []string `json:"suggestions"`
	Unread         bool     `json:"unread"`
}

const (
	// leastFocus is the shortest block that counts as focus time, and the shortest gap that is suggested for one.
	leastFocus = 60
	// fragment is the length under which a gap is a fragment.
	fragment = 30
	// enoughFocus is the focus time of a day for which no more is suggested.
	enoughFocus = 120
	// longRun is the time without a gap after which a break is suggested, and breakLength its length.
	longRun     = 3 * time.Hour
	breakLength = 15 * time.Minute
)

// analyzeUtilization tells how full a day is, and what would help.
func analyzeUtilization() world.Tool {
	return world.Define("schedule_analyzeUtilization", analyzeUtilizationWords, world.Trait{
		Family: Family, Effect: world.Reads, Needs: "calendar", Gives: world.Number,
		Operation: meet.ReadResource, Resource: meet.ScheduleResource,
	}, func(
		ctx context.Context, w *world.World, in AnalyzeUtilizationArguments,
	) (answer world.Answer[Utilization], err error) {
		d, date, err := readDate(ctx, w, in.Date)
		if err != nil {
			return answer, err
		}
		data, heading := d.utilization(date), ""
		if in.Until != nil {
			if d, data, err = extreme(ctx, d, in); err != nil {
				return answer, err
			}
			which := map[bool]string{true: "lightest", false: "fullest"}[in.lightest()]
			heading = d.say(which, "day", d.Voice().Day(d.span.Start)) + "\n"
		}
		return world.Answer[Utilization]{
			Data: data, Display: meet.CardDisplay, Title: w.Voice().Day(d.span.Start),
			Description: d.noted(heading + d.fullness(data)),
			Components:  []meet.Component{world.Part(meet.UtilizationPart, data)}, Suggestions: data.Suggestions,
		}, nil
	})
}

// extreme is the fullest or the lightest day from a first one on. A day off is meant only if all of them are, and so is
// a day that is over.
func extreme(ctx context.Context, best day, in AnalyzeUtilizationArguments) (day, Utilization, error) {
	from := interval.DateOf(best.span.Start.In(best.Zone()))
	of := best.utilization(from)
	until, err := dateOf(best.World, "until", in.Until)
	if err == nil && (until.Before(from) || from.AddDays(mostDays).Before(until)) {
		err = tool.BadArgument("until", "must be at most %d days after the date", mostDays)
	}
	for date := from.AddDays(1); err == nil && !until.Before(date); date = date.AddDays(1) {
		var next day
		if next, err = read(ctx, best.World, date.Span(best.Zone())); err != nil {
			break
		}
		its := next.utilization(date)
		more := its.Utilization > of.Utilization
		if in.lightest() {
			more = its.Utilization < of.Utilization
		}
		works, off := its.WorkingMinutes > 0, of.WorkingMinutes == 0
		if better := works && off || more && works != off; better || best.over() && !next.over() {
			best, of = next, its
		}
	}
	return best, of, err
}

// over reports whether the day's working hours are over, or the day if it has none.
func (d day) over() bool {
	end := d.span.End
	if working := d.Working(d.span); len(working) > 0 {
		end = working[len(working)-1].End
	}
	return !end.After(d.Now)
}

// utilization is how full the day is, and what would help.
func (d day) utilization(date interval.Date) Utilization {
	working, all := d.Working(d.span), d.busy(takes)
	busy := d.busy(func(o meet.Occurrence) bool { return takes(o) && o.Kind != meet.BreakBlock })
	data := Utilization{
		Date: date.String(), WorkingMinutes: minutes(working), BusyMinutes: minutes(busy), FocusTime: d.focused(),
		Suggestions: d.advice(working.Minus(all), all), Unread: d.found.Unread,
	}
	data.Utilization = share(minutes(busy.Intersect(working)), data.WorkingMinutes)
	if data.WorkingMinutes == 0 {
		data.Utilization = share(data.BusyMinutes, d.usualDay())
	}
	for _, gap := range working.Minus(all) {
		if gap.Duration() < fragment*time.Minute {
			data.FragmentedTime += int(gap.Duration() / time.Minute)
		}
	}
	return data
}

// share is a part of a whole in per cent, rounded; 0 of nothing.
func share(part, whole int) int {
	const percent = 100
	if whole == 0 {
		return 0
	}
	return (percent*part + whole/2) / whole
}

// usualDay is the length of the owner's longest working day, in minutes.
func (d day) usualDay() (longest int) {
	for n := range 7 {
		date := interval.DateOf(d.span.Start.In(d.Zone())).AddDays(n)
		longest = max(longest, minutes(d.Working(date.Span(d.Zone()))))
	}
	return longest
}

// focused is the minutes of work blocks that are long enough.
func (d day) focused() (sum int) {
	for _, o := range d.events {
		if length := o.Span.Intersect(d.span).Duration(); o.Kind == meet.WorkBlock && length >= leastFocus*time.Minute {
			sum += int(length / time.Minute)
		}
	}
	return sum
}

func (d day) fullness(data Utilization) string {
	v := d.Voice()
	length := func(minutes int) string {
		if minutes == 0 {
			return d.say("none")
		}
		return v.Length(minutes)
	}
	pairs := []string{
		"day", v.OnDay(d.span.Start), "percent", strconv.Itoa(data.Utilization), "busy", length(data.BusyMinutes),
		"working", length(data.WorkingMinutes), "focus", length(data.FocusTime), "fragments", length(data.FragmentedTime),
	}
	if data.WorkingMinutes == 0 {
		return d.say("dayOff", pairs...)
	}
	return d.say("utilization", pairs...)
}

// advice are messages that the owner may send to get a better day. Each can be carried out as it stands.
func (d day) advice(gaps, taken interval.Set) []string {
	list := []string{}
	if !d.span.End.After(d.Now) || d.found.Unread {
		return list
	}
	v, past := d.Voice(), interval.NewSet(interval.Span{Start: d.span.Start, End: d.Now})
	ahead, _ := d.Spare(gaps.Minus(past), d.span, world.NamedHours)
	if free := atLeast(ahead, leastFocus); len(free) > 0 && d.focused() < enoughFocus {
		list = append(list, d.focus(longest(free)))
	}
	for _, run := range taken {
		pause := interval.From(run.End, breakLength)
		if run.Duration() >= longRun && ahead.Covers(pause) {
			list = append(list, d.say("doBreak", "day", v.OnDay(run.End), "from", v.Clock(pause.Start),
				"to", v.Clock(pause.End)))
		}
	}
	for _, gap := range ahead {
		if block, ok := d.after(gap); ok && gap.Duration() < fragment*time.Minute {
			list = append(list, d.say("doMove", "title", block.Title, "day", v.OnDay(gap.Start),
				"from", v.Clock(block.Span.Start), "to", v.Clock(gap.Start)))
		}
	}
	return list
}

// after is the owner's block that begins as the gap ends, if it can begin with the gap instead.
func (d day) after(gap interval.Span) (meet.Occurrence, bool) {
	for _, o := range d.events {
		if o.Span.Start.Equal(gap.End) {
			return o, o.Kind != "" && !o.ReadOnly
		}
	}
	return meet.Occurrence{}, false
}
