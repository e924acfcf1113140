package calendar

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed find_times.md
var findTimesWords string

type findTimes struct {
	People          []string `json:"people"`
	DurationMinutes *int     `json:"durationMinutes" jsonschema:"nullable"`
	wanted
	Limit *int `json:"limit" jsonschema:"nullable"`
}

// Times is the data of calendar_findTimes.
type Times struct {
	Times []timeSpan `json:"times"`
	// Unknown are people whose calendars could not be read; the times may not suit them.
	Unknown []string `json:"unknown"`
}

// FindTimes lists the first times at which all of some people are free.
func FindTimes() world.Tool {
	return world.Define("calendar_findTimes", findTimesWords, reads(world.TimesOfEach), times)
}

func times(ctx context.Context, w *world.World, in findTimes) (world.Answer[Times], error) {
	most, minutes := 5, length(w, in.DurationMinutes)
	if in.Limit != nil {
		most = *in.Limit
	}
	if minutes <= 0 || minutes > 24*60 {
		return world.Answer[Times]{}, tool.BadArgument("durationMinutes", "must be from 1 to 1440")
	}
	asked, err := people(w, "people", in.People)
	if err != nil {
		return world.Answer[Times]{}, err
	}
	span, err := in.span(w)
	if err != nil {
		return world.Answer[Times]{}, err
	}
	found, unknown, kept, err := free(ctx, w, withOwner(w, asked), in.wanted, span)
	if err != nil {
		return world.Answer[Times]{}, err
	}
	answer := world.Answer[Times]{
		Data: Times{Times: []timeSpan{}, Unknown: unknown}, Display: meet.ListDisplay,
		Title: say(w, "noTimes", "length", w.Voice().Length(minutes), "when", w.Period(span)),
	}
	var lines []string
	fits := fitting(found, time.Duration(minutes)*time.Minute, most)
	for _, s := range fits {
		answer.Data.Times = append(answer.Data.Times, timeSpan{rfc(w, s.Start), rfc(w, s.End)})
		lines = append(lines, "- "+w.Voice().Span(s, false))
	}
	if len(lines) > 0 {
		answer.Title = say(w, "times", "length", w.Voice().Length(minutes))
	}
	answer.Description = strings.Join(append([]string{answer.Title}, lines...), "\n")
	if told := w.TellKept("kept", kept); told != "" {
		answer.Description += "\n\n" + told
	}
	if len(unknown) > 0 {
		answer.Description += "\n\n" + say(w, "unknownPeople", "names", w.Voice().List(escaped(w, unknown)))
	}
	answer.Components = []meet.Component{world.GapList(w.Gaps(fits))}
	return answer, nil
}

// free is the time at which none of the people is known to be busy, and that the owner does not keep free. Unknown are
// people about whom too little is known.
func free(
	ctx context.Context, w *world.World, people []meet.Person, when wanted, span interval.Span,
) (found interval.Set, unknown, kept []string, err error) {
	known, err := read(ctx, w, people, span)
	if err != nil {
		return nil, nil, nil, err
	}
	if found, err = when.open(w, people, span); err != nil {
		return nil, nil, nil, err
	}
	unknown = []string{}
	for _, p := range people {
		a := known.of(p, span)
		if p.ID == w.Owner.ID {
			a.Busy = w.Apart(a.Busy)
		}
		found = found.Minus(a.Busy)
		if len(a.Unknown) > 0 {
			unknown = append(unknown, p.Name)
		}
	}
	found, kept = when.spare(w, found, span)
	return found, unknown, kept, nil
}

func escaped(w *world.World, names []string) (all []string) {
	for _, n := range names {
		all = append(all, w.Voice().Title(n))
	}
	return all
}
